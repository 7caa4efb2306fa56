//! `add`, `update` and `reset`, with and without a daemon.

use super::{document, rows_of, shown, site, source, source_with};
use crate::util::{Hermes, Reply, Site};

#[test]
fn an_added_source_is_fetched_soon() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    // Only the wake-up of the command can do it: the sleep is longer than the wait.
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until_logged("watching");
    let file = document(&hermes, "a.yaml", &source("a", &site.url("/a")));
    let output = hermes.command(&["add", file.to_str().unwrap()]);
    assert_eq!(output.done(), "source a added\n");
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
    assert_eq!(site.asked_paths(), ["/a"]);
    assert!(shown(&hermes, "a", "origin").is_null());
}

#[test]
fn a_source_can_be_added_before_the_first_start() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let file = document(&hermes, "a.yaml", &source("a", &site.url("/a")));
    hermes.command(&["add", file.to_str().unwrap()]).done();
    assert!(site.asked().is_empty());
    hermes.once().done();
    assert_eq!((rows_of(&hermes, "a"), site.count("/a")), (2, 1));
}

#[test]
fn adding_a_name_that_is_there_is_refused_and_changes_nothing() {
    let hermes = Hermes::new();
    let first = document(&hermes, "a.yaml", &source("a", "http://127.0.0.1:9/first"));
    hermes.command(&["add", first.to_str().unwrap()]).done();
    let second = document(&hermes, "b.yaml", &source("a", "http://127.0.0.1:9/second"));
    let output = hermes.command(&["add", second.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    let told = "b.yaml:1:1: name: there is a source `a` already; `hermes update` overwrites it";
    assert!(output.stderr.contains(told), "{output}");
    assert!(hermes.command(&["get", "a"]).done().contains("/first"));
}

#[test]
fn updating_a_name_that_is_not_there_is_refused() {
    let hermes = Hermes::new();
    let a = document(&hermes, "a.yaml", &source("a", "http://127.0.0.1:9/"));
    hermes.command(&["add", a.to_str().unwrap()]).done();
    let b = document(&hermes, "b.yaml", &source("b", "http://127.0.0.1:9/"));
    let output = hermes.command(&["update", b.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    let told = "b.yaml:1:1: name: there is no source `b` to update; `hermes add` adds it";
    assert!(output.stderr.contains(told), "{output}");
    assert_eq!(hermes.count("source_definitions"), 1);
}

#[test]
fn an_update_is_what_the_next_run_asks() {
    let (hermes, site) = (Hermes::new(), site(&["/old", "/new"]));
    let file = document(&hermes, "a.yaml", &source("a", &site.url("/old")));
    let file = file.to_str().unwrap();
    hermes.command(&["add", file]).done();
    hermes.once().done();
    document(&hermes, "a.yaml", &source("a", &site.url("/new")));
    assert_eq!(hermes.command(&["update", file]).done(), "source a updated\n");
    hermes.command(&["reset", "a"]).done();
    hermes.once().done();
    assert_eq!(site.asked_paths(), ["/old", "/new"]);
}

#[test]
fn a_source_of_a_file_is_changed_in_its_file() {
    let hermes = Hermes::new();
    hermes.write_source("mine.yaml", &source_with("a", "http://127.0.0.1:9/", "status: paused\n"));
    hermes.once().done();
    let file = document(&hermes, "a.yaml", &source("a", "http://127.0.0.1:9/new"));
    let output = hermes.command(&["update", file.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("`a` is defined by mine.yaml already; change it there"), "{output}");
}

#[test]
fn one_bad_file_of_several_adds_none() {
    let hermes = Hermes::new();
    let good = document(&hermes, "good.yaml", &source("good", "http://127.0.0.1:9/"));
    let twice = document(&hermes, "twice.yaml", &source("good", "http://127.0.0.1:9/"));
    let output = hermes.command(&["add", good.to_str().unwrap(), twice.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    assert_eq!(hermes.count("source_definitions"), 0);
}

#[test]
fn a_file_that_is_not_there_is_wrong_input() {
    let hermes = Hermes::new();
    let output = hermes.command(&["add", "nowhere.yaml"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("cannot read nowhere.yaml"), "{output}");
    assert!(!hermes.db_path().exists());
}

#[test]
fn a_reset_source_is_due_now_and_its_failures_are_forgotten() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on_each("/a", vec![Reply::empty(500), super::records(2)]);
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the failure", || shown(&hermes, "a", "state") == "backoff");
    assert_eq!(shown(&hermes, "a", "retry_count"), 1);
    assert_eq!(hermes.command(&["reset", "a"]).done(), "a is due now\n");
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
    daemon.until("it is idle", || shown(&hermes, "a", "state") == "idle");
    assert_eq!(hermes.count("retries"), 0);
    assert_eq!(site.count("/a"), 2);
}

#[test]
fn a_reset_forgets_failures_at_once() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::empty(500));
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), "execution: { maxRetries: 1 }\n"));
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(shown(&hermes, "a", "state"), "exhausted");
    hermes.command(&["reset", "a"]).done();
    assert_eq!((hermes.count("retries"), shown(&hermes, "a", "retry_count")), (0, 0.into()));
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(site.count("/a"), 2);
}

#[test]
fn a_reset_runs_a_source_again_that_has_just_run() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the first run", || shown(&hermes, "a", "state") == "idle");
    hermes.command(&["reset", "a"]).done();
    daemon.until("the second run", || site.count("/a") == 2);
    daemon.until("it is idle again", || shown(&hermes, "a", "state") == "idle");
    assert_eq!((site.count("/a"), rows_of(&hermes, "a")), (2, 2));
}
