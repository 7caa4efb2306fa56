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

use log::info;

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
        let mut file = open(&path)?;
        match file.try_lock() {
            Ok(()) => Lock::signed(file, path),
            Err(TryLockError::WouldBlock) => Err(Error::Failed(format!(
                "another hermes (pid {}) runs on {}: stop it, give another --db, or wait for it with --standby",
                holder(&mut file),
                db.display()
            ))),
            Err(TryLockError::Error(cause)) => Err(fail(&path)(cause)),
        }
    }

    /// Sleeps in the kernel until whoever has it is gone; `standing_by` is called
    /// before that, where it has to.
    pub fn wait(db: &Path, standing_by: impl FnOnce()) -> Result<Lock> {
        let path = lock_path(db);
        let mut file = open(&path)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            info!("standing by: pid {} runs on {}", holder(&mut file), db.display());
            standing_by();
            file.lock().map_err(fail(&path))?;
            info!("taking over");
        }
        Lock::signed(file, path)
    }

    fn signed(mut file: File, path: PathBuf) -> Result<Lock> {
        let pid = format!("{}\n", std::process::id());
        let signed =
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(pid.as_bytes()));
        signed.map_err(fail(&path))?;
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

fn open(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path).map_err(fail(path))
}

fn fail(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    Error::io(format!("cannot lock {}", path.display()))
}

/// For people; nothing depends on it.
fn holder(file: &mut File) -> String {
    let mut pid = String::new();
    let _ = file.take(32).read_to_string(&mut pid);
    if pid.trim().is_empty() { "unknown".to_owned() } else { pid.trim().to_owned() }
}

fn lock_path(db: &Path) -> PathBuf {
    let mut path = OsString::from(db);
    path.push(".lock");
    path.into()
}
