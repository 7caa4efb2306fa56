//! `list`, `status` and `get`: every source with its state, as the scheduler
//! would decide it now.

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

pub fn list(store: &Store, now: Timestamp) -> Result<Listing> {
    let rows = store.sources()?;
    let mut plan = store.load_plan(&mut Heads::new())?;
    // As the scheduler sees it, also after a clock was set back.
    plan.iter_mut().for_each(|planned| planned.forget_future(now, now));
    let providers = store.providers()?;
    let mut listing = Listing::new(&COLUMNS);
    for (row, planned) in rows.iter().zip(&plan) {
        listing.rows.push(line(store, row, planned, &providers, now)?);
    }
    Ok(listing)
}

fn line(
    store: &Store,
    row: &SourceRow,
    planned: &PlannedSource,
    providers: &[Provider],
    now: Timestamp,
) -> Result<Vec<Value>> {
    let decision = planned.decide(now);
    let state = state(store, planned, decision, providers, now)?;
    let (last_run, last_success) = store.last_run_and_success(&row.name)?;
    let retry = planned.state.retry;
    let last_error = match (&planned.head, retry) {
        (Err(error), _) => Some(error.clone()),
        (Ok(_), Some(_)) => store.last_failure(&row.name)?,
        _ => None,
    };
    Ok(vec![
        json!(row.name),
        json!(row.status),
        json!(state),
        json!(row.table_name),
        json!(schedules(planned)),
        json!(last_run),
        json!(last_success),
        json!(next_run(planned, decision, now).map(clock::to_text)),
        json!(retry.map_or(0, |retry| retry.retry_count)),
        json!(retry.map(|retry| clock::to_text(retry.next_retry_at))),
        json!(store.count_rows(&row.table_name, &row.name)?),
        json!(last_error),
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
