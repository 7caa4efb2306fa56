//! Names and prefixes that two documents claim: what the store refuses, within
//! a file and between files.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{Found, Severity};
use crate::definition::Document;
use crate::definition::document::Definition;
use crate::definition::problem::FieldPath;
use crate::store::source_files::Kind;

/// The first one keeps what two of them claim. The files with their names.
pub fn taken<'a>(files: &[(&str, &'a [Document])]) -> Vec<Found<'a>> {
    let mut names = HashMap::new();
    let mut prefixes = HashMap::new();
    let mut found = Vec::new();
    let all =
        files.iter().enumerate().flat_map(|(file, (_, documents))| documents.iter().map(move |d| (file, d)));
    for (file, document) in all {
        let (kind, key) = identity(document);
        let mut claim = |field: &str, message| {
            let field = FieldPath::default().key(field);
            found.push(Found { file, document, field, severity: Severity::Problem, message });
        };
        match names.entry((kind, key)) {
            Entry::Occupied(first) => {
                let (other, first): (usize, &Document) = *first.get();
                let is_here = other == file;
                let message =
                    if is_here { stands_at(key, first.line) } else { defined_by(key, files[other].0) };
                claim(field_of(kind), message);
                continue;
            }
            Entry::Vacant(free) => drop(free.insert((file, document))),
        }
        if let Some(prefix) = prefix_of(document) {
            let owner = *prefixes.entry(prefix).or_insert(document);
            if !std::ptr::eq(owner, document) {
                claim(prefix_field(kind), prefix_taken(identity(owner).1, prefix));
            }
        }
    }
    found
}

pub fn identity(document: &Document) -> (Kind, &str) {
    match &document.definition {
        Definition::Source(source) => (Kind::Source, &source.name),
        Definition::Client(client) => (Kind::Client, &client.name),
        Definition::Provider(provider) => (Kind::Provider, &provider.domain),
        Definition::Deployment(deployment) => (Kind::Deployment, &deployment.name),
        Definition::Handler(handler) => (Kind::Handler, &handler.name),
    }
}

pub(in crate::receiver) fn field_of(kind: Kind) -> &'static str {
    if kind == Kind::Provider { "domain" } else { "name" }
}

/// Of its job keys; `None` for what has no jobs of its own.
pub(in crate::receiver) fn prefix_of(document: &Document) -> Option<&str> {
    match &document.definition {
        Definition::Deployment(deployment) => Some(&deployment.prefix),
        Definition::Source(source) => source.schedule.as_ref().map(|_| source.name.as_str()),
        _ => None,
    }
}

pub(in crate::receiver) fn prefix_field(kind: Kind) -> &'static str {
    if kind == Kind::Deployment { "prefix" } else { "name" }
}

pub(in crate::receiver) fn prefix_taken(owner: &str, prefix: &str) -> String {
    format!("jobs of `{owner}` have the keys of `{prefix}` already; choose another")
}

pub(in crate::receiver) fn defined_by(key: &str, file: &str) -> String {
    format!("`{key}` is defined by {file} already; change it there, or give another name")
}

fn stands_at(key: &str, line: usize) -> String {
    format!("`{key}` stands at line {line} already; give it another name")
}
