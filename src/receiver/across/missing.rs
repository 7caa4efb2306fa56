//! What a document names and no other defines, and providers of nobody. Where
//! a document could not be read, nothing is said to be missing that it may hold.

use std::collections::{BTreeSet, HashSet};

use super::{File, Found, Severity};
use crate::definition::document::Definition;
use crate::definition::problem::{FieldPath, shorten};
use crate::definition::provider::provider_of;
use crate::definition::source::DEFAULT_HANDLER;
use crate::definition::{Deployment, Document, Provider, Source, nearest};
use crate::order;

pub(super) fn missing<'a>(files: &[File<'a>], is_whole: bool) -> Vec<Found<'a>> {
    if files.iter().any(|file| file.reading.is_partial) {
        return Vec::new();
    }
    let mut found = sources(files, is_whole);
    if is_whole {
        found.extend(handlers(files));
    }
    found.extend(providers(files, is_whole));
    found
}

fn documents<'a>(files: &[File<'a>]) -> impl Iterator<Item = (usize, &'a Document)> {
    let all = files.iter().enumerate();
    all.flat_map(|(file, read)| read.reading.documents.iter().map(move |document| (file, document)))
}

/// In order, so that the nearest of two is the same one each time. Those with a
/// problem of their own are there as well.
fn named<'a>(files: &[File<'a>], name: fn(&'a Definition) -> Option<&'a str>) -> BTreeSet<&'a str> {
    let good = documents(files).filter_map(|(_, document)| name(&document.definition));
    let flawed = files.iter().flat_map(|file| file.reading.flawed.iter().map(String::as_str));
    order::set(good.chain(flawed))
}

/// A deployment may be given alone, and its sources stand elsewhere.
fn sources<'a>(files: &[File<'a>], is_whole: bool) -> Vec<Found<'a>> {
    let known = named(files, |definition| match definition {
        Definition::Source(source) => Some(&source.name),
        _ => None,
    });
    let severity = if is_whole { Severity::Problem } else { Severity::Warning };
    let mut found = Vec::new();
    for (file, document) in documents(files) {
        let Definition::Deployment(Deployment { sources, .. }) = &document.definition else { continue };
        for (index, name) in sources.iter().enumerate().filter(|(_, name)| !known.contains(name.as_str())) {
            let message = match nearest(name, known.iter().copied()) {
                Some(meant) => format!("there is no source `{name}`; did you mean `{meant}`?"),
                None => format!("there is no source `{name}` in what is checked"),
            };
            let field = FieldPath::default().key("sources").item(index);
            found.push(Found { file, document, field, severity, message });
        }
    }
    found
}

/// Told once for each: it works, with a ring of the default size.
fn handlers<'a>(files: &[File<'a>]) -> Vec<Found<'a>> {
    let mut known = named(files, |definition| match definition {
        Definition::Handler(handler) => Some(&handler.name),
        _ => None,
    });
    known.insert(DEFAULT_HANDLER);
    let mut told = HashSet::new();
    let mut found = Vec::new();
    for (file, document) in documents(files) {
        let handler = match &document.definition {
            Definition::Source(source) => source.handler.as_str(),
            Definition::Deployment(deployment) => deployment.handler.as_str(),
            _ => continue,
        };
        if known.contains(handler) || !told.insert(handler) {
            continue;
        }
        let meant = nearest(handler, known.iter().copied());
        let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        let message =
            format!("no document describes the handler `{handler}`, so it has the default size{meant}");
        let field = FieldPath::default().key("handler");
        found.push(Found { file, document, field, severity: Severity::Warning, message });
    }
    found
}

/// A host that is known only when the request is made may be anybody's, and so
/// may be that of a source with a problem.
fn providers<'a>(files: &[File<'a>], is_whole: bool) -> Vec<Found<'a>> {
    let sources = documents(files).filter_map(|(_, document)| source_of(document));
    let Some(hosts) =
        sources.filter(|source| !source.is_built_in()).map(Source::host).collect::<Option<Vec<_>>>()
    else {
        return Vec::new();
    };
    if files.iter().any(|file| !file.reading.flawed.is_empty()) {
        return Vec::new();
    }
    let hosts = order::set(hosts);
    let all: Vec<Provider> =
        documents(files).filter_map(|(_, document)| provider_in(document)).cloned().collect();
    let used: HashSet<&str> = hosts
        .iter()
        .filter_map(|host| provider_of(&all, host))
        .map(|provider| provider.domain.as_str())
        .collect();
    let mut found = Vec::new();
    for (file, document) in documents(files) {
        let Some(provider) = provider_in(document) else { continue };
        // Its sources may stand elsewhere, unless some stand beside it.
        let has_sources = || files[file].reading.documents.iter().any(|other| source_of(other).is_some());
        if used.contains(provider.domain.as_str()) || !(is_whole || has_sources()) {
            continue;
        }
        let message = match nearest(&provider.domain, hosts.iter().map(String::as_str)) {
            Some(meant) => format!("no source is of this domain; did you mean `{}`?", shorten(meant)),
            None => "no source is of this domain".to_owned(),
        };
        let field = FieldPath::default().key("domain");
        found.push(Found { file, document, field, severity: Severity::Warning, message });
    }
    found
}

fn source_of(document: &Document) -> Option<&Source> {
    match &document.definition {
        Definition::Source(source) => Some(source),
        _ => None,
    }
}

fn provider_in(document: &Document) -> Option<&Provider> {
    match &document.definition {
        Definition::Provider(provider) => Some(provider),
        _ => None,
    }
}
