//! What `fetchlogs` tells people: last run, last success, last failure. Nothing
//! here decides anything.

use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, Params, params};
use serde_json::{Value, json};

use super::Store;
use crate::error::Result;

/// Between what a person has to know of a failure and what the site said of it.
pub const QUOTE: &str = "; it says: ";

impl Store {
    pub fn last_run_and_success(&self, source_name: &str) -> Result<(Option<String>, Option<String>)> {
        let mut find = self.conn.prepare_cached(
            "SELECT max(started_datetime), max(iif(status = 'completed', completed_datetime, NULL))
             FROM fetchlogs WHERE source_name = ?",
        )?;
        Ok(find.query_row([source_name], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// In one line, without what the site said: that is in its log.
    pub fn last_failure(&self, source_name: &str) -> Result<Option<String>> {
        let mut find = self.conn.prepare_cached(
            "SELECT message FROM fetchlogs WHERE source_name = ? AND status IN ('failed', 'interrupted')
             ORDER BY id DESC LIMIT 1",
        )?;
        let message: Option<String> = find.query_row([source_name], |row| row.get(0)).optional()?.flatten();
        Ok(message.map(|message| message.split(QUOTE).next().unwrap_or_default().to_owned()))
    }

    /// Newest first. `columns` are this program's own words, never a user's.
    pub fn logs(&self, columns: &[&str], source_name: Option<&str>, limit: u32) -> Result<Vec<Vec<Value>>> {
        let newest = "ORDER BY coalesce(started_datetime, queued_datetime) DESC, id DESC LIMIT ?2";
        self.jobs(columns, newest, params![source_name, limit])
    }

    /// Those that are over, oldest first: the last so many.
    pub fn last_ended(
        &self,
        columns: &[&str],
        source_name: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Vec<Value>>> {
        let last = "AND completed_datetime IS NOT NULL ORDER BY completed_datetime DESC, id DESC LIMIT ?2";
        let mut rows = self.jobs(columns, last, params![source_name, limit])?;
        rows.reverse();
        Ok(rows)
    }

    /// Those that ended at this time or later, oldest first.
    pub fn ended_since(
        &self,
        columns: &[&str],
        source_name: Option<&str>,
        at: &str,
    ) -> Result<Vec<Vec<Value>>> {
        let since = "AND completed_datetime >= ?2 ORDER BY completed_datetime, id";
        self.jobs(columns, since, params![source_name, at])
    }

    fn jobs(&self, columns: &[&str], rest: &str, values: impl Params) -> Result<Vec<Vec<Value>>> {
        let columns_sql = columns.join(", ");
        let sql =
            format!("SELECT {columns_sql} FROM fetchlogs WHERE (?1 IS NULL OR source_name = ?1) {rest}");
        let mut find = self.conn.prepare_cached(&sql)?;
        let rows = find.query_map(values, |row| {
            (0..columns.len()).map(|at| Ok(to_json(row.get_ref(at)?))).collect::<rusqlite::Result<Vec<_>>>()
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

fn to_json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Integer(number) => json!(number),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
    }
}
