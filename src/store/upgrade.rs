//! From an older schema to this one, in one transaction. `schema.sql` is the
//! truth; numbered steps must reach it. Nothing here knows what the tables mean.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::access;
use crate::error::{Error, Result};
use crate::packed::unpacked;

/// `schema.sql`, a third of its size.
const SCHEMA: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/schema.sql.gz"));

type Step = fn(&Transaction<'_>) -> rusqlite::Result<()>;

/// The step at index n leads from version n + 1 to n + 2.
const STEPS: &[Step] = &[add_views, notice_updated_links, add_total, add_last_answers];

const LATEST: i64 = STEPS.len() as i64 + 1;

/// Makes the tables in a database that has none of Hermes, which may well be
/// one in which the user keeps tables of their own.
pub(super) fn upgrade(conn: &mut Connection, path: &Path) -> Result<()> {
    if check_version(conn, path)? == LATEST {
        return Ok(());
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again: another process may have upgraded while this one waited.
    match check_version(&tx, path)? {
        0 => {
            let schema = unpacked(SCHEMA);
            access::check_free(&tx, path, &schema)?;
            tx.execute_batch(&schema)?;
        }
        version => STEPS[version as usize - 1..].iter().try_for_each(|step| step(&tx))?,
    }
    tx.pragma_update(None, "user_version", LATEST)?;
    tx.commit()?;
    Ok(())
}

/// 0 for a database without Hermes' tables.
pub(super) fn check_version(conn: &Connection, path: &Path) -> Result<i64> {
    let found: i64 = conn
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|cause| Error::Database { path: Some(path.to_owned()), cause })?;
    access::check_ours(conn, path, found)?;
    if found > LATEST {
        return Err(Error::TooNew { path: path.to_owned(), found, known: LATEST });
    }
    if found < 0 {
        let path = path.display();
        return Err(Error::Failed(format!(
            "{path} belongs to another program (its user_version is {found}): give another --db"
        )));
    }
    Ok(found)
}

/// Views hold no data: a later step drops and makes them anew.
fn add_views(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch(include_str!("upgrade/views_of_version_2.sql"))
}

fn notice_updated_links(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch(
        "CREATE TRIGGER deployment_sources_changed AFTER UPDATE ON deployment_sources
BEGIN UPDATE generation SET value = value + 1; END;",
    )
}

fn add_total(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch("ALTER TABLE fetchlogs ADD COLUMN total INTEGER")
}

fn add_last_answers(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch(
        "CREATE TABLE last_answers (
    source_name   TEXT PRIMARY KEY REFERENCES source_definitions (name) ON DELETE CASCADE ON UPDATE CASCADE,
    request       TEXT NOT NULL,
    etag          TEXT,
    last_modified TEXT,
    body          TEXT NOT NULL,
    records       INTEGER NOT NULL
) WITHOUT ROWID;",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it was when it was the latest; never changes again.
    const VERSION_1: &str = include_str!("upgrade/version_1.sql");

    /// Without comments, which may say more from version to version, and without
    /// layout: SQLite adds a column in its own way.
    fn shape(conn: &Connection) -> Vec<(String, String)> {
        let mut all =
            conn.prepare("SELECT name, coalesce(sql, '') FROM sqlite_master ORDER BY name").expect("SQL");
        let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        let bare = |sql: String| {
            let lines = sql.lines().filter(|line| !line.trim_start().starts_with("--"));
            let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
            words.join(" ").replace(" )", ")").replace(" ,", ",")
        };
        rows.map(|row| row.map(|(name, sql)| (name, bare(sql))).expect("a row")).collect()
    }

    fn memory(sql: &str, version: i64) -> Connection {
        let conn = Connection::open_in_memory().expect("SQLite in memory");
        conn.execute_batch(sql).expect("good SQL");
        conn.pragma_update(None, "user_version", version).expect("a pragma");
        conn
    }

    #[test]
    fn an_upgraded_database_has_the_shape_of_a_new_one() {
        let (mut new, mut old) = (memory("", 0), memory(VERSION_1, 1));
        upgrade(&mut new, Path::new("new")).expect("made");
        upgrade(&mut old, Path::new("old")).expect("upgraded");
        assert_eq!(shape(&old), shape(&new));
        assert!(shape(&new).iter().any(|(name, _)| name == "stuck_jobs"));
    }

    #[test]
    fn a_database_of_a_newer_hermes_is_refused() {
        let mut conn = memory(VERSION_1, LATEST + 1);
        let before = shape(&conn);
        let error = upgrade(&mut conn, Path::new("data.sqlite")).expect_err("too new");
        assert!(error.to_string().contains("newer Hermes"), "{error}");
        assert_eq!(shape(&conn), before);
    }

    #[test]
    fn a_database_of_another_program_is_refused_and_left_alone() {
        for (sql, version, told) in [
            ("CREATE TABLE mine (a);", 3, "user_version 3, and no table `fetchlogs`"),
            ("PRAGMA application_id = 7;", 0, "application_id 7"),
            ("CREATE TABLE Clients (a);", 0, "has a table `clients` that is not Hermes'"),
        ] {
            let mut conn = memory(sql, version);
            let before = shape(&conn);
            let error = upgrade(&mut conn, Path::new("other.sqlite")).expect_err(told);
            assert!(error.to_string().contains(told), "{error}");
            assert_eq!(shape(&conn), before);
        }
    }

    #[test]
    fn a_version_that_no_hermes_writes_is_refused() {
        let mut conn = memory("CREATE TABLE mine (a);", -1);
        let error = upgrade(&mut conn, Path::new("data.sqlite")).expect_err("not ours");
        assert!(error.to_string().contains("another program"), "{error}");
    }

    #[test]
    fn tables_of_the_user_stay_as_they_are() {
        let mut conn = memory("CREATE TABLE mine (a); INSERT INTO mine VALUES (1);", 0);
        upgrade(&mut conn, Path::new("data.sqlite")).expect("made");
        let kept: i64 = conn.query_row("SELECT a FROM mine", [], |row| row.get(0)).expect("the row");
        assert_eq!(kept, 1);
    }
}
