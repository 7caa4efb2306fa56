//! What would run now or at a time, and why not what would not. Looking changes nothing.

mod queue;

use crate::scene::{completed, jobs, source};
use crate::util::{Gate, Hermes, Output, Reply, Site};
use serde_json::Value;
use std::fs;
use std::time::SystemTime;

/// Of an address that nothing listens on: no test here may fetch it.
const NOWHERE: &str = "http://127.0.0.1:9/";

/// Adds documents without a daemon and without a file in `sources.d`.
#[track_caller]
fn add(hermes: &Hermes, documents: &[String]) {
    let file = hermes.dir().join("added.yaml");
    fs::write(&file, documents.join("---\n")).unwrap();
    hermes.command(&["add", file.to_str().unwrap()]).done();
    fs::remove_file(file).unwrap();
}

#[track_caller]
fn rows(output: &Output) -> Vec<Value> {
    output.json().as_array().expect("an array").clone()
}

#[track_caller]
fn row<'a>(rows: &'a [Value], deployment: &str) -> &'a Value {
    let found: Vec<&Value> = rows.iter().filter(|row| row["deployment"] == deployment).collect();
    assert_eq!(found.len(), 1, "rows of {deployment} in {rows:?}");
    found[0]
}

/// Now, moved by a modifier of SQLite's.
fn time(hermes: &Hermes, modifier: &str) -> String {
    hermes.query(&format!("SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '{modifier}')"))
}

/// `prefix` at `slot`, to the minute.
fn key(prefix: &str, slot: &str) -> String {
    let digits: String = slot.chars().filter(char::is_ascii_digit).take(12).collect();
    format!("{}/{prefix}/{prefix}-{digits}", &slot[..10])
}

/// A job of the slot an hour ago, which failed `count` times; its next attempt is so far from now.
fn fail_by_hand(hermes: &Hermes, name: &str, count: u32, next: &str) {
    hermes.exec(&format!(
        "INSERT INTO fetchlogs (key, source_name, deployment, handler, status, attempt, scheduled_datetime,
                                queued_datetime, started_datetime, completed_datetime, message)
         SELECT strftime('%Y-%m-%d/{name}/{name}-%Y%m%d%H%M', slot), '{name}', '{name}', 'default', 'failed',
                {count}, slot, slot, slot, slot, 'no'
         FROM (SELECT strftime('%Y-%m-%dT%H:%M:00.000Z', 'now', '-1 hour') AS slot);
         INSERT INTO retries VALUES ('{name}', {count}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 hour'),
                                     strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '{next}'));"
    ));
}

/// Every file of the directory: name, bytes, time.
fn files(hermes: &Hermes) -> Vec<(String, Vec<u8>, SystemTime)> {
    let mut files: Vec<_> = fs::read_dir(hermes.dir())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.metadata().unwrap().is_file())
        .map(|entry| {
            let modified = entry.metadata().unwrap().modified().unwrap();
            (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap(), modified)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn each_row_has_the_columns_of_the_contract_and_what_is_due_would_be_queued() {
    let hermes = Hermes::new();
    add(&hermes, &[source("a", NOWHERE, "hourly") + "handler: bulk\n"]);
    let ready = rows(&hermes.command(&["ready", "--json"]));
    assert_eq!(ready.len(), 1, "{ready:?}");
    let mut columns: Vec<&String> = ready[0].as_object().unwrap().keys().collect();
    columns.sort();
    assert_eq!(columns, ["deployment", "handler", "key", "reason", "slot", "sources", "will_queue"]);
    let slot = ready[0]["slot"].as_str().unwrap();
    assert!(slot.ends_with(":00.000Z") && slot <= time(&hermes, "+0 seconds").as_str(), "{slot}");
    assert_eq!(ready[0]["key"], key("a", slot));
    assert_eq!(ready[0]["sources"], serde_json::json!(["a"]));
    assert_eq!((&ready[0]["handler"], &ready[0]["will_queue"]), (&"bulk".into(), &true.into()));
    assert_eq!(ready[0]["reason"], Value::Null);
    let table = hermes.command(&["ready"]);
    let head = table.done().lines().next().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(head, ["deployment", "slot", "key", "handler", "sources", "will_queue", "reason"]);
}

#[test]
fn what_would_not_run_has_its_reason() {
    let hermes = Hermes::new();
    let hourly = |name: &str| source(name, NOWHERE, "hourly");
    add(
        &hermes,
        &[
            hourly("paused") + "status: paused\n",
            hourly("flying"),
            hourly("failing"),
            hourly("spent"),
            source("limited", "http://limited.example/", "hourly"),
            "kind: provider\ndomain: limited.example\nlimits: [ { requests: 1, per: 1h } ]\n".to_owned(),
            hourly("fine"),
        ],
    );
    hermes.exec(
        "INSERT INTO fetchlogs (key, source_name, deployment, handler, scheduled_datetime, queued_datetime)
         VALUES ('k', 'flying', 'flying', 'default', strftime('%Y-%m-%dT%H:%M:00.000Z', 'now', '-1 hour'),
                 strftime('%Y-%m-%dT%H:%M:%fZ'));
         INSERT INTO rate_limiter_state VALUES ('limited.example', 3600, strftime('%Y-%m-%dT%H:%M:%fZ'), 1);
         INSERT INTO deployments (name, schedule) VALUES ('empty', 'hourly');",
    );
    fail_by_hand(&hermes, "failing", 1, "+2 minutes");
    fail_by_hand(&hermes, "spent", 5, "+32 minutes");
    let ready = rows(&hermes.command(&["ready", "--json"]));
    for (name, reason) in [
        ("paused", "paused"),
        ("flying", "queued or running"),
        ("failing", "backoff until 2"),
        ("spent", "exhausted until 2"),
        ("limited", "rate-limited until 2"),
        ("empty", "no sources"),
    ] {
        let row = row(&ready, name);
        assert_eq!(row["will_queue"], false, "{row}");
        assert!(row["reason"].as_str().unwrap().contains(reason), "{row}");
    }
    assert_eq!(row(&ready, "empty")["sources"], serde_json::json!([]));
    assert_eq!(row(&ready, "fine")["will_queue"], true);

    // Only what would be queued is: never a deployment without sources.
    let queued = rows(&hermes.command(&["queue", "--json"]));
    assert_eq!((queued.len(), &queued[0]["deployment"]), (1, &"fine".into()), "{queued:?}");
    assert_eq!(hermes.count("fetchlogs WHERE deployment = 'empty'"), 0);
}

#[test]
fn a_time_to_come_shows_what_will_be_due_then() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[]}"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    hermes.once().done();
    assert_eq!(rows(&hermes.command(&["ready", "--json"])), [] as [Value; 0]);
    let in_an_hour = rows(&hermes.command(&["ready", "--at", &time(&hermes, "+61 minutes"), "--json"]));
    let row = row(&in_an_hour, "a");
    let want: String =
        hermes.query("SELECT strftime('%Y-%m-%dT%H:%M:%fZ', scheduled_datetime, '+1 hour') FROM fetchlogs");
    assert_eq!((row["slot"].as_str().unwrap(), &row["will_queue"]), (want.as_str(), &true.into()));
    assert_eq!(row["key"], key("a", &want));
}

#[test]
fn a_pending_retry_is_shown_with_the_key_of_its_job() {
    let hermes = Hermes::new();
    add(&hermes, &[source("a", NOWHERE, "interval:10m")]);
    fail_by_hand(&hermes, "a", 1, "+2 minutes");
    let failed: String = hermes.query("SELECT key FROM fetchlogs");
    let waits = rows(&hermes.command(&["ready", "--json"]));
    let waits = row(&waits, "a");
    assert_eq!((&waits["key"], &waits["will_queue"]), (&failed.as_str().into(), &false.into()), "{waits}");
    let later = rows(&hermes.command(&["ready", "--at", &time(&hermes, "+3 minutes"), "--json"]));
    let later = row(&later, "a");
    assert_eq!((&later["key"], &later["will_queue"]), (&failed.as_str().into(), &true.into()), "{later}");
    assert_eq!(later["reason"], "attempt 2");
}

#[test]
fn looking_changes_no_file() {
    let hermes = Hermes::new();
    add(&hermes, &[source("a", NOWHERE, "hourly"), source("b", NOWHERE, "hourly")]);
    fail_by_hand(&hermes, "b", 1, "+2 minutes");
    let before = files(&hermes);
    for args in [&["ready"][..], &["ready", "--json"], &["ready", "--at", "2036-01-01T00:00:00Z"]] {
        hermes.command(args).done();
        let (same, new): (Vec<_>, Vec<_>) =
            files(&hermes).into_iter().partition(|file| before.contains(file));
        assert_eq!(same.len(), before.len(), "{args:?} has changed a file");
        // SQLite's own, beside a database that it may only read: its locks, and a log without a record.
        let is_sqlites = |name: &str, len| name.ends_with("-shm") || (name.ends_with("-wal") && len == 0);
        assert!(new.iter().all(|(name, bytes, _)| is_sqlites(name, bytes.len())), "{args:?} has made a file");
    }
}

#[test]
fn looking_while_a_daemon_runs_shows_its_run_and_changes_nothing() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, Reply::json(r#"{"data":[]}"#)));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    let daemon = hermes.start(&[]);
    daemon.until("the run in its middle", || gate.waiting() == 1);
    // Readers leave their marks in the shared memory.
    let on_disk =
        || files(&hermes).into_iter().filter(|(name, ..)| !name.ends_with("-shm")).collect::<Vec<_>>();
    let before = on_disk();
    let ready = rows(&hermes.command(&["ready", "--json"]));
    assert_eq!(row(&ready, "a")["will_queue"], false);
    assert!(row(&ready, "a")["reason"].as_str().unwrap().contains("running"), "{ready:?}");
    assert!(on_disk() == before, "a file has changed");
    gate.open();
    daemon.until("the run to end", || completed(&hermes, "a") == 1);
    assert_eq!((jobs(&hermes, "a").len(), rows(&hermes.command(&["ready", "--json"])).len()), (1, 0));
}

#[test]
fn a_time_that_is_none_is_refused() {
    let hermes = Hermes::new();
    add(&hermes, &[source("a", NOWHERE, "hourly")]);
    for command in ["ready", "queue"] {
        for text in ["tomorrow", "2026-13-01T00:00:00Z", ""] {
            let output = hermes.command(&[command, "--at", text]);
            assert_eq!(
                (output.code, output.stdout.as_str()),
                (Some(2), ""),
                "{command} --at {text:?}: {output}"
            );
            assert!(output.stderr.contains("--at"), "{output}");
        }
    }
    assert_eq!(hermes.count("fetchlogs"), 0);
}
