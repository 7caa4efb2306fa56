//! Running jobs to their end: begun, on their way, over, or given back. The rule
//! of failures is `Execution`'s.

use std::time::Duration;

use jiff::Timestamp;

use super::{Job, Progress};
use crate::clock;
use crate::definition::{Execution, RetryState};
use crate::error::Result;
use crate::store::Tx;

impl Tx<'_> {
    /// False where the job is no longer there to be run. One that goes on keeps
    /// its counts, which are those of the whole.
    pub fn start_job(&self, job: &Job) -> Result<bool> {
        let mut start = self.conn.prepare_cached(
            "UPDATE fetchlogs SET status = 'running', started_datetime = ?3, completed_datetime = NULL,
                duration_ms = NULL, message = NULL, not_before = NULL, is_offline = 0,
                pages = iif(resume IS NULL, 0, pages), records = iif(resume IS NULL, 0, records),
                inserted = iif(resume IS NULL, 0, inserted), bytes = iif(resume IS NULL, 0, bytes),
                resume = NULL, total = NULL
             WHERE id = ?1 AND attempt = ?2 AND status = 'queued'",
        )?;
        Ok(start.execute((job.id, job.attempt, clock::to_text(self.now)))? > 0)
    }

    /// The guard of every page: false where the job was cancelled, deleted or
    /// taken away, and then nothing of the page may be kept.
    pub fn record_progress(&self, job: &Job, progress: &Progress) -> Result<bool> {
        let mut record = self.conn.prepare_cached(
            "UPDATE fetchlogs SET pages = ?3, records = ?4, inserted = ?5, bytes = ?6, total = ?7
             WHERE id = ?1 AND attempt = ?2 AND status = 'running'",
        )?;
        let Progress { pages, records, inserted, bytes, total, .. } = progress;
        Ok(record.execute((job.id, job.attempt, pages, records, inserted, bytes, total))? > 0)
    }

    /// Success: clears the failures before it.
    pub fn complete_job(&self, job: &Job, progress: &Progress, message: Option<&str>) -> Result<()> {
        self.end_job(job, "completed", progress, message)?;
        self.cover_window(&job.source_name, job.window)?;
        if job.counts() { self.forget_retries(&job.source_name) } else { Ok(()) }
    }

    /// One atomic step: the job is over, and its source's budget is one less.
    /// `None` where the job was taken away meanwhile, or is one of a back-fill:
    /// then nothing counts.
    pub fn fail_job(
        &self,
        job: &Job,
        status: Failed,
        execution: &Execution,
        asked: Option<Duration>,
        progress: &Progress,
        message: &str,
    ) -> Result<Option<RetryState>> {
        if !self.end_job(job, status.as_str(), progress, Some(message))? || !job.counts() {
            return Ok(None);
        }
        let state = execution.after_failure(self.retry_state(&job.source_name)?, self.now, asked);
        self.set_retry_state(&job.source_name, &state)?;
        Ok(Some(state))
    }

    /// Ends a job without counting anything: `cancelled` or `discarded`.
    pub fn drop_job(&self, job: &Job, status: Dropped, message: &str) -> Result<bool> {
        self.end_job(job, status.as_str(), &Progress::default(), Some(message))
    }

    /// Back to the queue, as if not begun. A wait is dated: one that a clock
    /// since set back has written is told by its date.
    pub fn release_job(&self, job: &Job, wait: &Wait) -> Result<bool> {
        let mut release = self.conn.prepare_cached(
            "UPDATE fetchlogs SET status = 'queued', not_before = ?3, is_offline = ?4, message = ?5, resume = ?6,
                queued_datetime = iif(?3 IS NULL, queued_datetime, ?7)
             WHERE id = ?1 AND attempt = ?2 AND status IN ('queued', 'running')",
        )?;
        let (not_before, message, resume) = match wait {
            Wait::Turn => (None, None, None),
            Wait::RateLimit { until, resume } => {
                let until = clock::to_text(*until);
                let message = format!("waits for the rate limit until {until}");
                (Some(until), Some(message), resume.clone())
            }
            Wait::Network(message) => (None, Some(message.clone()), None),
        };
        let is_offline = matches!(wait, Wait::Network(_));
        let now = clock::to_text(self.now);
        Ok(release.execute((job.id, job.attempt, not_before, is_offline, message, resume, now))? > 0)
    }

    fn end_job(&self, job: &Job, status: &str, progress: &Progress, message: Option<&str>) -> Result<bool> {
        let mut end = self.conn.prepare_cached(
            "UPDATE fetchlogs SET status = ?3, completed_datetime = ?4, duration_ms = ?5, message = ?6
             WHERE id = ?1 AND attempt = ?2 AND status IN ('queued', 'running')",
        )?;
        let now = clock::to_text(self.now);
        let duration = progress.duration.as_millis() as i64;
        Ok(end.execute((job.id, job.attempt, status, now, duration, message))? > 0)
    }
}

/// What a job that is given back waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    /// An orderly stop: its turn after the restart.
    Turn,
    /// And then goes on where it stopped.
    RateLimit { until: Timestamp, resume: Option<String> },
    /// With what told that this machine is offline.
    Network(String),
}

/// How a job fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    Failed,
    Interrupted,
}

impl Failed {
    fn as_str(self) -> &'static str {
        match self {
            Failed::Failed => "failed",
            Failed::Interrupted => "interrupted",
        }
    }
}

/// How a job ends that counts as nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dropped {
    Cancelled,
    Discarded,
}

impl Dropped {
    fn as_str(self) -> &'static str {
        match self {
            Dropped::Cancelled => "cancelled",
            Dropped::Discarded => "discarded",
        }
    }
}
