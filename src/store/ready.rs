//! What would run at a time, deployment by deployment, and why not what would
//! not. Reads only; claiming it is `queue`'s.

use jiff::Timestamp;

use super::Store;
use super::fetchlogs::{Job, NewJob};
use super::plan::{Heads, PlannedSource};
use crate::clock;
use crate::definition::due::Decision;
use crate::definition::job_key::job_key;
use crate::definition::provider::{Provider, provider_of};
use crate::error::Result;
use crate::order;

/// One source of a deployment whose slot has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    pub deployment: String,
    pub slot: Timestamp,
    pub key: String,
    pub handler: String,
    /// `None`: the deployment has no sources.
    pub source_name: Option<String>,
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    New(NewJob),
    Retry(Job),
    /// Why it would not be queued.
    Not(String),
}

impl Store {
    /// Oldest slot first, then by name, as the scheduler goes.
    pub fn ready(&self, at: Timestamp) -> Result<Vec<Ready>> {
        let mut plan = self.load_plan(&mut Heads::new())?;
        plan.iter_mut().for_each(|planned| planned.forget_future(at, at));
        let providers = self.providers()?;
        let mut ready = self.ready_without_sources(at)?;
        for planned in &plan {
            ready.extend(self.ready_of(planned, &providers, at)?);
        }
        // No name has a blank in it.
        order::by_text(&mut ready, |ready| {
            format!("{} {}", ready.deployment, ready.source_name.as_deref().unwrap_or_default())
        });
        order::by_time(&mut ready, |ready| Some(ready.slot));
        Ok(ready)
    }

    fn ready_of(&self, planned: &PlannedSource, providers: &[Provider], at: Timestamp) -> Result<Vec<Ready>> {
        let Ok(head) = &planned.head else { return Ok(Vec::new()) };
        let decision = planned.decide(at);
        let limited = match provider_of(providers, &head.host) {
            Some(provider) => self.rate_limited_until(provider, at)?,
            None => None,
        };
        if let Some(job) = &planned.state.failed_job
            && let Some(verdict) = retry_verdict(planned, job, decision, limited)
        {
            return Ok(vec![retry(job, verdict)]);
        }
        let due = planned.due_entries(at);
        Ok(due
            .map(|(timing, slot)| {
                new(planned, timing, slot, verdict(planned, decision, timing, slot, limited))
            })
            .collect())
    }

    /// Shown as ready, for a person may have forgotten them; never queued.
    fn ready_without_sources(&self, at: Timestamp) -> Result<Vec<Ready>> {
        let mut ready = Vec::new();
        for (row, schedule) in self.readable_deployments()? {
            let slot = match row.last_deployed {
                _ if !row.sources.is_empty() || !row.is_active => None,
                None => Some(schedule.first_slot(at)),
                Some(last) => schedule.due_slot(last, at),
            };
            ready.extend(slot.map(|slot| Ready {
                key: job_key(&row.prefix, slot, schedule.precision(), None),
                deployment: row.name.clone(),
                slot,
                handler: row.handler.clone(),
                source_name: None,
                verdict: Verdict::Not("it has no sources".into()),
            }));
        }
        Ok(ready)
    }
}

fn verdict(
    planned: &PlannedSource,
    decision: Decision,
    timing: usize,
    slot: Timestamp,
    limited: Option<Timestamp>,
) -> Verdict {
    match decision {
        Decision::Inactive => Verdict::Not(format!("it is {}", planned.status)),
        Decision::InFlight => Verdict::Not("a job of it is queued or running".into()),
        Decision::Backoff { until } => not("backoff", until),
        Decision::Exhausted { until } => not("exhausted", until),
        Decision::Due { timing: first, .. } if first != timing => {
            Verdict::Not("it runs in another deployment first".into())
        }
        _ => limited
            .map_or_else(|| Verdict::New(planned.new_job(timing, slot)), |until| not("rate-limited", until)),
    }
}

/// A failed job goes before any slot, and holds them back until its time comes.
fn retry_verdict(
    planned: &PlannedSource,
    job: &Job,
    decision: Decision,
    limited: Option<Timestamp>,
) -> Option<Verdict> {
    match (decision, limited) {
        (Decision::Backoff { until }, _) => Some(not("backoff", until)),
        (Decision::Exhausted { until }, _) => Some(not("exhausted", until)),
        (Decision::Retry, Some(until)) => Some(not("rate-limited", until)),
        // Claimed for a time to come, it waits until its pause is over.
        (Decision::Retry, None) => {
            Some(Verdict::Retry(Job { not_before: planned.runs_again_at(), ..job.clone() }))
        }
        _ => None,
    }
}

fn not(why: &str, until: Timestamp) -> Verdict {
    Verdict::Not(format!("{why} until {}", clock::to_text(until)))
}

fn retry(job: &Job, verdict: Verdict) -> Ready {
    Ready {
        deployment: job.deployment.clone(),
        slot: job.slot,
        key: job.key.clone(),
        handler: job.handler.clone(),
        source_name: Some(job.source_name.clone()),
        verdict,
    }
}

fn new(planned: &PlannedSource, timing: usize, slot: Timestamp, verdict: Verdict) -> Ready {
    let job = planned.new_job(timing, slot);
    Ready {
        deployment: job.deployment,
        slot,
        key: job.key,
        handler: job.handler,
        source_name: Some(job.source_name),
        verdict,
    }
}
