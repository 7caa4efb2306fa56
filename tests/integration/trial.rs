//! `hermes try`: fetches as a run would, shows what would be stored, and stores nothing.

mod given;
mod problems;

use crate::sources::document;
use crate::util::{Hermes, Output, Reply, Site};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;

/// Without what differs from run to run: how long it took, and the time now.
pub fn steady(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let is_time = |word: &str| word.len() >= 24 && word.contains(":00.000Z");
    let steady = |at: usize| match words[at] {
        word if word.contains("ms") && at > 0 && words[at - 1].parse::<u64>().is_ok() => word.to_owned(),
        word if word.parse::<u64>().is_ok()
            && words.get(at + 1).is_some_and(|next| next.starts_with("ms")) =>
        {
            "N".to_owned()
        }
        word if is_time(word) => format!("SLOT{}", &word[24..]),
        word => word.to_owned(),
    };
    (0..words.len()).map(steady).collect::<Vec<_>>().join(" ")
}

pub fn try_file(hermes: &Hermes, yaml: &str, more: &[&str]) -> Output {
    let file = document(hermes, "a.yaml", yaml);
    hermes.command(&[&["try", file.to_str().unwrap()], more].concat())
}

/// Everything in the folder, by name, but for what SQLite keeps beside a database that is read.
pub fn names(hermes: &Hermes) -> Vec<String> {
    let names = fs::read_dir(hermes.dir()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| !name.starts_with("data.sqlite-"));
    names.sort();
    names
}

fn news(site: &Site) -> String {
    format!(
        "name: news\nurl: {}\ntable: news\nschedule: hourly\nresponse:\n  dataPath: data\n  fields:\n    \
         - {{ source: id, target: id, type: integer }}\n    - {{ source: title, target: headline }}\n    \
         - {{ source: date, target: time, type: timestamp }}\nunique: [id]\n",
        site.url("/news")
    )
}

fn two_records() -> Reply {
    Reply::json(json!({ "data": [
        { "id": 1, "title": "one", "date": "2026-01-02" },
        { "id": "2", "title": 2.5, "date": 1_767_398_400 },
    ] }))
}

const TABLE: &str = "CREATE TABLE \"news\" (
    \"id\" INTEGER,
    \"headline\",
    \"time\" TEXT,
    source_name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    record_hash BLOB NOT NULL,
    UNIQUE (source_name, record_hash)
)";

#[test]
fn what_was_asked_answered_and_would_be_stored_is_shown() {
    let (site, hermes) = (Site::new(), Hermes::new());
    let reply = two_records().header("ETag", "\"v1\"").header("Cache-Control", "max-age=60");
    site.on("/news", reply.header("X-RateLimit-Remaining", "59").header("Retry-After", "7"));
    let output = try_file(&hermes, &news(&site), &[]);
    let want = format!(
        "source    news
request   GET {}
answer    200, application/json, 94 B in N ms
caching   etag: \"v1\"; cache-control: max-age=60
quotas    x-ratelimit-remaining: 59; retry-after: 7
records   2 records on 1 page; that is all

     id   headline  time
integer  text,real  timestamp
      1        one  2026-01-02T00:00:00.000Z
      2        2.5  2026-01-03T00:00:00.000Z

{TABLE};

schedule  hourly: SLOT, SLOT, SLOT
requests  24 requests a day; no provider limits them
",
        site.url("/news")
    );
    // The columns of the table hold times of their own.
    let rows = |text: &str| text.replace("-02T00:00:00.000Z", "-02T").replace("-03T00:00:00.000Z", "-03T");
    assert_eq!(steady(&rows(output.done())), rows(&want));
    assert_eq!((output.stderr.as_str(), site.count("/news")), ("", 1));
    assert_eq!(names(&hermes), ["a.yaml", "sources.d"]);
}

#[test]
fn json_has_all_of_it() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/news", two_records().header("ETag", "\"v1\""));
    let mut found = try_file(&hermes, &news(&site), &["--json"]).json();
    assert!(found["requests"][0]["duration_ms"].take().is_u64());
    let slots = found["next_slots"].take();
    assert_eq!(slots.as_array().unwrap().len(), 3);
    assert_eq!(
        found,
        json!({
            "source": "news",
            "requests": [{
                "request": format!("GET {}", site.url("/news")), "credentials": [], "redirected_to": null,
                "status": 200, "content_type": "application/json", "bytes": 94, "duration_ms": null,
                "headers": { "etag": "\"v1\"" },
            }],
            "pages": 1, "records": 2, "has_more": false,
            "columns": [
                { "name": "id", "type": "integer" },
                { "name": "headline", "type": "text,real" },
                { "name": "time", "type": "timestamp" },
            ],
            "rows": [
                { "id": 1, "headline": "one", "time": "2026-01-02T00:00:00.000Z" },
                { "id": 2, "headline": 2.5, "time": "2026-01-03T00:00:00.000Z" },
            ],
            "create_table": TABLE,
            "schedules": ["hourly"], "next_slots": null,
            "requests_per_day": 24, "is_at_least": false, "limits": [],
            "warnings": [], "problems": [],
        })
    );
}

#[test]
fn what_is_shown_is_what_a_run_stores() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/news", two_records());
    let shown = try_file(&hermes, &news(&site), &["--json"]).json();
    hermes.write_source("a.yaml", &news(&site));
    hermes.once().done();
    let stored = hermes.command(&["data", "news", "--json"]).json();
    for (at, name) in [(0, "id"), (1, "headline"), (1, "time")] {
        assert_eq!(shown["rows"][at][name], stored[1 - at][name], "{name}");
    }
    let sql: String = hermes.query("SELECT sql FROM sqlite_master WHERE name = 'news'");
    assert_eq!(shown["create_table"], sql);
}

fn paged(site: &Site, more: &str) -> String {
    let paging = "pagination: { cursor: { param: page, nextCursorPath: next_page } }\n";
    let fields = "response: { dataPath: data, fields: { id: id, title: title } }\n";
    format!("name: a\nurl: {}\ntable: t\nschedule: hourly\n{fields}{paging}{more}", site.url("/p"))
}

#[test]
fn one_page_is_fetched_unless_more_are_asked_for() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.pages("/p", 9, "page", 3);
    let one = try_file(&hermes, &paged(&site, ""), &["--json"]).json();
    assert_eq!((&one["records"], &one["has_more"]), (&json!(3), &json!(true)));
    assert_eq!((&one["requests_per_day"], &one["is_at_least"]), (&json!(24), &json!(true)));
    let two = try_file(&hermes, &paged(&site, ""), &["--pages", "2", "--rows", "4"]);
    let text = two.done();
    assert!(text.contains(&format!("GET {}\n", site.url("/p"))), "{two}");
    assert!(text.contains(&format!("GET {}\n", site.url("/p?page=2"))), "{two}");
    assert!(text.contains("records   6 records on 2 pages; there are more pages\n"), "{two}");
    assert!(text.contains("  4  record 4\nand 2 more\n"), "{two}");
    assert!(text.contains("requests  at least 48 requests a day; "), "{two}");
    let all = try_file(&hermes, &paged(&site, ""), &["--pages", "9"]);
    assert!(all.done().contains("9 records on 3 pages; that is all\n"), "{all}");
    assert_eq!(site.count("/p"), 1 + 2 + 3);
}

#[test]
fn a_limit_that_the_schedule_exceeds_is_a_warning() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.pages("/p", 9, "page", 3);
    let provider = "---\nkind: provider\ndomain: 127.0.0.1\nlimits: [ { requests: 20, per: 1d } ]\n";
    let output = try_file(&hermes, &paged(&site, provider), &[]);
    let want = "requests  at least 24 requests a day; the provider 127.0.0.1 allows 20 per 1d\n\
                warning   at least 24 requests in 1d are more than the 20 that the provider 127.0.0.1 \
                allows: runs will wait for it\n";
    assert!(output.done().ends_with(want), "{output}");
}

#[test]
fn a_limit_of_its_own_is_kept_and_the_pages_before_it_are_shown() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.pages("/p", 9, "page", 3);
    let provider = "---\nkind: provider\ndomain: 127.0.0.1\nlimits: [ { requests: 2, per: 1d } ]\n";
    let output = try_file(&hermes, &paged(&site, provider), &["--pages", "3"]);
    assert!(output.done().contains("records   6 records on 2 pages\n"), "{output}");
    assert!(output.stdout.contains("warning   waits for the rate limit until "), "{output}");
    assert_eq!(site.count("/p"), 2);
}

#[test]
fn lines_and_csv_are_read_as_a_run_reads_them() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/lines", Reply::text("application/x-ndjson", "{\"id\":1,\"b\":\"x\"}\n{\"id\":2}\n"));
    site.on("/csv", Reply::text("text/csv", "id;b\n1;x\n2;\n"));
    for (format, path) in [("ndjson", "/lines"), ("csv", "/csv")] {
        let fields =
            "fields: [ { source: id, target: id, type: integer }, { source: b, target: b, nulls: [\"\"] } ]";
        let response = format!("response: {{ format: {format}, {fields} }}\n");
        let yaml = format!("name: a\nurl: {}\ntable: t\n{response}", site.url(path));
        let found = try_file(&hermes, &yaml, &["--json"]).json();
        assert_eq!(found["rows"], json!([{ "id": 1, "b": "x" }, { "id": 2, "b": null }]), "{format}");
    }
}

#[test]
fn a_post_sends_its_body_and_first_moments() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/q", Reply::json(r#"[{"id":1}]"#));
    let yaml = format!(
        "name: a\nurl: {}\nmethod: POST\nbody: {{ since: \"${{since}}\", key: \"${{env:KEY}}\" }}\ntable: t\n\
         response: {{ fields: {{ id: id }} }}\nincremental: {{ field: id, initial: \"17\" }}\n",
        site.url("/q")
    );
    let hermes = hermes.env("KEY", "s3cret-value");
    let output = try_file(&hermes, &yaml, &[]);
    let line = format!("request   POST {}, body of 35 B\n", site.url("/q"));
    assert!(output.done().contains(&line), "{output}");
    let sent: Value = serde_json::from_slice(&site.asked()[0].body).unwrap();
    assert_eq!(sent, json!({ "since": "17", "key": "s3cret-value" }));
}

#[test]
fn long_values_are_cut_to_the_terminal_and_control_characters_do_not_reach_it() {
    let (site, hermes) = (Site::new(), Hermes::new());
    let title = format!("\u{1b}[31mred\u{9b}2J {}", "long ".repeat(40));
    site.on("/news", Reply::json(json!({ "data": [{ "id": 1, "title": title, "date": null }] })));
    let file = document(&hermes, "a.yaml", &news(&site));
    let terminal = hermes.in_terminal((50, 40), &["try", file.to_str().unwrap()]);
    assert!(terminal.wait_exit(Duration::from_secs(20)).success(), "{:#?}", terminal.screen());
    let written = terminal.written();
    assert!(!written.chars().any(|c| c.is_control() && !"\r\n".contains(c)), "{written:?}");
    let screen = terminal.screen();
    let row = screen.iter().find(|line| line.contains(" [31mred 2J long")).expect("the row");
    assert!(row.ends_with('…') && row.chars().count() <= 50, "{row}");
    assert!(screen.iter().any(|line| line.starts_with("integer  text ")), "{screen:#?}");
}
