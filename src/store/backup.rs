//! A copy of the whole database, made while others write to it, and looked
//! through once it is there. Where the copy goes is the command's to know.
//!
//! SQLite's online backup begins anew whenever another connection has written.
//! Within a read transaction it does not: its source is then one snapshot, and
//! in WAL mode nobody waits for a reader. `VACUUM INTO` is as consistent and gives
//! back free pages, but builds every table anew, which takes a small machine
//! longer; and for as long as it takes, the WAL grows by what is written.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, Transaction};

use super::{Store, quoted};
use crate::error::{Error, Result};

/// Copied between two looks at the lock; 1 MiB.
const PAGES: i32 = 256;

/// Nobody else should hold the copy; a virus scanner or an indexer might for a moment.
const PATIENCE: Duration = Duration::from_secs(10);

/// What must be the same in the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    pub version: i64,
    pub tables: usize,
    pub rows: u64,
}

impl Store {
    /// Bytes that a copy takes.
    pub fn copy_bytes(&self) -> Result<u64> {
        let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        Ok(self.conn.query_row(sql, [], |row| row.get(0))?)
    }

    /// Into an empty file. It is one file afterwards, not in WAL mode, so that it
    /// can be read wherever it is put; opening it as a database of Hermes changes that.
    pub fn copy_into(&self, path: &Path) -> Result<Contents> {
        let snapshot = self.conn.unchecked_transaction()?;
        let contents = contents(&snapshot)?;
        copy(&snapshot, path)?;
        drop(snapshot);
        let copy = Connection::open(path)?;
        copy.pragma_update(None, "journal_mode", "DELETE")?;
        check(&copy, &contents)?;
        copy.close().map_err(|(_, cause)| cause)?;
        Ok(contents)
    }
}

fn copy(snapshot: &Transaction<'_>, path: &Path) -> Result<()> {
    let mut copy = Connection::open(path)?;
    // A copy that is not finished is thrown away, and the file is synced at the end.
    copy.pragma_update(None, "journal_mode", "OFF")?;
    copy.pragma_update(None, "synchronous", "OFF")?;
    let backup = Backup::new(snapshot, &mut copy)?;
    let mut held_since = None;
    loop {
        match backup.step(PAGES)? {
            StepResult::Done => return Ok(()),
            StepResult::More => held_since = None,
            _ if held_since.get_or_insert_with(Instant::now).elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(50));
            }
            _ => return Err(Error::Failed(format!("{}: another program holds it", path.display()))),
        }
    }
}

/// `quick_check` reads every page and row; that index and table agree is known
/// of the original, of which this is a copy page by page.
fn check(copy: &Connection, want: &Contents) -> Result<()> {
    let found: String = copy.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    let have = contents(copy)?;
    if found != "ok" {
        return Err(Error::Failed(format!("the copy is damaged: {found}; so may the database be")));
    }
    if have != *want {
        return Err(Error::Failed(format!("the copy differs: {have:?} instead of {want:?}")));
    }
    Ok(())
}

fn contents(conn: &Connection) -> Result<Contents> {
    let version = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let mut find = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")?;
    let names = find.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    let mut rows = 0;
    for name in &names {
        let sql = format!("SELECT count(*) FROM {}", quoted(name));
        rows += conn.query_row(&sql, [], |row| row.get::<_, u64>(0))?;
    }
    Ok(Contents { version, tables: names.len(), rows })
}
