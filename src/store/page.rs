//! One page of records in one transaction: all of it or nothing, and with the
//! last page the success of the run.

use jiff::Timestamp;

use super::data_table::{find_sql, insert_sql};
use super::fetchlogs::{Job, Progress};
use super::last_answers::LastAnswer;
use super::value::Value;
use super::{Store, Tx};
use crate::clock;
use crate::definition::Source;
use crate::error::{Error, Result};

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

/// Takes a record; true where it is new.
pub type Insert<'a> = dyn FnMut(&[u8; 16], &[Value<'_>]) -> Result<bool> + 'a;

impl Store {
    /// `body` inserts the records and says what the page leads to. `None` where the
    /// job was cancelled or deleted meanwhile: nothing was stored.
    pub fn write_page<E: From<Error>>(
        &mut self,
        now: Timestamp,
        job: &Job,
        source: &Source,
        body: impl FnOnce(&mut Insert<'_>) -> std::result::Result<PageEnd, E>,
    ) -> std::result::Result<Option<PageEnd>, E> {
        let written = self.write(now, |tx| {
            let end = insert_all(tx, source, body).map_err(Undone::Failed)?;
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

fn insert_all<E: From<Error>>(
    tx: &Tx<'_>,
    source: &Source,
    body: impl FnOnce(&mut Insert<'_>) -> std::result::Result<PageEnd, E>,
) -> std::result::Result<PageEnd, E> {
    let mut insert = tx.conn.prepare_cached(&insert_sql(source)).map_err(Error::from)?;
    let mut find = tx.conn.prepare_cached(&find_sql(&source.table)).map_err(Error::from)?;
    let fields = source.response.fields.len();
    insert.raw_bind_parameter(1, &source.name).map_err(Error::from)?;
    insert.raw_bind_parameter(2, clock::to_text(tx.now)).map_err(Error::from)?;
    find.raw_bind_parameter(1, &source.name).map_err(Error::from)?;
    // Where one record is known, the next mostly is: it is looked for first, which is
    // half of what a refused insert costs.
    let mut expects_known = false;
    body(&mut |key, values| {
        debug_assert_eq!(values.len(), fields);
        if expects_known {
            find.raw_bind_parameter(2, key)?;
            if find.raw_query().next()?.is_some() {
                return Ok(false);
            }
        }
        insert.raw_bind_parameter(3, key)?;
        for (at, value) in values.iter().enumerate() {
            insert.raw_bind_parameter(at + 4, value)?;
        }
        let is_new = insert.raw_execute()? > 0;
        expects_known = !is_new;
        Ok(is_new)
    })
}
