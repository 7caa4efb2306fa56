//! Rows in and out: the one place that knows SQL. A file a table, verbs with
//! their object. No rule is decided here; rules are passed in or called from
//! `definition`.

mod access;
pub mod backup;
pub mod clients;
pub mod covered_windows;
pub mod data_table;
pub mod deployments;
pub mod disk;
pub mod export;
pub mod fetchlogs;
pub mod handlers;
pub mod history;
pub mod incremental_state;
pub mod last_answers;
pub mod page;
pub mod plan;
pub mod providers;
pub mod rate_limiter_state;
pub mod ready;
pub mod recovery;
pub mod retries;
pub mod sample;
mod scratch;
pub mod source_definitions;
pub mod source_files;
pub mod upgrade;
pub mod value;
pub mod vitals;

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::ffi::{Error as Code, SQLITE_READONLY};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row, RowIndex, TransactionBehavior};

use crate::clock;
use crate::error::{Error, Result};

/// A connection of its own for each thread that reads or writes.
#[derive(Debug)]
pub struct Store {
    conn: Connection,
    path: PathBuf,
    /// Of the file as it was when it was opened: it sees no change.
    is_snapshot: bool,
}

/// A write transaction, which carries its own `now`: all that it writes
/// happened at one time.
#[derive(Debug)]
pub struct Tx<'a> {
    conn: rusqlite::Transaction<'a>,
    pub now: Timestamp,
}

/// Waits for another process's transaction; the longest of ours is one page.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// More than a tick and a run use together; each takes a few KiB once it is used.
const STATEMENTS: usize = 48;

impl Store {
    /// Creates or upgrades the database where needed.
    pub fn open(path: &Path) -> Result<Store> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Store::connect(path, flags).map_err(Error::from).and_then(|mut store| {
            // SQLite opens it all the same, and would say so at the first write.
            if store.conn.is_readonly("main")? {
                return Err(rusqlite::Error::SqliteFailure(Code::new(SQLITE_READONLY), None).into());
            }
            // Before anything of a file of another program is changed.
            upgrade::check_version(&store.conn, path)?;
            store.prepare_to_write()?;
            upgrade::upgrade(&mut store.conn, path)?;
            Ok(store)
        });
        opened.map_err(|error| access::explained(path, error, true))
    }

    /// For commands that only look. The file stays as it is.
    pub fn open_read_only(path: &Path) -> Result<Store> {
        if !access::check_reach(path)? {
            let path = path.display();
            return Err(Error::Input(format!(
                "there is no database {path}: `hermes --db {path}` makes it, or give another with --db"
            )));
        }
        let opened = Store::connect_to_read(path);
        let (store, version) = opened.map_err(|error| access::explained(path, error, false))?;
        if version == 0 {
            let path = path.display();
            return Err(Error::Input(format!(
                "{path} holds nothing of Hermes yet: `hermes --db {path}` makes its tables"
            )));
        }
        Ok(store)
    }

    /// With its version. A reader of a WAL needs files beside the database, also
    /// where none is left over: a user who may not make them reads the file alone.
    fn connect_to_read(path: &Path) -> Result<(Store, i64)> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let with_version = |store: Store| Ok((upgrade::check_version(&store.conn, path)?, store));
        let opened = Store::connect(path, flags).map_err(Error::from).and_then(with_version);
        let (version, store) = match opened {
            Err(Error::Database { cause, .. }) if access::is_denied(&cause) && access::is_whole(path) => {
                let uri = PathBuf::from(access::immutable_uri(path));
                let store = Store::connect(&uri, flags | OpenFlags::SQLITE_OPEN_URI)?;
                with_version(Store { path: path.to_owned(), is_snapshot: true, ..store })?
            }
            other => other?,
        };
        Ok((store, version))
    }

    fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Store> {
        let conn = Connection::open_with_flags(path, flags)?;
        conn.busy_timeout(BUSY_TIMEOUT)?;
        keep_statements(&conn)?;
        Ok(Store { conn, path: path.to_owned(), is_snapshot: false })
    }

    fn prepare_to_write(&self) -> rusqlite::Result<()> {
        // Readers never wait for the writer, and a page is one append.
        self.conn.pragma_update(None, "journal_mode", "WAL")?;
        // A commit is safe from a crash of Hermes; a power cut may undo the last
        // ones whole, and the next run fetches them again. No fsync per commit.
        self.conn.pragma_update(None, "synchronous", "NORMAL")?;
        // After a checkpoint the WAL gives back what a large page made it take.
        self.conn.pragma_update(None, "journal_size_limit", 4 << 20)?;
        // The retries of a source go with it.
        self.conn.pragma_update(None, "foreign_keys", true)?;
        // Sorting must not write to the card.
        self.conn.pragma_update(None, "temp_store", "MEMORY")?;
        // KiB: what a page of records touches. More is of no use where keys come in the order
        // of their index, and known ones are looked for in it (`page`).
        self.conn.pragma_update(None, "cache_size", -256)
    }

    /// For an end that has to be in time: another process's lock is waited for
    /// no longer than this.
    pub fn wait_for_locks(&self, at_most: Duration) -> Result<()> {
        Ok(self.conn.busy_timeout(at_most)?)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All of it or nothing. Immediate, so that two writers queue up at its
    /// start and none fails in its middle.
    pub fn write<T, E: From<Error>>(
        &mut self,
        now: Timestamp,
        body: impl FnOnce(&Tx<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let conn =
            self.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(Error::from)?;
        let tx = Tx { conn, now };
        let value = body(&tx)?;
        tx.conn.commit().map_err(Error::from)?;
        Ok(value)
    }

    /// Moves on whenever another connection has changed anything.
    pub fn data_version(&self) -> Result<i64> {
        Ok(self.conn.pragma_query_value(None, "data_version", |row| row.get(0))?)
    }

    /// It shows the file as it was when it was opened, for ever.
    pub fn is_snapshot(&self) -> bool {
        self.is_snapshot
    }

    /// Moves on whenever what is configured changes, by whomever.
    pub fn generation(&self) -> Result<i64> {
        let mut find = self.conn.prepare_cached("SELECT value FROM generation")?;
        Ok(find.query_row([], |row| row.get(0))?)
    }
}

impl Tx<'_> {
    /// For changes that the triggers do not see.
    pub fn move_generation_on(&self) -> Result<()> {
        self.conn.execute("UPDATE generation SET value = value + 1", [])?;
        Ok(())
    }
}

/// A statement is planned once. Else SQLite plans it anew whenever a value is
/// bound that might decide about a partial index.
fn keep_statements(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(|_| ())
}

/// A checked identifier, quoted all the same.
fn quoted(identifier: &str) -> String {
    format!("\"{}\"", identifier.replace('"', "\"\""))
}

/// `None` for NULL and for what is no time.
fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Timestamp>> {
    Ok(optional_text(row, column)?.as_deref().and_then(clock::from_text))
}

/// Of a column that any SQLite client may write: what is no text is as good as
/// empty, and checked as such, for one odd row must not hide all the others.
fn text(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<String> {
    Ok(optional_text(row, column)?.unwrap_or_default())
}

/// The same; `None` for NULL.
fn optional_text(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => None,
        ValueRef::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => Some(String::new()),
    })
}

/// Of a text, short enough to be shown.
pub fn content_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A store in memory, as good as one on disk for all but WAL.
    pub(crate) fn store() -> Store {
        Store::scratch(None).expect("SQLite in memory")
    }

    impl Store {
        /// What another client of the database might do.
        pub(crate) fn execute_for_test(&self, sql: &str) {
            self.conn.execute_batch(sql).expect("good SQL");
        }
    }

    pub(crate) fn at(text: &str) -> Timestamp {
        text.parse().expect("a timestamp")
    }
}
