//! `hermes run NAME [--from --to --step]`: one source now, or a window filled
//! in slices, those that are covered already passed over. Where a daemon runs,
//! it does the work and this watches; else this process does.

mod window;

use std::time::Duration;

use argh::{ArgsInfo, FromArgs};
use jiff::{SignedDuration, Timestamp};

use self::window::window;
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::reset::planned;
use super::{Files, print_text};
use crate::clock::{Clock, SystemClock, to_text};
use crate::daemon;
use crate::definition::job_key::{Precision, job_key};
use crate::definition::window::{MAX_SLICES, Window, gaps};
use crate::error::{Error, ExitCode, Result};
use crate::lock::{self, Lock};
use crate::store::Store;
use crate::store::fetchlogs::{Job, JobStatus, NewJob, backfill_deployment};
use crate::store::plan::PlannedSource;

/// Between two looks at a job that the daemon runs.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Every so many looks also at who could run it. Not at each: for that moment a
/// daemon that starts finds its lock taken.
const LOOK_AROUND: u32 = 20;

/// Run one source now, though it is paused or backing off, or fill a window of time in slices.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "run")]
pub(super) struct Run {
    #[argh(positional)]
    pub(super) name: String,
    /// begin of the window, 2026-11-15 or 2026-11-15T23:41:53Z
    #[argh(option)]
    pub(super) from: Option<String>,
    /// its end; now where absent
    #[argh(option)]
    pub(super) to: Option<String>,
    /// length of a slice, 1d; slices that are covered are passed over
    #[argh(option)]
    pub(super) step: Option<String>,
}

pub(super) fn run(files: &Files, options: &Run) -> Result<ExitCode> {
    let now = SystemClock.now();
    let window = window(options, now)?;
    let mut store = files.open()?;
    let planned = planned(files, &store, &options.name)?;
    recover(files, &mut store)?;
    let now_job = NewJob { is_asked: true, ..planned.job_now(now) };
    let jobs = match window {
        None => vec![now_job],
        Some((window, step)) => slices(&store, &now_job, window, step)?,
    };
    if jobs.is_empty() {
        print_text(&format!("{}: all of it is covered already\n", planned.name));
    }
    let interrupt = Interrupt::listen()?;
    let count = jobs.len();
    for (at, new) in jobs.into_iter().enumerate() {
        if interrupt.within(Duration::ZERO) {
            print_text(&format!("{}: stopped; the same command goes on\n", planned.name));
            return Ok(ExitCode::Failed);
        }
        let job = claim(files, &mut store, &new)?;
        lock::poke(&files.db);
        let which =
            if count > 1 { format!("{} {}/{count}", planned.name, at + 1) } else { planned.name.clone() };
        let watch = Watch { progress: Progress::new(which), interrupt: &interrupt };
        if !tell(&to_its_end(files, &mut store, &planned, &job, watch)?, &job) {
            return Ok(ExitCode::Failed);
        }
    }
    Ok(ExitCode::Done)
}

/// A person at the terminal: what they see, and whether they have had enough.
struct Watch<'a> {
    progress: Progress,
    interrupt: &'a Interrupt,
}

/// What says `running` while nobody has the lock, nobody runs.
fn recover(files: &Files, store: &mut Store) -> Result<()> {
    if !lock::is_held(&files.db)
        && let Ok(_lock) = Lock::acquire(&files.db)
    {
        store.recover(SystemClock.now())?;
    }
    Ok(())
}

/// Jobs of a deployment of their own. Both ends are in the key: another window
/// that ends at the same time is another job.
fn slices(store: &Store, like: &NewJob, window: Window, step: SignedDuration) -> Result<Vec<NewJob>> {
    let covered = store.covered_windows(&like.source_name)?;
    let deployment = backfill_deployment(&like.source_name);
    let wanted = window.slices(step);
    if wanted.len() == MAX_SLICES {
        return Err(Error::Input(format!("--step: {MAX_SLICES} slices or more; take a longer step")));
    }
    let open = wanted.into_iter().filter(|slice| !gaps(&covered, *slice).is_empty());
    Ok(open
        .map(|window| NewJob {
            key: job_key(&deployment, window.to, Precision::Second, Some(&to_text(window.from))),
            deployment: deployment.clone(),
            slot: window.to,
            window,
            ..like.clone()
        })
        .collect())
}

/// A slice that failed before is run again; a job that waits and that nobody
/// else would run is taken up.
fn claim(files: &Files, store: &mut Store, new: &NewJob) -> Result<Job> {
    let nobody = !lock::is_held(&files.db);
    let is_slice = new.deployment == backfill_deployment(&new.source_name);
    let name = &new.source_name;
    let claimed = store.write(SystemClock.now(), |tx| {
        let job = match tx.open_job(name)?.filter(|(open, _)| !open.is_ahead(tx.now)) {
            Some((open, false)) if nobody && (!is_slice || open.key == new.key) => Some(tx.ask_for(&open)?),
            Some(_) => None,
            None => tx.claim_now(new)?,
        };
        tx.move_generation_on()?;
        Ok::<_, Error>((job, tx.has_open_job(name, tx.now)?))
    })?;
    match claimed {
        (Some(job), _) => Ok(job),
        (None, true) => {
            Err(Error::Failed(format!("{name} is queued or running already: see `hermes status {name}`")))
        }
        (None, false) => Err(Error::Failed(format!("{name} ran just now, as `hermes logs {name}` shows"))),
    }
}

/// Whoever has the lock runs it: a daemon, or it is another `hermes run` that is
/// soon done. Where nobody has it, this process does, once.
fn to_its_end(
    files: &Files,
    store: &mut Store,
    planned: &PlannedSource,
    job: &Job,
    mut watch: Watch<'_>,
) -> Result<JobStatus> {
    let mut has_run = false;
    for look in 0_u32.. {
        let looks_around = look.is_multiple_of(LOOK_AROUND);
        let nobody = looks_around && !lock::is_held(&files.db);
        let Some(status) = store.job_status(job)? else {
            return Err(Error::Failed(format!("{} was deleted meanwhile", job.source_name)));
        };
        watch.progress.show(&status);
        match status.status.as_str() {
            "queued" if has_run => return Ok(status),
            "queued" if nobody => match run_here(files, store, job, &mut watch) {
                Ok(Some(stopped)) => return Ok(stopped),
                // Someone else was quicker to take the lock.
                Err(_) if lock::is_held(&files.db) => {}
                result => {
                    result?;
                    has_run = true;
                    continue;
                }
            },
            "queued" if status.waits() => return Ok(status),
            "queued" if looks_around => {
                if let Some(until) = rate_limited_until(store, planned)? {
                    let message = format!("waits for the rate limit until {}", to_text(until));
                    return Ok(status.saying(message));
                }
            }
            "queued" => {}
            "running" if nobody => recover(files, store)?,
            "running" => {}
            _ => return Ok(status),
        }
        if watch.interrupt.within(LOOK_AGAIN) {
            let status = store.job_status(job)?.unwrap_or(status);
            let who =
                if status.status == "running" { "the daemon goes on with it" } else { "it stays queued" };
            return Ok(
                status.saying(format!("{who}; `hermes status {}` shows how far it is", job.source_name))
            );
        }
    }
    Err(Error::Failed(format!("{} did not end within years", job.source_name)))
}

/// `None`: to its end. Else it was stopped in order, and is as it was before but
/// for the pages that are stored.
fn run_here(files: &Files, store: &Store, job: &Job, watch: &mut Watch<'_>) -> Result<Option<JobStatus>> {
    let mut is_stopped = false;
    daemon::run_job(&files.db, job, || {
        if let Ok(Some(status)) = store.job_status(job) {
            watch.progress.show(&status);
        }
        is_stopped = watch.interrupt.within(Duration::ZERO);
        is_stopped
    })?;
    let status = store.job_status(job)?.filter(|status| is_stopped && status.is_open());
    Ok(status.map(|mut status| {
        status.status = "stopped".to_owned();
        let how = "what is stored is kept; the same command runs it again, and so does a hermes that starts";
        status.saying(how.to_owned())
    }))
}

/// The daemon does not even begin what would have to wait.
fn rate_limited_until(store: &Store, planned: &PlannedSource) -> Result<Option<Timestamp>> {
    let host = planned.head.as_ref().map_or("", |head| head.host.as_str());
    match store.provider_of(host)? {
        Some(provider) => store.rate_limited_until(&provider, SystemClock.now()),
        None => Ok(None),
    }
}

/// One line a job; true where it is done.
fn tell(status: &JobStatus, job: &Job) -> bool {
    let message = status.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
    print_text(&format!(
        "{} {} to {}: {}, {} pages, {} records, {} new rows{message}\n",
        job.source_name,
        to_text(job.window.from),
        to_text(job.window.to),
        status.status,
        status.pages,
        status.records,
        status.inserted,
    ));
    status.status == "completed"
}
