//! What can end a command, sorted by who can mend it. Failures of a run are
//! not here: they are values of `worker`, recorded and retried.

use std::fmt;
use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug)]
pub enum Error {
    /// The user's: bad YAML, a bad flag, an unknown name. Says what would do.
    Input(String),
    /// It did not work, and the message says why.
    Failed(String),
    Database {
        path: Option<PathBuf>,
        cause: rusqlite::Error,
    },
    TooNew {
        path: PathBuf,
        found: i64,
        known: i64,
    },
    Io {
        what: String,
        cause: std::io::Error,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    Done = 0,
    Failed = 1,
    BadInput = 2,
}

impl Error {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Error::Input(_) => ExitCode::BadInput,
            _ => ExitCode::Failed,
        }
    }

    pub fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Error {
        let what = what.into();
        move |cause| Error::Io { what, cause }
    }

    /// Whether the same statement may succeed later with nobody doing anything
    /// to the program: the disk is full, or another process holds the lock.
    pub fn may_pass(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull, SystemIoFailure};
        matches!(self, Error::Database { cause, .. } if matches!(
            cause.sqlite_error_code(),
            Some(DatabaseBusy | DatabaseLocked | DiskFull | SystemIoFailure)
        ))
    }
}

impl From<rusqlite::Error> for Error {
    fn from(cause: rusqlite::Error) -> Error {
        Error::Database { path: None, cause }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(message) | Error::Failed(message) => f.write_str(message),
            Error::Database { path, cause } => {
                if let Some(path) = path {
                    write!(f, "{}: ", path.display())?;
                }
                write!(f, "{cause}{}", advice(cause))
            }
            Error::TooNew { path, found, known } => write!(
                f,
                "{} was written by a newer Hermes (schema {found}, this one knows {known}): install that version",
                path.display()
            ),
            Error::Io { what, cause } => write!(f, "{what}: {cause}{}", access_advice(cause)),
        }
    }
}

impl std::error::Error for Error {}

fn access_advice(cause: &std::io::Error) -> &'static str {
    match cause.kind() {
        std::io::ErrorKind::PermissionDenied => "; run hermes as its owner, or let this user in",
        std::io::ErrorKind::NotFound => "; check that its folder exists",
        _ => "",
    }
}

/// The next step, where there is one.
fn advice(cause: &rusqlite::Error) -> &'static str {
    use rusqlite::ErrorCode as Code;
    match cause.sqlite_error_code() {
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
            "; another program holds the database: close its transaction and try again"
        }
        Some(Code::DiskFull) => "; the disk is full: free some space",
        Some(Code::ReadOnly | Code::PermissionDenied) => "; check who may write the file and its folder",
        Some(Code::CannotOpen) => "; check that the folder exists and who may write it",
        Some(Code::NotADatabase) => "; this file is no SQLite database: give another with --db",
        Some(Code::DatabaseCorrupt) => "; run `PRAGMA integrity_check` on a copy, or restore a backup",
        _ if cause.to_string().contains("no such column") => {
            "; the database is of an older Hermes: start this one on it, which brings it up to date"
        }
        _ => "",
    }
}
