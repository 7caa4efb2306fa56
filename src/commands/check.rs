//! `hermes check FILE|DIR…`: only validates. It opens no database.

use std::path::{Path, PathBuf};

use super::print_text;
use crate::definition::document;
use crate::error::{Error, ExitCode, Result};
use crate::receiver::folder;

pub(super) fn check(paths: &[PathBuf]) -> Result<ExitCode> {
    let mut problems = Vec::new();
    let mut documents = 0;
    for path in paths_of(paths)? {
        let text =
            std::fs::read_to_string(&path).map_err(Error::io(format!("cannot read {}", path.display())))?;
        let reading = document::read(&text);
        documents += reading.documents.len();
        problems.extend(reading.problems.iter().map(|problem| format!("{}:{problem}", path.display())));
    }
    if !problems.is_empty() {
        return Err(Error::Input(problems.join("\n")));
    }
    print_text(&format!("{documents} documents, no problems\n"));
    Ok(ExitCode::Done)
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
