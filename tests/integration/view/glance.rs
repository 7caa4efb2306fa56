//! The glance of `status`: what runs, what is wrong, what is next, the disk, the limits.

use super::names;
use crate::sources::{records, site, source, source_with};
use crate::util::{Gate, Hermes, Reply, Site};
use serde_json::json;

/// What stands after a label, and in the lines below it that have none.
fn part(text: &str, label: &str) -> Vec<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(label));
    let first = lines.next().map(|line| line[9..].to_owned());
    let rest = lines.take_while(|line| line.starts_with("         ")).map(|line| line[9..].to_owned());
    first.into_iter().chain(rest).collect()
}

#[test]
fn what_runs_shows_how_far_it_is() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    let of = |page: u32| json!({ "data": [{ "id": page, "title": "x" }], "total": 2 });
    site.on_each("/a", vec![Reply::json(of(1)), Reply::gated(&gate, Reply::json(of(2)))]);
    let more = "pagination: { page: { param: page, totalPath: total } }\n";
    let yaml = source_with("a", &site.url("/a"), more).replace("{ fields", "{ dataPath: data, fields");
    hermes.write_source("a.yaml", &yaml);
    let daemon = hermes.start(&[]);
    daemon.until("its second page", || gate.waiting() == 1);
    let shown = hermes.command(&["status", "--summary"]);
    let running = part(shown.done(), "running");
    assert!(running[0].starts_with("a  1 page, 1 of 2 records, 1 new, 41 B, "), "{shown}");
    let json = hermes.command(&["status", "--summary", "--json"]).json();
    let of = |name: &str| json["running"][0][name].clone();
    assert_eq!((of("name"), of("pages"), of("total")), (json!("a"), json!(1), json!(2)));
    gate.open();
}

#[test]
fn what_is_wrong_says_since_when_and_when_it_is_tried_again() {
    let (hermes, site) = (Hermes::new(), site(&["/good"]));
    site.on("/bad", Reply::json(r#"{"sorry": 1}"#).status(500));
    hermes.write_source("good.yaml", &source_with("good", &site.url("/good"), "schedule: hourly\n"));
    hermes.write_source("bad.yaml", &source("bad", &site.url("/bad")));
    hermes.write_source("odd.yaml", "name: odd\n");
    assert_eq!(hermes.once().code, Some(1));
    let ago =
        |minutes: u32| format!("strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-{minutes} minutes', '-5 seconds')");
    hermes.exec(&format!("UPDATE retries SET period_start = {}, next_retry_at = {}", ago(125), {
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+3 minutes', '+40 seconds')"
    }));
    let output = hermes.command(&["status", "--summary"]);
    let shown = output.done();
    assert!(shown.starts_with("2 sources: 1 backoff, 1 idle\n\n"), "{shown}");
    let wrong = part(shown, "wrong");
    let want = "bad  backoff for 2h 5m, again in 3m ";
    assert!(
        wrong[0].starts_with(want) && wrong[0].ends_with(": answered 500: the server's trouble"),
        "{shown}"
    );
    let next = part(shown, "next");
    assert!(next[0].starts_with("good  in 59m ") || next[0] == "good  in 1h", "{shown}");
    assert!(
        shown.contains("\nproblems in files (what they defined before goes on):\nodd.yaml:1:1: "),
        "{shown}"
    );
    assert!(!shown.contains("last_success_at"), "no table: {shown}");
}

#[test]
fn growth_and_limits_say_when_they_are_reached() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", records(2));
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), "retention: { rows: 1000 }\n"));
    let limits = "limits: [ { requests: 60, per: 1m }, { requests: 2000, per: 1d } ]\n";
    hermes.write_source("p.yaml", &format!("kind: provider\ndomain: 127.0.0.1\n{limits}"));
    hermes.once().done();
    let first = hermes.command(&["status", "--summary"]);
    let disk = part(first.done(), "disk");
    assert!(disk.len() == 1 && disk[0].contains(" free, WAL "), "too early to tell: {first}");
    let requests = part(first.done(), "requests");
    assert!(requests[0].starts_with("127.0.0.1  59 of 60 left per 1m, all again in "), "{first}");
    assert!(
        requests[1].starts_with("127.0.0.1  1,999 of 2,000 left per 1d, all again in 23h 59m"),
        "{first}"
    );

    // Two days ago it had its first rows; since then 200 more came.
    hermes.exec(
        "UPDATE fetchlogs SET completed_datetime = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-2 days');
         INSERT INTO fetchlogs (key, source_name, deployment, handler, status, scheduled_datetime,
            queued_datetime, completed_datetime, inserted)
         SELECT 'k', source_name, deployment, handler, status, scheduled_datetime, queued_datetime,
            strftime('%Y-%m-%dT%H:%M:%fZ'), 200 FROM fetchlogs",
    );
    let later = hermes.command(&["status", "--summary"]);
    let disk = part(later.done(), "disk");
    assert!(disk[0].contains(" MB more a day: full in "), "{later}");
    assert!(disk[1].starts_with("a  2 of 1,000 rows that are kept, all of them in 9d 23h"), "{later}");
    let json = hermes.command(&["status", "--summary", "--json"]).json();
    let rate = json["disk"]["rows_per_day"].as_f64().unwrap();
    assert!((99.0..101.0).contains(&rate), "{json:#}");
    assert_eq!((&json["retention"][0]["rows"], &json["retention"][0]["limit"]), (&2.into(), &1000.into()));
    assert_eq!(
        (&json["limits"][1]["left"], &json["limits"][1]["period_seconds"]),
        (&1999.into(), &86400.into())
    );
}

#[test]
fn the_json_of_the_glance_is_an_object_and_that_of_status_stays_an_array() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    let glance = hermes.command(&["status", "--summary", "--json"]).json();
    let want = ["disk", "files", "limits", "next", "retention", "running", "states", "wrong"];
    assert_eq!(names(&glance), want);
    assert_eq!(glance["states"], json!({ "idle": 1 }));
    assert_eq!(glance["next"][0]["name"], "a");
    assert_eq!(hermes.command(&["status", "--json"]).json().as_array().map(Vec::len), Some(1));
}

#[test]
fn a_thousand_sources_are_a_page_and_a_number() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &source_with("a", "http://127.0.0.1:9/", "status: paused\n"));
    hermes.once().done();
    hermes.exec(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
         INSERT INTO source_definitions (name, definition, table_name, schedule)
         SELECT printf('s%04d', i), replace(replace(definition, 'name: a', printf('name: s%04d', i)),
            'status: paused', 'status: active'), 'items', NULL FROM n, source_definitions",
    );
    let shown = hermes.command(&["status"]);
    assert!(shown.done().starts_with("1,000 sources: 999 due, 1 paused\n\n"), "{shown}");
    assert!(shown.done().ends_with("\nand 950 more: `hermes list` shows them all\n"), "{shown}");
    assert!(shown.stdout.lines().count() < 70, "{shown}");
}

#[test]
fn on_a_terminal_it_fits_eighty_columns_and_has_colours() {
    let (hermes, site) = (Hermes::new(), site(&["/good"]));
    site.on("/bad", Reply::empty(500));
    hermes.write_source("good.yaml", &source("good", &site.url("/good")));
    hermes.write_source("bad.yaml", &source("bad", &site.url("/bad")));
    assert_eq!(hermes.once().code, Some(1));
    let terminal = hermes.in_terminal((80, 40), &["status"]);
    assert!(terminal.wait_exit(std::time::Duration::from_secs(20)).success());
    let written = terminal.written();
    assert!(written.contains("\x1b[31mwrong\x1b[0m    bad  backoff"), "{written:?}");
    let plain = written.replace("\x1b[31m", "").replace("\x1b[0m", "");
    assert!(plain.lines().all(|line| line.chars().count() <= 80), "{plain}");
    let hermes = hermes.env("NO_COLOR", "1");
    let terminal = hermes.in_terminal((80, 40), &["status"]);
    assert!(terminal.wait_exit(std::time::Duration::from_secs(20)).success());
    assert!(!terminal.written().contains('\x1b'), "{:?}", terminal.written());
    assert!(!hermes.env("NO_COLOR", "").command(&["status"]).done().contains('\x1b'), "no terminal");
}
