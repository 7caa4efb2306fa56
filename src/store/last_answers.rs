//! `last_answers`: what the last completed run of a source was answered, where
//! that was one answer. The same answer need not be sent, or read, again.

use rusqlite::{OptionalExtension, params};

use super::{Store, Tx};
use crate::error::Result;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastAnswer {
    /// Hash of what was asked and how the answer is read.
    pub request: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Hash of its bytes.
    pub body: String,
    pub records: u64,
}

impl LastAnswer {
    /// Where it is the same as before, it has what it had.
    pub fn with_records(self, unchanged: Option<u64>, records: u64) -> LastAnswer {
        if unchanged.is_some() { self } else { LastAnswer { records, ..self } }
    }
}

impl Store {
    pub fn last_answer(&self, source_name: &str) -> Result<Option<LastAnswer>> {
        let mut find = self.conn.prepare_cached(
            "SELECT request, etag, last_modified, body, records FROM last_answers WHERE source_name = ?",
        )?;
        let answer = find.query_row([source_name], |row| {
            Ok(LastAnswer {
                request: row.get(0)?,
                etag: row.get(1)?,
                last_modified: row.get(2)?,
                body: row.get(3)?,
                records: row.get(4)?,
            })
        });
        Ok(answer.optional()?)
    }
}

impl Tx<'_> {
    /// Writes nothing where it is the same as before.
    pub fn set_last_answer(&self, source_name: &str, answer: Option<&LastAnswer>) -> Result<()> {
        let Some(answer) = answer else { return self.forget_last_answer(source_name) };
        let mut set = self.conn.prepare_cached(
            "INSERT INTO last_answers (source_name, request, etag, last_modified, body, records)
             SELECT name, ?2, ?3, ?4, ?5, ?6 FROM source_definitions WHERE name = ?1
             ON CONFLICT (source_name) DO UPDATE SET request = excluded.request, etag = excluded.etag,
                last_modified = excluded.last_modified, body = excluded.body, records = excluded.records
             WHERE (request, etag, last_modified, body, records) IS NOT
                (excluded.request, excluded.etag, excluded.last_modified, excluded.body, excluded.records)",
        )?;
        let LastAnswer { request, etag, last_modified, body, records } = answer;
        set.execute(params![source_name, request, etag, last_modified, body, records])?;
        Ok(())
    }

    /// The next run fetches and reads all of it.
    pub fn forget_last_answer(&self, source_name: &str) -> Result<()> {
        self.conn.prepare_cached("DELETE FROM last_answers WHERE source_name = ?")?.execute([source_name])?;
        Ok(())
    }
}
