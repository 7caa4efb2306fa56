//! A client that changes, goes and comes back: what that means for the sources made from it, and for no other.

use super::{client, client_with, station};
use crate::sources::{document, records, rows_of, shown, site, source};
use crate::util::{Hermes, Reply, Site, lines};
use serde_json::json;

fn updated_at(hermes: &Hermes, name: &str) -> String {
    hermes.query(&format!("SELECT updated_at FROM source_definitions WHERE name = '{name}'"))
}

#[test]
fn a_change_of_the_mapping_reaches_its_sources_and_no_other() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/stations/2", "/other"]));
    for path in ["/stations/1", "/stations/2"] {
        site.on(path, Reply::json(json!([{ "id": 1, "title": "one", "pm": 7 }])));
    }
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("s.yaml", &format!("{}---\n{}", station("a", "1"), station("b", "2")));
    hermes.write_source("other.yaml", &source("other", &site.url("/other")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("all rows", || hermes.count("items") == 4);
    let before = ["a", "b", "other"].map(|name| updated_at(&hermes, name));

    hermes.write_source("c.yaml", &client(&site).replace("title: title }", "title: title, pm: pm }"));
    daemon.until_logged("c.yaml: source b updated");
    let columns = "SELECT name FROM pragma_table_info('items') WHERE name = 'pm'";
    assert_eq!(lines(&hermes, columns), ["'pm'"]);
    assert!(daemon.log().contains("c.yaml: source a updated"));
    assert!(!daemon.log().contains("source other updated"));
    let after = ["a", "b", "other"].map(|name| updated_at(&hermes, name));
    assert!(before[0] != after[0] && before[1] != after[1], "{after:?}");
    assert_eq!(before[2], after[2]);

    for name in ["a", "b"] {
        hermes.command(&["reset", name]).done();
    }
    let stored = "SELECT source_name, pm FROM items WHERE pm IS NOT NULL ORDER BY 1";
    daemon.until("the new column", || lines(&hermes, stored) == ["'a' 7", "'b' 7"]);
    assert_eq!((site.count("/stations/1"), site.count("/stations/2"), site.count("/other")), (2, 2, 1));
}

#[test]
fn a_client_dropped_after_its_source_brings_it_to_life() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
    hermes.write_source("a.yaml", &station("a", "1"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until_logged("a.yaml:2:9: client: there is no client `stations`");
    // It is said a moment before it is written down.
    let told = || hermes.command(&["status"]).done().contains("a.yaml:2:9: client:");
    daemon.until("the problem in status", told);
    hermes.write_source("c.yaml", &client(&site));
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
    assert!(!hermes.command(&["status"]).done().contains("problems in files"));
}

#[test]
fn files_that_are_there_at_once_find_each_other_in_any_order() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/stations/2"]));
    // A client whose file also holds a source of the one after it.
    let second = client(&site).replace("name: stations", "name: second");
    hermes.write_source("a.yaml", &station("a", "1"));
    hermes.write_source("b.yaml", &format!("{second}---\n{}", station("b", "2")));
    hermes.write_source("c.yaml", &client(&site));
    let output = hermes.once();
    output.done();
    assert_eq!((rows_of(&hermes, "a"), rows_of(&hermes, "b")), (2, 2));
    assert!(!output.stderr.contains("there is no client"), "{output}");
}

#[test]
fn sources_without_their_client_are_invalid_until_it_is_back() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/other"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("a.yaml", &station("a", "1"));
    hermes.write_source("other.yaml", &source("other", &site.url("/other")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("all rows", || hermes.count("items") == 4);

    hermes.remove_source("c.yaml");
    daemon.until_logged("client stations is gone: a cannot run until it is back");
    assert_eq!(
        (shown(&hermes, "a", "state"), shown(&hermes, "other", "state")),
        (json!("invalid"), json!("idle"))
    );
    let error = shown(&hermes, "a", "last_error");
    assert!(error.as_str().unwrap().contains("there is no client `stations`"), "{error}");
    assert_eq!(rows_of(&hermes, "a"), 2);
    let output = hermes.command(&["reset", "a"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("there is no client `stations`"), "{output}");
    assert!(hermes.command(&["get", "a"]).done().starts_with("name: a\nclient: stations\n"));

    hermes.write_source("again.yaml", &client(&site));
    daemon.until("it is back", || shown(&hermes, "a", "state") == "idle");
    daemon.until("its error is forgotten", || {
        hermes.try_query::<String>("SELECT error FROM source_definitions WHERE name = 'a'").is_none()
    });
    hermes.command(&["reset", "a"]).done();
    daemon.until("it runs again", || site.count("/stations/1") == 2);
    assert_eq!(site.count("/other"), 1);
}

#[test]
fn a_client_that_moves_to_another_file_is_never_gone() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("a.yaml", &station("a", "1"));
    hermes.once().done();
    hermes.remove_source("c.yaml");
    hermes.write_source("moved.yaml", &client(&site));
    let output = hermes.once();
    output.done();
    assert!(!output.stderr.contains("client stations is gone"), "{output}");
    assert_eq!(shown(&hermes, "a", "state"), "idle");
    assert_eq!(hermes.query::<String>("SELECT origin FROM clients"), "moved.yaml");
}

#[test]
fn a_source_paused_by_hand_stays_so_whatever_its_client_does() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/stations/2"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("s.yaml", &format!("{}---\n{}", station("a", "1"), station("b", "2")));
    hermes.once().done();
    hermes.command(&["pause", "a"]).done();
    let statuses = || [shown(&hermes, "a", "status"), shown(&hermes, "b", "status")];
    for (lines, want) in [
        ("description: other\n", ["paused", "active"]),
        ("status: paused\n", ["paused", "paused"]),
        ("status: active\n", ["active", "active"]),
    ] {
        hermes.write_source("c.yaml", &client_with(&site, lines));
        hermes.once().done();
        assert_eq!(statuses(), want, "{lines}");
    }
    hermes.command(&["pause", "a"]).done();
    hermes.remove_source("c.yaml");
    hermes.once().done();
    hermes.write_source("c.yaml", &client_with(&site, "description: back\n"));
    hermes.once().done();
    assert_eq!(statuses(), ["paused", "active"]);
}

#[test]
fn a_client_changed_by_sql_is_what_the_next_run_asks() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/new/1"]));
    let (c, a) =
        (document(&hermes, "c.yaml", &client(&site)), document(&hermes, "a.yaml", &station("a", "1")));
    hermes.command(&["add", c.to_str().unwrap(), a.to_str().unwrap()]).done();
    hermes.once().done();
    hermes.exec("UPDATE clients SET definition = replace(definition, '/stations/', '/new/')");
    hermes.command(&["reset", "a"]).done();
    hermes.once().done();
    assert_eq!(site.asked_paths(), ["/stations/1", "/new/1"]);
}

#[test]
fn a_running_daemon_follows_the_schedule_of_a_client() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/other"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("a.yaml", &station("a", "1"));
    hermes.write_source("other.yaml", &source("other", &site.url("/other")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("all rows", || hermes.count("items") == 4);
    hermes.write_source("c.yaml", &client(&site).replace("hourly", "interval:1s"));
    daemon.until("it runs often", || site.count("/stations/1") >= 3);
    assert_eq!(shown(&hermes, "a", "schedule"), "interval:1s");
    assert_eq!(site.count("/other"), 1);
}

#[test]
fn a_new_source_is_made_from_its_client_as_it_is_now() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.once().done();
    hermes.write_source("a.yaml", &station("a", "1"));
    hermes.write_source("c.yaml", &client(&site).replace("table: items", "table: fresh"));
    hermes.once().done();
    assert_eq!(hermes.count("fresh"), 2);
    assert_eq!(hermes.rows("SELECT name FROM sqlite_master WHERE name = 'items'").len(), 0);
}
