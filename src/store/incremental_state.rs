//! `incremental_state`: the newest value that a completed run of a source has
//! seen, which is what `${since}` says.

use rusqlite::types::Value as Sql;
use rusqlite::{OptionalExtension, params};

use super::value::Value;
use super::{Store, Tx};
use crate::error::Result;

impl Store {
    pub fn newest_value(&self, source_name: &str, field: &str) -> Result<Option<String>> {
        let sql = "SELECT value FROM incremental_state WHERE source_name = ? AND field = ?";
        let found =
            self.conn.prepare_cached(sql)?.query_row((source_name, field), |row| row.get(0)).optional()?;
        Ok(match found {
            Some(Sql::Integer(number)) => Some(number.to_string()),
            Some(Sql::Real(number)) => Some(number.to_string()),
            Some(Sql::Text(text)) => Some(text),
            _ => None,
        })
    }
}

impl Tx<'_> {
    /// Never lower: an API may answer with older records later.
    pub fn raise_newest_value(&self, source_name: &str, field: &str, value: &Value<'_>) -> Result<()> {
        let mut raise = self.conn.prepare_cached(
            "INSERT INTO incremental_state (source_name, field, value)
             SELECT ?1, ?2, ?3 FROM source_definitions WHERE name = ?1
             ON CONFLICT (source_name, field) DO UPDATE SET value = max(value, excluded.value)",
        )?;
        raise.execute(params![source_name, field, value])?;
        Ok(())
    }
}
