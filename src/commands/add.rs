//! `hermes add FILE…` and `hermes update FILE…`: documents given by hand. They
//! return at once; a running daemon takes it from there.

use std::path::{Path, PathBuf};

use argh::{ArgsInfo, FromArgs};

use super::{Files, print_text};
use crate::definition::Clients;
use crate::definition::document::{self, MAX_FILE_BYTES};
use crate::definition::{Document, Problem};
use crate::error::{Error, ExitCode, Result};
use crate::order;
use crate::receiver::across::taken::identity;
use crate::receiver::apply::{self, Refused};
use crate::store::Tx;
use crate::store::source_files::Kind;

/// Add the documents of files to the database.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "add", example = "hermes add air.yaml")]
pub(super) struct Add {
    /// YAML files
    #[argh(positional, arg_name = "file")]
    pub(super) files: Vec<PathBuf>,
}

/// Overwrite sources by the documents of files.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "update")]
pub(super) struct Update {
    /// YAML files
    #[argh(positional, arg_name = "file")]
    pub(super) files: Vec<PathBuf>,
}

pub(super) fn add(files: &Files, paths: &[PathBuf]) -> Result<ExitCode> {
    receive(files, paths, |tx, name| {
        Ok(match tx.source(name)? {
            Some(row) if !row.is_removed() => {
                Some(format!("there is a source `{name}` already; `hermes update` overwrites it"))
            }
            _ => None,
        })
    })
}

pub(super) fn update(files: &Files, paths: &[PathBuf]) -> Result<ExitCode> {
    drop(files.read()?);
    receive(files, paths, |tx, name| {
        Ok(match tx.source(name)? {
            None => Some(format!("there is no source `{name}` to update; `hermes add` adds it")),
            Some(_) => None,
        })
    })
}

/// All files or nothing. `refuse` says what is wrong with a source's name.
fn receive(
    files: &Files,
    paths: &[PathBuf],
    refuse: impl Fn(&Tx<'_>, &str) -> Result<Option<String>>,
) -> Result<ExitCode> {
    if paths.is_empty() {
        return Err(Error::Input("name a YAML file; sources.d/ shows how one looks".into()));
    }
    let mut readings = read_all(paths, files.clients()?)?;
    // A client that changes together with its sources finds them changed.
    order::by_number(&mut readings, |(_, documents)| {
        i64::from(documents.iter().any(|d| identity(d).0 == Kind::Client))
    });
    // The first source may come before the first start of the daemon.
    let changed = files.create_or_change(|tx| {
        let mut changed = Vec::new();
        for (path, documents) in &readings {
            let given = |refused| as_input(path, refused);
            check_names(tx, documents, &refuse).map_err(given)?;
            changed.extend(apply::apply(tx, documents, None).map_err(given)?.changed);
        }
        Ok::<_, Error>(changed)
    })?;
    for what in &changed {
        print_text(&format!("{what}\n"));
    }
    Ok(ExitCode::Done)
}

/// Sources may be made from clients in any of the files.
fn read_all(paths: &[PathBuf], mut clients: Clients) -> Result<Vec<(&PathBuf, Vec<Document>)>> {
    let texts = paths.iter().map(|path| Ok((path, read_text(path)?))).collect::<Result<Vec<_>>>()?;
    for (_, text) in &texts {
        clients = clients.and(&Clients::of_text(text));
    }
    texts.iter().map(|(path, text)| Ok((*path, documents(path, text, &clients)?))).collect()
}

pub(super) fn read(path: &Path, clients: &Clients) -> Result<Vec<Document>> {
    documents(path, &read_text(path)?, clients)
}

fn read_text(path: &Path) -> Result<String> {
    let name = path.display();
    let unreadable = |error| Error::Input(format!("cannot read {name}: {error}"));
    let size = path.metadata().map_err(unreadable)?.len();
    if size > MAX_FILE_BYTES {
        return Err(Error::Input(format!("{name}: is larger than 1 MiB")));
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

fn documents(path: &Path, text: &str, clients: &Clients) -> Result<Vec<Document>> {
    let reading = document::read_with(text, clients);
    if reading.problems.is_empty() {
        Ok(reading.documents)
    } else {
        Err(as_input(path, Refused::Problems(reading.problems)))
    }
}

fn check_names(
    tx: &Tx<'_>,
    documents: &[Document],
    refuse: impl Fn(&Tx<'_>, &str) -> Result<Option<String>>,
) -> std::result::Result<(), Refused> {
    let mut problems = Vec::new();
    for document in documents {
        if let (Kind::Source, name) = identity(document)
            && let Some(message) = refuse(tx, name)?
        {
            problems.push(Problem { line: document.line, column: 1, field: "name".into(), message });
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Refused::Problems(problems)) }
}

/// A line a problem: file:line:col: field: message.
fn as_input(path: &Path, refused: Refused) -> Error {
    match refused {
        Refused::Store(error) => error,
        Refused::Problems(problems) => {
            let lines: Vec<String> = problems.iter().map(|p| format!("{}:{p}", path.display())).collect();
            Error::Input(lines.join("\n"))
        }
    }
}
