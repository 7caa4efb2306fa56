//! Storing a page: read and inserted in one transaction, with the success of
//! the run where it is the last one.

use std::time::{Duration, Instant};

use log::warn;

use super::{Head, Run, Stopped, failed};
use crate::error::Error;
use crate::store::fetchlogs::Progress;
use crate::store::page::{Completed, PageEnd, Stored};
use crate::store::value::Value;
use crate::worker::cut::{Cut, Why};
use crate::worker::extract::{PageFacts, Plan, ReadError, Row};
use crate::worker::paginate::{Pages, Step};

/// Records between two looks at the clock: a look costs about as much as a
/// small record does.
const CHECK_TIME_EVERY: u64 = 64;

/// Between two tries to begin a page's transaction, beside SQLite's own.
const LOCKED_PAUSE: Duration = Duration::from_millis(200);

impl Run<'_> {
    /// True where the run is complete with this page. A lock that another
    /// program holds is waited for until the deadline: it is not the source's.
    pub(super) fn store_page(
        &mut self,
        plan: &Plan,
        pages: &mut Pages,
        head: &Head,
    ) -> Result<bool, Stopped> {
        loop {
            let mut has_begun = false;
            match self.try_store_page(plan, pages, head, &mut has_begun) {
                Err(Stopped::Locked(_)) if !has_begun && Instant::now() < self.deadline() => {
                    self.worker.cut.wait(LOCKED_PAUSE).map_err(Stopped::Cut)?;
                }
                result => return result,
            }
        }
    }

    /// One transaction.
    fn try_store_page(
        &mut self,
        plan: &Plan,
        pages: &mut Pages,
        head: &Head,
        has_begun: &mut bool,
    ) -> Result<bool, Stopped> {
        let number = self.progress.pages + 1;
        let worker = &mut *self.worker;
        let body = &worker.body;
        let mut progress = *self.progress;
        let incremental = self.source.incremental.as_ref().map(|incremental| incremental.field);
        let newest = &mut self.newest;
        let (started, table) = (self.started, &self.source.table);
        let (deadline, cut) = (started + self.source.execution.timeout, &worker.cut);
        let now = worker.shared.clock.now();
        let written = worker.store.write_page(now, self.job, self.source, |insert| {
            *has_begun = true;
            let mut sink = |row: Row<'_>| {
                if row.number.is_multiple_of(CHECK_TIME_EVERY) {
                    check_time(cut, deadline)?;
                }
                let is_new = insert(&row.key, row.values).map_err(|error| refused_row(row.number, error))?;
                progress.inserted += u64::from(is_new);
                if let Some(value) = incremental.map(|field| &row.values[field])
                    && value.is_after(newest.as_ref().unwrap_or(&Value::Null))
                {
                    *newest = Some(value.clone().into_owned());
                }
                Ok(())
            };
            let facts = match head.is_nothing {
                true => PageFacts::default(),
                false => plan.read(body, &mut sink).map_err(|error| unreadable(number, error))?,
            };
            check_error(&facts)?;
            progress = Progress {
                pages: number,
                records: progress.records + facts.records,
                bytes: progress.bytes + body.len() as u64,
                duration: started.elapsed(),
                ..progress
            };
            let warning = match pages.after(&facts, head.link.as_deref()).map_err(failed)? {
                Step::More => return Ok(PageEnd { progress, completed: None }),
                Step::Done => None,
                Step::MaxPages => {
                    Some(format!("stopped at maxPages ({number}); there are more pages for `{table}`"))
                }
            };
            let field = incremental.map(|field| self.source.response.fields[field].target.clone());
            let completed = Completed { warning, newest: field.zip(newest.clone()) };
            Ok::<_, Stopped>(PageEnd { progress, completed: Some(completed) })
        });
        let (end, stored) = written?;
        if stored == Stored::NotOurs {
            return Err(Stopped::NotOurs);
        }
        *self.progress = end.progress;
        if let Some(warning) = end.completed.as_ref().and_then(|completed| completed.warning.as_ref()) {
            warn!("{}: {warning}", self.source.name);
        }
        Ok(end.completed.is_some())
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
fn refused_row(number: u64, error: Error) -> Stopped {
    if error.may_pass() { Stopped::from(error) } else { failed(format!("record {number}: {error}")) }
}

fn unreadable(page: u32, error: ReadError<Stopped>) -> Stopped {
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
