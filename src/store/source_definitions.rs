//! `source_definitions`: what to fetch. A verb writes one source; which ones to
//! write is the receiver's to know.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Store, Tx, content_hash, data_table, optional_text, text};
use crate::clock;
use crate::definition::document::{self, Definition};
use crate::definition::{Clients, Document, Source, Status, client};
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
    pub fn source(&self, clients: &Clients) -> std::result::Result<Source, String> {
        match self.document(clients)?.definition {
            Definition::Source(source) => Ok(*source),
            _ => Err(self.not_its_own()),
        }
    }

    /// As written and, where it is made from a client, filled in.
    pub fn document(&self, clients: &Clients) -> std::result::Result<Document, String> {
        let mut reading = document::read_with(&self.definition, clients);
        if !reading.problems.is_empty() {
            let problems: Vec<String> = reading.problems.iter().map(ToString::to_string).collect();
            return Err(problems.join("; "));
        }
        let is_own = |document: &Document| source_of(document).is_some_and(|own| own.name == self.name);
        reading.documents.pop().filter(is_own).ok_or_else(|| self.not_its_own())
    }

    fn not_its_own(&self) -> String {
        format!("the definition is not that of a source named `{}`", self.name)
    }

    /// The name of the client that it is made from.
    pub fn client(&self) -> Option<String> {
        client::named_in(&self.definition)
    }

    /// Of all that it is made from. Not the row's own hash: SQL may have changed
    /// the definition alone.
    pub fn content_hash(&self, clients: &Clients) -> String {
        match self.client() {
            None => content_hash(self.definition.as_bytes()),
            Some(name) => {
                let client = clients.text(&name).unwrap_or_default();
                content_hash(format!("{}\0{client}", self.definition).as_bytes())
            }
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
        sources_where(&self.conn, "typeof(name) = 'text'")
    }

    pub fn source_names(&self) -> Result<Vec<String>> {
        let sql = "SELECT name FROM source_definitions WHERE typeof(name) = 'text' ORDER BY name";
        let mut names = self.conn.prepare_cached(sql)?;
        let names = names.query_map([], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<_>>()?)
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
    pub fn put_source(&self, source: &Source, document: &Document, origin: Option<&str>) -> Result<bool> {
        let (text, hash) = (document.text.as_str(), hash_of(document));
        let before = self.source(&source.name)?;
        if before.as_ref().is_some_and(|b| b.hash == hash && b.origin.as_deref() == origin && !b.is_removed())
        {
            return Ok(false);
        }
        let status = match before.filter(|row| !row.is_removed()) {
            Some(row) => self.status_after(row, source)?,
            None => source.status.as_str().to_owned(),
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

    fn status_after(&self, before: SourceRow, source: &Source) -> Result<String> {
        let keeps = match before.source(&self.client_of(&before)?) {
            Ok(old) => old.status == source.status,
            // Its client was away meanwhile: what was paused by hand stays so.
            Err(_) => before.client().is_some() && source.status == Status::Active,
        };
        Ok(if keeps { before.status } else { source.status.as_str().to_owned() })
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

/// A source is another when what its client makes of it is.
fn hash_of(document: &Document) -> String {
    match &document.filled {
        None => content_hash(document.text.as_bytes()),
        Some(filled) => content_hash(format!("{}\0{filled}", document.text).as_bytes()),
    }
}

/// By name.
pub(super) fn sources_where(conn: &Connection, condition: &str) -> Result<Vec<SourceRow>> {
    let sql = format!("SELECT {COLUMNS} FROM source_definitions WHERE {condition} ORDER BY name");
    let mut find = conn.prepare_cached(&sql)?;
    let rows = find.query_map([], source_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_another_when_its_own_client_is() {
        let row = |definition: &str| SourceRow {
            name: "a".into(),
            definition: definition.into(),
            table_name: "t".into(),
            schedule: None,
            status: "active".into(),
            origin: None,
            hash: String::new(),
            created_at: String::new(),
            updated_at: String::new(),
            error: None,
        };
        let clients = |own: &str, other: &str| {
            let named = |name: &str, table: &str| format!("kind: client\nname: {name}\ntable: {table}\n");
            Clients::of_text(&format!("{}---\n{}", named("own", own), named("other", other)))
        };
        let changes = |definition: &str, own: &str, other: &str| {
            let row = row(definition);
            row.content_hash(&clients("t", "t")) != row.content_hash(&clients(own, other))
        };
        let made = "name: a\nclient: own\n";
        assert!(changes(made, "u", "t"));
        assert!(!changes(made, "t", "u"));
        assert!(!changes("name: a\ndescription: client own\n", "u", "u"));
    }
}
