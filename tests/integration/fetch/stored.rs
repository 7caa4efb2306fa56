//! What a page leaves in the tables: one transaction, duplicates, constraints, retention.

use super::{again, message};
use crate::util::{Hermes, Reply, Site, hermes_with, lines, things};

const PAGED: &str = "pagination: { page: { param: page, limit: 2 } }\n";

fn answer(data: &str) -> Reply {
    Reply::json(format!("{{\"data\":[{data}]}}"))
}

fn typed(more: &str) -> String {
    let fields = "fields: [ { source: id, target: id, type: integer }, { source: title, target: title } ]";
    things(more).replace("fields: { id: id, title: title }", fields)
}

/// A table that a user made before Hermes came, with what Hermes needs of it.
fn own_table(hermes: &Hermes, columns: &str) {
    hermes.exec(&format!(
        "CREATE TABLE things ({columns}, source_name TEXT NOT NULL, created_at TEXT NOT NULL,
         record_hash BLOB NOT NULL, UNIQUE (source_name, record_hash))"
    ));
}

#[test]
fn a_bad_record_keeps_the_pages_before_it_and_nothing_of_its_own() {
    let site = Site::new();
    let first = answer(r#"{"id":1,"title":"a"},{"id":2,"title":"b"}"#);
    site.on_each("/things", vec![first, answer(r#"{"id":3,"title":"c"},{"id":"x4","title":"d"}"#)]);
    let hermes = hermes_with(&site, &typed(PAGED));
    let output = hermes.once();
    assert_eq!(output.code, Some(1), "{output}");
    assert_eq!(lines(&hermes, "SELECT id, title FROM things ORDER BY id"), ["1 'a'", "2 'b'"]);
    let text = message(&hermes);
    for part in ["page 2", "record 2", "id", "x4"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(output.stderr.contains("things: failed") && output.stderr.contains(&text), "{output}");
    let of_run = "SELECT status, pages, records, inserted FROM fetchlogs";
    assert_eq!(lines(&hermes, of_run), ["'failed' 1 2 2"], "only what was kept counts");
}

#[test]
fn a_null_in_a_column_that_forbids_it_fails_the_page_by_name() {
    let site = Site::new();
    let first = answer(r#"{"id":1,"title":"a"},{"id":2,"title":"b"}"#);
    site.on_each("/things", vec![first, answer(r#"{"id":3,"title":"c"},{"id":4,"title":null}"#)]);
    let hermes = hermes_with(&site, &things(PAGED));
    own_table(&hermes, "id INTEGER, title TEXT NOT NULL");
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(lines(&hermes, "SELECT id FROM things ORDER BY id"), ["1", "2"]);
    let text = message(&hermes);
    assert!(["page 2", "record 2", "NOT NULL", "title"].iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn a_check_of_the_users_table_fails_the_page_by_name() {
    let site = Site::new();
    site.on("/things", answer(r#"{"id":1,"title":"a"},{"id":2,"title":"b"},{"id":-3,"title":"c"}"#));
    let hermes = hermes_with(&site, &things(""));
    own_table(&hermes, "id INTEGER CHECK (id > 0), title TEXT");
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(hermes.count("things"), 0);
    let text = message(&hermes);
    assert!(["page 1", "record 3", "CHECK", "id"].iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn a_uniqueness_of_the_users_own_is_no_duplicate_but_fails_the_page() {
    let site = Site::new();
    site.on("/things", answer(r#"{"id":1,"title":"a"},{"id":1,"title":"b"}"#));
    let hermes = hermes_with(&site, &things(""));
    own_table(&hermes, "id INTEGER UNIQUE, title TEXT");
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(hermes.count("things"), 0);
    let text = message(&hermes);
    assert!(["record 2", "UNIQUE", "things.id"].iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn the_same_answer_twice_is_stored_once() {
    let site = Site::new();
    site.on("/things", answer(r#"{"id":1,"title":"a"},{"id":2,"title":"b"}"#));
    let hermes = hermes_with(&site, &things(""));
    hermes.once().done();
    again(&hermes).done();
    assert_eq!(site.count("/things"), 2);
    assert_eq!(lines(&hermes, "SELECT id, title FROM things ORDER BY id"), ["1 'a'", "2 'b'"]);
    let runs = "SELECT status, records, inserted FROM fetchlogs ORDER BY id";
    assert_eq!(lines(&hermes, runs), ["'completed' 2 2", "'completed' 2 0"]);
}

#[test]
fn the_first_of_two_records_with_the_same_unique_fields_stays() {
    let site = Site::new();
    site.on("/things", answer(r#"{"id":1,"title":"a"},{"id":1,"title":"b"},{"id":2,"title":"a"}"#));
    let hermes = hermes_with(&site, &things("unique: id\n"));
    hermes.once().done();
    assert_eq!(lines(&hermes, "SELECT id, title FROM things ORDER BY id"), ["1 'a'", "2 'a'"]);
}

#[test]
fn two_sources_of_one_table_have_the_same_record_each() {
    let site = Site::new();
    site.on("/things", answer(r#"{"id":1,"title":"a"}"#));
    let two = format!("{}---\n{}", things(""), things("").replace("name: things", "name: others"));
    let hermes = hermes_with(&site, &two);
    hermes.once().done();
    let rows = "SELECT source_name, id FROM things ORDER BY source_name";
    assert_eq!(lines(&hermes, rows), ["'others' 1", "'things' 1"]);
}

#[test]
fn unique_values_of_another_type_or_another_boundary_differ() {
    let site = Site::new();
    let records = r#"{"id":null,"title":"x"},{"id":"","title":"x"},{"id":1,"title":"x"},{"id":"1","title":"x"},
        {"id":"a","title":"bc"},{"id":"ab","title":"c"},{"id":1.5,"title":"x"},{"id":"1.5","title":"x"}"#;
    site.on("/things", answer(records));
    let hermes = hermes_with(&site, &things("unique: [id, title]\n"));
    hermes.once().done();
    again(&hermes).done();
    let want = ["null 'x'", "'' 'x'", "1 'x'", "'1' 'x'", "'a' 'bc'", "'ab' 'c'", "1.5 'x'", "'1.5' 'x'"];
    assert_eq!(lines(&hermes, "SELECT id, title FROM things ORDER BY rowid"), want);
}

#[test]
fn a_new_field_becomes_a_column_and_the_rows_before_it_stay() {
    let site = Site::new();
    site.on("/things", answer(r#"{"id":1,"title":"a","n":7},{"id":2,"title":"b","n":8}"#));
    let hermes = hermes_with(&site, &things("unique: id\n"));
    hermes.once().done();
    hermes.exec("DELETE FROM things WHERE id = 2");
    let wider = things("unique: id\n").replace("title: title", "title: title, n: n");
    hermes.write_source("source.yaml", &wider.replace("SITE", &site.authority()));
    again(&hermes).done();
    assert_eq!(lines(&hermes, "SELECT id, title, n FROM things ORDER BY id"), ["1 'a' null", "2 'b' 8"]);
}

#[test]
fn rows_older_than_the_days_kept_go_after_a_run() {
    let site = Site::new();
    let records = r#"{"id":1,"title":"a"},{"id":2,"title":"b"}"#;
    site.on_each("/things", vec![answer(records), answer(r#"{"id":3,"title":"c"}"#)]);
    let hermes = hermes_with(&site, &things("retention: { days: 90 }\n"));
    hermes.once().done();
    hermes.exec(
        "UPDATE things SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-91 days') WHERE id = 1;
         UPDATE things SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-89 days') WHERE id = 2",
    );
    again(&hermes).done();
    assert_eq!(lines(&hermes, "SELECT id FROM things ORDER BY id"), ["2", "3"]);
}

#[test]
fn rows_past_their_days_go_though_a_run_brings_nothing_new() {
    let site = Site::new();
    let records = r#"{"id":1,"title":"a"},{"id":2,"title":"b"}"#;
    site.on_each("/things", vec![answer(records), answer(r#"{"id":2,"title":"b"}"#)]);
    let hermes = hermes_with(&site, &things("retention: { days: 90 }\n"));
    hermes.once().done();
    hermes.exec("UPDATE things SET created_at = '2001-01-01T00:00:00.000Z' WHERE id = 1");
    again(&hermes).done();
    assert_eq!(lines(&hermes, "SELECT id FROM things ORDER BY id"), ["2"]);
}

#[test]
fn the_newest_rows_are_kept_and_other_sources_keep_theirs() {
    let site = Site::new();
    let records: Vec<String> = (1..=5).map(|n| format!(r#"{{"id":{n},"title":"t"}}"#)).collect();
    site.on("/things", answer(&records.join(",")));
    let other = things("").replace("name: things", "name: others");
    let hermes = hermes_with(&site, &format!("{}---\n{other}", things("retention: { rows: 2 }\n")));
    hermes.once().done();
    let rows = "SELECT id FROM things WHERE source_name = 'things' ORDER BY id";
    assert_eq!(lines(&hermes, rows), ["4", "5"]);
    assert_eq!(lines(&hermes, "SELECT count(*) FROM things WHERE source_name = 'others'"), ["5"]);
}
