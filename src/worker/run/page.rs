//! Storing pages: a large one read and inserted in a transaction of its own,
//! small ones several in one, with the success of the run where it is the last.

use std::time::{Duration, Instant};

use log::warn;

use super::read::{Reading, refused_row, unreadable};
use super::{Head, Run, Stopped};
use crate::definition::Provider;
use crate::error::Error;
use crate::store::fetchlogs::Progress;
use crate::store::page::PageEnd;
use crate::worker::Worker;
use crate::worker::extract::{Plan, ReadError};
use crate::worker::paginate::Pages;

/// Between two tries to begin a page's transaction, beside SQLite's own.
const LOCKED_PAUSE: Duration = Duration::from_millis(200);

/// A page of at most so many bytes, answered within this time, may wait for the
/// next ones to be stored with it.
const SMALL: usize = 256 << 10;
const QUICK: Duration = Duration::from_millis(250);

/// The first of them waits no longer than this, and the request under way then.
const HELD_AT_MOST: Duration = Duration::from_secs(1);

impl Run<'_> {
    /// True where the run is complete with this page, and all of it stored.
    pub(super) fn store_page(
        &mut self,
        plan: &Plan,
        pages: &mut Pages,
        head: &Head,
    ) -> Result<bool, Stopped> {
        if !self.may_hold(head) {
            return self.store_alone(plan, pages, head);
        }
        let Worker { held, body, cut, .. } = &mut *self.worker;
        let reading = Reading {
            source: self.source,
            body,
            cut,
            started: self.started,
            so_far: held.last().map_or(*self.progress, |last| last.progress),
            newest: &mut self.newest,
        };
        let mut has_room = true;
        let end = reading.read(plan, pages, head, &mut |key, values| {
            has_room = held.push(key, values);
            if has_room { Ok(false) } else { Err(Error::Failed("no room to hold it".into())) }
        });
        if !has_room {
            return self.store_alone(plan, pages, head);
        }
        let end = end?;
        let is_last = end.completed.is_some();
        held.end_page(end);
        let since = *self.held_since.get_or_insert_with(Instant::now);
        if is_last || self.worker.held.is_full() || since.elapsed() >= HELD_AT_MOST {
            self.store_held()?;
        }
        Ok(is_last)
    }

    fn store_alone(&mut self, plan: &Plan, pages: &mut Pages, head: &Head) -> Result<bool, Stopped> {
        self.store_held()?;
        self.until_unlocked(|run, has_begun| run.stream_page(plan, pages, head, has_begun))
    }

    /// Where nothing but the web stands between this page and the next. Not the
    /// first one: rows are there as soon as there are any.
    fn may_hold(&self, head: &Head) -> bool {
        let may_wait = |provider: &Provider| !provider.limits.is_empty() || provider.concurrency.is_some();
        let is_small = self.worker.body.len() <= SMALL;
        let is_first = self.progress.pages == 0;
        is_small && !is_first && head.took <= QUICK && !self.provider.as_ref().is_some_and(may_wait)
    }

    /// All pages that wait, in one transaction. Where a record is refused, the
    /// pages before its page are stored all the same.
    pub(super) fn store_held(&mut self) -> Result<(), Stopped> {
        self.worker.held.drop_open_page();
        let mut refused = None;
        let mut stored = self.until_unlocked(|run, has_begun| run.write_held(has_begun, &mut refused));
        if let Some(page) = refused {
            self.worker.held.keep_pages(page);
            let before = self.until_unlocked(|run, has_begun| run.write_held(has_begun, &mut None));
            stored = before.and(stored);
        }
        self.worker.held.keep_pages(0);
        self.held_since = None;
        stored
    }

    fn write_held(&mut self, has_begun: &mut bool, refused: &mut Option<usize>) -> Result<(), Stopped> {
        let worker = &mut *self.worker;
        let held = &worker.held;
        let Some(last) = held.last() else { return Ok(()) };
        let mut inserted = self.progress.inserted;
        let now = worker.shared.clock.now();
        let written = worker.store.write_page(now, self.job, self.source, |rows| {
            *has_begun = true;
            let known = rows.known(held.keys())?;
            held.each_row(&known, |row, key, values| {
                let is_new = rows.insert(key, values).map_err(|error| {
                    let (page, number, record) = held.place_of(row);
                    *refused = (!error.may_pass()).then_some(page);
                    unreadable(number, ReadError::Sink(refused_row(record, error)))
                })?;
                inserted += u64::from(is_new);
                Ok::<_, Stopped>(())
            })?;
            Ok::<_, Stopped>(PageEnd { progress: Progress { inserted, ..last.progress }, ..last.clone() })
        });
        self.stored(written?).map(|_| ())
    }

    /// Another program's lock is waited for until the deadline: it is not the source's.
    fn until_unlocked<T>(
        &mut self,
        mut write: impl FnMut(&mut Self, &mut bool) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        loop {
            let mut has_begun = false;
            match write(self, &mut has_begun) {
                Err(Stopped::Locked(_)) if !has_begun && Instant::now() < self.deadline() => {
                    self.worker.cut.wait(LOCKED_PAUSE).map_err(Stopped::Cut)?;
                }
                result => return result,
            }
        }
    }

    /// A page of any size, in the memory of one record.
    fn stream_page(
        &mut self,
        plan: &Plan,
        pages: &mut Pages,
        head: &Head,
        has_begun: &mut bool,
    ) -> Result<bool, Stopped> {
        let now = self.worker.shared.clock.now();
        let Worker { store, body, cut, .. } = &mut *self.worker;
        let reading = Reading {
            source: self.source,
            body,
            cut,
            started: self.started,
            so_far: *self.progress,
            newest: &mut self.newest,
        };
        let written = store.write_page(now, self.job, self.source, |rows| {
            *has_begun = true;
            reading.read(plan, pages, head, &mut |key, values| rows.insert(key, values))
        });
        self.stored(written?)
    }

    /// True where the run is complete.
    fn stored(&mut self, end: Option<PageEnd>) -> Result<bool, Stopped> {
        let end = end.ok_or(Stopped::NotOurs)?;
        *self.progress = end.progress;
        if let Some(warning) = end.completed.as_ref().and_then(|completed| completed.warning.as_ref()) {
            warn!("{}: {warning}", self.source.name);
        }
        Ok(end.completed.is_some())
    }
}
