//! One daemon at a time on a database, and a way to wake it. It knows nothing
//! of what the daemon does.
//!
//! The lock is the kernel's: it goes with the process, however that ends. The
//! file beside the database holds the pid for people; touching it is the wake-up
//! that the daemon watches for.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::{Error, Result};

#[derive(Debug)]
pub struct Lock {
    /// Held for as long as it is open.
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Refuses with the pid of whoever has it.
    pub fn acquire(db: &Path) -> Result<Lock> {
        let path = lock_path(db);
        let fail = || Error::io(format!("cannot lock {}", path.display()));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(fail())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(taken(db, &mut file)),
            Err(TryLockError::Error(cause)) => return Err(fail()(cause)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(fail())?;
        writeln!(file, "{}", std::process::id()).map_err(fail())?;
        Ok(Lock { _file: file, path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether a daemon runs on the database now.
pub fn is_held(db: &Path) -> bool {
    let file = File::open(lock_path(db));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Wakes the daemon of a database, if there is one. Not being able to is no
/// failure: it looks by itself within its longest sleep.
pub fn poke(db: &Path) {
    if let Ok(file) = OpenOptions::new().write(true).open(lock_path(db)) {
        let _ = file.set_modified(SystemTime::now());
    }
}

fn taken(db: &Path, file: &mut File) -> Error {
    let mut pid = String::new();
    let _ = file.take(32).read_to_string(&mut pid);
    let pid = if pid.trim().is_empty() { "unknown" } else { pid.trim() };
    Error::Failed(format!(
        "another hermes (pid {pid}) runs on {}: stop it, or give another --db",
        db.display()
    ))
}

fn lock_path(db: &Path) -> PathBuf {
    let mut path = OsString::from(db);
    path.push(".lock");
    path.into()
}
