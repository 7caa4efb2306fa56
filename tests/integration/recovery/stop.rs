//! Orderly stops: within ten seconds, nothing counted, everything run again.

use crate::scene::{completed, jobs, paged, source, the_job};
use crate::util::{Daemon, Gate, Hermes, Reply, Site};
use std::time::Duration;

/// What is promised.
const WITHIN: Duration = Duration::from_secs(10);

#[track_caller]
fn stop_by(daemon: &Daemon, signal: &str) {
    daemon.signal(signal);
    let status = daemon.wait_exit(WITHIN);
    assert!(status.success(), "{status}\n{}", daemon.log());
    assert!(daemon.log().contains("stopped"), "{}", daemon.log());
}

/// Two pages, the second behind the gate.
fn site(gate: &Gate) -> Site {
    let (site, gate) = (Site::new(), gate.clone());
    site.on_fn("/a", move |asked| match asked.param("page") {
        None => Reply::json(r#"{"data":[{"id":1,"title":"one"}],"next_page":2}"#),
        Some(_) => Reply::gated(&gate, Reply::json(r#"{"data":[{"id":2,"title":"two"}]}"#)),
    });
    site
}

fn stops_in_order_by(signal: &str) {
    let (hermes, gate) = (Hermes::new(), Gate::new());
    let site = site(&gate);
    hermes.write_source("a.yaml", &paged("a", &site.url("/a"), "daily"));
    let daemon = hermes.start(&[]);
    daemon.until("the second page to be asked for", || gate.waiting() == 1);
    stop_by(&daemon, signal);
    let job = the_job(&hermes, "a");
    assert_eq!((job.status.as_str(), job.attempt, job.message.as_deref()), ("queued", 1, None));
    assert_eq!((hermes.count("retries"), hermes.count("a")), (0, 1), "nothing counted, page 1 kept");

    gate.open();
    let daemon = hermes.start(&[]);
    daemon.until("the same job to complete", || completed(&hermes, "a") == 1);
    let job = the_job(&hermes, "a");
    assert_eq!((job.attempt, hermes.count("retries"), hermes.count("a")), (1, 0, 2));
    assert_eq!(site.count("/a"), 4, "both pages again");
    stop_by(&daemon, signal);
}

#[test]
fn sigterm_during_a_request_counts_nothing_and_the_job_runs_again() {
    stops_in_order_by("TERM");
}

#[test]
fn sigint_during_a_request_counts_nothing_and_the_job_runs_again() {
    stops_in_order_by("INT");
}

#[test]
fn a_stop_keeps_the_failures_counted_before_it() {
    let (hermes, gate) = (Hermes::new(), Gate::new());
    let site = site(&gate);
    site.on("/a", Reply::empty(500));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "daily"));
    hermes.once();
    crate::scene::end_pause(&hermes, "a");
    site.on("/a", Reply::gated(&gate, Reply::json(r#"{"data":[]}"#)));
    let daemon = hermes.start(&[]);
    daemon.until("the second attempt", || gate.waiting() == 1);
    stop_by(&daemon, "TERM");
    let job = the_job(&hermes, "a");
    assert_eq!((job.status.as_str(), job.attempt), ("queued", 2));
    assert_eq!(crate::scene::retry::<i64>(&hermes, "a", "retry_count"), Some(1));
    gate.open();
    hermes.once().done();
    assert_eq!((the_job(&hermes, "a").attempt, hermes.count("retries"), site.count("/a")), (2, 0, 3));
}

#[test]
fn a_job_that_waits_in_the_ring_at_a_stop_runs_after_the_start() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    let empty = Reply::json(r#"{"data":[]}"#);
    site.on("/a", Reply::gated(&gate, empty.clone()));
    site.on("/b", empty);
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "daily"));
    hermes.write_source("b.yaml", &source("b", &site.url("/b"), "daily"));
    let daemon = hermes.start(&["--workers", "1"]);
    daemon.until("one runs, one waits", || gate.waiting() == 1 && jobs(&hermes, "b").len() == 1);
    stop_by(&daemon, "TERM");
    for name in ["a", "b"] {
        let job = the_job(&hermes, name);
        assert_eq!((job.status.as_str(), job.attempt), ("queued", 1), "{name}");
    }
    assert_eq!(site.count("/b"), 0, "what was not begun is not begun by a stop");
    gate.open();
    hermes.once().done();
    for name in ["a", "b"] {
        assert_eq!((completed(&hermes, name), the_job(&hermes, name).attempt), (1, 1), "{name}");
    }
    assert_eq!((site.count("/a"), site.count("/b"), hermes.count("retries")), (2, 1, 0));
}

#[test]
fn a_stop_is_in_time_though_someone_else_has_locked_the_database() {
    let (hermes, gate) = (Hermes::new(), Gate::new());
    let site = site(&gate);
    hermes.write_source("a.yaml", &paged("a", &site.url("/a"), "daily"));
    let daemon = hermes.start(&[]);
    daemon.until("the second page to be asked for", || gate.waiting() == 1);
    let other = rusqlite::Connection::open(hermes.db_path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE; UPDATE generation SET value = value + 1").unwrap();
    daemon.signal("TERM");
    daemon.wait_exit(WITHIN);
    other.execute_batch("COMMIT").unwrap();
    // What could not be written down is found at the next start.
    gate.open();
    hermes.once().done();
    crate::scene::end_pause(&hermes, "a");
    hermes.once().done();
    assert_eq!((completed(&hermes, "a"), hermes.count("a"), hermes.count("retries")), (1, 2, 0));
}

#[test]
fn a_stop_with_nothing_to_do_leaves_a_database_that_is_whole() {
    let hermes = Hermes::new();
    let daemon = hermes.start(&[]);
    daemon.until_logged("watching");
    daemon.until("its tables", || hermes.try_query::<i64>("SELECT value FROM generation").is_some());
    stop_by(&daemon, "TERM");
    assert_eq!(hermes.query::<String>("PRAGMA integrity_check"), "ok");
}
