//! `source_files`: what was last read from `sources.d`, and what a file defines.

use rusqlite::{OptionalExtension, params};

use super::{Store, Tx};
use crate::error::Result;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    pub file: String,
    pub hash: String,
    pub error: Option<String>,
}

impl Store {
    pub fn source_files(&self) -> Result<Vec<FileRow>> {
        let mut all = self.conn.prepare_cached("SELECT file, hash, error FROM source_files ORDER BY file")?;
        let rows = all
            .query_map([], |row| Ok(FileRow { file: row.get(0)?, hash: row.get(1)?, error: row.get(2)? }))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// What a document becomes a row of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Source,
    Client,
    Deployment,
    Handler,
    Provider,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Source, Kind::Client, Kind::Deployment, Kind::Handler, Kind::Provider];

    fn table(self) -> &'static str {
        match self {
            Kind::Source => "source_definitions",
            Kind::Client => "clients",
            Kind::Deployment => "deployments",
            Kind::Handler => "handlers",
            Kind::Provider => "providers",
        }
    }

    fn key(self) -> &'static str {
        if self == Kind::Provider { "domain" } else { "name" }
    }
}

impl Tx<'_> {
    pub fn put_file(&self, file: &str, hash: &str, error: Option<&str>) -> Result<()> {
        self.conn.execute(
            "INSERT INTO source_files (file, hash, error) VALUES (?1, ?2, ?3)
             ON CONFLICT (file) DO UPDATE SET hash = excluded.hash, error = excluded.error",
            params![file, hash, error],
        )?;
        Ok(())
    }

    pub fn forget_file(&self, file: &str) -> Result<()> {
        self.conn.execute("DELETE FROM source_files WHERE file = ?", [file])?;
        Ok(())
    }

    /// The file that defines the row already; a removed source is free.
    pub fn file_of(&self, kind: Kind, key: &str) -> Result<Option<String>> {
        let still = if kind == Kind::Source { "AND status <> 'removed'" } else { "" };
        let sql = format!("SELECT origin FROM {} WHERE {} = ? {still}", kind.table(), kind.key());
        let origin: Option<Option<String>> = self.conn.query_row(&sql, [key], |row| row.get(0)).optional()?;
        Ok(origin.flatten())
    }

    /// What a file no longer defines goes, but for its sources: these stop and
    /// keep their rows.
    pub fn forget_rest_of_file(&self, file: &str, kind: Kind, kept: &[&str]) -> Result<()> {
        let (table, column) = (kind.table(), kind.key());
        let mut find = self.conn.prepare(&format!("SELECT {column} FROM {table} WHERE origin = ?"))?;
        let all = find.query_map([file], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
        for key in all.iter().filter(|key| !kept.contains(&key.as_str())) {
            if kind == Kind::Source {
                self.set_status(key, "removed")?;
            } else {
                self.conn.execute(&format!("DELETE FROM {table} WHERE {column} = ?"), [key])?;
            }
        }
        Ok(())
    }
}
