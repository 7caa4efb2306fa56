//! Values that would harm a terminal or a database that took them for more than values.

use super::Case;
use crate::util::{Hermes, Reply, Site};
use serde_json::json;

const ANSI: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}red\u{9b}31m\r\nnext\u{0}end\u{7f}";
const SQL: &str = "'); DROP TABLE items; --";

fn stored(records: serde_json::Value) -> Hermes {
    let site = Site::new();
    site.on("/items", Reply::json(records));
    let hermes = Hermes::new();
    let url = site.url("/items");
    hermes.write_source(
        "items.yaml",
        &format!(
            "name: items\nurl: {url}\ntable: items\nresponse: {{ fields: {{ id: id, title: title }} }}\n"
        ),
    );
    hermes.once().done();
    assert_eq!(site.count("/items"), 1);
    hermes
}

#[test]
fn control_characters_are_stored_as_they_are_and_printed_as_none() {
    let hermes = stored(json!([{ "id": 1, "title": ANSI }]));
    assert_eq!(hermes.query::<String>("SELECT title FROM items"), ANSI);
    for args in [&["data", "items"][..], &["data", "items", "--json"]] {
        let printed = hermes.command(args);
        let printed = printed.done();
        assert!(printed.contains("red") && printed.contains("end"), "{printed}");
        assert!(!printed.contains(|c: char| c.is_control() && c != '\n'), "{printed:?}");
    }
    assert_eq!(hermes.command(&["data", "items", "--json"]).json()[0]["title"], ANSI);
}

#[test]
fn a_value_that_looks_like_sql_is_a_value() {
    let hermes = stored(json!([{ "id": SQL, "title": "a\"b`c]d" }, { "id": 2, "title": SQL }]));
    assert_eq!(hermes.count("items"), 2);
    assert_eq!(hermes.query::<String>("SELECT id FROM items WHERE title = 'a\"b`c]d'"), SQL);
    assert_eq!(hermes.query::<String>("SELECT title FROM items WHERE id = 2"), SQL);
}

#[test]
fn an_error_that_quotes_control_characters_prints_none() {
    let case = Case::new(Reply::json(format!("oh {ANSI} no")).status(500), "10s");
    case.fails_with("answered 500: the server's trouble; it says: oh  [2J ]0;owned red 31m next end  no");
    let log = case.daemon.log();
    assert!(log.contains("oh") && !log.contains(|c: char| c.is_control() && c != '\n'), "{log:?}");
}
