//! The threads that run jobs: started with a handler, ended together. What a
//! thread does with a job is `job`'s.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::Worker;
use super::cut::{Cut, Why};
use super::gates::Gates;
use super::tokens::Tokens;
use crate::clock::Clock;
use crate::definition::Handler;
use crate::dispatch::{Job, Reports, Rings};
use crate::error::{Error, Result};
use crate::ring::Ring;
use crate::store::Store;

/// What all workers share.
pub struct Shared {
    pub db: PathBuf,
    pub clock: Arc<dyn Clock>,
    pub reports: Reports,
    pub rings: Arc<Rings>,
    pub counters: Counters,
    pub(super) tokens: Tokens,
    pub(super) gates: Gates,
}

/// Since the start of the process.
#[derive(Debug, Default)]
pub struct Counters {
    runs: AtomicU64,
    failures: AtomicU64,
}

#[derive(Debug, Default)]
pub struct Pool {
    threads: Vec<(JoinHandle<()>, Arc<Cut>)>,
}

/// A worker's stack: the deepest call is a parser that stops at 128 levels.
const STACK_BYTES: usize = 512 * 1024;

impl Shared {
    pub fn new(db: PathBuf, clock: Arc<dyn Clock>, reports: Reports, rings: Arc<Rings>) -> Shared {
        Shared {
            db,
            clock,
            reports,
            rings,
            counters: Counters::default(),
            tokens: Tokens::default(),
            gates: Gates::default(),
        }
    }
}

impl Pool {
    /// As many threads as the handler is to have: new ones start, those that
    /// are too many end after their run. True where one started.
    pub fn set(&mut self, shared: &Arc<Shared>, ring: &Arc<Ring<Job>>, handler: &Handler) -> Result<bool> {
        self.threads.retain(|(thread, _)| !thread.is_finished());
        let new = ring.set_takers(handler.workers);
        for &number in &new {
            let mut worker = Worker::new(Store::open(&shared.db)?, Arc::clone(shared));
            let cut = Arc::clone(&worker.cut);
            let ring = Arc::clone(ring);
            let thread = Builder::new()
                .name(format!("{}-{number}", handler.name))
                .stack_size(STACK_BYTES)
                .spawn(move || {
                    while let Some(job) = ring.pop(number) {
                        worker.work(job);
                    }
                })
                .map_err(Error::io("cannot start a worker"))?;
            self.threads.push((thread, cut));
        }
        Ok(!new.is_empty())
    }

    /// Cuts every run. True where all threads ended in time; a name lookup
    /// cannot be cut, and what it would lead to is refused.
    pub fn stop(self, within: Duration) -> bool {
        self.threads.iter().for_each(|(_, cut)| cut.cut(Why::Stop));
        let deadline = Instant::now() + within;
        while Instant::now() < deadline {
            if self.threads.iter().all(|(thread, _)| thread.is_finished()) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

impl Counters {
    pub(super) fn count(&self, failed: bool) {
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.failures.fetch_add(u64::from(failed), Ordering::Relaxed);
    }

    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("db", &self.db).finish_non_exhaustive()
    }
}
