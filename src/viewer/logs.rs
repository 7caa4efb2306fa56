//! `logs`: the jobs, newest first.

use serde_json::Value;

use super::amount::count;
use super::listing::Listing;
use super::table::cell;
use crate::error::Result;
use crate::store::Store;

pub const COLUMNS: [&str; 16] = [
    "key",
    "source_name",
    "deployment",
    "handler",
    "status",
    "attempt",
    "scheduled_datetime",
    "queued_datetime",
    "started_datetime",
    "completed_datetime",
    "pages",
    "records",
    "inserted",
    "bytes",
    "duration_ms",
    "message",
];

pub const GLANCE: [&str; 9] = [
    "key",
    "status",
    "attempt",
    "started_datetime",
    "pages",
    "records",
    "inserted",
    "duration_ms",
    "message",
];

/// Those that are over, oldest first: the last so many.
pub fn last_ended(store: &Store, source_name: Option<&str>, limit: u32) -> Result<Listing> {
    let mut listing = Listing::new(&COLUMNS);
    listing.rows = store.last_ended(&COLUMNS, source_name, limit)?;
    Ok(listing)
}

/// Those that ended at this time or later.
pub fn ended_since(store: &Store, source_name: Option<&str>, at: &str) -> Result<Listing> {
    let mut listing = Listing::new(&COLUMNS);
    listing.rows = store.ended_since(&COLUMNS, source_name, at)?;
    Ok(listing)
}

/// One job in a line.
pub fn line(job: &Value) -> String {
    let text = |name: &str| cell(&job[name]);
    let number = |name: &str| count(job[name].as_u64().unwrap_or(0));
    let attempt = if job["attempt"] == 1 { String::new() } else { format!(" (attempt {})", text("attempt")) };
    let message = if job["message"].is_null() { String::new() } else { format!(": {}", text("message")) };
    format!(
        "{} {} {}{attempt}, {} pages, {} records, {} new rows, {} ms{message}",
        text("completed_datetime"),
        text("key"),
        text("status"),
        number("pages"),
        number("records"),
        number("inserted"),
        number("duration_ms")
    )
}

pub fn logs(store: &Store, source_name: Option<&str>, limit: u32) -> Result<Listing> {
    let mut listing = Listing::new(&COLUMNS);
    listing.rows = store.logs(&COLUMNS, source_name, limit)?;
    Ok(listing)
}
