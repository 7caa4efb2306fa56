//! The texts that `hermes check` is given. It knows no YAML.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::commands::STDIN;
use crate::error::{Error, Result};
use crate::receiver::folder;

pub(super) struct Input {
    pub(super) files: Vec<Given>,
    /// A folder is among them: what is named nowhere in it is nowhere.
    pub(super) is_whole: bool,
}

pub(super) struct Given {
    /// As it is shown.
    pub(super) name: String,
    /// `Err` says why it could not be read.
    pub(super) text: std::result::Result<String, String>,
    /// A folder without documents stands for itself.
    pub(super) is_folder: bool,
}

/// Folders stand for their YAML files; what is given twice counts once.
pub(super) fn read(paths: &[PathBuf]) -> Result<Input> {
    if paths.is_empty() {
        return Err(Error::Input("name a YAML file, a folder of them, or - for standard input".into()));
    }
    let mut input = Input { files: Vec::new(), is_whole: false };
    let mut seen = HashSet::new();
    let mut is_new = |path: &Path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    for path in paths {
        if !path.is_dir() {
            input.files.extend(is_new(path).then(|| file(path)));
            continue;
        }
        input.is_whole = true;
        let found = folder::scan(path)?;
        if found.is_empty() {
            input.files.push(Given { name: shown(path), text: Ok(String::new()), is_folder: true });
        }
        for found in found {
            let inside = path.join(found.name);
            if is_new(&inside) {
                input.files.push(Given { name: shown(&inside), text: found.text, is_folder: false });
            }
        }
    }
    Ok(input)
}

fn file(path: &Path) -> Given {
    let (name, read) = match path.to_str() {
        Some(STDIN) => ("<stdin>".to_owned(), folder::text_of(std::io::stdin().lock())),
        _ => (shown(path), std::fs::File::open(path).map_err(folder::unreadable).and_then(folder::text_of)),
    };
    Given { name, text: read, is_folder: false }
}

/// A name may hold what a terminal would obey.
fn shown(path: &Path) -> String {
    crate::definition::problem::in_one_line(&path.display().to_string())
}
