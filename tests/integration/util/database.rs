//! Looking into the database from outside, as any SQLite client would. Knows no table by name.
//!
//! A test often looks before the daemon has made the file or the table: that is "nothing yet", while a
//! mistake in the SQL (a column that does not exist, say) stays an error.

use rusqlite::types::{FromSql, Value};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

const BUSY: Duration = Duration::from_secs(10);

/// `None` while the file is not there.
pub fn open_to_read(path: &Path) -> Option<Connection> {
    if !path.exists() {
        return None;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db =
        Connection::open_with_flags(path, flags).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    db.busy_timeout(BUSY).unwrap();
    Some(db)
}

/// Makes the file where it is not there: for tests that prepare a table of the user's.
pub fn open_to_write(path: &Path) -> Connection {
    let db = Connection::open(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    db.busy_timeout(BUSY).unwrap();
    db
}

/// All rows; none while the file or the table is not there.
#[track_caller]
pub fn rows(path: &Path, sql: &str) -> Vec<Vec<Value>> {
    let Some(db) = open_to_read(path) else { return Vec::new() };
    match all(&db, sql) {
        Ok(rows) => rows,
        Err(why) if not_there_yet(&why) => Vec::new(),
        Err(why) => panic!("{sql}: {why}"),
    }
}

/// The first column of the first row; `None` where there is no row, table or file, or where it is null.
#[track_caller]
pub fn first<T: FromSql>(path: &Path, sql: &str) -> Option<T> {
    let db = open_to_read(path)?;
    match db.query_row(sql, [], |row| row.get(0)) {
        Ok(found) => found,
        Err(rusqlite::Error::QueryReturnedNoRows) => None,
        Err(why) if not_there_yet(&why) => None,
        Err(why) => panic!("{sql}: {why}"),
    }
}

fn all(db: &Connection, sql: &str) -> rusqlite::Result<Vec<Vec<Value>>> {
    let mut statement = db.prepare(sql)?;
    let width = statement.column_count();
    statement.query_map([], |row| (0..width).map(|column| row.get(column)).collect())?.collect()
}

fn not_there_yet(why: &rusqlite::Error) -> bool {
    why.to_string().contains("no such table")
}
