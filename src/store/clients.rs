//! `clients`: templates of sources, placeholders kept. Whoever reads a
//! definition that names one brings it from here.

use rusqlite::{Connection, OptionalExtension};

use super::source_definitions::{SourceRow, sources_where};
use super::{Store, Tx, text};
use crate::definition::{Client, Clients};
use crate::error::Result;

impl Store {
    pub fn clients(&self) -> Result<Clients> {
        all(&self.conn)
    }

    pub fn sources_of_client(&self, name: &str) -> Result<Vec<SourceRow>> {
        sources_of(&self.conn, name)
    }

    /// The one that the source is made from, if any.
    pub fn client_of(&self, row: &SourceRow) -> Result<Clients> {
        client_of(&self.conn, row)
    }
}

impl Tx<'_> {
    pub fn clients(&self) -> Result<Clients> {
        all(&self.conn)
    }

    pub fn client_of(&self, row: &SourceRow) -> Result<Clients> {
        client_of(&self.conn, row)
    }

    pub fn sources_of_client(&self, name: &str) -> Result<Vec<SourceRow>> {
        sources_of(&self.conn, name)
    }

    pub fn put_client(&self, client: &Client, text: &str, origin: Option<&str>) -> Result<()> {
        self.conn.execute(
            "INSERT INTO clients (name, definition, origin) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET definition = excluded.definition, origin = excluded.origin",
            (&client.name, text, origin),
        )?;
        Ok(())
    }
}

fn all(conn: &Connection) -> Result<Clients> {
    let mut find = conn.prepare_cached("SELECT name, definition FROM clients WHERE typeof(name) = 'text'")?;
    let mut rows = find.query([])?;
    let mut clients = Clients::default();
    while let Some(row) = rows.next()? {
        clients.add_row(text(row, 0)?, text(row, 1)?);
    }
    Ok(clients)
}

fn client_of(conn: &Connection, row: &SourceRow) -> Result<Clients> {
    let mut clients = Clients::default();
    if let Some(name) = row.client() {
        let mut find = conn.prepare_cached("SELECT definition FROM clients WHERE name = ?")?;
        if let Some(definition) = find.query_row([&name], |row| text(row, 0)).optional()? {
            clients.add_row(name, definition);
        }
    }
    Ok(clients)
}

/// Without the removed ones, which are made anew when their file is back.
fn sources_of(conn: &Connection, client: &str) -> Result<Vec<SourceRow>> {
    let mut rows = sources_where(conn, "status <> 'removed' AND instr(definition, 'client') > 0")?;
    rows.retain(|row| row.client().as_deref() == Some(client));
    Ok(rows)
}
