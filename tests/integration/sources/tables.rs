//! The tables that rows go to: made, extended, used as they are, refused.

use super::{rows_of, shown, site, source};
use crate::util::{Hermes, Reply, Site};
use rusqlite::types::Value;

/// The user's own, with all that Hermes needs and a column of theirs.
const MINE: &str = "CREATE TABLE items (mine TEXT DEFAULT 'mine', id INTEGER, title TEXT,
    source_name TEXT, created_at TEXT, record_hash BLOB)";

#[test]
fn a_moved_table_is_refused_while_there_are_rows() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let text = source("a", &site.url("/a"));
    hermes.write_source("a.yaml", &text);
    hermes.once().done();
    hermes.write_source("a.yaml", &text.replace("table: items", "table: others"));
    let output = hermes.once();
    output.done();
    assert!(output.stderr.contains("a.yaml:1:1: table: the rows of `a` are in `items`"), "{output}");
    assert_eq!(shown(&hermes, "a", "table"), "items");

    hermes.exec("DELETE FROM items");
    hermes.command(&["reset", "a"]).done();
    // The bad file is read again with any change.
    hermes.write_source("note.yaml", "# nothing\n");
    hermes.once().done();
    assert_eq!((shown(&hermes, "a", "table"), hermes.count("others")), ("others".into(), 2));
}

#[test]
fn a_new_field_becomes_a_new_column_and_old_rows_have_null() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"[{"id": 1, "title": "one"}]"#));
    let text = source("a", &site.url("/a"));
    hermes.write_source("a.yaml", &text);
    hermes.once().done();
    site.on("/a", Reply::json(r#"[{"id": 2, "title": "two", "size": 7}]"#));
    hermes.write_source("a.yaml", &text.replace("title: title", "title: title, size: size"));
    hermes.command(&["reset", "a"]).done();
    hermes.once().done();
    let rows = hermes.rows("SELECT id, size FROM items ORDER BY id");
    assert_eq!(rows, [[Value::Integer(1), Value::Null], [Value::Integer(2), Value::Integer(7)]]);
    assert_eq!(site.count("/a"), 2);
}

#[test]
fn a_table_of_the_users_that_has_the_columns_is_used_as_it_is() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.exec(MINE);
    hermes.exec("INSERT INTO items (id, title) VALUES (7, 'before')");
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    assert_eq!((hermes.count("items WHERE mine = 'mine'"), rows_of(&hermes, "a")), (3, 2));
    // Known records stay single there too.
    hermes.command(&["reset", "a"]).done();
    hermes.once().done();
    assert_eq!((hermes.count("items"), site.count("/a")), (3, 2));
}

#[test]
fn a_table_of_the_users_without_the_columns_is_refused_with_the_statement_that_mends_it() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.exec("CREATE TABLE items (id INTEGER, title TEXT, source_name TEXT)");
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let output = hermes.once();
    output.done();
    assert!(output.stderr.contains("the table `items` exists and lacks created_at, record_hash"), "{output}");
    assert!(site.asked().is_empty());

    let statements = output.stderr.split("or run: ").nth(1).and_then(|rest| rest.lines().next());
    hermes.exec(statements.expect("statements to run"));
    hermes.write_source("note.yaml", "# nothing\n");
    hermes.once().done();
    assert_eq!((rows_of(&hermes, "a"), site.count("/a")), (2, 1));
}

#[test]
fn a_refused_file_leaves_no_table_behind() {
    let hermes = Hermes::new();
    hermes.exec("CREATE TABLE mine (id INTEGER)");
    let good = source("good", "http://127.0.0.1:9/");
    let bad = source("bad", "http://127.0.0.1:9/").replace("items", "mine");
    hermes.write_source("a.yaml", &format!("{good}---\n{bad}"));
    hermes.once().done();
    assert_eq!(hermes.count("sqlite_master WHERE name = 'items'"), 0);
    assert_eq!(hermes.count("source_definitions"), 0);
}

#[test]
fn a_table_that_someone_dropped_is_made_anew() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    hermes.exec("DROP TABLE items");
    assert_eq!(shown(&hermes, "a", "rows"), 0);
    hermes.command(&["reset", "a"]).done();
    hermes.once().done();
    assert_eq!((rows_of(&hermes, "a"), site.count("/a")), (2, 2));
}
