//! A run that a rate window stopped goes on where it stopped. Every `--once` is a start of its own, so
//! that all of it holds over restarts.

use crate::scene::{earlier, jobs};
use crate::util::{Hermes, Reply, Site, hermes_with};
use serde_json::json;

const SECRET: &str = "s3cr3t-of-the-next-url";
const PAGES: u64 = 5;

fn document(pagination: &str, more: &str) -> String {
    format!(
        "name: a\nurl: http://SITE/a\ntable: a\nschedule: daily\nexecution: {{ timeout: 10s }}\n\
         response: {{ dataPath: data, fields: {{ id: id }} }}\npagination: {{ {pagination} }}\n{more}\n---\n\
         kind: provider\ndomain: 127.0.0.1\nlimit: 2\nperiod: 1h\n"
    )
}

/// Two records a page; however a page is asked for, `place` says which one from 0.
fn serve(site: &Site, place: impl Fn(&crate::util::Asked) -> u64 + Send + Sync + 'static) {
    site.on_fn("/a", move |asked| {
        let page = place(asked);
        let next = (page + 1 < PAGES).then(|| format!("/a?n={}", page + 1));
        let cursor = (page + 1 < PAGES).then(|| (page + 1).to_string());
        let data = [json!({ "id": 2 * page }), json!({ "id": 2 * page + 1 })];
        let reply = Reply::json(json!({ "data": data, "next": next, "cursor": cursor, "total": 2 * PAGES }));
        match next {
            Some(next) => reply.header("Link", &format!("<{next}>; rel=\"next\"")),
            None => reply,
        }
    });
}

fn number(asked: &crate::util::Asked) -> u64 {
    asked.param("n").map_or(0, |text| text.parse().unwrap())
}

fn asked(site: &Site) -> Vec<u64> {
    site.asked().iter().map(number).collect()
}

/// The hour is over.
fn open_window(hermes: &Hermes) {
    hermes.exec(&format!(
        "UPDATE rate_limiter_state SET window_start = {}; UPDATE fetchlogs SET not_before = NULL",
        earlier("window_start", "-2 hours")
    ));
}

fn counts(hermes: &Hermes) -> String {
    hermes.query("SELECT status || ' ' || attempt || ': ' || pages || ' ' || records || ' ' || inserted FROM fetchlogs")
}

#[test]
fn a_stopped_run_goes_on_where_it_stopped_in_every_pagination() {
    for (pagination, per_number) in [
        ("page: { param: n, start: 0, totalPath: total }", 1),
        ("offset: { param: n, totalPath: total }", 2),
        ("cursor: { param: n, nextCursorPath: cursor }", 1),
        ("link: {}", 1),
        ("nextUrl: { path: next }", 1),
    ] {
        let site = Site::new();
        serve(&site, move |asked| number(asked) / per_number);
        let hermes = hermes_with(&site, &document(pagination, ""));
        for want in ["queued 1: 2 4 4", "queued 1: 4 8 8", "completed 1: 5 10 10"] {
            hermes.once().done();
            assert_eq!(counts(&hermes), want, "{pagination}");
            open_window(&hermes);
        }
        let want: Vec<u64> = (0..PAGES).map(|page| page * per_number).collect();
        assert_eq!(asked(&site), want, "{pagination}: every page once");
        assert_eq!(hermes.count("a"), 10, "{pagination}");
        assert_eq!(hermes.count("retries"), 0, "{pagination}");
        assert_eq!(hermes.query::<i64>("SELECT resume IS NULL FROM fetchlogs"), 1, "{pagination}");
    }
}

#[test]
fn a_run_that_gets_no_further_keeps_its_place_and_its_counts() {
    for pagination in
        ["page: { param: n, start: 0, totalPath: total }", "link: {}", "nextUrl: { path: next }"]
    {
        let site = Site::new();
        serve(&site, number);
        let hermes = hermes_with(&site, &document(pagination, ""));
        hermes.once().done();
        // Asked for by a person while the window is still full.
        let output = hermes.command(&["run", "a"]);
        assert_eq!(output.code, Some(1), "{pagination}: {output}");
        assert!(
            output.stdout.contains("queued, 2 pages, 4 records, 4 new rows: waits for the rate limit until"),
            "{output}"
        );
        assert_eq!(counts(&hermes), "queued 1: 2 4 4", "{pagination}");
        open_window(&hermes);
        hermes.once().done();
        assert_eq!(asked(&site), [0, 1, 2, 3], "{pagination}");
        assert_eq!(jobs(&hermes, "a").len(), 1, "{pagination}");
    }
}

#[test]
fn another_definition_begins_at_its_first_page() {
    for (why, more) in [
        ("params", "params: { lang: de }"),
        ("headers", "headers: { X-Lang: de }"),
        ("the body", "method: POST\nbody: { lang: de }"),
        ("the fields", "#fields"),
    ] {
        let site = Site::new();
        serve(&site, number);
        let cursor = "cursor: { param: n, nextCursorPath: cursor }";
        let hermes = hermes_with(&site, &document(cursor, ""));
        hermes.once().done();
        open_window(&hermes);
        let yaml = document(cursor, more).replace("SITE", &site.authority());
        let yaml = if more == "#fields" { yaml.replace("{ id: id }", "{ id: id, same: id }") } else { yaml };
        hermes.write_source("source.yaml", &yaml);
        hermes.once().done();
        assert_eq!(asked(&site), [0, 1, 0, 1], "{why}");
    }
}

#[test]
fn the_newest_value_of_all_parts_is_since() {
    let site = Site::new();
    // Newest first: the newest value is on the very first page.
    site.on_fn("/a", |asked| {
        let page = number(asked);
        let cursor = (page + 1 < PAGES).then(|| (page + 1).to_string());
        Reply::json(json!({ "data": [{ "id": 100 - page }], "cursor": cursor }))
    });
    let more = "params: { since: \"${since}\" }\nincremental: { field: id, initial: 0 }";
    let hermes = hermes_with(&site, &document("cursor: { param: n, nextCursorPath: cursor }", more));
    for _ in 0..3 {
        assert_eq!(hermes.count("incremental_state"), 0);
        hermes.once().done();
        open_window(&hermes);
    }
    assert!(site.asked().iter().all(|asked| asked.param("since") == Some("0")));
    assert_eq!(hermes.query::<i64>("SELECT value FROM incremental_state"), 100);
}

#[test]
fn a_next_url_with_a_secret_in_it_is_not_kept() {
    for (secret, is_kept) in [(SECRET, false), ("nothing", true)] {
        let site = Site::new();
        site.on_fn("/a", move |asked| {
            let page = number(asked);
            Reply::json(
                json!({ "data": [{ "id": page }], "next": format!("/a?n={}&key={secret}", page + 1) }),
            )
        });
        let yaml = document("nextUrl: { path: next }", "params: { key: \"${env:KEY}\" }");
        let hermes = hermes_with(&site, &yaml).env("KEY", SECRET);
        hermes.once().done();
        assert_eq!(site.count("/a"), 2);
        assert_eq!(hermes.query::<i64>("SELECT resume IS NOT NULL FROM fetchlogs"), i64::from(is_kept));
        for file in std::fs::read_dir(hermes.dir()).unwrap().map(|entry| entry.unwrap().path()) {
            if file.is_file() {
                let bytes = std::fs::read(&file).unwrap();
                let found = bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
                assert!(!found, "{} has the secret", file.display());
            }
        }
        open_window(&hermes);
        hermes.once().done();
        assert_eq!(asked(&site)[2], if is_kept { 2 } else { 0 });
    }
}
