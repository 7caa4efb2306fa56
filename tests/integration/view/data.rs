//! `data`: which rows, and how they look.

use super::{refused, without_times};
use crate::util::{Hermes, Reply, Site, hermes_with};

fn fetched() -> Hermes {
    let site = Site::new();
    let long = "x".repeat(300);
    let records =
        format!(r#"[{{"id":1,"text":"{long}","ok":true,"tags":["a","b"]}},{{"id":2,"text":"","ok":null}}]"#);
    site.on("/a", Reply::json(records));
    let fields = "[ { source: id, target: id }, { source: text, target: text }, \
                    { source: ok, target: ok, type: boolean }, { source: tags, target: tags, type: json } ]";
    let hermes = hermes_with(
        &site,
        &format!("name: a\nurl: http://SITE/a\ntable: items\nresponse: {{ fields: {fields} }}\n"),
    );
    hermes.once().done();
    hermes
}

#[test]
fn long_values_are_cut_and_nulls_are_seen() {
    let hermes = fetched();
    let text = format!("{}…", "x".repeat(199));
    let want = format!(
        "id  text{}  ok    tags       source_name  created_at\n \
         2  {}  NULL  NULL       a            <----------TIME-------->\n \
         1  {text}  true  [\"a\",\"b\"]  a            <----------TIME-------->\n",
        " ".repeat(196),
        " ".repeat(200),
    );
    assert_eq!(without_times(hermes.command(&["data", "a"]).done()), want);
    let rows = hermes.command(&["data", "a", "--json"]).json();
    assert_eq!(rows[1]["text"].as_str().map(str::len), Some(300));
    assert_eq!((&rows[1]["ok"], &rows[1]["tags"]), (&true.into(), &serde_json::json!(["a", "b"])));
    assert!(rows[0]["ok"].is_null() && rows[0]["tags"].is_null());
}

#[test]
fn since_and_limit_choose_the_rows() {
    let hermes = fetched();
    hermes.exec("UPDATE items SET created_at = '2025-01-01T00:00:00.000Z' WHERE id = 1");
    let ids = |args: &[&str]| {
        let rows = hermes.command(&[&["data", "a", "--json"], args].concat()).json();
        rows.as_array().unwrap().iter().map(|row| row["id"].to_string()).collect::<String>()
    };
    assert_eq!(ids(&["--since", "2024-12-31"]), "21");
    assert_eq!(ids(&["--since", "2025-01-02"]), "2");
    assert_eq!(ids(&["--since", "1h"]), "2");
    assert_eq!(ids(&["--limit", "0"]), "");
    refused(&hermes, &["data", "a", "--since", "then"], "--since: `then` is no time");
    refused(
        &hermes,
        &["data", "a", "--limit", "10001"],
        "--limit: at most 10000; `hermes export a` has all rows",
    );
}
