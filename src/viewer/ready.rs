//! `ready` and `queue`: a row for each deployment and slot, its sources in one
//! cell where they share a fate.

use serde_json::{Value, json};

use super::listing::Listing;
use crate::clock;
use crate::store::ready::{Ready, Verdict};

pub const COLUMNS: [&str; 7] = ["deployment", "slot", "key", "handler", "sources", "will_queue", "reason"];

pub fn listing(ready: &[Ready]) -> Listing {
    let mut listing = Listing::new(&COLUMNS);
    for one in ready {
        let (will_queue, reason) = match &one.verdict {
            Verdict::New(_) => (true, Value::Null),
            Verdict::Retry(job) => (true, json!(format!("attempt {}", job.attempt + 1))),
            Verdict::Not(reason) => (false, json!(reason)),
        };
        listing.rows.push(vec![
            json!(one.deployment),
            json!(clock::to_text(one.slot)),
            json!(one.key),
            json!(one.handler),
            json!(one.source_name.iter().collect::<Vec<_>>()),
            json!(will_queue),
            reason,
        ]);
    }
    listing
}
