//! `hermes run NAME [--from --to --step]`: one source now, or a window filled
//! in slices, those that are covered already passed over. Where a daemon runs,
//! it does the work and this waits; else this process does.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::options::Run;
use super::reset::planned;
use super::{Files, print_text};
use crate::clock::{Clock, SystemClock, from_text, to_text};
use crate::daemon;
use crate::definition::job_key::{Precision, job_key};
use crate::definition::units::parse_duration;
use crate::definition::window::{MAX_SLICES, Window, gaps};
use crate::error::{Error, ExitCode, Result};
use crate::lock;
use crate::store::Store;
use crate::store::fetchlogs::{Job, JobStatus, NewJob};

/// Between two looks at a job that the daemon runs.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

pub(super) fn run(files: &Files, options: &Run) -> Result<ExitCode> {
    let mut store = files.open()?;
    let planned = planned(&store, &options.name)?;
    let jobs = match window(options)? {
        None => planned.job_now(SystemClock.now()).into_iter().collect(),
        Some((window, step)) => {
            let template = planned.job_now(SystemClock.now());
            slices(&store, template.as_ref(), window, step)?
        }
    };
    let mut code = ExitCode::Done;
    for new in jobs {
        let job = claim(&mut store, &new)?;
        if lock::is_held(&files.db) {
            lock::poke(&files.db);
        } else {
            daemon::run_job(&files.db, &job)?;
        }
        if !tell(&await_end(&store, &job)?, &job) {
            code = ExitCode::Failed;
            break;
        }
    }
    Ok(code)
}

/// Jobs of a deployment of their own: the schedule knows nothing of them.
fn slices(store: &Store, like: Option<&NewJob>, window: Window, step: SignedDuration) -> Result<Vec<NewJob>> {
    let Some(like) = like else { return Ok(Vec::new()) };
    let name = &like.source_name;
    let covered = store.covered_windows(name)?;
    let deployment = format!("{name}.backfill");
    let wanted = window.slices(step);
    if wanted.len() == MAX_SLICES {
        return Err(Error::Input(format!("--step: more than {MAX_SLICES} slices; take a longer step")));
    }
    let open = wanted.into_iter().filter(|slice| !gaps(&covered, *slice).is_empty());
    Ok(open
        .map(|window| NewJob {
            key: job_key(&deployment, window.to, Precision::Second, None),
            deployment: deployment.clone(),
            slot: window.to,
            window,
            ..like.clone()
        })
        .collect())
}

/// A slice that failed before is run again.
fn claim(store: &mut Store, new: &NewJob) -> Result<Job> {
    let job = store.write(SystemClock.now(), |tx| {
        if tx.has_open_job(&new.source_name, tx.now)? {
            return Ok(None);
        }
        tx.move_generation_on()?;
        tx.claim_now(new)
    })?;
    job.ok_or_else(|| {
        Error::Failed(format!("{0} is queued or running already: see `hermes status {0}`", new.source_name))
    })
}

fn await_end(store: &Store, job: &Job) -> Result<JobStatus> {
    loop {
        match store.job_status(job)? {
            Some(status) if !status.is_open() => return Ok(status),
            Some(status) if status.waits() => return Ok(status),
            Some(_) => std::thread::sleep(LOOK_AGAIN),
            None => return Err(Error::Failed(format!("{} was deleted meanwhile", job.source_name))),
        }
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

fn window(options: &Run) -> Result<Option<(Window, SignedDuration)>> {
    let (from, to) = match (&options.from, &options.to) {
        (None, None) if options.step.is_none() => return Ok(None),
        (Some(from), to) => {
            let to = to.as_deref().map(|to| time("to", to)).transpose()?;
            (time("from", from)?, to.unwrap_or_else(|| SystemClock.now()))
        }
        _ => return Err(Error::Input("--to and --step need --from".into())),
    };
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
    let midnight = || from_text(&format!("{text}T00:00:00Z"));
    from_text(text).or_else(midnight).ok_or_else(|| {
        Error::Input(format!("--{option}: `{text}` is no time; 2026-11-15T23:41:53Z and 2026-11-15 are"))
    })
}
