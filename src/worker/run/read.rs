//! Reading a page: each of its records to whoever takes rows, and what the page
//! leads to. Keeps out where rows are kept.

use std::time::Instant;

use super::{Head, Stopped, failed};
use crate::definition::Source;
use crate::error::Error;
use crate::store::fetchlogs::Progress;
use crate::store::page::{Completed, PageEnd};
use crate::store::value::Value;
use crate::worker::cut::{Cut, Why};
use crate::worker::extract::{PageFacts, Plan, ReadError, Row};
use crate::worker::paginate::{Pages, Step};
use crate::worker::record_key::RecordKey;

/// Records between two looks at the clock: a look costs about as much as a
/// small record does.
const CHECK_TIME_EVERY: u64 = 64;

/// Takes a record; true where it is new.
pub(super) type Take<'a> = dyn FnMut(&RecordKey, &[Value<'_>]) -> Result<bool, Error> + 'a;

/// What a page is read with.
pub(super) struct Reading<'r> {
    pub(super) source: &'r Source,
    pub(super) body: &'r [u8],
    pub(super) cut: &'r Cut,
    pub(super) started: Instant,
    /// Before this page.
    pub(super) so_far: Progress,
    /// The newest value of the `incremental` field.
    pub(super) newest: &'r mut Option<Value<'static>>,
}

impl Reading<'_> {
    pub(super) fn read(
        self,
        plan: &Plan,
        pages: &mut Pages,
        head: &Head,
        take: &mut Take<'_>,
    ) -> Result<PageEnd, Stopped> {
        let Reading { source, body, cut, started, so_far, newest } = self;
        let number = so_far.pages + 1;
        let deadline = started + source.execution.timeout;
        let incremental = source.incremental.as_ref().map(|incremental| incremental.field);
        let mut inserted = so_far.inserted;
        let mut sink = |row: Row<'_>| {
            if row.number.is_multiple_of(CHECK_TIME_EVERY) {
                check_time(cut, deadline)?;
            }
            let is_new = take(&row.key, row.values).map_err(|error| refused_row(row.number, error))?;
            inserted += u64::from(is_new);
            if let Some(value) = incremental.map(|field| &row.values[field])
                && value.is_after(newest.as_ref().unwrap_or(&Value::Null))
            {
                *newest = Some(value.clone().into_owned());
            }
            Ok(())
        };
        let facts = match head.unchanged {
            Some(records) => PageFacts { records, ..PageFacts::default() },
            None if head.is_nothing => PageFacts::default(),
            None => plan.read(body, &mut sink).map_err(|error| unreadable(number, error))?,
        };
        check_error(&facts)?;
        let progress = Progress {
            pages: number,
            records: so_far.records + facts.records,
            inserted,
            bytes: so_far.bytes + body.len() as u64,
            total: facts.total.or(so_far.total),
            duration: started.elapsed(),
        };
        let step = match head.unchanged {
            Some(_) => Step::Done,
            None => pages.after(&facts, head.link.as_deref()).map_err(failed)?,
        };
        let warning = match step {
            Step::More => return Ok(PageEnd { progress, completed: None }),
            Step::Done => None,
            Step::MaxPages => {
                let table = &source.table;
                Some(format!("stopped at maxPages ({number}); there are more pages for `{table}`"))
            }
        };
        let field = incremental.map(|field| source.response.fields[field].target.clone());
        // What was cut short is not all there is.
        let answer = head.answer.clone().filter(|_| step == Step::Done);
        let answer = answer.map(|answer| answer.with_records(head.unchanged, facts.records));
        let completed = Completed { warning, newest: field.zip(newest.clone()), answer };
        Ok(PageEnd { progress, completed: Some(completed) })
    }
}

/// For each row: a page may have a million, and nobody else can store meanwhile.
fn check_time(cut: &Cut, deadline: Instant) -> Result<(), Stopped> {
    let late = || (Instant::now() >= deadline).then_some(Why::Deadline);
    cut.reason().or_else(late).map_or(Ok(()), |why| Err(Stopped::Cut(why)))
}

fn check_error(facts: &PageFacts) -> Result<(), Stopped> {
    match &facts.error {
        Some(error) => Err(failed(format!("the answer is an error: {error}"))),
        None => Ok(()),
    }
}

/// A constraint of the table: SQLite's words name the column.
pub(super) fn refused_row(number: u64, error: Error) -> Stopped {
    if error.may_pass() { Stopped::from(error) } else { failed(format!("record {number}: {error}")) }
}

pub(super) fn unreadable(page: u32, error: ReadError<Stopped>) -> Stopped {
    match error {
        ReadError::Sink(Stopped::Failed { message, asked }) => {
            Stopped::Failed { message: format!("page {page}, {message}"), asked }
        }
        ReadError::Sink(stopped) => stopped,
        ReadError::Answer(message) => failed(format!("page {page}: {message}")),
        ReadError::Record { number, field, message } => {
            failed(format!("page {page}, record {number}, {field}: {message}"))
        }
    }
}
