//! What is tried: files of several documents, standard input, and what stands in other files or in the
//! database.

use super::{names, try_file};
use crate::sources::{document, records, site, source};
use crate::util::{Hermes, Reply, Site};
use serde_json::json;
use std::fs;

#[test]
fn each_source_of_a_file_is_tried_or_the_one_that_is_named() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    let yaml = format!("{}---\n{}", source("air", &site.url("/a")), source("bus", &site.url("/b")));
    let output = try_file(&hermes, &yaml, &[]);
    assert!(output.done().starts_with("source    air\n"), "{output}");
    assert!(output.stdout.contains("\n\nsource    bus\n"), "{output}");
    assert_eq!(site.asked_paths(), ["/a", "/b"]);
    let both = try_file(&hermes, &yaml, &["--json"]).json();
    assert_eq!((&both[0]["source"], &both[1]["source"]), (&json!("air"), &json!("bus")));
    assert_eq!(both[1]["records"], 2);
    let one = try_file(&hermes, &yaml, &["--source", "bus", "--json"]).json();
    assert_eq!(one["source"], "bus");
    let output = try_file(&hermes, &yaml, &["--source", "bsu"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("a.yaml has no source `bsu`; did you mean `bus`?"), "{output}");
    let output = try_file(&hermes, "kind: handler\nname: bulk\n", &[]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("a.yaml has no source to try"), "{output}");
}

#[test]
fn one_source_that_does_not_work_hides_no_other() {
    let (hermes, site) = (Hermes::new(), site(&["/b"]));
    let yaml = format!("{}---\n{}", source("air", &site.url("/a")), source("bus", &site.url("/b")));
    let output = try_file(&hermes, &yaml, &[]);
    assert_eq!(output.code, Some(1), "{output}");
    assert!(output.stdout.contains("problem   answered 404"), "{output}");
    assert!(output.stdout.contains("record 2\n"), "{output}");
}

#[test]
fn a_dash_is_standard_input() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let file = document(&hermes, "input", &source("air", &site.url("/a")));
    assert!(hermes.fed(&file, &["try", "-"]).done().starts_with("source    air\n"));
    let bad = document(&hermes, "input", "name: A\n");
    let output = hermes.fed(&bad, &["try", "-"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stdout.starts_with("/dev/stdin:1:"), "{output}");
}

const CLIENT: &str =
    "kind: client\nname: items\ntable: items\nresponse: { fields: { id: id, title: title } }\n";

fn provider(key: &str) -> String {
    format!("kind: provider\ndomain: 127.0.0.1\nauth: {{ header: {{ name: X-Key, value: {key} }} }}\n")
}

fn made(site: &Site) -> String {
    format!("name: a\nclient: items\nurl: \"{}\"\n", site.url("/a"))
}

#[test]
fn clients_and_providers_are_found_in_the_database_the_folders_and_the_file() {
    let site = site(&["/a"]);
    let sent = || site.asked().last().unwrap().header("X-Key").map(str::to_owned);

    // Of the file itself.
    let hermes = Hermes::new();
    let yaml = format!("{}---\n{CLIENT}---\n{}", made(&site), provider("own"));
    try_file(&hermes, &yaml, &[]).done();
    assert_eq!(sent().as_deref(), Some("own"));

    // Of a file beside it, and of the folder of --sources.
    let hermes = Hermes::new();
    document(&hermes, "client.yaml", CLIENT);
    hermes.write_source("p.yaml", &provider("folder"));
    try_file(&hermes, &made(&site), &[]).done();
    assert_eq!(sent().as_deref(), Some("folder"));

    // Of the database, which stays as it is.
    let hermes = Hermes::new();
    let file = document(&hermes, "both.yml", &format!("{CLIENT}---\n{}", provider("database")));
    hermes.command(&["add", file.to_str().unwrap()]).done();
    fs::remove_file(file).unwrap();
    let (before, files) = (fs::read(hermes.db_path()).unwrap(), names(&hermes));
    try_file(&hermes, &made(&site), &[]).done();
    assert_eq!(sent().as_deref(), Some("database"));
    assert_eq!(fs::read(hermes.db_path()).unwrap(), before);
    assert_eq!(names(&hermes).len(), files.len() + 1, "only a.yaml is new");
    assert_eq!((hermes.count("source_definitions"), hermes.count("fetchlogs")), (0, 0));

    // The file's own wins.
    let yaml = format!("{}---\n{}", made(&site), provider("own"));
    try_file(&hermes, &yaml, &[]).done();
    assert_eq!(sent().as_deref(), Some("own"));
}

#[test]
fn a_deployment_says_when_it_runs_and_what_for() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", records(1));
    let deployment =
        "kind: deployment\nname: late\nschedule: \"0 3 * * *\"\ntemporalOffset: 24\nsources: [a]\n";
    hermes.write_source("late.yaml", deployment);
    let yaml = crate::sources::source_with("a", &site.url("/a"), "params: { day: \"${window.to|%H:%M}\" }\n");
    let found = try_file(&hermes, &yaml, &["--json"]).json();
    assert_eq!((&found["schedules"], &found["requests_per_day"]), (&json!(["0 3 * * *"]), &json!(1)));
    let slots = found["next_slots"].as_array().unwrap();
    assert!(slots.iter().all(|slot| slot.as_str().unwrap().ends_with("T03:00:00.000Z")), "{slots:?}");
    assert!(site.asked()[0].param("day").is_some());
}

#[test]
fn a_token_is_got_as_in_a_run() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    site.on("/token", Reply::json(r#"{"access_token":"t0ken-value","expires_in":60}"#));
    let auth = format!(
        "auth: {{ oauth2: {{ tokenUrl: \"{}\", clientId: me, clientSecret: x }} }}\n",
        site.url("/token")
    );
    let yaml = format!("{}---\nkind: provider\ndomain: 127.0.0.1\n{auth}", source("a", &site.url("/a")));
    let output = try_file(&hermes, &yaml, &[]);
    assert!(output.done().contains("/a, Authorization: ***\n"), "{output}");
    assert_eq!(site.asked()[1].header("Authorization"), Some("Bearer t0ken-value"));
    assert!(!output.stdout.contains("t0ken"), "{output}");
}
