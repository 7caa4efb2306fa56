//! `fetchlogs`: the jobs. Claiming one is inserting its key; whoever else
//! claims it finds it taken.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Store, Tx, time};
use crate::clock;
use crate::definition::window::Window;
use crate::definition::{Execution, RetryState};
use crate::error::Result;

/// One source at one slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: i64,
    pub key: String,
    pub source_name: String,
    pub deployment: String,
    pub handler: String,
    /// From 1.
    pub attempt: u32,
    pub slot: Timestamp,
    /// What it fetches, as far as its request says so.
    pub window: Window,
    pub queued_at: Timestamp,
    /// It waits for a rate window, or for its slot.
    pub not_before: Option<Timestamp>,
    /// It waits for the network.
    pub is_offline: bool,
    /// A person asked for it: it runs though its source is paused.
    pub is_asked: bool,
    /// Where its last run stopped for a rate window: the worker's words.
    pub resume: Option<String>,
}

impl Job {
    /// Claimed before its slot, for which it waits: what is due until then is
    /// not held up by it. One that waits for anything else waits until another time.
    pub fn is_ahead(&self, now: Timestamp) -> bool {
        self.slot > now && self.not_before == Some(self.slot)
    }
}

/// A job that nobody has claimed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    pub key: String,
    pub source_name: String,
    pub deployment: String,
    pub handler: String,
    pub slot: Timestamp,
    pub window: Window,
    pub is_asked: bool,
}

/// Ends the deployment that the jobs of a back-fill have: no name has a dot in it.
const BACKFILL: &str = ".backfill";

/// Of its own for each source: the schedule knows nothing of these jobs, neither
/// of their slots and windows nor of their failures.
pub fn backfill_deployment(source_name: &str) -> String {
    format!("{source_name}{BACKFILL}")
}

impl Job {
    fn is_backfill(&self) -> bool {
        self.deployment.ends_with(BACKFILL)
    }

    /// Its failures are its source's: they are retried, and success ends them.
    pub fn counts(&self) -> bool {
        !self.is_backfill()
    }
}

/// What a run has done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    pub pages: u32,
    pub records: u64,
    pub inserted: u64,
    pub bytes: u64,
    pub duration: Duration,
}

/// Rows kept of a source.
const KEPT: u32 = 100;

const JOB: &str = "id, key, source_name, deployment, handler, attempt, scheduled_datetime, queued_datetime,
    window_from, window_to, not_before, is_offline, is_asked, resume";

impl Store {
    /// What is queued or running, oldest slot first; `true` is running.
    pub fn open_jobs(&self) -> Result<Vec<(Job, bool)>> {
        let mut open = self.conn.prepare_cached(&format!(
            "SELECT {JOB}, status = 'running' AS is_running FROM fetchlogs
             WHERE status IN ('queued', 'running') ORDER BY scheduled_datetime, source_name"
        ))?;
        let rows = open.query_map([], |row| Ok((job(row)?, row.get("is_running")?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The running job of a source, else its oldest queued one; `true` is running.
    pub fn open_job(&self, source_name: &str) -> Result<Option<(Job, bool)>> {
        open_job(&self.conn, source_name)
    }

    /// The job whose retry is pending: it matters while its source has a row in `retries`.
    pub fn failed_job(&self, source_name: &str) -> Result<Option<Job>> {
        let mut newest = self.conn.prepare_cached(&format!(
            "SELECT {JOB} FROM fetchlogs WHERE source_name = ? AND status IN ('failed', 'interrupted')
               AND deployment <> ? ORDER BY id DESC LIMIT 1"
        ))?;
        Ok(newest.query_row((source_name, backfill_deployment(source_name)), job).optional()?)
    }

    /// The newest slot that is done, of a source in a deployment, and where its
    /// window ended. By the prefix of the keys as well: a deployment that was
    /// renamed and kept its prefix goes on, for the keys of its slots are taken.
    pub fn completed_slot(
        &self,
        source_name: &str,
        deployment: &str,
        prefix: &str,
    ) -> Result<Option<(Timestamp, Timestamp)>> {
        let mut newest = self.conn.prepare_cached(
            "SELECT scheduled_datetime, window_to FROM fetchlogs
             WHERE source_name = ?1 AND status = 'completed'
               AND (deployment = ?2 OR substr(key, 11, length(?3) + 2) = '/' || ?3 || '/')
             ORDER BY id DESC LIMIT 1",
        )?;
        let found = newest.query_row((source_name, deployment, prefix), |row| {
            let slot = time(row, "scheduled_datetime")?;
            let window_to = time(row, "window_to")?.or(slot);
            Ok(slot.zip(window_to))
        });
        Ok(found.optional()?.flatten())
    }

    /// Whether its rows may be those of a back-fill.
    pub fn has_backfill(&self, source_name: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM fetchlogs WHERE source_name = ? AND deployment = ?";
        Ok(self.conn.prepare_cached(sql)?.exists((source_name, backfill_deployment(source_name)))?)
    }

    pub fn job_status(&self, job: &Job) -> Result<Option<JobStatus>> {
        let mut find = self.conn.prepare_cached(
            "SELECT status, pages, records, inserted, message,
                status = 'queued' AND (is_offline OR not_before IS NOT NULL) AS waits FROM fetchlogs WHERE id = ?",
        )?;
        let status = find.query_row([job.id], |row| {
            Ok(JobStatus {
                status: row.get(0)?,
                pages: row.get(1)?,
                records: row.get(2)?,
                inserted: row.get(3)?,
                message: row.get(4)?,
                waits: row.get("waits")?,
            })
        });
        Ok(status.optional()?)
    }

    pub fn is_running(&self, source_name: &str) -> Result<bool> {
        let mut find = self
            .conn
            .prepare_cached("SELECT 1 FROM fetchlogs WHERE source_name = ? AND status = 'running'")?;
        Ok(find.exists([source_name])?)
    }
}

impl Tx<'_> {
    /// As the store's.
    pub fn open_job(&self, source_name: &str) -> Result<Option<(Job, bool)>> {
        open_job(&self.conn, source_name)
    }

    /// Queued or running; one that is still ahead of its slot at that time does not count.
    pub fn has_open_job(&self, source_name: &str, at: Timestamp) -> Result<bool> {
        let mut find = self.conn.prepare_cached(
            "SELECT 1 FROM fetchlogs WHERE source_name = ?1 AND status IN ('queued', 'running')
             AND NOT (status = 'queued' AND scheduled_datetime > ?2 AND not_before IS scheduled_datetime)",
        )?;
        Ok(find.exists((source_name, clock::to_text(at)))?)
    }

    /// Inserts what nobody else has claimed, and gives that back; a job that was
    /// cancelled or discarded never ran, and may be claimed again, as may one
    /// that failed where its source's failures were forgotten since. Nothing for
    /// a source that has an open job: whoever claims it chose before this
    /// transaction, and the slot of a first run is not the same a minute later.
    /// Prunes in the same transaction, so that the table is never larger than its bound.
    pub fn claim_jobs(&self, jobs: &[NewJob]) -> Result<Vec<Job>> {
        let mut claim = self.conn.prepare_cached(&format!(
            "INSERT INTO fetchlogs (key, source_name, deployment, handler, scheduled_datetime,
                queued_datetime, not_before, window_from, window_to, is_asked)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, iif(?5 > ?6, ?5, NULL), ?7, ?8, ?9)
             ON CONFLICT (key) DO UPDATE SET status = 'queued', attempt = attempt + 1,
                queued_datetime = excluded.queued_datetime, message = NULL, is_asked = excluded.is_asked,
                not_before = excluded.not_before, is_offline = 0
             WHERE status IN ('cancelled', 'discarded') OR (status IN ('failed', 'interrupted')
                AND NOT EXISTS (SELECT 1 FROM retries WHERE retries.source_name = fetchlogs.source_name))
             RETURNING {JOB}"
        ))?;
        let now = clock::to_text(self.now);
        let mut claimed = Vec::new();
        for new in jobs {
            if self.has_open_job(&new.source_name, self.now.max(new.slot))? {
                continue;
            }
            let slot = clock::to_text(new.slot);
            let (from, to) = (clock::to_text(new.window.from), clock::to_text(new.window.to));
            let (source_name, is_asked) = (&new.source_name, new.is_asked);
            let row =
                params![new.key, source_name, new.deployment, new.handler, slot, now, from, to, is_asked];
            if let Some(job) = claim.query_row(row, job).optional()? {
                self.prune_jobs(&job.source_name)?;
                self.set_last_deployed(&job.deployment, job.slot)?;
                claimed.push(job);
            }
        }
        Ok(claimed)
    }

    /// The newest 100, the newest success, and what is not over.
    fn prune_jobs(&self, source_name: &str) -> Result<()> {
        let mut prune = self.conn.prepare_cached(
            "DELETE FROM fetchlogs WHERE source_name = ?1 AND status NOT IN ('queued', 'running')
             AND id <= (SELECT id FROM fetchlogs WHERE source_name = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
             AND id NOT IN (SELECT max(id) FROM fetchlogs WHERE source_name = ?1 AND status = 'completed'
                            GROUP BY deployment)",
        )?;
        prune.execute((source_name, KEPT))?;
        Ok(())
    }

    /// A job that a person asked for: a new one, or the next run of the same.
    pub fn claim_now(&self, new: &NewJob) -> Result<Option<Job>> {
        if let Some(job) = self.claim_jobs(std::slice::from_ref(new))?.pop() {
            return Ok(Some(job));
        }
        let sql =
            format!("SELECT {JOB} FROM fetchlogs WHERE key = ? AND status IN ('failed', 'interrupted')");
        match self.conn.prepare_cached(&sql)?.query_row([&new.key], job).optional()? {
            Some(failed) => {
                self.ask_for(&failed)?;
                self.claim_retry(&failed)
            }
            None => Ok(None),
        }
    }

    /// A person wants this one that is there already.
    pub fn ask_for(&self, job: &Job) -> Result<Job> {
        self.conn.prepare_cached("UPDATE fetchlogs SET is_asked = 1 WHERE id = ?")?.execute([job.id])?;
        Ok(Job { is_asked: true, ..job.clone() })
    }

    /// Another run of a failed job, not before the time that it has. `None`
    /// where someone else has taken it up.
    pub fn claim_retry(&self, failed: &Job) -> Result<Option<Job>> {
        let mut claim = self.conn.prepare_cached(&format!(
            "UPDATE fetchlogs SET status = 'queued', attempt = attempt + 1, queued_datetime = ?2,
                not_before = iif(?3 > ?2, ?3, NULL)
             WHERE id = ?1 AND status IN ('failed', 'interrupted') RETURNING {JOB}"
        ))?;
        let not_before = failed.not_before.map(clock::to_text);
        Ok(claim.query_row((failed.id, clock::to_text(self.now), not_before), job).optional()?)
    }

    /// False where the job is no longer there to be run. One that goes on keeps
    /// its counts, which are those of the whole.
    pub fn start_job(&self, job: &Job) -> Result<bool> {
        let mut start = self.conn.prepare_cached(
            "UPDATE fetchlogs SET status = 'running', started_datetime = ?3, completed_datetime = NULL,
                duration_ms = NULL, message = NULL, not_before = NULL, is_offline = 0,
                pages = iif(resume IS NULL, 0, pages), records = iif(resume IS NULL, 0, records),
                inserted = iif(resume IS NULL, 0, inserted), bytes = iif(resume IS NULL, 0, bytes),
                resume = NULL
             WHERE id = ?1 AND attempt = ?2 AND status = 'queued'",
        )?;
        Ok(start.execute((job.id, job.attempt, clock::to_text(self.now)))? > 0)
    }

    /// The guard of every page: false where the job was cancelled, deleted or
    /// taken away, and then nothing of the page may be kept.
    pub fn record_progress(&self, job: &Job, progress: &Progress) -> Result<bool> {
        let mut record = self.conn.prepare_cached(
            "UPDATE fetchlogs SET pages = ?3, records = ?4, inserted = ?5, bytes = ?6
             WHERE id = ?1 AND attempt = ?2 AND status = 'running'",
        )?;
        let Progress { pages, records, inserted, bytes, .. } = progress;
        Ok(record.execute((job.id, job.attempt, pages, records, inserted, bytes))? > 0)
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

/// How a job is, for whoever waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStatus {
    pub status: String,
    pub pages: u32,
    pub records: u64,
    pub inserted: u64,
    pub message: Option<String>,
    waits: bool,
}

impl JobStatus {
    pub fn is_open(&self) -> bool {
        matches!(self.status.as_str(), "queued" | "running")
    }

    pub fn saying(self, message: String) -> JobStatus {
        JobStatus { message: Some(message), ..self }
    }

    /// For a rate window, or the network.
    pub fn waits(&self) -> bool {
        self.waits
    }
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

fn open_job(conn: &Connection, source_name: &str) -> Result<Option<(Job, bool)>> {
    let mut open = conn.prepare_cached(&format!(
        "SELECT {JOB}, status = 'running' AS is_running FROM fetchlogs
         WHERE source_name = ? AND status IN ('queued', 'running')
         ORDER BY is_running DESC, scheduled_datetime LIMIT 1"
    ))?;
    Ok(open.query_row([source_name], |row| Ok((job(row)?, row.get("is_running")?))).optional()?)
}

fn job(row: &Row<'_>) -> rusqlite::Result<Job> {
    Ok(Job {
        id: row.get("id")?,
        key: row.get("key")?,
        source_name: row.get("source_name")?,
        deployment: row.get("deployment")?,
        handler: row.get("handler")?,
        attempt: row.get("attempt")?,
        // Only SQL by hand can write what is no time; such a job is the oldest.
        slot: time(row, "scheduled_datetime")?.unwrap_or(Timestamp::UNIX_EPOCH),
        window: Window {
            from: time(row, "window_from")?.unwrap_or(Timestamp::UNIX_EPOCH),
            to: time(row, "window_to")?.or(time(row, "scheduled_datetime")?).unwrap_or(Timestamp::UNIX_EPOCH),
        },
        resume: row.get("resume")?,
        queued_at: time(row, "queued_datetime")?.unwrap_or(Timestamp::UNIX_EPOCH),
        not_before: time(row, "not_before")?,
        is_offline: row.get("is_offline")?,
        is_asked: row.get("is_asked")?,
    })
}
