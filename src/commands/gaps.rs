//! `hermes gaps [NAME]`: the windows that no completed job covers, from the
//! first window of a source to its latest slot.

use argh::{ArgsInfo, FromArgs};
use jiff::Timestamp;
use serde_json::json;

use super::{Files, known, print_listing};
use crate::clock::{Clock, SystemClock, to_text};
use crate::definition::window::{Window, gaps as find};
use crate::error::{ExitCode, Result};
use crate::store::plan::{Heads, PlannedSource};
use crate::viewer::listing::Listing;

const COLUMNS: [&str; 3] = ["source_name", "window_from", "window_to"];

/// Windows of time that no completed job covers.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "gaps")]
pub(super) struct Gaps {
    #[argh(positional)]
    pub(super) name: Option<String>,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

pub(super) fn gaps(files: &Files, name: Option<&str>, as_json: bool) -> Result<ExitCode> {
    let store = files.read()?;
    if let Some(name) = name {
        known(files, store.source(name)?, name)?;
    }
    let now = SystemClock.now();
    let mut listing = Listing::new(&COLUMNS);
    for planned in store.load_plan(&mut Heads::new())? {
        if name.is_some_and(|name| name != planned.name) {
            continue;
        }
        let covered = store.covered_windows(&planned.name)?;
        let Some(wanted) = wanted(&planned, &covered, now) else { continue };
        for gap in find(&covered, wanted) {
            listing.rows.push(vec![json!(planned.name), json!(to_text(gap.from)), json!(to_text(gap.to))]);
        }
    }
    print_listing(&listing, &COLUMNS, as_json)
}

/// Up to what is covered, or the window of a slot that has come.
fn wanted(planned: &PlannedSource, covered: &[Window], now: Timestamp) -> Option<Window> {
    let (from, covered_to) = (covered.first()?.from, covered.last()?.to);
    let behind = planned.active_entries().filter_map(|entry| entry.behind_to(now));
    Some(Window { from, to: behind.fold(covered_to, Timestamp::max) })
}
