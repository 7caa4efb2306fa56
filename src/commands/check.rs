//! `hermes check FILE|DIR…`: only validates. It opens no database.

use std::path::{Path, PathBuf};

use super::print_text;
use crate::definition::{Clients, Problem, document};
use crate::error::{Error, ExitCode, Result};
use crate::receiver::apply::repeated;
use crate::receiver::folder;

pub(super) fn check(paths: &[PathBuf]) -> Result<ExitCode> {
    let mut problems = Vec::new();
    let mut documents = 0;
    let texts = texts_of(paths)?;
    let given = texts.iter().map(|(_, text)| Clients::of_text(text));
    let clients = given.fold(Clients::default(), |all, own| all.and(&own));
    for (path, text) in &texts {
        let named = |problem: &Problem| format!("{}:{problem}", path.display());
        let reading = document::read_with(text, &clients);
        documents += reading.documents.len();
        problems.extend(reading.problems.iter().map(named));
        problems.extend(repeated(&reading.documents).iter().map(named));
    }
    if !problems.is_empty() {
        // What was asked for: on standard output, each line beginning with its
        // place, so that editors and scripts find it.
        print_text(&format!("{}\n", problems.join("\n")));
        return Ok(ExitCode::BadInput);
    }
    let word = if documents == 1 { "document" } else { "documents" };
    print_text(&format!("{documents} {word}, no problems\n"));
    Ok(ExitCode::Done)
}

/// All of them, as a client may stand in any.
fn texts_of(paths: &[PathBuf]) -> Result<Vec<(PathBuf, String)>> {
    let read = |path: PathBuf| match std::fs::read_to_string(&path) {
        Ok(text) => Ok((path, text)),
        Err(error) => Err(Error::Input(format!("cannot read {}: {error}", path.display()))),
    };
    paths_of(paths)?.into_iter().map(read).collect()
}

/// Folders stand for their YAML files.
fn paths_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if paths.is_empty() {
        return Err(Error::Input("name a YAML file or a folder of them".into()));
    }
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() { files.extend(documents_in(path)?) } else { files.push(path.clone()) }
    }
    Ok(files)
}

fn documents_in(path: &Path) -> Result<Vec<PathBuf>> {
    Ok(folder::scan(path)?.into_iter().map(|file| path.join(file.name)).collect())
}
