//! `providers`: what the sources of a domain share. The definition keeps its
//! placeholders; no secret passes through here.

use rusqlite::OptionalExtension;

use super::{Store, Tx, optional_text, text};
use crate::definition::document::{self, Definition};
use crate::definition::{Provider, provider};
use crate::error::Result;

impl Store {
    /// Those that can be read; a bad one, which only SQL can have written, is
    /// passed over, so that it stops no source of another domain.
    pub fn providers(&self) -> Result<Vec<Provider>> {
        let mut all = self.conn.prepare_cached("SELECT definition FROM providers ORDER BY domain")?;
        let texts = all.query_map([], |row| text(row, 0))?;
        let texts = texts.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(texts.iter().filter_map(|text| read(text)).collect())
    }

    /// The file that defines it; `None`: `hermes add`, or SQL.
    pub fn provider_origin(&self, domain: &str) -> Result<Option<String>> {
        let mut find = self.conn.prepare_cached("SELECT origin FROM providers WHERE domain = ?")?;
        Ok(find.query_row([domain], |row| optional_text(row, 0)).optional()?.flatten())
    }

    pub fn provider_of(&self, host: &str) -> Result<Option<Provider>> {
        Ok(provider::provider_of(&self.providers()?, host).cloned())
    }
}

impl Tx<'_> {
    pub fn put_provider(&self, provider: &Provider, text: &str, origin: Option<&str>) -> Result<()> {
        self.conn.execute(
            "INSERT INTO providers (domain, definition, origin) VALUES (?1, ?2, ?3)
             ON CONFLICT (domain) DO UPDATE SET definition = excluded.definition, origin = excluded.origin",
            (&provider.domain, text, origin),
        )?;
        Ok(())
    }
}

fn read(text: &str) -> Option<Provider> {
    match document::read(text).documents.pop()?.definition {
        Definition::Provider(provider) => Some(provider),
        _ => None,
    }
}
