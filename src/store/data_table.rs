//! The tables that rows go to: made from the mapping of a source, extended by
//! new fields. Identifiers were checked with the document and are quoted here;
//! values are always bound.

use jiff::{SignedDuration, Timestamp};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::{Store, Tx, quoted};
use crate::clock;
use crate::definition::source::Retention;
use crate::definition::{Field, FieldType, Source};
use crate::error::Result;

/// What Hermes needs of every data table.
pub(super) const OWN_COLUMNS: [&str; 3] = ["source_name", "created_at", "record_hash"];

/// Rows deleted in one transaction: the writer waits for no more than these.
const DELETE_BATCH: u32 = 1_000;

impl Tx<'_> {
    /// Makes the table, or adds the columns of new fields. `Err` of the inner
    /// result says what the user's own table lacks, and the statement that mends it.
    pub fn ensure_table(&self, source: &Source) -> Result<std::result::Result<(), String>> {
        let have = columns(&self.conn, &source.table)?;
        if have.is_empty() {
            self.conn.execute_batch(&create_sql(source))?;
            return Ok(Ok(()));
        }
        if let Err(problem) = check_own_columns(&source.table, &have) {
            return Ok(Err(problem));
        }
        for field in missing(&source.response.fields, &have) {
            let sql = format!("ALTER TABLE {} ADD COLUMN {}", quoted(&source.table), column_sql(field));
            self.conn.execute_batch(&sql)?;
        }
        self.conn.execute_batch(&unique_index_sql(&self.conn, &source.table)?)?;
        Ok(Ok(()))
    }

    pub fn has_rows(&self, table: &str, source_name: &str) -> Result<bool> {
        has_rows(&self.conn, table, source_name)
    }

    /// Removes a batch of the oldest rows past what is kept; the number removed.
    fn prune_rows(&self, source: &Source, retention: Retention) -> Result<usize> {
        let table = quoted(&source.table);
        let mut removed = 0;
        if let Some(days) = retention.days {
            let before = self.now.checked_sub(SignedDuration::from_hours(24 * i64::from(days)));
            let sql = format!(
                "DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table}
                 WHERE source_name = ?1 AND created_at < ?2 ORDER BY rowid LIMIT {DELETE_BATCH})"
            );
            let before = clock::to_text(before.unwrap_or(Timestamp::MIN));
            removed += self.conn.execute(&sql, params![source.name, before])?;
        }
        if let Some(rows) = retention.rows {
            let sql = format!(
                "DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table}
                 WHERE source_name = ?1 ORDER BY rowid
                 LIMIT max(0, min({DELETE_BATCH}, (SELECT count(*) FROM {table} WHERE source_name = ?1) - ?2)))"
            );
            removed += self.conn.execute(&sql, params![source.name, rows as i64])?;
        }
        Ok(removed)
    }
}

impl Store {
    pub fn has_rows(&self, table: &str, source_name: &str) -> Result<bool> {
        has_rows(&self.conn, table, source_name)
    }

    /// After a run; in batches, so that no writer waits for long.
    pub fn apply_retention(&mut self, source: &Source, now: Timestamp) -> Result<usize> {
        if source.retention == Retention::default() {
            return Ok(0);
        }
        let mut removed = 0;
        loop {
            let batch = self.write(now, |tx| tx.prune_rows(source, source.retention))?;
            removed += batch;
            if batch == 0 {
                return Ok(removed);
            }
        }
    }

    /// When the newest row of a source was stored, by whomever.
    pub fn newest_row(&self, table: &str, source_name: &str) -> Result<Option<Timestamp>> {
        if columns(&self.conn, table)?.is_empty() {
            return Ok(None);
        }
        let sql = format!("SELECT max(created_at) FROM {} WHERE source_name = ?", quoted(table));
        let newest: Option<String> = self.conn.query_row(&sql, [source_name], |row| row.get(0))?;
        Ok(newest.as_deref().and_then(clock::from_text))
    }

    pub fn count_rows(&self, table: &str, source_name: &str) -> Result<u64> {
        if columns(&self.conn, table)?.is_empty() {
            return Ok(0);
        }
        let sql = format!("SELECT count(*) FROM {} WHERE source_name = ?", quoted(table));
        Ok(self.conn.query_row(&sql, [source_name], |row| row.get(0))?)
    }

    /// Of a table, for people: all but what Hermes knows a row by. None where
    /// there is no such table yet.
    pub fn columns_of(&self, table: &str) -> Result<Vec<String>> {
        let mut names = columns(&self.conn, table)?;
        names.retain(|name| !name.eq_ignore_ascii_case("record_hash"));
        Ok(names)
    }

    /// The newest first; `of_value` makes of each what is wanted, by its column.
    pub fn newest_rows<T>(
        &self,
        table: &str,
        columns: &[String],
        source_name: &str,
        since: Option<Timestamp>,
        limit: u32,
        mut of_value: impl FnMut(usize, ValueRef<'_>) -> T,
    ) -> Result<Vec<Vec<T>>> {
        if columns.is_empty() {
            return Ok(Vec::new());
        }
        let list = columns.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
        // The plus keeps SQLite from its index, by which it would read and sort
        // every row of the source to find the newest.
        let sql = format!(
            "SELECT {list} FROM {} WHERE +source_name = ?1 AND (?2 IS NULL OR created_at >= ?2)
             ORDER BY rowid DESC LIMIT ?3",
            quoted(table)
        );
        let mut find = self.conn.prepare(&sql)?;
        let rows = find.query_map(params![source_name, since.map(clock::to_text), limit], |row| {
            let values = (0..columns.len()).map(|at| Ok(of_value(at, row.get_ref(at)?)));
            values.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

fn has_rows(conn: &Connection, table: &str, source_name: &str) -> Result<bool> {
    if columns(conn, table)?.is_empty() {
        return Ok(false);
    }
    let sql = format!("SELECT 1 FROM {} WHERE source_name = ?", quoted(table));
    Ok(conn.prepare(&sql)?.exists([source_name])?)
}

/// Only the uniqueness of a record is passed over: any other constraint fails
/// the page.
pub(super) fn insert_sql(source: &Source) -> String {
    let mut names = String::from("source_name, created_at, record_hash");
    for field in &source.response.fields {
        names.push_str(", ");
        names.push_str(&quoted(&field.target));
    }
    let places = vec!["?"; source.response.fields.len() + OWN_COLUMNS.len()].join(", ");
    format!(
        "INSERT INTO {} ({names}) VALUES ({places}) ON CONFLICT (source_name, record_hash) DO NOTHING",
        quoted(&source.table)
    )
}

pub(super) fn find_sql(table: &str) -> String {
    format!("SELECT 1 FROM {} WHERE source_name = ? AND record_hash = ?", quoted(table))
}

pub(super) fn delete_rows(conn: &Connection, table: &str, source_name: &str) -> Result<u64> {
    if columns(conn, table)?.is_empty() {
        return Ok(0);
    }
    let sql = format!("DELETE FROM {} WHERE source_name = ?", quoted(table));
    Ok(conn.execute(&sql, [source_name])? as u64)
}

/// What is shown first comes first; the key of the row last.
pub fn create_sql(source: &Source) -> String {
    let fields: String =
        source.response.fields.iter().map(|field| format!("    {},\n", column_sql(field))).collect();
    format!(
        "CREATE TABLE {} (\n{fields}    source_name TEXT NOT NULL,\n    created_at TEXT NOT NULL,\n    \
         record_hash BLOB NOT NULL,\n    UNIQUE (source_name, record_hash)\n)",
        quoted(&source.table)
    )
}

fn column_sql(field: &Field) -> String {
    format!("{} {}", quoted(&field.target), FieldType::column_type(field.kind.as_ref())).trim_end().to_owned()
}

fn missing<'a>(fields: &'a [Field], have: &'a [String]) -> impl Iterator<Item = &'a Field> {
    fields.iter().filter(|field| !have.iter().any(|name| name.eq_ignore_ascii_case(&field.target)))
}

/// Nothing is added to a table that is not Hermes' own but for fields.
fn check_own_columns(table: &str, have: &[String]) -> std::result::Result<(), String> {
    let lacking: Vec<&str> = OWN_COLUMNS
        .into_iter()
        .filter(|own| !have.iter().any(|name| name.eq_ignore_ascii_case(own)))
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let add: Vec<String> =
        lacking.iter().map(|name| format!("ALTER TABLE {} ADD COLUMN {name};", quoted(table))).collect();
    Err(format!(
        "the table `{table}` exists and lacks {}; name another table, or run: {}",
        lacking.join(", "),
        add.join(" ")
    ))
}

/// Empty where the table has one already.
fn unique_index_sql(conn: &Connection, table: &str) -> Result<String> {
    let mut find = conn.prepare(
        "SELECT group_concat(lower(info.name)) AS names FROM pragma_index_list(?1) AS list
         JOIN pragma_index_info(list.name) AS info WHERE list.\"unique\" AND NOT list.partial
         GROUP BY list.name HAVING names IN ('source_name,record_hash', 'record_hash,source_name')",
    )?;
    if find.exists([table])? {
        return Ok(String::new());
    }
    let index = quoted(&format!("{table}_of_hermes"));
    Ok(format!("CREATE UNIQUE INDEX {index} ON {} (source_name, record_hash)", quoted(table)))
}

/// Empty where there is no such table.
pub(super) fn columns(conn: &Connection, table: &str) -> Result<Vec<String>> {
    let mut find = conn.prepare_cached("SELECT name FROM pragma_table_info(?)")?;
    let names = find.query_map([table], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}
