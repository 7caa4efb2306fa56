//! What is to be tried: the documents of the file, and beside them the clients,
//! providers and deployments that a run would find in the database, in the folder
//! of `--sources` and in the file's own. The file's own documents win.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::clock::{Clock, SystemClock};
use crate::commands::{Files, STDIN};
use crate::definition::document::{self, Definition, MAX_FILE_BYTES};
use crate::definition::{Clients, Document, Problem, Source};
use crate::error::{Error, Result};
use crate::receiver::apply::{forget_rest, repeated};
use crate::receiver::folder::{self, File};
use crate::receiver::scratch::lay_out;
use crate::store::Store;

#[derive(Debug)]
pub(super) struct Given {
    /// In memory.
    pub(super) store: Store,
    pub(super) sources: Vec<Source>,
    /// As `hermes check` has them.
    pub(super) problems: Vec<String>,
}

pub(super) fn read(files: &Files, file: &Path) -> Result<Given> {
    let text = text_of(file)?;
    let database = match files.read() {
        Ok(store) => Some(store),
        Err(Error::Input(_)) => None,
        Err(error) => return Err(error),
    };
    let mut store = Store::scratch(database.as_ref())?;
    let others = others(&files.sources, file);
    let texts = || others.iter().filter_map(|other| Some((other, other.text.as_ref().ok()?)));
    let given = texts().map(|(_, text)| Clients::of_text(text));
    let clients = given.fold(store.clients()?, |all, own| all.and(&own));
    let reading = document::read_with(&text, &clients);
    let mut problems = reading.problems;
    problems.extend(repeated(&reading.documents));
    let origin = origin(file);
    store.write(SystemClock.now(), |tx| {
        if same_folder(&files.sources, file) {
            forget_rest(tx, &origin, &reading.documents)?;
        }
        for (other, text) in texts() {
            // What is wrong with them is not this file's.
            lay_out(tx, &shared(text), &other.name);
        }
        problems.extend(lay_out(tx, &reading.documents, &origin));
        Ok::<_, Error>(())
    })?;
    let named = |problem: &Problem| format!("{}:{problem}", file.display());
    let problems = problems.iter().map(named).collect();
    let sources = reading.documents.into_iter().filter_map(source).collect();
    Ok(Given { store, sources, problems })
}

fn source(document: Document) -> Option<Source> {
    match document.definition {
        Definition::Source(source) => Some(*source),
        _ => None,
    }
}

/// All but the sources.
fn shared(text: &str) -> Vec<Document> {
    let mut documents = document::read(text).documents;
    documents.retain(|document| !matches!(document.definition, Definition::Source(_)));
    documents
}

fn text_of(file: &Path) -> Result<String> {
    let unreadable = |error| Error::Input(format!("cannot read {}: {error}", file.display()));
    let open = || -> std::io::Result<Box<dyn Read>> {
        Ok(if is_standard_input(file) {
            Box::new(std::io::stdin())
        } else {
            Box::new(std::fs::File::open(file)?)
        })
    };
    let mut text = String::new();
    let opened = open().map_err(unreadable)?;
    // One byte more: then it is too large, which is for `document` to say.
    opened.take(MAX_FILE_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

/// The files beside it, which come last and so win.
fn others(sources: &Path, file: &Path) -> Vec<File> {
    let own = folder_of(file).filter(|own| !is_same(own, sources));
    let folders = [Some(sources.to_owned()), own];
    let mut others = Vec::new();
    for folder in folders.into_iter().flatten() {
        let found = folder::scan(&folder).unwrap_or_default();
        others.extend(found.into_iter().filter(|other| !is_same(&folder.join(&other.name), file)));
    }
    others
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == STDIN
}

/// For messages: as a run has it.
fn origin(file: &Path) -> String {
    match file.file_name().filter(|_| !is_standard_input(file)) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "standard input".to_owned(),
    }
}

fn folder_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|_| !is_standard_input(file))?;
    Some(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() })
}

fn same_folder(sources: &Path, file: &Path) -> bool {
    folder_of(file).is_some_and(|own| is_same(&own, sources))
}

fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}
