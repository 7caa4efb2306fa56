//! Rows of a data table from the oldest on, in batches. A batch is a statement
//! of its own: however slow its reader, nothing keeps the WAL from being
//! checkpointed for longer than a batch takes.

use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, params};

use super::data_table::{OWN_COLUMNS, columns};
use super::{Store, quoted};
use crate::clock;
use crate::definition::name::is_own_table;
use crate::error::Result;

/// Rows looked at by one statement.
const BATCH: u32 = 1_000;

/// What is left to read; nothing by default.
#[derive(Debug, Default)]
pub struct Selection {
    table: String,
    /// As in the table; what it is known by (`record_hash`) is Hermes' own.
    pub columns: Vec<String>,
    source_name: Option<String>,
    since: Option<String>,
    after: i64,
    /// Rows that come later are not of it, so that it ends beside a daemon too.
    last: i64,
}

impl Store {
    /// A data table as it is spelled; `None` where no table of that name has
    /// what Hermes needs of one, or where it is Hermes' own.
    pub fn data_table(&self, name: &str) -> Result<Option<String>> {
        let mut find = self
            .conn
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE")?;
        let Some(table) = find.query_row([name], |row| row.get::<_, String>(0)).optional()? else {
            return Ok(None);
        };
        let have = columns(&self.conn, &table)?;
        let has = |own: &&str| have.iter().any(|name| name.eq_ignore_ascii_case(own));
        Ok(Some(table).filter(|table| !is_own_table(table) && OWN_COLUMNS.iter().all(has)))
    }

    /// Of all sources of the table, or of one; of all time, or from then on.
    pub fn select_rows(
        &self,
        table: &str,
        source_name: Option<&str>,
        since: Option<Timestamp>,
    ) -> Result<Selection> {
        let sql = format!("SELECT max(rowid) FROM {}", quoted(table));
        let last: Option<i64> = self.conn.query_row(&sql, [], |row| row.get(0))?;
        Ok(Selection {
            table: table.to_owned(),
            columns: self.columns_of(table)?,
            source_name: source_name.map(str::to_owned),
            since: since.map(clock::to_text),
            after: i64::MIN,
            last: last.unwrap_or(i64::MIN),
        })
    }

    /// Gives the next rows to `take`, until that has enough for now. False where
    /// none was left.
    pub fn next_rows(
        &self,
        selection: &mut Selection,
        mut take: impl FnMut(&[ValueRef<'_>]) -> Result<bool>,
    ) -> Result<bool> {
        let Selection { table, columns, source_name, since, after, last } = selection;
        if columns.is_empty() {
            return Ok(false);
        }
        let list: String = columns.iter().map(|name| format!(", {}", quoted(name))).collect();
        // The conditions choose among the rows read and not the way to them:
        // else one statement might look through the whole table.
        let sql = format!(
            "SELECT rowid, ((?3 IS NULL OR source_name = ?3) AND (?4 IS NULL OR created_at >= ?4)) IS TRUE{list}
             FROM {} WHERE rowid > ?1 AND rowid <= ?2 ORDER BY rowid LIMIT {BATCH}",
            quoted(table)
        );
        let mut find = self.conn.prepare_cached(&sql)?;
        let mut rows = find.query(params![*after, *last, *source_name, *since])?;
        let begun = *after;
        while let Some(row) = rows.next()? {
            *after = row.get(0)?;
            if row.get(1)? {
                let values = (0..columns.len()).map(|at| row.get_ref(at + 2));
                if !take(&values.collect::<rusqlite::Result<Vec<_>>>()?)? {
                    break;
                }
            }
        }
        Ok(*after > begun)
    }
}
