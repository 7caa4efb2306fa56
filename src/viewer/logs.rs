//! `logs`: the jobs, newest first.

use super::listing::Listing;
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

pub fn logs(store: &Store, source_name: Option<&str>, limit: u32) -> Result<Listing> {
    let mut listing = Listing::new(&COLUMNS);
    listing.rows = store.logs(&COLUMNS, source_name, limit)?;
    Ok(listing)
}
