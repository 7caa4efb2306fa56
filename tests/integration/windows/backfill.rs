//! `hermes run NAME --from --to --step`: slices with their own keys and windows, beside the schedule.

use super::{ONE, added, age_windows, asked, covered, pairs, site, windowed, windows};
use crate::scene::{completed, jobs, retry};
use crate::util::{Hermes, Output, Reply, Site, until};

const LATER: &str = "schedule: hourly\nstartup: wait\n";

fn fill(hermes: &Hermes, from: &str, to: &str, step: &[&str]) -> Output {
    hermes.command(&[&["run", "a", "--from", from, "--to", to], step].concat())
}

fn day(number: u32) -> String {
    format!("2026-01-{number:02}T00:00:00Z")
}

fn days(from: u32, to: u32) -> (String, String) {
    (day(from), day(to))
}

#[test]
fn slices_are_asked_one_after_the_other_with_keys_and_windows_of_their_own() {
    let site = site();
    let hermes = added(&site, &windowed(LATER));
    let output = fill(&hermes, "2026-01-01", "2026-01-04T12:00:00Z", &["--step", "1d"]);
    let want = [days(1, 2), days(2, 3), days(3, 4), (day(4), "2026-01-04T12:00:00Z".to_owned())];
    assert_eq!(asked(&site), want);
    assert_eq!(output.done().lines().count(), 4, "{output}");
    assert!(
        output
            .stdout
            .starts_with("a 2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z: completed, 1 pages"),
        "{output}"
    );
    assert_eq!(windows(&hermes, "a.backfill"), want);
    let keys: Vec<String> = jobs(&hermes, "a").into_iter().map(|job| job.key).collect();
    assert_eq!(keys[0], "2026-01-02/a.backfill/a.backfill-20260102000000/2026-01-01T00:00:00.000Z");
    assert_eq!(keys[3], "2026-01-04/a.backfill/a.backfill-20260104120000/2026-01-04T00:00:00.000Z");
    assert_eq!(covered(&hermes), [(day(1), "2026-01-04T12:00:00Z".to_owned())]);
}

#[test]
fn a_back_fill_goes_on_with_the_slice_that_failed() {
    let site = site();
    site.on_fn("/a", |asked| match asked.param("from") {
        Some("2026-01-03T00:00:00Z") => Reply::empty(500),
        _ => Reply::json(ONE),
    });
    let hermes = added(&site, &windowed(LATER));
    for _ in 0..2 {
        let output = fill(&hermes, "2026-01-01", "2026-01-06", &["--step", "1d"]);
        assert_eq!(output.code, Some(1), "{output}");
        assert!(output.stdout.contains("failed, 0 pages, 0 records, 0 new rows: answered 500"), "{output}");
    }
    assert_eq!(asked(&site), [days(1, 2), days(2, 3), days(3, 4), days(3, 4)]);
    assert_eq!(retry::<i64>(&hermes, "a", "retry_count"), None, "no failure of the schedule");
    site.on("/a", Reply::json(ONE));
    assert_eq!(fill(&hermes, "2026-01-01", "2026-01-06", &["--step", "1d"]).done().lines().count(), 3);
    assert_eq!(asked(&site)[4..], [days(3, 4), days(4, 5), days(5, 6)]);
    assert_eq!(covered(&hermes), [days(1, 6)]);
    let output = fill(&hermes, "2026-01-01", "2026-01-06", &["--step", "1d"]);
    assert_eq!(output.done(), "a: all of it is covered already\n");
    assert_eq!(site.count("/a"), 7);
    let attempt: i64 = hermes.query("SELECT max(attempt) FROM fetchlogs");
    assert_eq!((attempt, jobs(&hermes, "a").len()), (3, 5), "the same job each time");
}

#[test]
fn windows_that_end_at_the_same_time_are_different_jobs() {
    let site = site();
    let hermes = added(&site, &windowed(LATER));
    fill(&hermes, "2026-01-03", "2026-01-05", &[]).done();
    fill(&hermes, "2026-01-01", "2026-01-05", &[]).done();
    assert_eq!(asked(&site), [days(3, 5), days(1, 5)]);
    site.on("/a", Reply::empty(500));
    assert_eq!(fill(&hermes, "2026-01-05", "2026-01-07", &[]).code, Some(1));
    site.on("/a", Reply::json(ONE));
    fill(&hermes, "2026-01-06", "2026-01-07", &[]).done();
    assert_eq!(asked(&site)[2..], [days(5, 7), days(6, 7)]);
    assert_eq!(covered(&hermes), [days(1, 5), days(6, 7)]);
}

#[test]
fn a_daemon_fills_the_slices_where_one_runs() {
    let site = site();
    let hermes = added(&site, &windowed(LATER));
    let daemon = hermes.start(&[]);
    daemon.until_logged("watching");
    fill(&hermes, "2026-01-01", "2026-01-04", &["--step", "24h"]).done();
    assert_eq!(asked(&site), [days(1, 2), days(2, 3), days(3, 4)]);
    assert!(daemon.stop().success());
    assert_eq!(completed(&hermes, "a"), 3);
}

#[test]
fn what_a_person_types_wrong_is_said_and_nothing_is_asked() {
    let site = site();
    let hermes = added(&site, &windowed(LATER));
    for (args, want) in [
        (&["--from", "yesterday"][..], "--from: `yesterday` is no time"),
        (&["--from", "2026-01-01", "--to", "2026-13-01"], "--to: `2026-13-01` is no time"),
        (&["--from", "2026-01-02", "--to", "2026-01-01"], "--from is not before --to"),
        (&["--from", "2026-01-01", "--to", "2026-01-01"], "--from is not before --to"),
        (&["--from", "2026-01-01", "--to", "2999-01-01"], "--to is in the future"),
        (&["--to", "2026-01-01"], "--to and --step need --from"),
        (&["--step", "1d"], "--to and --step need --from"),
        (&["--from", "2026-01-01", "--step", "0s"], "--step: 0 would never end"),
        (&["--from", "2026-01-01", "--step", "week"], "--step: "),
        (&["--from", "1970-01-01", "--step", "1s"], "--step: 100000 slices or more"),
    ] {
        let output = hermes.command(&[&["run", "a"], args].concat());
        assert_eq!(output.code, Some(2), "{args:?}: {output}");
        assert!(output.stderr.contains(want), "{args:?}: {output}");
    }
    assert_eq!((site.count("/a"), jobs(&hermes, "a").len()), (0, 0));
}

/// Slot, window and next run of the schedule's own.
fn schedule(hermes: &Hermes) -> (Vec<(String, String)>, String) {
    let next = hermes.command(&["status", "a", "--json"]).json()["next_run_at"].to_string();
    (
        pairs(
            hermes,
            "SELECT scheduled_datetime, window_to FROM fetchlogs WHERE deployment = 'a' ORDER BY id",
        ),
        next,
    )
}

#[test]
fn the_schedule_goes_on_as_if_there_were_no_back_fill() {
    let site = site();
    let hermes = added(&site, &windowed("schedule: hourly\n"));
    hermes.once().done();
    let before = schedule(&hermes);
    fill(&hermes, "2026-01-01", "2026-01-04", &["--step", "1d"]).done();
    site.on("/a", Reply::empty(500));
    assert_eq!(fill(&hermes, "2026-01-04", "2026-01-05", &[]).code, Some(1));
    assert_eq!(schedule(&hermes), before);
    site.on("/a", Reply::json(ONE));
    hermes.once().done();
    assert_eq!(site.count("/a"), 5, "nothing is due, and the failed slice is not retried");
    hermes.exec("DELETE FROM fetchlogs WHERE status = 'failed'");
    age_windows(&hermes, 61);
    let end = windows(&hermes, "a")[0].1.clone();
    hermes.once().done();
    assert_eq!((site.count("/a"), asked(&site)[5].0.clone()), (6, end));
}

#[test]
fn a_back_fill_before_the_first_run_does_not_put_it_off() {
    let site = site();
    let hermes = added(&site, &windowed("schedule: hourly\n"));
    fill(&hermes, "2026-01-01", "2026-01-02", &[]).done();
    hermes.once().done();
    assert_eq!(site.count("/a"), 2);
    assert_eq!(super::length(&hermes, &windows(&hermes, "a")[0]), 60);
}

#[test]
fn a_failing_source_keeps_its_retry_through_a_back_fill() {
    let site = site();
    site.on("/a", Reply::empty(500));
    let hermes = added(&site, &windowed("schedule: hourly\n"));
    assert_eq!(hermes.once().code, Some(1));
    site.on_fn("/a", |asked| match asked.param("to") {
        Some("2026-01-02T00:00:00Z") => Reply::json(ONE),
        _ => Reply::empty(500),
    });
    fill(&hermes, "2026-01-01", "2026-01-02", &[]).done();
    assert_eq!(fill(&hermes, "2026-01-02", "2026-01-03", &[]).code, Some(1));
    assert_eq!(retry::<i64>(&hermes, "a", "retry_count"), Some(1));
    site.on("/a", Reply::json(ONE));
    crate::scene::end_pause(&hermes, "a");
    hermes.once().done();
    assert_eq!(
        (asked(&site)[3].clone(), site.count("/a")),
        (asked(&site)[0].clone(), 4),
        "the schedule's own job"
    );
    assert_eq!(retry::<i64>(&hermes, "a", "retry_count"), None);
}

#[test]
fn fetchlogs_stays_bounded_and_keeps_the_last_slot_of_the_schedule() {
    let site = site();
    let hermes = added(&site, &windowed("schedule: hourly\n"));
    hermes.once().done();
    let before = schedule(&hermes);
    let from = "2026-01-01T00:00:00Z";
    let output = fill(&hermes, from, "2026-01-01T02:30:00Z", &["--step", "1m"]);
    assert_eq!(output.done().lines().count(), 150);
    assert_eq!(site.count("/a"), 151);
    assert_eq!(hermes.count("fetchlogs"), 101, "the newest 100 and the newest success of the schedule");
    assert_eq!(schedule(&hermes), before);
    assert_eq!(covered(&hermes)[0], (from.to_owned(), "2026-01-01T02:30:00Z".to_owned()));
    assert_eq!(fill(&hermes, from, "2026-01-01T02:30:00Z", &["--step", "1m"]).done().lines().count(), 1);
    assert_eq!(site.count("/a"), 151, "what was pruned is covered all the same");
}

#[test]
fn a_back_fill_that_was_killed_goes_on() {
    let (site, gate) = (site(), crate::util::Gate::new());
    let held = gate.clone();
    site.on_fn("/a", move |asked| match asked.param("from") {
        Some("2026-01-02T00:00:00Z") => Reply::gated(&held, Reply::json(ONE)),
        _ => Reply::json(ONE),
    });
    let hermes = added(&site, &windowed(LATER));
    let args = ["run", "a", "--from", "2026-01-01", "--to", "2026-01-04", "--step", "1d"];
    let first = hermes.start(&args);
    first.until("the second slice", || gate.waiting() == 1);
    first.kill();
    gate.open();
    until("the held reply", || gate.waiting() == 0);
    hermes.command(&args).done();
    assert_eq!(asked(&site), [days(1, 2), days(2, 3), days(2, 3), days(3, 4)]);
    assert_eq!(covered(&hermes), [days(1, 4)]);
}
