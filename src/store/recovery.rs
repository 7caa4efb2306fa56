//! Jobs that say `running` while nobody runs them: after a crash they count as
//! one failed attempt, after an orderly stop as nothing.

use jiff::Timestamp;

use super::fetchlogs::{Dropped, Failed, Job, Progress, Wait};
use super::{Store, Tx};
use crate::error::Result;

impl Store {
    /// At the start of the one daemon: whatever runs, ran in one that is gone.
    pub fn recover(&mut self, now: Timestamp) -> Result<usize> {
        let running = self.running_jobs()?;
        if !running.is_empty() {
            self.write(now, |tx| running.iter().try_for_each(|job| tx.interrupt_job(job)))?;
        }
        Ok(running.len())
    }

    /// At an orderly stop: back to the queue, as if not begun.
    pub fn release_running(&mut self, now: Timestamp) -> Result<()> {
        let running = self.running_jobs()?;
        if running.is_empty() {
            return Ok(());
        }
        self.write(now, |tx| running.iter().try_for_each(|job| tx.release_job(job, &Wait::Turn).map(|_| ())))
    }

    fn running_jobs(&self) -> Result<Vec<Job>> {
        let open = self.open_jobs()?;
        Ok(open.into_iter().filter(|(_, is_running)| *is_running).map(|(job, _)| job).collect())
    }
}

impl Tx<'_> {
    fn interrupt_job(&self, job: &Job) -> Result<()> {
        let row = self.source(&job.source_name)?;
        let source = match row {
            Some(row) => row.source(&self.client_of(&row)?).ok(),
            None => None,
        };
        match source {
            Some(source) => {
                let message = "interrupted: Hermes ended during the run; the pages stored stay";
                let progress = Progress::default();
                self.fail_job(job, Failed::Interrupted, &source.execution, None, &progress, message)?;
            }
            None => {
                self.drop_job(job, Dropped::Discarded, "its source is gone")?;
            }
        }
        Ok(())
    }
}
