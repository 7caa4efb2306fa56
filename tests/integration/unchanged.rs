//! An answer that has not changed: asked for with a condition, and not read again.

use crate::scene::age;
use crate::util::{Asked, Hermes, Reply, Site, hermes_with, lines, things};

const TWO: &str = r#"{"data":[{"id":1,"title":"a"},{"id":2,"title":"b"}]}"#;
const HOURLY: &str = "schedule: hourly\nunique: [id]\n";

/// The next run of its schedule.
#[track_caller]
fn next(hermes: &Hermes) -> crate::util::Output {
    age(hermes, "things", 61);
    hermes.once()
}

/// Of all runs, oldest first.
#[track_caller]
fn runs(hermes: &Hermes) -> Vec<String> {
    lines(hermes, "SELECT status, pages, records, inserted, bytes, message FROM fetchlogs ORDER BY id")
}

#[track_caller]
fn ids(hermes: &Hermes) -> Vec<String> {
    lines(hermes, "SELECT id FROM things ORDER BY id")
}

/// What the site was asked, request by request.
fn conditions(site: &Site) -> Vec<(Option<String>, Option<String>)> {
    let header = |asked: &Asked, name| asked.header(name).map(str::to_owned);
    let both = |asked: Asked| (header(&asked, "if-none-match"), header(&asked, "if-modified-since"));
    site.asked().into_iter().map(both).collect()
}

/// Answers 304 to whoever has its etag.
fn with_etag(site: &Site) {
    site.on_fn("/things", |asked| match asked.header("if-none-match") {
        Some("W/\"one\"") => Reply::empty(304),
        _ => Reply::json(TWO).header("ETag", "W/\"one\""),
    });
}

#[test]
fn an_etag_is_sent_back_and_a_304_is_a_completed_run_without_records() {
    let site = Site::new();
    with_etag(&site);
    let hermes = hermes_with(&site, &things(HOURLY));
    hermes.once().done();
    next(&hermes).done();
    next(&hermes).done();
    assert_eq!(
        conditions(&site),
        [(None, None), (Some("W/\"one\"".into()), None), (Some("W/\"one\"".into()), None)]
    );
    let nothing = "'completed' 1 0 0 0 null";
    assert_eq!(runs(&hermes), ["'completed' 1 2 2 52 null", nothing, nothing]);
    assert_eq!(ids(&hermes), ["1", "2"]);
}

#[test]
fn a_date_of_change_is_sent_back() {
    let (site, date) = (Site::new(), "Sun, 06 Nov 1994 08:49:37 GMT");
    site.on("/things", Reply::json(TWO).header("Last-Modified", date));
    let hermes = hermes_with(&site, &things(HOURLY));
    hermes.once().done();
    next(&hermes).done();
    assert_eq!(conditions(&site), [(None, None), (None, Some(date.into()))]);
}

#[test]
fn the_same_bytes_are_not_read_again_and_count_as_what_they_were() {
    let site = Site::new();
    site.on("/things", Reply::json(TWO));
    let hermes = hermes_with(&site, &things(HOURLY));
    hermes.once().done();
    hermes.exec("DELETE FROM things WHERE id = 2");
    next(&hermes).done();
    next(&hermes).done();
    assert_eq!(ids(&hermes), ["1"], "a record that was read would be back");
    let same = "'completed' 1 2 0 52 null";
    assert_eq!(runs(&hermes), ["'completed' 1 2 2 52 null", same, same]);
}

#[test]
fn reset_and_run_read_everything_again() {
    for command in ["reset", "run"] {
        let site = Site::new();
        with_etag(&site);
        let hermes = hermes_with(&site, &things(HOURLY));
        hermes.once().done();
        hermes.exec("DELETE FROM things WHERE id = 2");
        age(&hermes, "things", 61);
        hermes.command(&[command, "things"]).done();
        hermes.once().done();
        assert_eq!(ids(&hermes), ["1", "2"], "{command}");
    }
}

#[test]
fn rows_that_are_gone_are_fetched_again() {
    for gone in [
        "DELETE FROM things",
        "DROP TABLE things; CREATE TABLE things (id, title, source_name, created_at, record_hash)",
    ] {
        let site = Site::new();
        with_etag(&site);
        let hermes = hermes_with(&site, &things(HOURLY));
        hermes.once().done();
        hermes.exec(gone);
        next(&hermes).done();
        assert_eq!(ids(&hermes), ["1", "2"], "{gone}");
    }
}

#[test]
fn another_mapping_reads_the_same_answer_again() {
    let site = Site::new();
    with_etag(&site);
    let hermes = hermes_with(&site, &things(HOURLY));
    hermes.once().done();
    let changed = things(HOURLY).replace("title: title", "title: title, again: id");
    hermes.write_source("source.yaml", &changed.replace("SITE", &site.authority()));
    hermes.exec("DELETE FROM things WHERE id = 2");
    next(&hermes).done();
    assert_eq!(lines(&hermes, "SELECT id, again FROM things ORDER BY id"), ["1 null", "2 2"]);
    assert_eq!(conditions(&site), [(None, None), (None, None)]);
}

#[test]
fn of_several_pages_none_is_asked_for_with_a_condition() {
    let site = Site::new();
    site.on_fn("/things", |asked| match asked.param("page") {
        Some("1") => Reply::json(TWO).header("ETag", "\"first\""),
        _ => Reply::json(r#"{"data":[{"id":3,"title":"c"}]}"#).header("ETag", "\"second\""),
    });
    let hermes = hermes_with(
        &site,
        &things(&format!("{HOURLY}pagination: {{ page: {{ param: page, limit: 2 }} }}\n")),
    );
    hermes.once().done();
    hermes.exec("DELETE FROM things WHERE id = 3");
    next(&hermes).done();
    assert_eq!(ids(&hermes), ["1", "2", "3"]);
    assert!(conditions(&site).iter().all(|both| *both == (None, None)), "{:?}", conditions(&site));
}

/// Its last run had one page; now there is a second one, which only a header tells.
#[test]
fn the_same_bytes_with_a_next_page_in_a_header_go_on() {
    let site = Site::new();
    let next_page = Reply::json(TWO).header("Link", "</more>; rel=\"next\"");
    site.on_each("/things", vec![Reply::json(TWO), next_page]);
    site.on("/more", Reply::json(r#"{"data":[{"id":3,"title":"c"}]}"#));
    let hermes = hermes_with(&site, &things(&format!("{HOURLY}pagination: {{ link: {{}} }}\n")));
    hermes.once().done();
    next(&hermes).done();
    assert_eq!(ids(&hermes), ["1", "2", "3"]);
}

#[test]
fn a_304_that_nobody_asked_for_is_a_failure() {
    let site = Site::new();
    site.on("/things", Reply::empty(304));
    let hermes = hermes_with(&site, &things(HOURLY));
    assert_eq!(hermes.once().code, Some(1));
    assert!(runs(&hermes)[0].contains("answered 304"), "{:?}", runs(&hermes));
}

#[test]
fn a_failed_run_is_not_the_answer_to_compare_with() {
    let site = Site::new();
    let bad = Reply::json(r#"{"data":[{"id":1,"title":"a"}"#).header("ETag", "\"bad\"");
    site.on_each("/things", vec![bad, Reply::json(TWO)]);
    let hermes = hermes_with(&site, &things(HOURLY));
    assert_eq!(hermes.once().code, Some(1));
    hermes.command(&["reset", "things"]).done();
    hermes.once().done();
    assert_eq!(conditions(&site), [(None, None), (None, None)]);
    assert_eq!(ids(&hermes), ["1", "2"]);
}

#[test]
fn an_etag_that_repeats_a_secret_is_not_kept() {
    let site = Site::new();
    site.on_fn("/things", |asked| {
        Reply::json(TWO).header("ETag", &format!("\"{}\"", asked.header("x-key").unwrap_or_default()))
    });
    let document = things(&format!("{HOURLY}headers: {{ X-Key: \"${{env:KEY}}\" }}\n"));
    let hermes = hermes_with(&site, &document).env("KEY", "s3cret-of-mine");
    hermes.once().done();
    assert_eq!(lines(&hermes, "SELECT etag, records FROM last_answers"), ["null 2"]);
}
