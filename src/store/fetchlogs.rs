//! `fetchlogs`: the jobs. Claiming one is inserting its key; whoever else
//! claims it finds it taken.

mod claim;
mod end;

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row};

pub use self::end::{Dropped, Failed, Wait};
use super::{Store, time};
use crate::definition::window::Window;
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
    /// Of the records, as the answer says.
    pub total: Option<u64>,
}

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
            "SELECT status, pages, records, inserted, message, bytes, total, started_datetime,
                status = 'queued' AND (is_offline OR not_before IS NOT NULL) AS waits FROM fetchlogs WHERE id = ?",
        )?;
        let status = find.query_row([job.id], |row| {
            Ok(JobStatus {
                status: row.get(0)?,
                pages: row.get(1)?,
                records: row.get(2)?,
                inserted: row.get(3)?,
                message: row.get(4)?,
                bytes: row.get("bytes")?,
                total: row.get("total")?,
                started_at: time(row, "started_datetime")?,
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

/// How a job is, for whoever waits for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobStatus {
    pub status: String,
    pub pages: u32,
    pub records: u64,
    pub inserted: u64,
    pub bytes: u64,
    /// Of the records, as the answer says.
    pub total: Option<u64>,
    pub started_at: Option<Timestamp>,
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
