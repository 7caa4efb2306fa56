//! `source_definitions`: what to fetch. A verb writes one source; which ones to
//! write is the receiver's to know.

use rusqlite::{OptionalExtension, Row, params};

use super::{Store, Tx, content_hash, data_table, optional_text, text};
use crate::clock;
use crate::definition::document::{self, Definition};
use crate::definition::{Document, Source};
use crate::error::Result;

/// A row, its definition not yet read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRow {
    pub name: String,
    pub definition: String,
    pub table_name: String,
    pub schedule: Option<String>,
    /// active, paused, removed
    pub status: String,
    pub origin: Option<String>,
    pub hash: String,
    pub created_at: String,
    pub updated_at: String,
    pub error: Option<String>,
}

impl SourceRow {
    /// Every run reads its definition through here: what SQL wrote is checked
    /// as what YAML wrote is.
    pub fn source(&self) -> std::result::Result<Source, String> {
        let mut reading = document::read(&self.definition);
        if !reading.problems.is_empty() {
            let problems: Vec<String> = reading.problems.iter().map(ToString::to_string).collect();
            return Err(problems.join("; "));
        }
        match reading.documents.pop().map(|document| document.definition) {
            Some(Definition::Source(source)) if source.name == self.name => Ok(*source),
            _ => Err(format!("the definition is not that of a source named `{}`", self.name)),
        }
    }

    pub fn is_removed(&self) -> bool {
        self.status == "removed"
    }
}

const COLUMNS: &str =
    "name, definition, table_name, schedule, status, origin, hash, created_at, updated_at, error";

impl Store {
    pub fn source(&self, name: &str) -> Result<Option<SourceRow>> {
        let sql = format!("SELECT {COLUMNS} FROM source_definitions WHERE name = ?");
        Ok(self.conn.prepare_cached(&sql)?.query_row([name], source_row).optional()?)
    }

    pub fn sources(&self) -> Result<Vec<SourceRow>> {
        let sql =
            format!("SELECT {COLUMNS} FROM source_definitions WHERE typeof(name) = 'text' ORDER BY name");
        let mut all = self.conn.prepare_cached(&sql)?;
        let rows = all.query_map([], source_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Outside a transaction of the receiver: it changes nothing that is configured.
    pub fn set_source_error(&self, name: &str, error: Option<&str>) -> Result<()> {
        let mut set = self
            .conn
            .prepare_cached("UPDATE source_definitions SET error = ?2 WHERE name = ?1 AND error IS NOT ?2")?;
        set.execute((name, error))?;
        Ok(())
    }
}

impl Tx<'_> {
    pub fn source(&self, name: &str) -> Result<Option<SourceRow>> {
        let sql = format!("SELECT {COLUMNS} FROM source_definitions WHERE name = ?");
        Ok(self.conn.prepare_cached(&sql)?.query_row([name], source_row).optional()?)
    }

    /// Adds or overwrites. A status set by `pause` or `resume` stays, unless the
    /// document's own status changes. False where nothing is different.
    pub fn put_source(&self, source: &Source, text: &str, origin: Option<&str>) -> Result<bool> {
        let hash = content_hash(text.as_bytes());
        let before = self.source(&source.name)?;
        if before.as_ref().is_some_and(|b| b.hash == hash && b.origin.as_deref() == origin && !b.is_removed())
        {
            return Ok(false);
        }
        let status = match &before {
            Some(row) if !row.is_removed() && row.source().is_ok_and(|old| old.status == source.status) => {
                row.status.clone()
            }
            _ => source.status.as_str().to_owned(),
        };
        let schedule = source.schedule.as_ref().map(|schedule| schedule.text.as_str());
        self.conn.execute(
            "INSERT INTO source_definitions
                (name, definition, table_name, schedule, status, origin, hash, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
             ON CONFLICT (name) DO UPDATE SET definition = excluded.definition,
                table_name = excluded.table_name, schedule = excluded.schedule, status = excluded.status,
                origin = excluded.origin, hash = excluded.hash, updated_at = excluded.updated_at, error = NULL",
            params![source.name, text, source.table, schedule, status, origin, hash, clock::to_text(self.now)],
        )?;
        Ok(true)
    }

    /// `active`, `paused` or `removed`; the rows of the source stay. False where
    /// there is no such source.
    pub fn set_status(&self, name: &str, status: &str) -> Result<bool> {
        let changed = self.conn.execute(
            "UPDATE source_definitions SET status = ?2, updated_at = ?3 WHERE name = ?1",
            params![name, status, clock::to_text(self.now)],
        )?;
        Ok(changed > 0)
    }

    /// Names of what a file defines.
    pub fn sources_of_file(&self, file: &str) -> Result<Vec<String>> {
        let sql = "SELECT name FROM source_definitions WHERE origin = ? AND status <> 'removed'";
        let mut find = self.conn.prepare_cached(sql)?;
        let names = find.query_map([file], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<_>>()?)
    }

    /// Definition, state and, unless they are to be kept, the rows: together.
    pub fn forget_source(&self, row: &SourceRow, keep_data: bool) -> Result<u64> {
        let rows =
            if keep_data { 0 } else { data_table::delete_rows(&self.conn, &row.table_name, &row.name)? };
        self.conn.execute("DELETE FROM fetchlogs WHERE source_name = ?", [&row.name])?;
        self.conn.execute("DELETE FROM source_definitions WHERE name = ?", [&row.name])?;
        Ok(rows)
    }
}

/// Of a document that was checked before it was stored.
pub fn source_of(document: &Document) -> Option<&Source> {
    match &document.definition {
        Definition::Source(source) => Some(source),
        _ => None,
    }
}

fn source_row(row: &Row<'_>) -> rusqlite::Result<SourceRow> {
    Ok(SourceRow {
        name: text(row, 0)?,
        definition: text(row, 1)?,
        table_name: text(row, 2)?,
        schedule: optional_text(row, 3)?,
        status: text(row, 4)?,
        origin: optional_text(row, 5)?,
        hash: text(row, 6)?,
        created_at: text(row, 7)?,
        updated_at: text(row, 8)?,
        error: optional_text(row, 9)?,
    })
}
