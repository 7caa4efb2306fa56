//! Sources made from a client: what they ask and store, what people see of them. Its changes and what
//! does not fit are in the submodules. Not here: every message of a document, which the unit tests have.

mod changes;
mod misfits;

use crate::sources::{document, records, rows_of, shown, site, source};
use crate::util::{Hermes, Reply, Site};
use serde_json::json;

/// A client `stations`: two fields of `/stations/${with.station}` into the table `items`.
pub fn client(site: &Site) -> String {
    client_with(site, "")
}

/// The same with some lines more.
pub fn client_with(site: &Site, lines: &str) -> String {
    format!(
        "kind: client\nname: stations\nurl: {}\ntable: items\nschedule: hourly\n\
         response: {{ fields: {{ id: id, title: title }} }}\n{lines}",
        site.url("/stations/${with.station}")
    )
}

/// A source of it.
pub fn station(name: &str, station: &str) -> String {
    format!("name: {name}\nclient: stations\nwith: {{ station: {station} }}\n")
}

#[test]
fn twenty_sources_of_one_client_ask_their_own_urls() {
    let (hermes, site) = (Hermes::new(), Site::new());
    let mut all = client(&site);
    for at in 1..=20 {
        site.on(&format!("/stations/{at}"), Reply::json(json!([{ "id": at, "title": "one" }])));
        all += &format!("---\n{}", station(&format!("s{at}"), &at.to_string()));
    }
    hermes.write_source("stations.yaml", &all);
    hermes.once().done();
    assert_eq!(site.asked().len(), 20);
    for at in 1..=20 {
        assert_eq!(site.count(&format!("/stations/{at}")), 1);
        let id: i64 = hermes.query(&format!("SELECT id FROM items WHERE source_name = 's{at}'"));
        assert_eq!(id, at);
    }
    assert_eq!(hermes.count("items"), 20);
}

#[test]
fn the_keys_of_a_source_win_over_its_client() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/own"]));
    hermes.write_source("c.yaml", &client_with(&site, "params: { page: 1, size: \"${with.size}\" }\n"));
    let own = format!("url: {}\nparams: {{ only: this }}\n", site.url("/own"));
    hermes.write_source("own.yaml", &format!("name: own\nclient: stations\n{own}"));
    hermes.write_source("a.yaml", "name: a\nclient: stations\nwith: { station: 1, size: 50 }\n");
    hermes.once().done();
    assert_eq!((rows_of(&hermes, "own"), rows_of(&hermes, "a")), (2, 2));
    let asked = |path: &str| site.asked_for(path)[0].query.clone();
    assert_eq!(asked("/own"), [("only".to_owned(), "this".to_owned())]);
    assert_eq!(asked("/stations/1"), [("page", "1"), ("size", "50")].map(|(a, b)| (a.into(), b.into())));
}

#[test]
fn get_shows_the_source_filled_in_and_no_secret() {
    let site = site(&["/stations/1"]);
    let hermes = Hermes::new().env("STATION_KEY", "hunter2");
    hermes.write_source("c.yaml", &client_with(&site, "headers: { X-Key: \"${with.key}\" }\n"));
    let own = "name: a\nclient: stations\nwith: { station: 1, key: \"${env:STATION_KEY}\" }\n";
    hermes.write_source("a.yaml", own);
    hermes.once().done();
    assert_eq!(site.asked_for("/stations/1")[0].header("X-Key"), Some("hunter2"));

    let text = hermes.command(&["get", "a"]);
    assert!(text.done().starts_with("# client: stations\nname: a\n"), "{text}");
    assert!(text.stdout.contains("/stations/1\n"), "{text}");
    assert!(text.stdout.contains("X-Key: ${env:STATION_KEY}\n"), "{text}");
    let shown = hermes.command(&["get", "a", "--json"]);
    assert!(!format!("{text}{shown}").contains("hunter2"));
    let shown = shown.json();
    assert_eq!(shown["definition"]["url"], site.url("/stations/1"));
    assert_eq!((&shown["definition"]["client"], &shown["client"]), (&json!(null), &json!("stations")));
    assert_eq!(shown["with"], json!({ "station": 1, "key": "${env:STATION_KEY}" }));
    // As it is written.
    let stored: String = hermes.query("SELECT definition FROM source_definitions");
    assert_eq!(stored, "name: a\nclient: stations\nwith:\n  station: 1\n  key: ${env:STATION_KEY}\n");
    let kept: String = hermes.query("SELECT group_concat(definition) FROM clients");
    assert!(!(stored + &kept).contains("hunter2"));
}

#[test]
fn a_plain_source_has_no_client_to_show() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &(source("a", "http://127.0.0.1:9/") + "status: paused\n"));
    hermes.once().done();
    let shown = hermes.command(&["get", "a", "--json"]).json();
    assert_eq!((&shown["client"], &shown["with"]), (&json!(null), &json!(null)));
    assert!(hermes.command(&["get", "a"]).done().starts_with("name: a\n"));
}

#[test]
fn a_client_and_its_source_are_added_together_in_any_order() {
    for order in [["c.yaml", "a.yaml"], ["a.yaml", "c.yaml"]] {
        let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
        document(&hermes, "c.yaml", &client(&site));
        document(&hermes, "a.yaml", &station("a", "1"));
        let output = hermes.command(&["add", order[0], order[1]]);
        assert_eq!(output.done(), "source a added\nclient stations set\n");
        hermes.once().done();
        assert_eq!((site.count("/stations/1"), rows_of(&hermes, "a")), (1, 2));
    }
}

#[test]
fn a_source_is_added_to_a_client_that_is_there() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1"]));
    let (c, a) = (client(&site), station("a", "1"));
    let (c, a) = (document(&hermes, "c.yaml", &c), document(&hermes, "a.yaml", &a));
    let output = hermes.command(&["add", a.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("a.yaml:2:9: client: there is no client `stations`"), "{output}");
    hermes.command(&["add", c.to_str().unwrap()]).done();
    hermes.command(&["add", a.to_str().unwrap()]).done();
    hermes.once().done();
    assert_eq!(rows_of(&hermes, "a"), 2);
}

#[test]
fn check_finds_clients_in_all_the_files_that_it_is_given() {
    let (hermes, site) = (Hermes::new(), Site::new());
    let a = hermes.write_source("a.yaml", &station("a", "1"));
    hermes.write_source("z.yaml", &client(&site));
    let (folder, a) = (hermes.sources(), a.to_str().unwrap());
    assert_eq!(hermes.plain(&["check", folder.to_str().unwrap()]).done(), "2 documents, no problems\n");
    let output = hermes.plain(&["check", a]);
    assert_eq!(output.code, Some(2), "{output}");
    let told =
        "a.yaml:2:9: client: there is no client `stations`: a document with `kind: client` and that name\n";
    assert!(output.stdout.contains(told) && output.stdout.ends_with("\n1 problem\n"), "{output}");
    assert!(!hermes.db_path().exists());
}

#[test]
fn a_file_with_several_sources_of_a_client_is_not_deleted_for_one() {
    let (hermes, site) = (Hermes::new(), site(&["/stations/1", "/stations/2"]));
    hermes.write_source("c.yaml", &client(&site));
    hermes.write_source("two.yaml", &format!("{}---\n{}", station("a", "1"), station("b", "2")));
    hermes.once().done();
    let output = hermes.command(&["delete", "a", "--with-file"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("two.yaml holds 2 documents"), "{output}");
    assert_eq!(shown(&hermes, "b", "state"), "idle");
}
