//! Sources and clients that do not fit each other: who is told, where, and that all others go on.

use super::{client, client_with, station};
use crate::sources::{document, rows_of, shown, site, source};
use crate::util::{Hermes, Site};

#[test]
fn a_missing_and_an_unused_value_are_told_at_their_lines() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("good.yaml", &station("good", "1"));
    hermes.write_source("bad.yaml", "name: bad\nclient: stations\nwith:\n  statoin: 2\n");
    let output = hermes.once();
    output.done();
    for line in [
        "bad.yaml:4:3: with.station: `station` is missing: the client `stations` has ${with.station}",
        "bad.yaml:4:3: with.statoin: the client `stations` has no ${with.statoin}; did you mean `station`?",
    ] {
        assert!(output.stderr.contains(line), "{line} in {output}");
    }
    assert_eq!((rows_of(&hermes, "good"), hermes.count("source_definitions")), (2, 1));
}

#[test]
fn a_source_that_its_changed_client_leaves_behind_is_invalid_until_it_follows() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("a.yaml", &station("a", "1"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
    hermes.write_source("c.yaml", &client_with(&site, "params: { lang: \"${with.lang}\" }\n"));
    daemon.until_logged("source a cannot run with this client");
    daemon.until("it is invalid", || shown(&hermes, "a", "state") == "invalid");
    let error = shown(&hermes, "a", "last_error");
    assert!(error.as_str().unwrap().contains("with.lang: `lang` is missing"), "{error}");

    hermes.write_source("a.yaml", "name: a\nclient: stations\nwith: { station: 1, lang: en }\n");
    daemon.until("it follows", || shown(&hermes, "a", "state") == "idle");
    hermes.command(&["reset", "a"]).done();
    daemon.until("it asks with it", || site.count("/stations/1") == 2);
    assert_eq!(site.asked_for("/stations/1")[1].param("lang"), Some("en"));
}

#[test]
fn a_client_that_moves_the_rows_of_a_source_is_refused() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("a.yaml", &station("a", "1"));
    hermes.once().done();
    hermes.write_source("c.yaml", &client(&site).replace("table: items", "table: elsewhere"));
    let output = hermes.once();
    output.done();
    let told = "c.yaml:1:1: table: source a: the rows of `a` are in `items`; keep that table";
    assert!(output.stderr.contains(told), "{output}");
    assert_eq!(shown(&hermes, "a", "state"), "idle");

    // The source keeps its table: then the client may have another.
    hermes.write_source("a.yaml", &(station("a", "1") + "table: items\n"));
    hermes.once().done();
    assert!(!hermes.command(&["status"]).done().contains("problems in files"));
    assert!(hermes.query::<String>("SELECT definition FROM clients").contains("elsewhere"));
}

#[test]
fn a_bad_client_changes_nothing() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("a.yaml", &station("a", "1"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
    hermes.write_source("c.yaml", &client_with(&site, "shedule: daily\n"));
    daemon.until_logged("c.yaml:7:1: shedule: there is no key `shedule`; did you mean `schedule`?");
    hermes.command(&["reset", "a"]).done();
    daemon.until("it runs on", || site.count("/stations/1") == 2);
}

#[test]
fn a_second_client_of_the_same_name_is_refused() {
    let (hermes, site) = (Hermes::new(), Site::new());
    hermes.write_source("a.yaml", &client(&site));
    hermes.write_source("b.yaml", &client(&site));
    let output = hermes.once();
    output.done();
    assert!(output.stderr.contains("b.yaml:1:1: name: `stations` is defined by a.yaml already"), "{output}");
    let file = document(&hermes, "mine.yaml", &client(&site));
    let output = hermes.command(&["add", file.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    // A source may have that name.
    hermes.write_source("c.yaml", &(source("stations", "http://127.0.0.1:9/") + "status: paused\n"));
    hermes.once().done();
    assert_eq!(shown(&hermes, "stations", "state"), "paused");
}

#[test]
fn a_client_that_sql_broke_stops_its_sources_and_no_other() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/other"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("a.yaml", &station("a", "1"));
    hermes.write_source("other.yaml", &source("other", &site.url("/other")));
    hermes.once().done();
    hermes.exec("UPDATE clients SET definition = x'00ff'");
    hermes.once().done();
    assert_eq!(shown(&hermes, "other", "state"), "idle");
    let error = shown(&hermes, "a", "last_error");
    assert!(error.as_str().unwrap().contains("the client `stations` has a problem of its own"), "{error}");
}
