//! `hermes backup FILE`: the whole database as one file, while a daemon runs on
//! it, looked through before it gets its name.

use std::path::{Path, PathBuf};

use argh::{ArgsInfo, FromArgs};

use super::new_file::{NewFile, cannot_write, folder_of, refuse_database, resolved, with_suffix};
use super::{Files, print_text};
use crate::error::{Error, ExitCode, Result};

/// Copy the whole database, also while hermes runs, and verify the copy. To go back to it: stop
/// hermes, remove data.sqlite-wal and data.sqlite-shm, and put the copy in the
/// place of data.sqlite.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "backup", example = "hermes backup --force /mnt/usb/hermes.sqlite")]
pub(super) struct Backup {
    /// the copy; it has this name only once it is whole
    #[argh(positional)]
    file: PathBuf,
    /// replace a file that is there
    #[argh(switch)]
    force: bool,
}

/// For the file system's own needs.
const SPARE_BYTES: u64 = 1 << 20;

pub(super) fn backup(files: &Files, options: &Backup) -> Result<ExitCode> {
    let store = files.read()?;
    let path = resolved(&options.file)?;
    refuse_database(&path, &files.db)?;
    refuse_taken(&path, options.force)?;
    let bytes = store.copy_bytes()?;
    refuse_without_room(&path, bytes)?;
    let new = NewFile::create(&path)?;
    let contents = store.copy_into(new.part())?;
    let bytes = new.file.metadata().map_or(bytes, |file| file.len());
    new.finish()?;
    let (tables, rows) = (contents.tables, contents.rows);
    let name = options.file.display();
    print_text(&format!("{name}: {}, {tables} tables, {rows} rows, verified\n", size(bytes)));
    Ok(ExitCode::Done)
}

fn refuse_taken(path: &Path, force: bool) -> Result<()> {
    let shown = path.display();
    match path.metadata() {
        Ok(found) if !found.is_file() => {
            return Err(Error::Input(format!("{shown} is no plain file: name one")));
        }
        Ok(_) if !force => {
            return Err(Error::Input(format!("{shown} is there already: name another, or give --force")));
        }
        _ => {}
    }
    // SQLite would take it for the copy's own, and mix the two.
    match ["-wal", "-journal"].map(|suffix| with_suffix(path, suffix)).into_iter().find(|path| path.exists())
    {
        Some(journal) => Err(Error::Input(format!(
            "{} is there: a program has {shown} open, or left it so; name another file",
            journal.display()
        ))),
        None => Ok(()),
    }
}

fn refuse_without_room(path: &Path, bytes: u64) -> Result<()> {
    let folder = folder_of(path);
    let found = rustix::fs::statvfs(folder).map_err(|cause| cannot_write(path)(cause.into()))?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    if free < bytes.saturating_add(SPARE_BYTES) {
        let (need, free) = (size(bytes), size(free));
        let folder = folder.display();
        return Err(Error::Failed(format!("{folder} has {free} free, the copy takes {need}: make room")));
    }
    Ok(())
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
