//! Where scheduler and workers meet: a job goes down, a report comes back. It
//! knows neither when a job is due nor how it is run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;

pub use crate::store::fetchlogs::Job;

use crate::definition::Handler;
use crate::ring::{Refused, Ring};

/// Takes jobs to whoever runs them: rings of this process, or another
/// transport.
pub trait Dispatch {
    /// Jobs that the handler would take now.
    fn room(&self, handler: &str) -> usize;

    /// Never waits. A job that comes back is still queued in the store.
    fn offer(&self, job: Job) -> Result<(), Refused<Job>>;
}

/// Ends a run from outside, at once.
pub trait Cutter: Send + Sync + std::fmt::Debug {
    fn cut(&self, why: CutWhy);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutWhy {
    /// Its time is over: a failure.
    Deadline,
    /// Hermes stops: the run counts as not begun.
    Stop,
    /// Its source is gone.
    Cancelled,
}

/// What a worker tells the scheduler. What it did is in the store by then.
#[derive(Debug)]
pub enum Report {
    /// A place in the ring is free.
    Started {
        job: Job,
        deadline: Instant,
        cutter: Arc<dyn Cutter>,
    },
    Ended {
        job: Job,
        outcome: Outcome,
    },
}

/// As far as the scheduler has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Completed,
    Failed,
    /// This machine has no network; nothing was counted.
    Offline,
    /// Given back, cancelled or discarded: says nothing of the source.
    Nothing,
}

/// Bounded by what sends into it: each job in flight has two reports.
pub type Reports = UnboundedSender<Report>;

/// The rings of this process, by handler.
#[derive(Debug, Default)]
pub struct Rings {
    rings: Mutex<BTreeMap<String, Arc<Ring<Job>>>>,
}

impl Rings {
    /// Makes or resizes the ring of a handler; its workers are the caller's to start.
    pub fn set(&self, handler: &Handler) -> Arc<Ring<Job>> {
        let mut rings = self.lock();
        let ring = rings.entry(handler.name.clone()).or_insert_with(|| Arc::new(Ring::new(handler.capacity)));
        ring.set_capacity(handler.capacity);
        Arc::clone(ring)
    }

    /// Rings that nothing wants any more, and whose jobs are all taken, go; their
    /// workers end. One that still holds a job stays until the next look.
    pub fn retain(&self, is_wanted: impl Fn(&str) -> bool) {
        self.lock().retain(|name, ring| {
            let stays = is_wanted(name) || !ring.is_empty();
            if !stays {
                ring.close();
            }
            stays
        });
    }

    /// Jobs that wait in all rings.
    pub fn depth(&self) -> usize {
        self.lock().values().map(|ring| ring.len()).sum()
    }

    pub fn close(&self) {
        self.lock().values().for_each(|ring| ring.close());
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Ring<Job>>>> {
        self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Dispatch for Rings {
    fn room(&self, handler: &str) -> usize {
        self.lock().get(handler).map_or(0, |ring| ring.room())
    }

    fn offer(&self, job: Job) -> Result<(), Refused<Job>> {
        match self.lock().get(&job.handler) {
            Some(ring) => ring.push(job),
            None => Err(Refused::Full(job)),
        }
    }
}
