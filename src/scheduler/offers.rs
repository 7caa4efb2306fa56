//! What a look at a source leads to: a job to offer, a time to look again, or
//! nothing until something happens.

use jiff::Timestamp;

use crate::definition::due::Decision;
use crate::order;
use crate::store::fetchlogs::{Job, NewJob};
use crate::store::plan::PlannedSource;

#[derive(Debug)]
pub(super) enum Look {
    Offer(Box<Offer>),
    Wait(Timestamp),
    Nothing,
}

#[derive(Debug)]
pub(super) struct Offer {
    /// Of its source, in the plan.
    pub(super) place: usize,
    slot: Timestamp,
    source_name: String,
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
        Offer { place: 0, slot, source_name, handler, host: host.to_owned(), work: Work::Queued(job) }
    }
}

/// Nobody starves: the job that waits longest goes first.
pub(super) fn oldest_first(offers: &mut Vec<Offer>) {
    order::by_text(offers, |offer| offer.source_name.clone());
    order::by_time(offers, |offer| Some(offer.slot));
}

/// A paused source's job waits, unless a person asked for it; a removed one's
/// goes on, to be discarded. One that is ahead of its slot holds up nothing.
pub(super) fn of_queued(place: usize, planned: &PlannedSource, job: &Job, now: Timestamp) -> Look {
    match job.not_before {
        _ if planned.status == "paused" && !job.is_asked => Look::Nothing,
        Some(until) if job.is_ahead(now) => match of_decision(place, planned, planned.decide(now)) {
            Look::Nothing => Look::Wait(until),
            Look::Wait(at) => Look::Wait(at.min(until)),
            offer => offer,
        },
        Some(until) if until > now => Look::Wait(until),
        _ => offer(place, planned, job.slot, job.handler.clone(), Work::Queued(job.clone())),
    }
}

pub(super) fn of_decision(place: usize, planned: &PlannedSource, decision: Decision) -> Look {
    match decision {
        Decision::Due { timing, slot } => {
            let job = planned.new_job(timing, slot);
            offer(place, planned, slot, job.handler.clone(), Work::New(job))
        }
        Decision::Retry => {
            let job = planned.state.failed_job.clone().expect("`decide` saw the failed job");
            offer(place, planned, job.slot, job.handler.clone(), Work::Retry(job))
        }
        Decision::NotDue { next: at }
        | Decision::Backoff { until: at }
        | Decision::Exhausted { until: at } => Look::Wait(at),
        Decision::Inactive | Decision::InFlight | Decision::Never => Look::Nothing,
    }
}

fn offer(place: usize, planned: &PlannedSource, slot: Timestamp, handler: String, work: Work) -> Look {
    let host = planned.head.as_ref().map(|head| head.host.clone()).unwrap_or_default();
    Look::Offer(Box::new(Offer { place, slot, source_name: planned.name.clone(), handler, host, work }))
}

pub(super) fn wake(wake_at: &mut Option<Timestamp>, at: Timestamp) {
    *wake_at = Some(wake_at.map_or(at, |earlier| earlier.min(at)));
}
