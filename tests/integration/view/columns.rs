//! The columns of `list`, `status` and `logs`, and the tables that people see of them.

use super::{names, without_times};
use crate::sources::{site, source, source_with};
use crate::util::{Hermes, Reply};

const SOURCE_COLUMNS: [&str; 13] = [
    "name",
    "status",
    "state",
    "table",
    "schedule",
    "last_run_at",
    "last_success_at",
    "next_run_at",
    "retry_count",
    "next_retry_at",
    "rows",
    "last_error",
    "origin",
];

const LOG_COLUMNS: [&str; 16] = [
    "key",
    "source_name",
    "deployment",
    "handler",
    "status",
    "attempt",
    "scheduled_datetime",
    "queued_datetime",
    "started_datetime",
    "completed_datetime",
    "pages",
    "records",
    "inserted",
    "bytes",
    "duration_ms",
    "message",
];

fn sorted<const N: usize>(mut columns: [&'static str; N]) -> [&'static str; N] {
    columns.sort_unstable();
    columns
}

/// One source that works and one that does not, run once.
fn one_good_one_bad() -> Hermes {
    let (hermes, site) = (Hermes::new(), site(&["/good"]));
    site.on("/bad", Reply::empty(500));
    hermes.write_source("good.yaml", &source_with("good", &site.url("/good"), "schedule: hourly\n"));
    hermes.write_source("bad.yaml", &source("bad", &site.url("/bad")));
    assert_eq!(hermes.once().code, Some(1));
    hermes
}

#[test]
fn list_and_status_have_the_columns_of_a_source() {
    let hermes = one_good_one_bad();
    for command in ["list", "status"] {
        let rows = hermes.command(&[command, "--json"]).json();
        let rows = rows.as_array().expect("an array");
        assert_eq!(rows.len(), 2);
        rows.iter().for_each(|row| assert_eq!(names(row), sorted(SOURCE_COLUMNS)));
    }
    assert_eq!(names(&hermes.command(&["status", "good", "--json"]).json()), sorted(SOURCE_COLUMNS));
}

#[test]
fn the_columns_of_a_source_say_how_it_is() {
    let hermes = one_good_one_bad();
    let rows = hermes.command(&["list", "--json"]).json();
    let (bad, good) = (&rows[0], &rows[1]);
    assert_eq!(
        (&good["name"], &good["status"], &good["state"]),
        (&"good".into(), &"active".into(), &"idle".into())
    );
    assert_eq!((&good["table"], &good["schedule"]), (&"items".into(), &"hourly".into()));
    assert_eq!((&good["rows"], &good["retry_count"]), (&2.into(), &0.into()));
    assert_eq!(good["origin"], "good.yaml");
    assert!(good["last_error"].is_null() && good["next_retry_at"].is_null());
    assert!(good["next_run_at"].as_str() > good["last_success_at"].as_str());

    assert_eq!((&bad["state"], &bad["retry_count"], &bad["rows"]), (&"backoff".into(), &1.into(), &0.into()));
    assert!(bad["last_error"].as_str().unwrap().contains("500"), "{bad:#}");
    assert!(bad["last_success_at"].is_null() && bad["last_run_at"].is_string());
    assert_eq!(bad["next_retry_at"], bad["next_run_at"]);
}

#[test]
fn logs_have_the_columns_of_a_job() {
    let hermes = one_good_one_bad();
    let rows = hermes.command(&["logs", "--json"]).json();
    assert_eq!(rows.as_array().expect("an array").len(), 2);
    rows.as_array().into_iter().flatten().for_each(|row| assert_eq!(names(row), sorted(LOG_COLUMNS)));

    let good = &hermes.command(&["logs", "good", "--json"]).json()[0];
    assert_eq!((&good["source_name"], &good["deployment"]), (&"good".into(), &"good".into()));
    assert_eq!((&good["status"], &good["attempt"]), (&"completed".into(), &1.into()));
    assert_eq!((&good["pages"], &good["records"], &good["inserted"]), (&1.into(), &2.into(), &2.into()));
    assert!(good["bytes"].as_i64() > Some(0) && good["duration_ms"].is_number());
    let bad = &hermes.command(&["logs", "bad", "--json"]).json()[0];
    assert_eq!(bad["status"], "failed");
    assert!(bad["message"].as_str().unwrap().contains("500"), "{bad:#}");
}

#[test]
fn logs_are_newest_first_and_as_many_as_asked_for() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    hermes.once().done();
    let rows = hermes.command(&["logs", "--json"]).json();
    assert_eq!((&rows[0]["source_name"], &rows[1]["source_name"]), (&"b".into(), &"a".into()));
    let rows = hermes.command(&["logs", "--limit", "1", "--json"]).json();
    assert_eq!((rows.as_array().map(Vec::len), &rows[0]["source_name"]), (Some(1), &"b".into()));
}

#[test]
fn the_table_of_list_is_aligned_and_says_what_matters() {
    let hermes = one_good_one_bad();
    let shown = without_times(hermes.command(&["list"]).done());
    assert_eq!(shown, TABLE);
}

#[test]
fn the_table_of_status_comes_after_the_glance() {
    let hermes = one_good_one_bad();
    let shown = without_times(hermes.command(&["status"]).done());
    assert!(shown.starts_with("2 sources: 1 backoff, 1 idle\n\nwrong    bad  backoff for "), "{shown}");
    assert!(shown.ends_with(&format!("\n\n{TABLE}")), "{shown}");
}

const TABLE: &str = "\
name  state    table  schedule  rows  last_success_at           next_run_at               last_error
bad   backoff  items  daily        0                            <----------TIME-------->  answered 500: the server's trouble
good  idle     items  hourly       2  <----------TIME-------->  <----------TIME-------->
";

#[test]
fn the_status_of_one_source_is_a_line_a_column() {
    let hermes = one_good_one_bad();
    let shown = without_times(hermes.command(&["status", "good"]).done());
    let lines: Vec<&str> = shown.lines().collect();
    let found: Vec<&str> = lines.iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(found, SOURCE_COLUMNS);
    assert_eq!(lines[0], "name             good");
    assert_eq!(lines[10], "rows             2");
}
