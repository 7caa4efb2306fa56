//! A file that is there whole or not at all: written under another name beside
//! it, synced, renamed. What is written is the caller's.
//!
//! The other name is always the same, and locked while it is written: what a
//! killed process leaves behind is taken over by the next, and does not pile up.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

#[derive(Debug)]
pub(super) struct NewFile {
    path: PathBuf,
    part: PathBuf,
    pub(super) file: File,
    is_done: bool,
}

impl NewFile {
    pub(super) fn create(path: &Path) -> Result<NewFile> {
        let part = with_suffix(path, ".hermes-part");
        let file = loop {
            let file = locked(&part)?;
            // Its last owner may have renamed it between the opening and the lock.
            let (ours, named) = (file.metadata(), part.metadata());
            if matches!((ours, named), (Ok(ours), Ok(named)) if ours.ino() == named.ino()) {
                break file;
            }
        };
        file.set_len(0).map_err(cannot_write(&part))?;
        remove_journals(&part);
        Ok(NewFile { path: path.to_owned(), part, file, is_done: false })
    }

    /// Where it is until it is done.
    pub(super) fn part(&self) -> &Path {
        &self.part
    }

    /// Now it is there, also after a power cut.
    pub(super) fn finish(mut self) -> Result<()> {
        self.file.sync_all().map_err(cannot_write(&self.part))?;
        std::fs::rename(&self.part, &self.path).map_err(cannot_write(&self.path))?;
        self.is_done = true;
        let folder = File::open(folder_of(&self.path)).and_then(|folder| folder.sync_all());
        folder.map_err(cannot_write(&self.path))
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = std::fs::remove_file(&self.part);
            remove_journals(&self.part);
        }
    }
}

/// Of a copy that failed, or was killed, while SQLite had it open.
fn remove_journals(part: &Path) {
    for suffix in ["-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(with_suffix(part, suffix));
    }
}

fn locked(part: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).open(part).map_err(cannot_write(part))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(Error::Failed(format!("another hermes writes {} at this moment", part.display())))
        }
        Err(TryLockError::Error(cause)) => Err(cannot_write(part)(cause)),
    }
}

/// What a path leads to, along links; the last part need not be there.
pub(super) fn resolved(path: &Path) -> Result<PathBuf> {
    if let Ok(found) = path.canonicalize() {
        return Ok(found);
    }
    let name = path.file_name().ok_or_else(|| Error::Input(format!("{}: names no file", path.display())))?;
    let folder = folder_of(path);
    let folder = folder.canonicalize().map_err(|cause| {
        Error::Input(format!("{}: there is no folder {}: {cause}", path.display(), folder.display()))
    })?;
    Ok(folder.join(name))
}

/// Writing there would destroy what is being read.
pub(super) fn refuse_database(path: &Path, db: &Path) -> Result<()> {
    let db = resolved(db)?;
    let id = |path: &Path| path.metadata().map(|file| (file.dev(), file.ino())).ok();
    let is_its =
        ["", "-wal", "-shm", "-journal", ".lock"].iter().any(|suffix| with_suffix(&db, suffix) == path);
    if is_its || (id(path).is_some() && id(path) == id(&db)) {
        return Err(Error::Input(format!("{} belongs to the database: give another file", path.display())));
    }
    Ok(())
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

pub(super) fn cannot_write(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    Error::io(format!("cannot write {}", path.display()))
}
