//! `list`, `status` and `get`: every source with its state, as the scheduler
//! would decide it now.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::listing::Listing;
use crate::clock;
use crate::definition::due::Decision;
use crate::definition::provider::{Provider, provider_of};
use crate::error::Result;
use crate::store::Store;
use crate::store::plan::{Heads, PlannedSource};
use crate::store::source_definitions::SourceRow;

pub const COLUMNS: [&str; 13] = [
    "name",
    "status",
    "state",
    "table",
    "schedule",
    "last_run_at",
    "last_success_at",
    "next_run_at",
    "retry_count",
    "next_retry_at",
    "rows",
    "last_error",
    "origin",
];

/// Of these a person sees first what matters most.
pub const GLANCE: [&str; 8] =
    ["name", "state", "table", "schedule", "rows", "last_success_at", "next_run_at", "last_error"];

/// All sources at one moment. Counting rows costs far more than the rest: that
/// is left to the lines that are shown.
#[derive(Debug)]
pub struct Sources {
    pub now: Timestamp,
    pub all: Vec<Seen>,
    pub providers: Vec<Provider>,
}

/// One source as the scheduler sees it.
#[derive(Debug)]
pub struct Seen {
    pub row: SourceRow,
    pub planned: PlannedSource,
    pub decision: Decision,
    pub state: &'static str,
}

impl Sources {
    pub fn read(store: &Store, now: Timestamp) -> Result<Sources> {
        let plan = store.load_plan(&mut Heads::new())?;
        let providers = store.providers()?;
        let mut rows: HashMap<_, _> =
            store.sources()?.into_iter().map(|row| (row.name.clone(), row)).collect();
        let mut all = Vec::with_capacity(plan.len());
        for mut planned in plan {
            // Deleted since the plan was read.
            let Some(row) = rows.remove(&planned.name) else { continue };
            // As the scheduler sees it, also after a clock was set back.
            planned.forget_future(now, now);
            let decision = planned.decide(now);
            let state = state(store, &planned, decision, &providers, now)?;
            all.push(Seen { row, planned, decision, state });
        }
        Ok(Sources { now, all, providers })
    }

    /// The first so many of them, by name.
    pub fn listing(&self, store: &Store, most: usize) -> Result<Listing> {
        self.listing_of(store, self.all.iter().take(most))
    }

    /// Only the one of this name, if there is one.
    pub fn only(&self, store: &Store, name: &str) -> Result<Listing> {
        self.listing_of(store, self.all.iter().filter(|seen| seen.row.name == name))
    }

    fn listing_of<'a>(&self, store: &Store, some: impl Iterator<Item = &'a Seen>) -> Result<Listing> {
        let mut listing = Listing::new(&COLUMNS);
        for seen in some {
            listing.rows.push(line(store, seen, self.now)?);
        }
        Ok(listing)
    }
}

pub fn list(store: &Store, now: Timestamp) -> Result<Listing> {
    Sources::read(store, now)?.listing(store, usize::MAX)
}

/// In one line, what keeps it from working.
pub(super) fn last_error(store: &Store, planned: &PlannedSource) -> Result<Option<String>> {
    match (&planned.head, planned.state.retry) {
        (Err(error), _) => Ok(Some(error.clone())),
        (Ok(_), Some(_)) => store.last_failure(&planned.name),
        _ => Ok(None),
    }
}

fn line(store: &Store, seen: &Seen, now: Timestamp) -> Result<Vec<Value>> {
    let Seen { row, planned, decision, state } = seen;
    let (last_run, last_success) = store.last_run_and_success(&row.name)?;
    let retry = planned.state.retry;
    Ok(vec![
        json!(row.name),
        json!(row.status),
        json!(state),
        json!(row.table_name),
        json!(schedules(planned)),
        json!(last_run),
        json!(last_success),
        json!(next_run(planned, *decision, now).map(clock::to_text)),
        json!(retry.map_or(0, |retry| retry.retry_count)),
        json!(retry.map(|retry| clock::to_text(retry.next_retry_at))),
        json!(store.count_rows(&row.table_name, &row.name)?),
        json!(last_error(store, planned)?),
        json!(row.origin),
    ])
}

/// One word; the first that applies, in the order of the scheduler's checks.
fn state(
    store: &Store,
    planned: &PlannedSource,
    decision: Decision,
    providers: &[Provider],
    now: Timestamp,
) -> Result<&'static str> {
    let open = planned.state.open_job.as_ref();
    Ok(match (planned.status.as_str(), &planned.head, open, decision) {
        ("removed", ..) => "removed",
        (_, Err(_), ..) => "invalid",
        (_, _, Some((_, true)), _) => "running",
        ("paused", ..) => "paused",
        (_, _, Some((job, false)), _)
            if job.slot <= now && job.not_before.is_some_and(|until| until > now) =>
        {
            "rate-limited"
        }
        (_, _, Some((job, false)), _) if job.is_offline => "offline",
        (_, _, Some(_), _) => "queued",
        (.., Decision::Backoff { .. }) => "backoff",
        (.., Decision::Exhausted { .. }) => "exhausted",
        (_, Ok(head), _, Decision::Due { .. } | Decision::Retry) => {
            let provider = provider_of(providers, &head.host);
            match provider.map(|provider| store.rate_limited_until(provider, now)).transpose()?.flatten() {
                Some(_) => "rate-limited",
                None => "due",
            }
        }
        _ => "idle",
    })
}

fn next_run(planned: &PlannedSource, decision: Decision, now: Timestamp) -> Option<Timestamp> {
    match decision {
        Decision::NotDue { next } => Some(next),
        Decision::Backoff { until } | Decision::Exhausted { until } => Some(until),
        Decision::Due { slot, .. } => Some(slot),
        Decision::Retry => Some(now),
        Decision::InFlight => planned.state.open_job.as_ref().map(|(job, _)| job.slot),
        Decision::Inactive | Decision::Never => None,
    }
}

fn schedules(planned: &PlannedSource) -> Option<String> {
    let texts: Vec<&str> = planned.entries.iter().map(|entry| entry.schedule.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}
