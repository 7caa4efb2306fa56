//! `${since}`: the newest value of a field that a completed run has seen.

use super::age_windows;
use crate::scene::end_pause;
use crate::util::{Hermes, Reply, Site, hermes_with};
use serde_json::{Value, json};

fn document(field: &str, initial: &str, more: &str) -> String {
    format!(
        "name: a\nurl: http://SITE/a\ntable: a\nschedule: hourly\nparams: {{ since: \"${{since}}\" }}\n\
         response: {{ dataPath: data, fields: [ {{ source: id, target: id }}, {{ source: at, target: at, type: timestamp }} ] }}\n\
         unique: [id]\nincremental: {{ field: {field}, initial: {initial} }}\n{more}"
    )
}

fn answer(records: &[(i64, &str)]) -> Reply {
    let record = |(id, day): &(i64, &str)| json!({ "id": id, "at": format!("2026-01-{day}T00:00:00Z") });
    Reply::json(json!({ "data": records.iter().map(record).collect::<Vec<Value>>() }))
}

fn asked(site: &Site, param: &str) -> Vec<String> {
    site.asked().iter().map(|asked| asked.param(param).unwrap_or_default().to_owned()).collect()
}

/// Runs, then an hour passes.
fn run(hermes: &Hermes) -> Option<i32> {
    let code = hermes.once().code;
    age_windows(hermes, 61);
    code
}

#[test]
fn since_is_the_initial_value_then_the_newest_time_seen() {
    let site = Site::new();
    // Newest first; then only older ones, which must not take it back; then nothing.
    site.on_each(
        "/a",
        vec![
            answer(&[(5, "05"), (3, "03")]),
            answer(&[(2, "02")]),
            answer(&[]),
            answer(&[(7, "06"), (8, "07")]),
        ],
    );
    let hermes = hermes_with(&site, &document("at", "2025-12-31", ""));
    (0..5).for_each(|_| assert_eq!(run(&hermes), Some(0)));
    let fifth = "2026-01-05T00:00:00.000Z";
    assert_eq!(asked(&site, "since"), ["2025-12-31", fifth, fifth, fifth, "2026-01-07T00:00:00.000Z"]);
}

#[test]
fn since_may_be_a_number() {
    let site = Site::new();
    site.on_each("/a", vec![answer(&[(9, "01"), (10, "01"), (8, "01")]), answer(&[(100, "01")])]);
    let hermes = hermes_with(&site, &document("id", "0", ""));
    (0..3).for_each(|_| assert_eq!(run(&hermes), Some(0)));
    assert_eq!(asked(&site, "since"), ["0", "10", "100"], "as numbers, not as text");
}

#[test]
fn since_has_a_format_where_it_is_a_time() {
    let site = Site::new();
    site.on("/a", answer(&[(5, "05")]));
    for initial in ["2025-12-31", "\"2025-12-31T00:00:00Z\""] {
        let site = Site::new();
        site.on("/a", answer(&[(5, "05")]));
        let yaml = document("at", initial, "").replace("${since}", "${since|%d.%m.%Y} ${since|%s}");
        let hermes = hermes_with(&site, &yaml);
        (0..2).for_each(|_| assert_eq!(run(&hermes), Some(0)));
        assert_eq!(asked(&site, "since"), ["31.12.2025 1767139200", "05.01.2026 1767571200"], "{initial}");
    }
    let yaml = document("id", "0", "").replace("${since}", "${since|%Y}");
    let hermes = hermes_with(&site, &yaml);
    assert_eq!(hermes.once().code, Some(1));
    let message: String = hermes.query("SELECT message FROM fetchlogs");
    assert_eq!(message, "`${since}` is `0`, which is no time to format (in source.yaml)");
    assert_eq!(site.asked().len(), 0);
}

#[test]
fn a_run_that_fails_after_its_first_page_does_not_move_since() {
    let site = Site::new();
    let pages = "pagination: { page: { param: page, start: 1, limit: 1 } }\n";
    let hermes = hermes_with(&site, &document("id", "0", pages));
    site.on_fn("/a", |asked| match asked.param("page") {
        Some("1") => answer(&[(9, "09")]),
        _ => Reply::empty(500),
    });
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!((hermes.count("a"), hermes.count("incremental_state")), (1, 0), "the page stays");
    site.on_fn("/a", |asked| match asked.param("page") {
        Some("1") => answer(&[(9, "09")]),
        Some("2") => answer(&[(4, "04")]),
        _ => answer(&[]),
    });
    end_pause(&hermes, "a");
    assert_eq!((run(&hermes), run(&hermes)), (Some(0), Some(0)));
    assert_eq!(asked(&site, "since"), ["0", "0", "0", "0", "0", "9", "9", "9"]);
    assert_eq!(hermes.count("a"), 2);
}

#[test]
fn since_and_its_field_have_to_be_there() {
    let good = document("at", "0", "").replace("SITE", "127.0.0.1:9");
    let bare = good.lines().filter(|line| !line.starts_with("incremental")).collect::<Vec<_>>().join("\n");
    let in_body =
        format!("{}\nmethod: POST\nbody: {{ a: [\"${{since}}\"] }}\n", bare.replace("params", "headers"))
            .replace("headers: { since: \"${since}\" }\n", "");
    for (why, yaml, place, message) in [
        ("no incremental", bare.clone(), ":1:1: ", "`${since}` needs `incremental: { field, initial }`"),
        ("none for a body", in_body, ":1:1: ", "`${since}` needs `incremental: { field, initial }`"),
        ("no such field", good.replace("field: at", "field: when"), ":8:23: ", "no field"),
        ("no initial value", good.replace(", initial: 0", ""), ":8:14: ", "`initial` is missing"),
    ] {
        let hermes = Hermes::new();
        let path = hermes.write_source("a.yaml", &yaml);
        let output = hermes.plain(&["check", path.to_str().unwrap()]);
        assert_eq!(output.code, Some(2), "{why}: {output}");
        let lines: Vec<&str> = output.stdout.lines().collect();
        assert_eq!(lines.last(), Some(&"1 problem"), "{why}: {output}");
        assert!(
            lines[0].contains(&format!("a.yaml{place}")) && lines[0].contains(message),
            "{why}: {output}"
        );
    }
}
