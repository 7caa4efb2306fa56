//! Claiming jobs: one a key, whoever else claims.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::{JOB, Job, NewJob, job, open_job};
use crate::clock;
use crate::error::Result;
use crate::store::Tx;

/// Rows kept of a source.
const KEPT: u32 = 100;

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
}
