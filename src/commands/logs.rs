//! `hermes logs [NAME]`, and `--follow`: jobs as they end.

use std::collections::HashSet;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use argh::{ArgsInfo, FromArgs};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::interrupt::Interrupt;
use super::{Files, known, print_listing};
use crate::clock::{Clock, SystemClock, from_text, to_text};
use crate::error::{ExitCode, Result};
use crate::store::Store;
use crate::viewer::listing::Listing;
use crate::viewer::logs;
use crate::viewer::values::without_controls;

/// Jobs, newest first.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "logs")]
pub(super) struct Logs {
    #[argh(positional)]
    name: Option<String>,
    /// how many (20)
    #[argh(option, default = "20")]
    limit: u32,
    /// the last ones, oldest first, and each one to come as it ends; until Ctrl-C
    #[argh(switch, short = 'f')]
    follow: bool,
    /// all columns, as JSON; with --follow an object a line
    #[argh(switch)]
    json: bool,
}

/// Between two looks at whether anything has changed, which reads no row.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// More than any transaction takes.
const LOOK_BACK: SignedDuration = SignedDuration::from_secs(60);

/// A look takes a tenth of the time at most, however many jobs there are.
const SHARE: u32 = 10;

pub(super) fn logs(files: &Files, options: &Logs) -> Result<ExitCode> {
    let store = files.read()?;
    if let Some(name) = &options.name {
        known(files, store.source(name)?, name)?;
    }
    if options.follow {
        return follow(files, store, options);
    }
    let listing = logs::logs(&store, options.name.as_deref(), options.limit)?;
    print_listing(&listing, &logs::GLANCE, options.json)
}

fn follow(files: &Files, mut store: Store, options: &Logs) -> Result<ExitCode> {
    let interrupt = Interrupt::listen()?;
    let name = options.name.as_deref();
    let mut version = store.data_version()?;
    let mut ended = logs::last_ended(&store, name, options.limit)?;
    let mut shown = Shown::new(&ended, SystemClock.now());
    let mut rest = LOOK_EVERY;
    loop {
        if print_all(&shown.only_new(ended), options.json).is_err() {
            return Ok(ExitCode::Done);
        }
        loop {
            if interrupt.within(rest) {
                return Ok(ExitCode::Done);
            }
            if store.is_snapshot() {
                store = files.read()?;
            }
            let before = std::mem::replace(&mut version, store.data_version()?);
            if version != before || store.is_snapshot() {
                break;
            }
        }
        let began = Instant::now();
        ended = logs::ended_since(&store, name, &shown.from(SystemClock.now()))?;
        rest = LOOK_EVERY.max(began.elapsed() * SHARE);
    }
}

/// What was printed of the time that is looked at again: a job is dated as its
/// last transaction begins, and one that began later may be there before it.
struct Shown {
    /// Jobs that ended earlier were not asked for.
    first: String,
    until: String,
    jobs: HashSet<(String, String)>,
}

impl Shown {
    fn new(ended: &Listing, now: Timestamp) -> Shown {
        let first = ended.rows.first().map_or_else(|| to_text(now), |row| which(ended, row).1);
        Shown { until: first.clone(), first, jobs: HashSet::new() }
    }

    /// Of a clock that was set back since, too.
    fn from(&mut self, now: Timestamp) -> String {
        let until = from_text(&self.until).unwrap_or(now).min(now);
        let from = to_text(until.checked_sub(LOOK_BACK).unwrap_or(Timestamp::MIN));
        let from = if self.first <= to_text(now) { from.max(self.first.clone()) } else { from };
        self.jobs.retain(|(_, at)| *at >= from);
        from
    }

    fn only_new(&mut self, ended: Listing) -> Listing {
        let (new, columns) =
            (ended.rows.iter().filter(|row| self.is_new(which(&ended, row))), &ended.columns);
        Listing { columns: columns.clone(), rows: new.cloned().collect() }
    }

    fn is_new(&mut self, (key, at): (String, String)) -> bool {
        if at > self.until {
            self.until.clone_from(&at);
        }
        self.jobs.insert((key, at))
    }
}

/// A run of a job: its key, and when it ended.
fn which(listing: &Listing, row: &[Value]) -> (String, String) {
    let object = listing.object(row);
    let text = |name: &str| object[name].as_str().unwrap_or_default().to_owned();
    (text("key"), text("completed_datetime"))
}

/// `Err`: the reader has seen enough.
fn print_all(listing: &Listing, as_json: bool) -> std::io::Result<()> {
    let mut out = stdout().lock();
    for row in &listing.rows {
        let object = listing.object(row);
        let line =
            if as_json { without_controls(&object.to_string()).into_owned() } else { logs::line(&object) };
        writeln!(out, "{line}")?;
    }
    out.flush()
}
