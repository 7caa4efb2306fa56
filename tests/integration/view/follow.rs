//! `logs -f`: jobs as they end, until it is stopped or nobody reads.

use crate::sources::{records, site, source};
use crate::util::{Daemon, Hermes, Reply, Site, program_command, until};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

/// `a` and `b`, run once each.
fn two() -> (Hermes, Site) {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    hermes.once().done();
    (hermes, site)
}

/// Of each line the source and its status.
fn shown(follow: &Daemon) -> Vec<String> {
    let short = |line: &str| {
        let words: Vec<&str> = line.split([' ', ',']).collect();
        format!("{} {}", words[1].split('/').nth(1).unwrap(), words[2])
    };
    follow.log().lines().map(short).collect()
}

#[test]
fn it_begins_with_the_last_ones_and_goes_on_with_each_that_ends() {
    let (hermes, site) = two();
    let follow = hermes.start(&["logs", "-f", "--limit", "1"]);
    follow.until("the last one", || shown(&follow).len() == 1);
    site.on("/a", Reply::empty(500));
    hermes.command(&["run", "a"]);
    follow.until("a failure", || shown(&follow).last().is_some_and(|line| line == "a failed"));
    site.on("/a", records(3));
    hermes.command(&["run", "a"]).done();
    follow.until("a success", || shown(&follow).last().is_some_and(|line| line == "a completed"));
    assert_eq!(shown(&follow).len(), 3, "{}", follow.log());
    let last = follow.log().lines().last().unwrap().to_owned();
    assert!(last.contains(" completed") && last.contains(", 1 pages, 3 records, 1 new rows, "), "{last}");
    follow.signal("INT");
    assert_eq!(follow.wait_exit(SOON).code(), Some(0));
}

#[test]
fn another_run_of_the_same_job_is_another_line() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::empty(500));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    assert_eq!(hermes.once().code, Some(1));
    let follow = hermes.start(&["logs", "a", "--follow"]);
    follow.until("the first", || shown(&follow) == ["a failed"]);
    site.on("/a", records(1));
    crate::scene::end_pause(&hermes, "a");
    hermes.once().done();
    follow.until("the second", || shown(&follow) == ["a failed", "a completed"]);
    assert!(follow.log().contains(" completed (attempt 2), 1 pages"), "{}", follow.log());
}

#[test]
fn one_source_as_json_is_an_object_a_line() {
    let (hermes, _site) = two();
    let follow = hermes.start(&["logs", "b", "-f", "--json"]);
    follow.until("the first", || follow.log().lines().count() == 1);
    for name in ["a", "b"] {
        hermes.command(&["run", name]).done();
    }
    follow.until("the second", || follow.log().lines().count() == 2);
    for line in follow.log().lines() {
        let job: serde_json::Value = serde_json::from_str(line).expect(line);
        assert_eq!((&job["source_name"], &job["status"]), (&"b".into(), &"completed".into()));
        assert_eq!(job.as_object().map(|job| job.len()), Some(16));
    }
}

#[test]
fn it_writes_nothing_and_ends_when_nobody_reads() {
    let (hermes, _site) = two();
    let path = hermes.db_path();
    let state = || (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    let before = state();
    let child = program_command()
        .args(["logs", "-f", "--limit", "1"])
        .env("HERMES_DB", &path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = Ended(child);
    let mut reader = BufReader::new(child.0.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    assert!(state() == before, "the bytes or the time of the file changed");
    drop(reader);
    hermes.command(&["run", "a"]).done();
    until("its end", || child.0.try_wait().unwrap().is_some());
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

/// At the latest with its test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
