//! A second daemon on one database: refused with the first one's pid, or waiting to take over.

use crate::scene::{completed, end_pause, reload, retry, source, the_job};
use crate::util::{Daemon, Gate, Hermes, Reply, Site, until};
use std::time::Duration;

/// A daemon in the middle of a run, and one that stands by.
fn one_runs_one_waits(hermes: &Hermes, site: &Site, gate: &Gate) -> (Daemon, Daemon) {
    site.on("/a", Reply::gated(gate, Reply::json(r#"{"data":[{"id":1,"title":"one"}]}"#)));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "daily"));
    let first = hermes.start(&["--max-sleep", "1s"]);
    first.until("the run in its middle", || gate.waiting() == 1);
    let second = stand_by(hermes, &first);
    (first, second)
}

fn stand_by(hermes: &Hermes, first: &Daemon) -> Daemon {
    let second = hermes.start(&["--standby", "--max-sleep", "1s"]);
    second.until_logged(&format!("standing by: pid {} ", first.pid()));
    second
}

#[test]
fn a_second_daemon_is_refused_with_the_pid_of_the_first() {
    let hermes = Hermes::new();
    let first = hermes.start(&[]);
    first.until_logged("watching");
    let refused = hermes.once();
    assert_eq!(refused.code, Some(1), "{refused}");
    assert!(refused.stderr.contains(&format!("pid {}", first.pid())), "{refused}");
    assert!(refused.stderr.contains("--standby"), "{refused}");
    assert_eq!(first.ended(), None);
}

#[test]
fn standing_by_takes_over_when_the_first_is_killed_and_counts_its_run_once() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    let (first, second) = one_runs_one_waits(&hermes, &site, &gate);
    assert_eq!(site.count("/a"), 1, "who stands by fetches nothing");
    first.kill();
    second.until_logged("taking over");
    second.until("the interruption", || retry(&hermes, "a", "retry_count") == Some(1));
    assert_eq!(the_job(&hermes, "a").status, "interrupted");
    gate.open();
    end_pause(&hermes, "a");
    reload(&hermes);
    second.until("the job to complete", || completed(&hermes, "a") == 1);
    assert_eq!((the_job(&hermes, "a").attempt, hermes.count("retries"), hermes.count("a")), (2, 0, 1));
    assert_eq!(site.count("/a"), 2);
    let refused = hermes.once();
    assert!(refused.stderr.contains(&format!("pid {}", second.pid())), "{refused}");
    assert!(second.stop().success());
}

#[test]
fn standing_by_takes_over_when_the_first_stops_and_counts_nothing() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    let (first, second) = one_runs_one_waits(&hermes, &site, &gate);
    let status = first.stop();
    assert!(status.success(), "{status}\n{}", first.log());
    second.until_logged("taking over");
    gate.open();
    second.until("the job to complete", || completed(&hermes, "a") == 1);
    assert_eq!((the_job(&hermes, "a").attempt, hermes.count("retries"), hermes.count("a")), (1, 0, 1));
    assert!(!second.log().contains("interrupted"), "{}", second.log());
}

#[test]
fn who_stands_by_stops_at_once_and_leaves_the_first_alone() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    let (first, second) = one_runs_one_waits(&hermes, &site, &gate);
    second.signal("TERM");
    second.wait_exit(Duration::from_secs(5));
    assert!(!second.log().contains("taking over"), "{}", second.log());
    gate.open();
    first.until("the first to go on", || completed(&hermes, "a") == 1);
    assert_eq!((site.count("/a"), the_job(&hermes, "a").attempt), (1, 1));
}

#[test]
fn of_two_that_stand_by_one_takes_over_and_the_other_goes_on_waiting() {
    let hermes = Hermes::new();
    let first = hermes.start(&[]);
    first.until_logged("watching");
    let waiting = [stand_by(&hermes, &first), stand_by(&hermes, &first)];
    first.kill();
    let taken_over = || waiting.iter().filter(|daemon| daemon.log().contains("watching")).count();
    until("one to take over", || taken_over() == 1);
    let heir = waiting.iter().find(|daemon| daemon.log().contains("watching")).unwrap();
    assert!(heir.stop().success());
    until("the other to take over from it", || taken_over() == 2);
}
