//! Commands that only look: what they show, and that they change nothing.

use super::refused;
use crate::sources::{document, records, site, source, source_with};
use crate::util::{Hermes, Reply, Site};
use std::fs;

const READING: [&[&str]; 10] = [
    &["list"],
    &["list", "--json"],
    &["get", "a"],
    &["status"],
    &["status", "a", "--json"],
    &["logs"],
    &["logs", "a", "--json"],
    &["data", "a"],
    &["export", "a"],
    &["export", "a", "--format", "ndjson"],
];

fn fetched_once() -> Hermes {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    hermes
}

#[test]
fn reading_commands_leave_the_database_as_it_is() {
    let hermes = fetched_once();
    let path = hermes.db_path();
    let state = || (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    let before = state();
    for args in READING {
        hermes.command(args).done();
    }
    assert!(state() == before, "the bytes or the time of the file changed");
}

#[test]
fn commands_on_a_database_that_is_not_there_are_refused_and_make_none() {
    let hermes = Hermes::new();
    let file = document(&hermes, "a.yaml", &source("a", "http://127.0.0.1:9/"));
    let changing: [&[&str]; 5] = [
        &["update", file.to_str().unwrap()],
        &["delete", "a"],
        &["pause", "a"],
        &["resume", "a"],
        &["reset", "a"],
    ];
    for args in READING.into_iter().chain(changing) {
        refused(&hermes, args, "there is no database");
        assert!(!hermes.db_path().exists(), "{args:?}");
    }
}

#[test]
fn commands_on_a_database_without_anything_of_hermes_are_refused() {
    let hermes = Hermes::new();
    hermes.exec("CREATE TABLE mine (a)");
    for args in READING.into_iter().chain([&["pause", "a"][..]]) {
        refused(&hermes, args, "holds nothing of Hermes yet");
    }
    assert_eq!(hermes.count("sqlite_master"), 1);
}

#[test]
fn names_that_nobody_knows_are_refused() {
    let hermes = fetched_once();
    for command in ["get", "status", "logs", "data", "delete", "pause", "resume", "reset"] {
        refused(&hermes, &[command, "nobody"], "there is no source `nobody`; `hermes list` names them all");
    }
}

#[test]
fn get_shows_the_placeholder_and_never_the_secret() {
    let (hermes, site) = (Hermes::new().env("TOKEN", "s3cret-value"), site(&["/a"]));
    let headers = "headers: { X-Key: \"${env:TOKEN}\" }\n";
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), headers));
    let once = hermes.once();
    once.done();
    assert_eq!(site.asked()[0].header("X-Key"), Some("s3cret-value"));
    let text = hermes.command(&["get", "a"]);
    assert!(text.done().contains("${env:TOKEN}"), "{text}");
    let json = hermes.command(&["get", "a", "--json"]);
    assert_eq!(json.json()["definition"]["headers"]["X-Key"], "${env:TOKEN}");
    let others = READING.map(|args| hermes.command(args));
    for output in others.iter().chain([&once, &text, &json]) {
        assert!(!format!("{output}").contains("s3cret-value"), "{output}");
    }
}

#[test]
fn what_get_shows_can_be_given_to_add() {
    let hermes = fetched_once();
    let text = hermes.command(&["get", "a"]).done().replace("name: a\n", "name: copy\n");
    let file = document(&hermes, "copy.yaml", &text);
    assert_eq!(hermes.command(&["add", file.to_str().unwrap()]).done(), "source copy added\n");
}

#[test]
fn data_is_newest_first_and_as_much_as_asked_for() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", records(2));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    site.on("/a", records(3));
    hermes.command(&["reset", "a"]).done();
    hermes.once().done();
    let rows = hermes.command(&["data", "a", "--json"]).json();
    let ids: Vec<i64> = rows.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
    assert_eq!((ids[0], ids.len()), (3, 3));
    assert_eq!(rows[0]["title"], "record 3");
    assert_eq!(super::names(&rows[0]), ["created_at", "id", "source_name", "title"]);
    let rows = hermes.command(&["data", "a", "--limit", "1", "--json"]).json();
    assert_eq!((rows.as_array().map(Vec::len), &rows[0]["id"]), (Some(1), &3.into()));
    let table = hermes.command(&["data", "a"]);
    assert!(table.done().starts_with("id  title"), "{table}");
}

#[test]
fn control_characters_of_an_answer_do_not_reach_the_terminal() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"[{"id": 1, "title": "\u001b[31mred"}]"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    let table = hermes.command(&["data", "a"]);
    assert!(table.done().contains(" [31mred") && !table.stdout.contains('\u{1b}'), "{table}");
}
