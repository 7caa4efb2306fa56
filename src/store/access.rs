//! Why a database file cannot be used, and what to do: whose it is, who may
//! use it. It only looks; opening is `store`'s.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OptionalExtension};

use crate::error::{Error, Result};

/// What SQLite says of a folder that is missing, a folder in place of a file and
/// a file of another user is much the same.
pub(super) fn explained(path: &Path, error: Error, to_write: bool) -> Error {
    let Error::Database { cause, .. } = error else { return error };
    let shown = path.display();
    if path.is_dir() {
        return Error::Input(format!("{shown} is a folder: give a file with --db"));
    }
    if !is_denied(&cause) {
        return Error::Database { path: Some(path.to_owned()), cause };
    }
    let folder = folder(path);
    Error::Failed(if !folder.exists() {
        format!("there is no folder for {shown}: make it, or give another file with --db")
    } else if is_refused(File::open(path)) {
        format!("this user may not read {shown}: {}", advice(path))
    } else if to_write && is_refused(OpenOptions::new().write(true).open(path)) {
        format!("this user may not write {shown}: {}", advice(path))
    } else {
        let beside =
            format!("this user may not write {}, where SQLite keeps files beside it", folder.display());
        format!("{shown}: {cause}: {beside}: {}", advice(folder))
    })
}

/// Not a lock, nor what is in it.
pub(super) fn is_denied(cause: &rusqlite::Error) -> bool {
    use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(cause.sqlite_error_code(), Some(CannotOpen | ReadOnly | PermissionDenied))
}

/// Under a folder that this user may not look into, too.
pub(super) fn check_reach(path: &Path) -> Result<bool> {
    path.try_exists().map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied => {
            Error::Failed(format!("this user may not look into the folder of {}: {OWNER}", path.display()))
        }
        _ => Error::io(format!("cannot look at {}", path.display()))(error),
    })
}

/// Whether all of it is in the one file: then it may be read without those beside it.
pub(super) fn is_whole(path: &Path) -> bool {
    let mut wal = OsString::from(path);
    wal.push("-wal");
    PathBuf::from(wal).metadata().map_or(true, |wal| wal.len() == 0)
}

/// For SQLite: a file that nothing changes needs no files beside it.
pub(super) fn immutable_uri(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    let encoded = |&byte: &u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    let path: String = path.as_os_str().as_bytes().iter().map(encoded).collect();
    format!("file:{path}?immutable=1")
}

/// A file of another program may have a version of its own: it is not taken for
/// one of a newer Hermes, and nothing is written to it.
pub(super) fn check_ours(conn: &Connection, path: &Path, version: i64) -> Result<()> {
    let fail = |cause| Error::Database { path: Some(path.to_owned()), cause };
    let other = |why: &str| {
        let path = path.display();
        Err(Error::Input(format!(
            "{path} is a database of another program ({why}): give another file with --db"
        )))
    };
    let application: i64 = conn.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(fail)?;
    if application != 0 {
        return other(&format!("application_id {application}"));
    }
    if version != 0 && !has_table(conn, "fetchlogs").map_err(fail)? {
        return other(&format!("user_version {version}, and no table `fetchlogs`"));
    }
    Ok(())
}

/// Before the tables are made: one that is there already is somebody else's.
pub(super) fn check_free(conn: &Connection, path: &Path, schema: &str) -> Result<()> {
    let named = |line: &str| line.strip_prefix("CREATE TABLE ")?.split_whitespace().next().map(str::to_owned);
    for table in schema.lines().filter_map(named) {
        if has_table(conn, &table)? {
            let path = path.display();
            return Err(Error::Input(format!(
                "{path} has a table `{table}` that is not Hermes': give another file with --db"
            )));
        }
    }
    Ok(())
}

fn has_table(conn: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE";
    Ok(conn.query_row(sql, [name], |_| Ok(())).optional()?.is_some())
}

const OWNER: &str = "run hermes as its owner, or let this user in";

fn advice(path: &Path) -> String {
    path.metadata().map_or(OWNER.to_owned(), |of| format!("{OWNER} (it belongs to uid {})", of.uid()))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_refused<T>(opened: std::io::Result<T>) -> bool {
    opened.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_any_path() {
        let path = Path::new("/srv/my data?/ü#1.sqlite");
        assert_eq!(immutable_uri(path), "file:/srv/my%20data%3F/%C3%BC%231.sqlite?immutable=1");
    }
}
