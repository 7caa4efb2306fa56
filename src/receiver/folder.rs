//! The files of `sources.d` as they are now. It knows no YAML.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::definition::document::MAX_FILE_BYTES;
use crate::error::{Error, Result};
use crate::order;
use crate::store::content_hash;

#[derive(Debug)]
pub struct File {
    /// Without its folder.
    pub name: String,
    pub hash: String,
    /// `Err` says why it could not be read.
    pub text: std::result::Result<String, String>,
}

/// More is a slip (a mount, a checkout), and would be read at every change.
const MAX_FILES: usize = 20_000;

/// `*.yaml` and `*.yml` directly in the folder, by name.
pub fn scan(folder: &Path) -> Result<Vec<File>> {
    let fail = || Error::io(format!("cannot read the folder {}", folder.display()));
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail())? {
        let entry = entry.map_err(fail())?;
        if let Ok(name) = entry.file_name().into_string()
            && is_document(&name)
            && entry.path().is_file()
        {
            names.push(name);
        }
    }
    if names.len() > MAX_FILES {
        return Err(Error::Failed(format!("{} holds more than {MAX_FILES} files", folder.display())));
    }
    order::by_text(&mut names, String::clone);
    // A file that vanishes between the two looks is simply not there.
    Ok(names.into_iter().filter_map(|name| read(folder, name)).collect())
}

/// Not the copies and swap files that editors leave beside a file.
pub fn is_document(name: &str) -> bool {
    !name.starts_with('.') && (name.ends_with(".yaml") || name.ends_with(".yml"))
}

fn read(folder: &Path, name: String) -> Option<File> {
    let mut bytes = Vec::new();
    let opened = fs::File::open(folder.join(&name));
    let text = match opened.and_then(|file| read_some(file, &mut bytes)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => Err(unreadable(error)),
        Ok(()) => as_text(&bytes),
    };
    Some(File { name, hash: content_hash(&bytes), text })
}

/// What anybody gives to be read; `Err` says why it cannot be.
pub fn text_of(from: impl Read) -> std::result::Result<String, String> {
    let mut bytes = Vec::new();
    read_some(from, &mut bytes).map_err(unreadable)?;
    as_text(&bytes)
}

pub fn unreadable(error: std::io::Error) -> String {
    format!("cannot be read: {error}")
}

/// No more than shows that it is too much.
fn read_some(from: impl Read, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    from.take(MAX_FILE_BYTES + 1).read_to_end(bytes).map(drop)
}

fn as_text(bytes: &[u8]) -> std::result::Result<String, String> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err("is larger than 1 MiB".to_owned());
    }
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| format!("is not UTF-8: {error}"))
}
