//! What is said of a wrong name, a missing or refused secret, a database that cannot be used: each
//! with the next step.

use crate::sources::{document, shown, site, source, source_with};
use crate::util::{Hermes, Output, Reply, Site};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

fn fetched_once() -> Hermes {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("openaq-8118", &site.url("/a")));
    hermes.once().done();
    hermes
}

#[track_caller]
fn told(output: &Output, code: i32, text: &str) {
    assert_eq!(output.code, Some(code), "{output}");
    assert!(output.stderr.contains(text), "{output}");
}

#[test]
fn a_misspelt_name_suggests_the_nearest_in_every_command_that_takes_one() {
    let hermes = fetched_once();
    let commands = ["get", "status", "logs", "data", "delete", "pause", "resume", "reset", "run", "gaps"];
    for command in commands {
        let output = hermes.command(&[command, "opnaq-8118"]);
        told(&output, 2, "hermes: there is no source `opnaq-8118`; did you mean `openaq-8118`?\n");
    }
}

/// The message of a source that has to have a failure, in `status` and in `logs`.
#[track_caller]
fn messages(hermes: &Hermes) -> (String, String) {
    assert_eq!(hermes.once().code, Some(1));
    let text = |value: serde_json::Value| value.as_str().expect("a message").to_owned();
    let logs = hermes.command(&["logs", "a", "--json"]).json();
    (text(shown(hermes, "a", "last_error")), text(logs[0]["message"].clone()))
}

#[test]
fn a_refused_key_is_named_by_its_placeholder_and_the_details_are_in_the_log() {
    let (site, hermes) = (Site::new(), Hermes::new().env("OPENAQ_KEY", "s3cret-value"));
    site.on("/a", Reply::json(r#"{"detail": "no such key"}"#).status(403));
    let auth = "auth: { header: { name: X-API-Key, value: \"${env:OPENAQ_KEY}\" } }\n";
    hermes.write_source("p.yaml", &format!("kind: provider\ndomain: 127.0.0.1\n{auth}"));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let (status, log) = messages(&hermes);
    assert_eq!(status, "answered 403: the key in ${env:OPENAQ_KEY} is refused?");
    assert_eq!(log, format!("{status}; it says: {{\"detail\": \"no such key\"}}"));
}

#[test]
fn a_missing_secret_names_the_variable_and_the_document_that_wants_it() {
    let unset = "the environment variable NOPE is not set or empty; \
                 set it for the hermes process and start it again";
    let wants = "headers: { X-Key: \"${env:NOPE}\" }\n";
    let site = site(&["/a"]);
    let hermes = Hermes::new();
    hermes.write_source("air.yaml", &source_with("a", &site.url("/a"), wants));
    assert_eq!(messages(&hermes).0, format!("{unset} (in air.yaml)"));

    let hermes = Hermes::new();
    let file = document(&hermes, "by-hand.yaml", &source_with("a", &site.url("/a"), wants));
    hermes.command(&["add", file.to_str().unwrap()]).done();
    assert_eq!(messages(&hermes).0, format!("{unset} (in the source a, added by hermes add)"));

    let hermes = Hermes::new();
    let provider = "kind: provider\ndomain: 127.0.0.1\nauth: { bearer: \"${env:NOPE}\" }\n";
    hermes.write_source("limits.yaml", provider);
    hermes.write_source("air.yaml", &source("a", &site.url("/a")));
    let want = format!("no credentials for 127.0.0.1: {unset} (in limits.yaml)");
    assert_eq!(messages(&hermes).0, want);
    assert_eq!(site.asked().len(), 0);
}

#[test]
fn a_file_that_is_no_database_of_hermes_is_left_alone() {
    for (why, code, text) in [
        ("text", 1, "file is not a database; this file is no SQLite database: give another with --db"),
        ("folder", 2, "is a folder: give a file with --db"),
        ("version", 2, "is a database of another program (user_version 7, and no table `fetchlogs`)"),
        (
            "application",
            2,
            "is a database of another program (application_id 42): give another file with --db",
        ),
    ] {
        let hermes = Hermes::new();
        match why {
            "text" => fs::write(hermes.db_path(), "no database, but a text that is long enough").unwrap(),
            "folder" => fs::create_dir(hermes.db_path()).unwrap(),
            "version" => hermes.exec("PRAGMA user_version = 7; CREATE TABLE mine (a)"),
            _ => hermes.exec("PRAGMA application_id = 42; CREATE TABLE mine (a)"),
        }
        let before = fs::read(hermes.db_path()).ok();
        for output in [hermes.once(), hermes.command(&["list"]), hermes.command(&["pause", "a"])] {
            told(&output, code, text);
        }
        assert_eq!(fs::read(hermes.db_path()).ok(), before, "{why}");
    }
}

#[test]
fn a_table_of_the_user_by_a_name_of_hermes_is_named() {
    let hermes = Hermes::new();
    hermes.exec("CREATE TABLE clients (a)");
    told(&hermes.once(), 2, "has a table `clients` that is not Hermes': give another file with --db");
    assert_eq!(hermes.count("sqlite_master"), 1);
}

#[test]
fn a_database_that_another_program_holds_says_so() {
    let hermes = fetched_once();
    let holder = rusqlite::Connection::open(hermes.db_path()).unwrap();
    holder
        .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE generation SET value = 9")
        .unwrap();
    let told_by = hermes.command(&["pause", "openaq-8118"]);
    told(&told_by, 1, "another program holds the database: close its transaction and try again");
}

fn set_modes(hermes: &Hermes, folder: u32, file: u32) {
    fs::set_permissions(hermes.db_path(), Permissions::from_mode(file)).unwrap();
    fs::set_permissions(hermes.dir(), Permissions::from_mode(folder)).unwrap();
}

#[test]
fn who_may_not_write_the_folder_reads_all_the_same() {
    let hermes = fetched_once();
    set_modes(&hermes, 0o555, 0o444);
    let list = hermes.as_nobody(&["list", "--json"]);
    let pause = hermes.as_nobody(&["pause", "openaq-8118"]);
    set_modes(&hermes, 0o755, 0o644);
    let (Some(list), Some(pause)) = (list, pause) else { return };
    assert_eq!(list.json()[0]["rows"], 2);
    told(&pause, 1, "this user may not write ");
    told(&pause, 1, "run hermes as its owner, or let this user in (it belongs to uid ");
}

#[test]
fn who_may_not_read_the_file_is_told_whose_it_is() {
    let hermes = fetched_once();
    set_modes(&hermes, 0o755, 0o000);
    let list = hermes.as_nobody(&["list"]);
    set_modes(&hermes, 0o755, 0o644);
    let Some(list) = list else { return };
    told(&list, 1, "this user may not read ");
    told(&list, 1, "(it belongs to uid ");
}
