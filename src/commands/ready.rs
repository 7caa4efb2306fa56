//! `hermes ready [--at TIME]` and `hermes queue [--at TIME]`: what would run,
//! and claiming it.

use argh::{ArgsInfo, FromArgs};
use jiff::Timestamp;

use super::{Files, print_listing};
use crate::clock::{Clock, SystemClock, from_text};
use crate::error::{Error, ExitCode, Result};
use crate::lock;
use crate::store::Store;
use crate::store::ready::{self, Verdict};
use crate::viewer::ready::{COLUMNS, listing};

/// What would run now, or at a time, and what would not; changes nothing.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "ready", example = "hermes ready --at 2026-11-16T03:00:00Z")]
pub(super) struct Ready {
    /// the time, 2026-11-15T23:41:53Z
    #[argh(option, arg_name = "time")]
    pub(super) at: Option<String>,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

/// Claim what is ready, for a daemon to run, and say what was claimed.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "queue")]
pub(super) struct Queue {
    /// the time, 2026-11-15T23:41:53Z
    #[argh(option, arg_name = "time")]
    pub(super) at: Option<String>,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

/// Changes nothing, not even the file's time.
pub(super) fn ready(files: &Files, at: Option<&str>, as_json: bool) -> Result<ExitCode> {
    let ready = files.read()?.ready(time(at)?)?;
    print_listing(&listing(&ready), &COLUMNS, as_json)
}

/// Claims once, whoever else claims at the same time, and says what it claimed.
/// A running daemon takes it from there.
pub(super) fn queue(files: &Files, at: Option<&str>, as_json: bool) -> Result<ExitCode> {
    let mut store = files.open()?;
    let ready = store.ready(time(at)?)?;
    let claimed = claim(&mut store, ready)?;
    drop(store);
    lock::poke(&files.db);
    print_listing(&listing(&claimed), &COLUMNS, as_json)
}

fn claim(store: &mut Store, ready: Vec<ready::Ready>) -> Result<Vec<ready::Ready>> {
    store.write(SystemClock.now(), |tx| {
        let mut claimed = Vec::new();
        for one in ready {
            let is_ours = match &one.verdict {
                Verdict::New(new) => tx.claim_jobs(std::slice::from_ref(new))?.len() == 1,
                Verdict::Retry(failed) => tx.claim_retry(failed)?.is_some(),
                Verdict::Not(_) => false,
            };
            if is_ours {
                claimed.push(one);
            }
        }
        if !claimed.is_empty() {
            tx.move_generation_on()?;
        }
        Ok(claimed)
    })
}

fn time(given: Option<&str>) -> Result<Timestamp> {
    match given {
        None => Ok(SystemClock.now()),
        Some(text) => from_text(text)
            .ok_or_else(|| Error::Input(format!("--at: `{text}` is no time; 2026-11-15T23:41:53Z is"))),
    }
}
