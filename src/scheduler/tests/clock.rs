//! A wall clock that jumps, or is not set: no stampede, no silence, no wrong time in the store.

use super::*;
use crate::store::fetchlogs::{Failed, NewJob, Wait};

fn claim(scheduler: &mut Scheduler, name: &str, slot: &str, now: &str) -> Job {
    let new = NewJob {
        key: format!("{name}-{slot}"),
        source_name: name.into(),
        deployment: name.into(),
        handler: "default".into(),
        slot: at(slot),
        window: Window { from: at(slot), to: at(slot) },
        is_asked: false,
    };
    scheduler.store.write(at(now), |tx| tx.claim_jobs(&[new])).expect("a store").remove(0)
}

/// Claims a slot at its time, begins its run, and ends it by `end`.
fn run(
    scheduler: &mut Scheduler,
    name: &str,
    slot: &str,
    end: impl FnOnce(&crate::store::Tx<'_>, &Job) -> Result<()>,
) {
    let job = claim(scheduler, name, slot, slot);
    scheduler
        .store
        .write(at(slot), |tx| {
            tx.start_job(&job)?;
            end(tx, &job)
        })
        .expect("a store");
}

fn fail(scheduler: &mut Scheduler, name: &str, slot: &str) {
    let execution = crate::definition::Execution {
        timeout: Duration::from_secs(300),
        max_retries: 5,
        retry_reset_period: Duration::from_secs(86_400),
    };
    run(scheduler, name, slot, |tx, job| {
        tx.fail_job(job, Failed::Failed, &execution, None, &Default::default(), "no").map(|_| ())
    });
}

/// How many jobs have been taken after a tick at each of these times.
#[track_caller]
fn ticks(scheduler: &mut Scheduler, dispatch: &Taker, steps: &[(&str, usize)]) {
    for (now, want) in steps {
        scheduler.tick(at(now), dispatch).expect("a tick");
        assert_eq!(dispatch.names().len(), *want, "{now}");
    }
}

#[test]
fn a_year_forward_with_200_sources_is_one_job_each_a_batch_at_a_time() {
    let names: Vec<String> = (0..200).map(|n| format!("s{n:03}")).collect();
    let documents: Vec<String> = names.iter().map(|name| source(name, "schedule: interval:1m")).collect();
    let mut scheduler = scheduler(&documents);
    for name in &names {
        complete(&mut scheduler, name, "2026-01-01T10:00:00Z");
    }
    let dispatch = Taker::with_room(1_000);
    ticks(&mut scheduler, &dispatch, &[(NOW, 0)]);
    let later = "2027-01-01T10:00:30Z";
    ticks(&mut scheduler, &dispatch, &[(later, 50), (later, 100), (later, 150), (later, 200), (later, 200)]);
    assert_eq!(dispatch.names(), names);
    assert!(dispatch.taken.borrow().iter().all(|job| job.slot == at("2027-01-01T10:00:00Z")));
}

#[test]
fn an_hour_back_during_a_backoff_waits_out_the_pause_and_no_more() {
    let mut scheduler = scheduler(&[source("a", "schedule: hourly")]);
    fail(&mut scheduler, "a", "2026-01-01T11:00:00Z");
    let dispatch = Taker::with_room(9);
    // Two minutes after the first failure, by the clock as it is now.
    let steps =
        [(NOW, 0), ("2026-01-01T10:02:29Z", 0), ("2026-01-01T10:02:30Z", 1), ("2026-01-01T10:03:00Z", 1)];
    ticks(&mut scheduler, &dispatch, &steps);
    assert_eq!(dispatch.taken.borrow()[0].attempt, 2);
}

#[test]
fn an_hour_back_during_a_rate_window_begins_a_new_one() {
    let provider = "kind: provider\ndomain: api.example\nlimits: [ { requests: 1, per: 5m } ]".to_owned();
    let mut scheduler = scheduler(&[source("a", "schedule: hourly"), provider]);
    let used = scheduler.store.provider_of("api.example").expect("a store").expect("the provider");
    let before = "2026-01-01T11:00:00Z";
    assert_eq!(scheduler.store.consume_request(&used, at(before)).expect("a store"), None);
    run(&mut scheduler, "a", before, |tx, job| {
        tx.release_job(job, &Wait::RateLimit { until: at("2026-01-01T11:05:00Z"), resume: None }).map(|_| ())
    });
    let dispatch = Taker::with_room(9);
    ticks(&mut scheduler, &dispatch, &[("2026-01-01T11:01:00Z", 0), (NOW, 1)]);
}

#[test]
fn a_minute_back_does_not_run_a_job_that_was_queued_ahead_of_its_slot() {
    let mut scheduler = scheduler(&[source("a", "schedule: daily")]);
    complete(&mut scheduler, "a", "2026-01-01T09:00:00Z");
    claim(&mut scheduler, "a", "2026-01-02T09:00:00Z", "2026-01-01T10:00:00Z");
    let dispatch = Taker::with_room(9);
    let steps = [
        ("2026-01-01T10:00:10Z", 0),
        ("2026-01-01T09:59:00Z", 0),
        ("2026-01-01T09:59:30Z", 0),
        ("2026-01-01T10:30:00Z", 0),
        ("2026-01-02T08:58:59Z", 0),
        ("2026-01-02T09:00:00Z", 1),
        ("2026-01-02T09:00:30Z", 1),
    ];
    ticks(&mut scheduler, &dispatch, &steps);
}

#[test]
fn an_hour_back_offers_a_job_that_is_queued_once() {
    let mut scheduler = scheduler(&[source("a", "schedule: hourly")]);
    claim(&mut scheduler, "a", "2026-01-01T11:00:00Z", "2026-01-01T11:00:10Z");
    let dispatch = Taker::with_room(9);
    ticks(&mut scheduler, &dispatch, &[(NOW, 1), (NOW, 1), ("2026-01-01T11:00:30Z", 1)]);
}

#[test]
fn with_a_clock_that_is_not_set_nothing_is_recorded_until_it_is() {
    let mut scheduler = scheduler(&[source("a", "schedule: hourly")]);
    // Killed in the middle of a run.
    run(&mut scheduler, "a", "2026-01-01T10:00:00Z", |_, _| Ok(()));
    let unset = "1970-01-01T00:01:00Z";
    let dispatch = Taker::with_room(9);
    ticks(&mut scheduler, &dispatch, &[(unset, 0), ("1970-01-01T00:02:00Z", 0)]);
    assert!(scheduler.store.is_running("a").expect("a store") && !scheduler.is_recovered());
    ticks(&mut scheduler, &dispatch, &[(NOW, 0), ("2026-01-01T10:02:29Z", 0), ("2026-01-01T10:02:30Z", 1)]);
    let retry = scheduler.store.retry_state("a").expect("a store").expect("one failure");
    assert_eq!((retry.retry_count, retry.period_start), (1, at(NOW)));
}
