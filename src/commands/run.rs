//! `hermes run NAME [--from --to --step]`: one source now, or a window filled
//! in slices, those that are covered already passed over. Where a daemon runs,
//! it does the work and this waits; else this process does.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::options::Run;
use super::reset::planned;
use super::{Files, print_text};
use crate::clock::{Clock, SystemClock, from_text_or_date, to_text};
use crate::daemon;
use crate::definition::job_key::{Precision, job_key};
use crate::definition::units::parse_duration;
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
    for new in jobs {
        let job = claim(files, &mut store, &new)?;
        lock::poke(&files.db);
        if !tell(&to_its_end(files, &mut store, &planned, &job)?, &job) {
            return Ok(ExitCode::Failed);
        }
    }
    Ok(ExitCode::Done)
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
fn to_its_end(files: &Files, store: &mut Store, planned: &PlannedSource, job: &Job) -> Result<JobStatus> {
    let mut has_run = false;
    for look in 0_u32.. {
        let looks_around = look.is_multiple_of(LOOK_AROUND);
        let nobody = looks_around && !lock::is_held(&files.db);
        let Some(status) = store.job_status(job)? else {
            return Err(Error::Failed(format!("{} was deleted meanwhile", job.source_name)));
        };
        match status.status.as_str() {
            "queued" if has_run => return Ok(status),
            "queued" if nobody => match daemon::run_job(&files.db, job) {
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
        std::thread::sleep(LOOK_AGAIN);
    }
    Err(Error::Failed(format!("{} did not end within years", job.source_name)))
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

fn window(options: &Run, now: Timestamp) -> Result<Option<(Window, SignedDuration)>> {
    let (from, to) = match (&options.from, &options.to) {
        (None, None) if options.step.is_none() => return Ok(None),
        (Some(from), to) => {
            let to = to.as_deref().map(|to| time("to", to)).transpose()?;
            (time("from", from)?, to.unwrap_or(now))
        }
        _ => return Err(Error::Input("--to and --step need --from".into())),
    };
    // What is still to come would count as covered, and no run of the schedule could begin before it.
    if to > now {
        return Err(Error::Input("--to is in the future; leave it out to end now".into()));
    }
    if from >= to {
        return Err(Error::Input("--from is not before --to".into()));
    }
    let step = match &options.step {
        None => to.duration_since(from),
        Some(text) => {
            let step = parse_duration(text).map_err(|message| Error::Input(format!("--step: {message}")))?;
            SignedDuration::try_from(step).unwrap_or(SignedDuration::MAX)
        }
    };
    if step.is_zero() {
        return Err(Error::Input("--step: 0 would never end; 1d does".into()));
    }
    Ok(Some((Window { from, to }, step)))
}

fn time(option: &str, text: &str) -> Result<Timestamp> {
    from_text_or_date(text).ok_or_else(|| {
        Error::Input(format!("--{option}: `{text}` is no time; 2026-11-15T23:41:53Z and 2026-11-15 are"))
    })
}
