//! `status` before its table: how all sources are together, what runs, what is
//! wrong and since when, what comes next, the disk, and what is left of limits.
//! It reads; how it is shown is `glance::text`'s.

pub mod text;

use std::collections::{BTreeMap, HashMap};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::sources::{Seen, Sources, last_error};
use crate::clock;
use crate::definition::due::Decision;
use crate::error::Result;
use crate::order;
use crate::store::Store;
use crate::store::disk::Disk;
use crate::store::fetchlogs::JobStatus;
use crate::store::rate_limiter_state::Left;

#[derive(Debug, Default)]
pub struct Glance {
    pub states: BTreeMap<&'static str, usize>,
    pub running: Vec<(String, JobStatus)>,
    /// The longest first.
    pub wrong: Vec<Wrong>,
    /// Slots to come, the soonest first.
    pub next: Vec<(String, Timestamp)>,
    pub growth: Growth,
    /// By domain; what is used up most comes first.
    pub limits: Vec<(String, Left)>,
    /// The problems of files.
    pub files: Vec<String>,
}

#[derive(Debug)]
pub struct Wrong {
    pub name: String,
    pub state: &'static str,
    pub since: Option<Timestamp>,
    /// When it is tried again; `None`: when it is mended.
    pub next_retry_at: Option<Timestamp>,
    pub error: String,
}

/// Estimates; what is not known yet is `None`.
#[derive(Debug, Clone, Default)]
pub struct Growth {
    pub disk: Disk,
    pub rows_a_day: Option<f64>,
    /// Sources that will have as many rows as their retention keeps, the soonest first.
    pub filling: Vec<Filling>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Filling {
    pub name: String,
    pub rows: u64,
    pub limit: u64,
    pub days: f64,
}

impl Glance {
    pub fn read(store: &Store, sources: &Sources, growth: Growth) -> Result<Glance> {
        let mut glance = Glance { growth, ..Glance::default() };
        for seen in &sources.all {
            *glance.states.entry(seen.state).or_default() += 1;
            match (seen.state, &seen.planned.state.open_job) {
                ("running", Some((job, _))) => {
                    let status = store.job_status(job)?;
                    glance.running.extend(status.map(|status| (job.source_name.clone(), status)));
                }
                ("backoff" | "exhausted" | "invalid" | "offline", _) => {
                    glance.wrong.push(wrong(store, seen)?);
                }
                _ => {}
            }
            if let Decision::NotDue { next } = seen.decision {
                glance.next.push((seen.row.name.clone(), next));
            }
        }
        order::by_time(&mut glance.wrong, |wrong| wrong.since);
        order::by_time(&mut glance.next, |(_, next)| Some(*next));
        for provider in sources.providers.iter().filter(|provider| !provider.limits.is_empty()) {
            for left in store.requests_left(provider, sources.now)? {
                glance.limits.push((provider.domain.clone(), left));
            }
        }
        let share = |left: &Left| i64::from(left.left) * 1_000 / i64::from(left.limit.requests.max(1));
        order::by_number(&mut glance.limits, |(_, left)| share(left));
        glance.files = store.source_files()?.into_iter().filter_map(|row| row.error).collect();
        Ok(glance)
    }

    pub fn to_json(&self) -> Value {
        let running = |(name, job): &(String, JobStatus)| {
            json!({ "name": name, "started_datetime": job.started_at.map(clock::to_text), "pages": job.pages,
                "records": job.records, "total": job.total, "inserted": job.inserted, "bytes": job.bytes })
        };
        let wrong = |wrong: &Wrong| {
            json!({ "name": wrong.name, "state": wrong.state, "since": wrong.since.map(clock::to_text),
                "next_retry_at": wrong.next_retry_at.map(clock::to_text), "last_error": wrong.error })
        };
        let filling = |one: &Filling| json!({ "name": one.name, "rows": one.rows, "limit": one.limit, "days_until_limit": one.days });
        let left = |(domain, left): &(String, Left)| {
            json!({ "domain": domain, "requests": left.limit.requests, "left": left.left,
                "period_seconds": left.limit.per.as_secs(), "resets_at": left.resets_at.map(clock::to_text) })
        };
        let disk = &self.growth.disk;
        json!({
            "states": self.states,
            "running": self.running.iter().map(running).collect::<Value>(),
            "wrong": self.wrong.iter().map(wrong).collect::<Value>(),
            "next": self.next.iter()
                .map(|(name, next)| json!({ "name": name, "next_run_at": clock::to_text(*next) }))
                .collect::<Value>(),
            "disk": {
                "database_bytes": disk.database_bytes,
                "wal_bytes": disk.wal_bytes,
                "free_bytes": disk.free_bytes,
                "rows_per_day": self.growth.rows_a_day,
                "bytes_per_day": self.growth.bytes_a_day(),
                "days_until_full": self.growth.days_until_full(),
            },
            "retention": self.growth.filling.iter().map(filling).collect::<Value>(),
            "limits": self.limits.iter().map(left).collect::<Value>(),
            "files": self.files,
        })
    }
}

fn wrong(store: &Store, seen: &Seen) -> Result<Wrong> {
    let state = &seen.planned.state;
    let offline = state.open_job.as_ref().filter(|_| seen.state == "offline").map(|(job, _)| job);
    let error = match offline {
        Some(job) => store.job_status(job)?.and_then(|status| status.message),
        None => last_error(store, &seen.planned)?,
    };
    Ok(Wrong {
        name: seen.row.name.clone(),
        state: seen.state,
        since: match offline {
            Some(job) => Some(job.queued_at),
            None => failing_since(seen).or_else(|| clock::from_text(&seen.row.updated_at)),
        },
        next_retry_at: match seen.decision {
            Decision::Backoff { until } | Decision::Exhausted { until } => Some(until),
            _ => None,
        },
        error: error.unwrap_or_default(),
    })
}

/// A job that was tried more often than its source failed in this period fails
/// since before it: then its slot is the best that is known.
fn failing_since(seen: &Seen) -> Option<Timestamp> {
    let retry = seen.planned.state.retry?;
    let earlier = seen.planned.state.failed_job.as_ref().filter(|job| job.attempt > retry.retry_count);
    let known = clock::from_text(&seen.row.created_at).unwrap_or(Timestamp::MIN);
    Some(earlier.map_or(retry.period_start, |job| job.slot.max(known).min(retry.period_start)))
}

impl Growth {
    /// Goes through all of `fetchlogs`.
    pub fn read(store: &Store, sources: &Sources) -> Result<Growth> {
        let rates: HashMap<String, f64> = store.rows_a_day(sources.now)?.into_iter().collect();
        let mut growth = Growth { disk: store.disk()?, ..Growth::default() };
        let mut sum = 0.0;
        for seen in &sources.all {
            let (Some(&rate), Ok(head)) = (rates.get(&seen.row.name), &seen.planned.head) else { continue };
            let rows = match head.retention.rows {
                Some(limit) => Some((limit, store.count_rows(&seen.row.table_name, &seen.row.name)?)),
                None => None,
            };
            let is_full = rows.is_some_and(|(limit, rows)| rows >= limit);
            sum += if is_full || is_older(seen, head.retention.days, sources.now) { 0.0 } else { rate };
            if let Some((limit, rows)) = rows.filter(|_| !is_full && rate > 0.0) {
                let days = (limit - rows) as f64 / rate;
                growth.filling.push(Filling { name: seen.row.name.clone(), rows, limit, days });
            }
        }
        growth.rows_a_day = (!rates.is_empty()).then_some(sum);
        order::by_number(&mut growth.filling, |filling| (filling.days * 1_000.0) as i64);
        Ok(growth)
    }

    pub fn bytes_a_day(&self) -> Option<u64> {
        let a_row = self.disk.used_bytes as f64 / self.disk.rows.max(1) as f64;
        self.rows_a_day.map(|rows| (rows * a_row) as u64)
    }

    pub fn days_until_full(&self) -> Option<u64> {
        self.disk.free_bytes?.checked_div(self.bytes_a_day()?)
    }
}

/// What is kept for so many days goes as fast as it comes once these are over.
fn is_older(seen: &Seen, days: Option<u32>, now: Timestamp) -> bool {
    let age = clock::from_text(&seen.row.created_at).map(|created| now.duration_since(created));
    days.zip(age).is_some_and(|(days, age)| age >= SignedDuration::from_hours(24 * i64::from(days)))
}
