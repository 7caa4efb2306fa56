//! `hermes reset NAME`: forgets the failures of a source and what it was last
//! answered, and claims a job for now, which the daemon takes up.

use argh::{ArgsInfo, FromArgs};

use super::{Files, known, print_text};
use crate::clock::{Clock, SystemClock};
use crate::error::{Error, ExitCode, Result};
use crate::lock;
use crate::store::Store;
use crate::store::plan::{Heads, PlannedSource};

/// Forget the failures of a source and make it due now.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "reset")]
pub(super) struct Reset {
    #[argh(positional)]
    pub(super) name: String,
}

pub(super) fn reset(files: &Files, name: &str) -> Result<ExitCode> {
    let mut store = files.open()?;
    let planned = planned(files, &store, name)?;
    let now = SystemClock.now();
    let job = planned.job_now(now);
    store.write(now, |tx| {
        tx.forget_retries(name)?;
        tx.forget_last_answer(name)?;
        if !tx.has_open_job(name, tx.now)? {
            tx.claim_jobs(std::slice::from_ref(&job))?;
        }
        tx.move_generation_on()
    })?;
    drop(store);
    lock::poke(&files.db);
    print_text(&format!("{name} is due now\n"));
    Ok(ExitCode::Done)
}

/// A source that can run.
pub(super) fn planned(files: &Files, store: &Store, name: &str) -> Result<PlannedSource> {
    if known(files, store.source(name)?, name)?.is_removed() {
        return Err(Error::Input(format!("{name} is removed: its file has to come back first")));
    }
    let mut plan = store.load_plan(&mut Heads::new())?;
    let at = plan.iter().position(|planned| planned.name == name).expect("a source that is known is planned");
    let planned = plan.swap_remove(at);
    match &planned.head {
        Ok(_) => Ok(planned),
        Err(problem) => Err(Error::Input(format!("{name}: {problem}"))),
    }
}
