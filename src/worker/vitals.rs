//! The answer of the built-in url `hermes:vitals`: Hermes' own vital signs, for
//! a source that works without the Internet. Goes through the same mapping as
//! any answer.

use serde_json::json;

use super::Shared;
use crate::error::Result;
use crate::store::Store;

/// Of the sample source.
pub(super) const URL: &str = "hermes:vitals";

pub(super) fn answer(shared: &Shared, store: &Store, now: jiff::Timestamp) -> Result<Vec<u8>> {
    let vitals = json!({
        "time": crate::clock::to_text(now),
        "pid": std::process::id(),
        "resident_memory_bytes": resident_memory_bytes(),
        "database_bytes": store.database_bytes(),
        "wal_bytes": store.wal_bytes(),
        "queue_depth": shared.rings.depth(),
        "rows_stored": store.rows_stored()?,
        "runs": shared.counters.runs(),
        "failures": shared.counters.failures(),
    });
    Ok(vitals.to_string().into_bytes())
}

/// `None` where there is no /proc.
fn resident_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
