//! One page of records in one transaction: all of it or nothing, and with the
//! last page the success of the run.

use jiff::Timestamp;
use rusqlite::CachedStatement;

use super::data_table::{OWN_COLUMNS, find_sql, insert_sql};
use super::fetchlogs::{Job, Progress};
use super::last_answers::LastAnswer;
use super::value::Value;
use super::{Store, Tx};
use crate::clock;
use crate::definition::Source;
use crate::error::{Error, Result};
use crate::order;

/// What one page leads to, once its records are in.
#[derive(Debug, Clone, PartialEq)]
pub struct PageEnd {
    pub progress: Progress,
    /// The run is complete with this page.
    pub completed: Option<Completed>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Completed {
    pub warning: Option<String>,
    /// The field of `incremental`, and the newest value of it that the run saw.
    pub newest: Option<(String, Value<'static>)>,
    /// Where the run was one answer.
    pub answer: Option<LastAnswer>,
}

/// Takes the records of one source, within a transaction.
#[expect(missing_debug_implementations, reason = "a statement has none")]
pub struct Rows<'t> {
    insert: CachedStatement<'t>,
    find: CachedStatement<'t>,
    /// Where one record is known, the next mostly is: it is looked for first, which is
    /// half of what a refused insert costs.
    expects_known: bool,
}

impl<'t> Rows<'t> {
    fn new(tx: &'t Tx<'_>, source: &Source) -> Result<Rows<'t>> {
        let mut insert = tx.conn.prepare_cached(&insert_sql(source))?;
        let mut find = tx.conn.prepare_cached(&find_sql(&source.table))?;
        insert.raw_bind_parameter(1, &source.name)?;
        insert.raw_bind_parameter(2, clock::to_text(tx.now))?;
        find.raw_bind_parameter(1, &source.name)?;
        Ok(Rows { insert, find, expects_known: false })
    }

    /// True where the record is new. A value for each field of the source, in their order.
    pub fn insert(&mut self, key: &[u8; 16], values: &[Value<'_>]) -> Result<bool> {
        if self.expects_known && self.is_known(key)? {
            return Ok(false);
        }
        debug_assert_eq!(values.len() + OWN_COLUMNS.len(), self.insert.parameter_count());
        self.insert.raw_bind_parameter(3, key)?;
        for (at, value) in values.iter().enumerate() {
            self.insert.raw_bind_parameter(at + 4, value)?;
        }
        let is_new = self.insert.raw_execute()? > 0;
        self.expects_known = !is_new;
        Ok(is_new)
    }

    /// Which of these are there already, as far as it is worth a look: only where the first or
    /// the last is. In the order of the index (which may begin in its middle: the sort knows
    /// signs), each part of which is then read once.
    pub fn known(&mut self, keys: &[[u8; 16]]) -> Result<Vec<bool>> {
        let mut known = vec![false; keys.len()];
        let ends = [keys.first(), keys.last()];
        let mut any = false;
        for key in ends.into_iter().flatten() {
            any = any || self.is_known(key)?;
        }
        if any {
            let begin = |at: &usize| keys[*at].first_chunk().map_or(0, |begin| i64::from_be_bytes(*begin));
            let mut places: Vec<usize> = (0..keys.len()).collect();
            order::by_number(&mut places, begin);
            for at in places {
                known[at] = self.is_known(&keys[at])?;
            }
        }
        Ok(known)
    }

    fn is_known(&mut self, key: &[u8; 16]) -> Result<bool> {
        self.find.raw_bind_parameter(2, key)?;
        Ok(self.find.raw_query().next()?.is_some())
    }
}

impl Store {
    /// `body` inserts the records and says what the page leads to. `None` where the
    /// job was cancelled or deleted meanwhile: nothing was stored.
    pub fn write_page<E: From<Error>>(
        &mut self,
        now: Timestamp,
        job: &Job,
        source: &Source,
        body: impl FnOnce(&mut Rows<'_>) -> std::result::Result<PageEnd, E>,
    ) -> std::result::Result<Option<PageEnd>, E> {
        let written = self.write(now, |tx| {
            let end = body(&mut Rows::new(tx, source)?).map_err(Undone::Failed)?;
            if !tx.record_progress(job, &end.progress)? {
                return Err(Undone::NotOurs);
            }
            if let Some(completed) = &end.completed {
                tx.complete_job(job, &end.progress, completed.warning.as_deref())?;
                tx.set_last_answer(&source.name, completed.answer.as_ref())?;
                if let Some((field, value)) = &completed.newest {
                    tx.raise_newest_value(&source.name, field, value)?;
                }
            }
            Ok(end)
        });
        match written {
            Ok(end) => Ok(Some(end)),
            Err(Undone::NotOurs) => Ok(None),
            Err(Undone::Failed(error)) => Err(error),
        }
    }
}

/// Why a page was rolled back.
enum Undone<E> {
    NotOurs,
    Failed(E),
}

impl<E: From<Error>> From<Error> for Undone<E> {
    fn from(error: Error) -> Self {
        Undone::Failed(E::from(error))
    }
}
