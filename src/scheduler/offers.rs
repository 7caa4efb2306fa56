//! What a tick found: the jobs to offer, oldest first, and when to look again.

use jiff::Timestamp;

use crate::definition::due::Decision;
use crate::store::fetchlogs::{Job, NewJob};
use crate::store::plan::PlannedSource;

#[derive(Debug, Default)]
pub(super) struct Offers {
    pub(super) due: Vec<Offer>,
    pub(super) wake_at: Option<Timestamp>,
}

#[derive(Debug)]
pub(super) struct Offer {
    slot: Timestamp,
    pub(super) source_name: String,
    pub(super) handler: String,
    /// For its provider.
    pub(super) host: String,
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    /// Claimed before: by another process, or before a restart.
    Queued(Job),
    Retry(Job),
    New(NewJob),
}

#[cfg(test)]
impl Offer {
    pub(super) fn queued_for_test(host: &str, job: Job) -> Offer {
        let (slot, source_name, handler) = (job.slot, job.source_name.clone(), job.handler.clone());
        Offer { slot, source_name, handler, host: host.to_owned(), work: Work::Queued(job) }
    }
}

impl Offers {
    /// Nobody starves: the job that waits longest goes first.
    pub(super) fn oldest_first(&mut self) {
        self.due.sort_by(|a, b| (a.slot, &a.source_name).cmp(&(b.slot, &b.source_name)));
    }

    /// A paused source's job waits, unless a person asked for it; a removed one's goes on, to be discarded.
    pub(super) fn add_queued(&mut self, planned: &PlannedSource, job: &Job, now: Timestamp) {
        match job.not_before {
            _ if planned.status == "paused" && !job.is_asked => {}
            Some(until) if job.is_ahead(now) => {
                wake(&mut self.wake_at, until);
                self.add_decision(planned, planned.decide(now));
            }
            Some(until) if until > now => wake(&mut self.wake_at, until),
            _ => self.add(planned, job.slot, job.handler.clone(), Work::Queued(job.clone())),
        }
    }

    pub(super) fn add_decision(&mut self, planned: &PlannedSource, decision: Decision) {
        match decision {
            Decision::Due { timing, slot } => {
                let job = planned.new_job(timing, slot);
                self.add(planned, slot, job.handler.clone(), Work::New(job));
            }
            Decision::Retry => {
                let job = planned.state.failed_job.clone().expect("`decide` saw the failed job");
                self.add(planned, job.slot, job.handler.clone(), Work::Retry(job));
            }
            Decision::NotDue { next: at }
            | Decision::Backoff { until: at }
            | Decision::Exhausted { until: at } => wake(&mut self.wake_at, at),
            Decision::Inactive | Decision::InFlight | Decision::Never => {}
        }
    }

    fn add(&mut self, planned: &PlannedSource, slot: Timestamp, handler: String, work: Work) {
        let host = planned.head.as_ref().map(|head| head.host.clone()).unwrap_or_default();
        self.due.push(Offer { slot, source_name: planned.name.clone(), handler, host, work });
    }
}

pub(super) fn wake(wake_at: &mut Option<Timestamp>, at: Timestamp) {
    *wake_at = Some(wake_at.map_or(at, |earlier| earlier.min(at)));
}
