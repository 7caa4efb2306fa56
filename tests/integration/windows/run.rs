//! `hermes run NAME`: with and without a daemon, whatever else goes on.

use super::{ONE, add, added, by_file, covered, pairs, site, windowed};
use crate::scene::{completed, jobs, source};
use crate::util::{Daemon, Gate, Hermes, Reply, Site};

/// Of a daemon that leaves the source alone: nothing but a person makes it run.
const LATER: &str = "schedule: daily\nstartup: wait\n";

fn with_daemon(site: &Site, more: &str) -> (Hermes, Daemon) {
    let hermes = by_file(site, &format!("{LATER}{more}"));
    let daemon = hermes.start(&[]);
    daemon.until("the source", || hermes.count("source_definitions") == 1);
    (hermes, daemon)
}

#[test]
fn without_a_daemon_this_process_fetches() {
    let site = site();
    let hermes = added(&site, &windowed(LATER));
    let output = hermes.command(&["run", "a"]);
    let windows = pairs(&hermes, "SELECT window_from, window_to FROM fetchlogs");
    let (from, to) = (windows[0].0.replace('Z', ".000Z"), windows[0].1.replace('Z', ".000Z"));
    assert_eq!(output.done(), format!("a {from} to {to}: completed, 1 pages, 1 records, 1 new rows\n"));
    assert_eq!((site.count("/a"), hermes.count("a"), covered(&hermes).len()), (1, 1, 1));
    assert_eq!(super::length(&hermes, &windows[0]), 1_440, "one step of its schedule");
}

#[test]
fn a_run_that_fails_says_why() {
    let site = site();
    site.on("/a", Reply::empty(404));
    let hermes = added(&site, &windowed(LATER));
    let output = hermes.command(&["run", "a"]);
    assert_eq!(output.code, Some(1), "{output}");
    assert!(
        output.stdout.ends_with(": failed, 0 pages, 0 records, 0 new rows: answered 404: check the url\n"),
        "{output}"
    );
    assert_eq!(hermes.count("retries"), 1, "it is a run as any other");
    assert_eq!(covered(&hermes), []);
}

#[test]
fn where_a_daemon_runs_it_does_the_work() {
    let site = site();
    let (hermes, daemon) = with_daemon(&site, "");
    let output = hermes.command(&["run", "a"]);
    assert!(output.done().ends_with(": completed, 1 pages, 1 records, 1 new rows\n"), "{output}");
    daemon.until_logged("a: first run");
    assert!(!output.stderr.contains("first run"), "{output}");
    assert_eq!((site.count("/a"), completed(&hermes, "a")), (1, 1));
}

#[test]
fn a_paused_source_runs_when_a_person_asks() {
    let help = Hermes::new().plain(&["run", "--help"]);
    assert!(help.done().contains("paused"), "{help}");
    let site = site();
    let hermes = added(&site, &windowed("status: paused\n"));
    hermes.command(&["run", "a"]).done();
    assert_eq!((site.count("/a"), hermes.count("a")), (1, 1));
    let (hermes, daemon) = with_daemon(&site, "status: paused\n");
    hermes.command(&["run", "a"]).done();
    daemon.until_logged("a: first run");
    assert_eq!(site.count("/a"), 2);
    let status: String = hermes.query("SELECT status FROM source_definitions");
    assert_eq!(status, "paused", "and it stays so");
}

#[test]
fn a_name_that_is_not_there_is_wrong_input() {
    let site = site();
    let hermes = by_file(&site, "schedule: daily\n");
    hermes.once().done();
    let output = hermes.command(&["run", "b"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("there is no source `b`"), "{output}");
    hermes.remove_source("source.yaml");
    hermes.once().done();
    let output = hermes.command(&["run", "a"]);
    assert_eq!((output.code, site.count("/a")), (Some(2), 1), "{output}");
    assert!(output.stderr.contains("a is removed"), "{output}");
}

#[test]
fn a_source_that_runs_already_is_left_to_it() {
    let (site, gate) = (site(), Gate::new());
    site.on("/a", Reply::gated(&gate, Reply::json(ONE)));
    let hermes = by_file(&site, "schedule: daily\n");
    let daemon = hermes.start(&[]);
    daemon.until("its run", || gate.waiting() == 1);
    for more in [&[][..], &["--from", "2026-01-01", "--to", "2026-01-02"]] {
        let output = hermes.command(&[&["run", "a"], more].concat());
        assert_eq!(output.code, Some(1), "{output}");
        assert!(output.stderr.contains("a is queued or running already: see `hermes status a`"), "{output}");
    }
    gate.open();
    daemon.until("its end", || completed(&hermes, "a") == 1);
    assert_eq!((site.count("/a"), jobs(&hermes, "a").len()), (1, 1));
}

#[test]
fn what_a_killed_daemon_left_running_is_no_hindrance() {
    let (site, gate) = (site(), Gate::new());
    site.on("/a", Reply::gated(&gate, Reply::json(ONE)));
    let hermes = by_file(&site, "schedule: daily\n");
    let daemon = hermes.start(&[]);
    daemon.until("its run", || gate.waiting() == 1);
    daemon.kill();
    gate.open();
    assert_eq!(jobs(&hermes, "a")[0].status, "running");
    hermes.command(&["run", "a"]).done();
    let jobs = jobs(&hermes, "a");
    assert_eq!((jobs[0].status.as_str(), jobs[1].status.as_str()), ("interrupted", "completed"));
}

#[test]
fn two_sources_can_be_run_at_the_same_time() {
    let (site, gate) = (site(), Gate::new());
    site.on("/a", Reply::gated(&gate, Reply::json(ONE)));
    site.on("/b", Reply::json(ONE));
    let hermes = added(&site, &windowed(LATER));
    add(&hermes, &site, &source("b", "http://SITE/b", "daily"));
    let first = hermes.start(&["run", "a"]);
    first.until("its request", || gate.waiting() == 1);
    let second = hermes.start(&["run", "b"]);
    second.until("its claim", || jobs(&hermes, "b").len() == 1);
    gate.open();
    for run in [first, second] {
        assert!(run.wait_exit(std::time::Duration::from_secs(20)).success(), "{}", run.log());
    }
    assert_eq!((completed(&hermes, "a"), completed(&hermes, "b")), (1, 1));
}

#[test]
fn a_rate_limit_is_said_with_and_without_a_daemon() {
    let limit = "---\nkind: provider\ndomain: 127.0.0.1\nlimit: 1\nperiod: 1h\n";
    let site = site();
    let hermes = added(&site, &format!("{}{limit}", windowed(LATER)));
    hermes.command(&["run", "a"]).done();
    let limited = |hermes: &Hermes| {
        let from = ["--from", "2026-01-01", "--to", "2026-01-02"];
        let output = hermes.command(&[&["run", "a"][..], &from].concat());
        assert_eq!(output.code, Some(1), "{output}");
        assert!(
            output.stdout.contains(": queued, 0 pages")
                && output.stdout.contains("waits for the rate limit until"),
            "{output}"
        );
    };
    limited(&hermes);
    hermes.exec("UPDATE fetchlogs SET status = 'cancelled' WHERE status = 'queued'");
    let _daemon = hermes.start(&[]);
    limited(&hermes);
    assert_eq!(site.count("/a"), 1);
}
