//! Claiming what is ready: once, whoever else claims, for a daemon to run.

use super::{NOWHERE, add, fail_by_hand, row, rows, time};
use crate::scene::{age, completed, jobs, reload, source, the_job};
use crate::util::{Hermes, Reply, Site};
use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

const SOURCES: usize = 30;
const CLAIMERS: usize = 8;

fn name(n: usize) -> String {
    format!("s{n:02}")
}

/// Due, each with a path of its own.
fn many(site: &Site) -> Vec<String> {
    (0..SOURCES)
        .map(|n| {
            let path = format!("/{}", name(n));
            site.on(&path, Reply::json(r#"{"data":[]}"#));
            source(&name(n), &site.url(&path), "daily")
        })
        .collect()
}

/// The keys that each of so many processes says that it has claimed, all started at once.
fn claim_at_once(hermes: &Hermes, claimers: usize) -> Vec<Vec<String>> {
    let start = Barrier::new(claimers);
    thread::scope(|scope| {
        let claim = || {
            start.wait();
            let claimed = rows(&hermes.command(&["queue", "--json"]));
            claimed.iter().map(|row| row["key"].as_str().unwrap().to_owned()).collect()
        };
        let all: Vec<_> = (0..claimers).map(|_| scope.spawn(claim)).collect();
        all.into_iter().map(|claimer| claimer.join().expect("a claimer")).collect()
    })
}

fn all_completed(hermes: &Hermes) -> bool {
    hermes.count("fetchlogs WHERE status = 'completed'") == SOURCES as i64
}

#[test]
fn eight_at_once_claim_each_key_once_and_each_says_what_it_claimed() {
    let (hermes, site) = (Hermes::new(), Site::new());
    add(&hermes, &many(&site));
    let said = claim_at_once(&hermes, CLAIMERS).concat();
    let union: BTreeSet<&String> = said.iter().collect();
    assert_eq!((said.len(), union.len()), (SOURCES, SOURCES), "claimed twice: {said:?}");
    let stored: BTreeSet<String> =
        (0..SOURCES).map(|n| the_job(&hermes, &name(n))).map(|job| job.key).collect();
    assert!(stored.iter().eq(union), "{stored:?}\n{said:?}");
    assert_eq!(hermes.count("fetchlogs"), SOURCES as i64);
}

#[test]
fn a_daemon_and_others_that_claim_at_the_same_time_run_each_source_once() {
    let (hermes, site) = (Hermes::new(), Site::new());
    add(&hermes, &many(&site));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    claim_at_once(&hermes, 4);
    daemon.until("a run of each", || all_completed(&hermes));
    daemon.stop();
    for n in 0..SOURCES {
        assert_eq!((site.count(&format!("/{}", name(n))), the_job(&hermes, &name(n)).attempt), (1, 1));
    }
}

#[test]
fn a_running_daemon_takes_up_what_was_claimed() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[]}"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("its first run", || completed(&hermes, "a") == 1);
    // Behind the daemon's back, which plans its next run in an hour.
    age(&hermes, "a", 61);
    let claimed = rows(&hermes.command(&["queue", "--json"]));
    daemon.until("the claimed run", || completed(&hermes, "a") == 2);
    assert_eq!(row(&claimed, "a")["key"], jobs(&hermes, "a")[1].key);
    assert_eq!((site.count("/a"), jobs(&hermes, "a")[1].attempt), (2, 1));
}

#[test]
fn what_was_claimed_without_a_daemon_runs_when_one_starts() {
    let (hermes, site) = (Hermes::new(), Site::new());
    add(&hermes, &many(&site));
    let claimed = rows(&hermes.command(&["queue", "--json"]));
    assert!(claimed.iter().all(|row| row["will_queue"] == true), "{claimed:?}");
    assert_eq!((claimed.len(), site.asked().len()), (SOURCES, 0));
    let again = hermes.command(&["queue", "--json"]);
    assert_eq!(rows(&again).len(), 0, "{again}");
    let daemon = hermes.start(&[]);
    daemon.until("a run of each", || all_completed(&hermes));
    daemon.stop();
    assert_eq!((site.asked().len(), hermes.count("fetchlogs")), (SOURCES, SOURCES as i64));
}

#[test]
fn a_job_claimed_for_a_time_to_come_waits_until_its_slot() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[]}"#));
    site.on("/tick", Reply::json(r#"{"data":[]}"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "daily"));
    hermes.write_source("tick.yaml", &source("tick", &site.url("/tick"), "interval:1s"));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("its first run", || completed(&hermes, "a") == 1);
    let claimed = rows(&hermes.command(&["queue", "--at", &time(&hermes, "+25 hours"), "--json"]));
    let job = jobs(&hermes, "a").remove(1);
    assert_eq!((&row(&claimed, "a")["key"], job.status.as_str()), (&job.key.as_str().into(), "queued"));
    assert!(job.slot > time(&hermes, "+22 hours"), "{job:?}");
    let runs = completed(&hermes, "tick");
    daemon.until("more ticks", || completed(&hermes, "tick") >= runs + 3);
    assert_eq!((site.count("/a"), jobs(&hermes, "a")[1].status.as_str()), (1, "queued"));
    // The time comes.
    hermes.exec(
        "UPDATE fetchlogs SET not_before = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 second')
         WHERE source_name = 'a' AND status = 'queued'",
    );
    reload(&hermes);
    daemon.until("its run", || completed(&hermes, "a") == 2);
    assert_eq!(site.count("/a"), 2);
}

#[test]
fn a_job_claimed_for_a_time_to_come_holds_up_nothing_until_then() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[]}"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "interval:1s"));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("its first run", || completed(&hermes, "a") >= 1);
    let later = time(&hermes, "+25 hours");
    // Between two of its runs.
    let claimed = daemon.until_some("a claim", || {
        Some(rows(&hermes.command(&["queue", "--at", &later, "--json"])))
            .filter(|claimed| !claimed.is_empty())
    });
    let runs = completed(&hermes, "a");
    daemon.until("its runs to go on", || completed(&hermes, "a") >= runs + 3);
    hermes.command(&["reset", "a"]).done();
    assert_eq!(rows(&hermes.command(&["queue", "--at", &later, "--json"])).len(), 0, "claimed before");
    daemon.stop();
    let waits = hermes.rows("SELECT key FROM fetchlogs WHERE status = 'queued' AND not_before IS NOT NULL");
    assert_eq!(waits, [[row(&claimed, "a")["key"].as_str().unwrap().to_owned().into()]]);
}

#[test]
fn a_retry_claimed_for_a_time_to_come_waits_out_its_pause() {
    let hermes = Hermes::new();
    add(&hermes, &[source("a", NOWHERE, "hourly")]);
    fail_by_hand(&hermes, "a", 1, "+2 minutes");
    let pause_ends: String = hermes.query("SELECT next_retry_at FROM retries");
    let claimed = rows(&hermes.command(&["queue", "--at", &time(&hermes, "+3 minutes"), "--json"]));
    assert_eq!(claimed.len(), 1, "{claimed:?}");
    let job = the_job(&hermes, "a");
    assert_eq!((job.status.as_str(), job.attempt), ("queued", 2));
    assert_eq!(hermes.query::<String>("SELECT not_before FROM fetchlogs"), pause_ends);
    hermes.once().done();
    assert_eq!(the_job(&hermes, "a").status, "queued", "not before its pause is over");
}

#[test]
fn claiming_nothing_changes_nothing_that_is_configured() {
    let hermes = Hermes::new();
    add(&hermes, &[source("a", NOWHERE, "hourly") + "status: paused\n"]);
    let before: i64 = hermes.query("SELECT value FROM generation");
    assert_eq!(rows(&hermes.command(&["queue", "--json"])).len(), 0);
    assert_eq!((hermes.query::<i64>("SELECT value FROM generation"), hermes.count("fetchlogs")), (before, 0));
}

#[test]
fn a_job_of_an_older_slot_does_not_set_the_deployment_back() {
    let hermes = Hermes::new();
    add(
        &hermes,
        &[
            source("a", NOWHERE, "x").replace("schedule: x\n", ""),
            source("b", NOWHERE, "x").replace("schedule: x\n", ""),
            "kind: deployment\nname: d\nschedule: hourly\nsources: [a]\n".to_owned(),
            "kind: deployment\nname: off\nschedule: hourly\nsources: [b]\nactive: false\n".to_owned(),
        ],
    );
    let last = || hermes.query::<String>("SELECT last_deployed_datetime FROM deployments WHERE name = 'd'");
    hermes.command(&["queue"]).done();
    assert_eq!(last(), the_job(&hermes, "a").slot);
    hermes.exec("INSERT INTO deployment_sources VALUES ('d', 'b')");
    hermes.command(&["queue", "--at", &time(&hermes, "-3 hours")]).done();
    assert!(the_job(&hermes, "b").slot < the_job(&hermes, "a").slot);
    assert_eq!(last(), the_job(&hermes, "a").slot);
}
