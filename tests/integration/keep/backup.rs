//! `backup`: a whole, verified copy under its name or none, whatever goes on beside it.

use super::{files, typed};
use crate::util::{Hermes, Reply, Site, hermes_with};
use rusqlite::Connection;
use serde_json::json;
use std::fs::{self, File};

fn open(hermes: &Hermes, file: &str) -> Connection {
    Connection::open(hermes.dir().join(file)).unwrap()
}

fn one<T: rusqlite::types::FromSql>(db: &Connection, sql: &str) -> T {
    db.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A table of about 40 MB, so that a copy takes a while.
fn grow(hermes: &Hermes) {
    hermes.exec(
        "CREATE TABLE mine (a);
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO mine SELECT zeroblob(4000) FROM n",
    );
}

#[test]
fn a_copy_is_one_file_that_is_verified_and_works() {
    let hermes = typed();
    let said = hermes.command(&["backup", "copy.sqlite"]);
    let bytes = fs::metadata(hermes.dir().join("copy.sqlite")).unwrap().len();
    let tables: u64 = hermes.query("SELECT count(*) FROM sqlite_schema WHERE type = 'table'");
    let want = format!("copy.sqlite: {:.1} kB, {tables} tables, ", bytes as f64 / 1e3);
    assert!(said.done().starts_with(&want) && said.stdout.ends_with(" rows, verified\n"), "{want}: {said}");
    assert_eq!(files(&hermes), ["copy.sqlite", "sources.d"]);
    {
        let copy = open(&hermes, "copy.sqlite");
        assert_eq!(one::<String>(&copy, "PRAGMA integrity_check"), "ok");
        assert_eq!(one::<String>(&copy, "PRAGMA journal_mode"), "delete");
        assert_eq!(one::<i64>(&copy, "PRAGMA user_version"), hermes.query::<i64>("PRAGMA user_version"));
    }
    let rows = |db: &str| hermes.plain(&["--db", db, "export", "items"]).done().to_owned();
    assert_eq!(rows("copy.sqlite"), rows("data.sqlite"));
    hermes.plain(&["--db", "copy.sqlite", "--no-listen", "--once"]).done();
}

#[test]
fn what_is_there_is_replaced_only_by_force() {
    let hermes = typed();
    hermes.command(&["backup", "copy.sqlite"]).done();
    hermes.exec("DELETE FROM items");
    let refused = hermes.command(&["backup", "copy.sqlite"]);
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(
        refused.stderr.contains("copy.sqlite is there already: name another, or give --force"),
        "{refused}"
    );
    assert_eq!(one::<i64>(&open(&hermes, "copy.sqlite"), "SELECT count(*) FROM items"), 2);
    hermes.command(&["backup", "--force", "copy.sqlite"]).done();
    assert_eq!(one::<i64>(&open(&hermes, "copy.sqlite"), "SELECT count(*) FROM items"), 0);
}

#[test]
fn the_database_itself_and_what_is_no_file_are_refused() {
    let hermes = typed();
    std::os::unix::fs::symlink("data.sqlite", hermes.dir().join("link")).unwrap();
    fs::hard_link(hermes.db_path(), hermes.dir().join("hard")).unwrap();
    fs::write(hermes.dir().join("open.sqlite-wal"), "").unwrap();
    for (path, told) in [
        ("data.sqlite", "belongs to the database"),
        ("./sources.d/../data.sqlite", "belongs to the database"),
        ("data.sqlite-shm", "belongs to the database"),
        ("link", "belongs to the database"),
        ("hard", "belongs to the database"),
        ("sources.d", "is no plain file"),
        ("/dev/null", "is no plain file"),
        ("nowhere/copy", "there is no folder nowhere"),
        ("open.sqlite", "open.sqlite-wal is there"),
    ] {
        let output = hermes.command(&["backup", "--force", path]);
        assert_eq!(output.code, Some(2), "{path}: {output}");
        assert!(output.stderr.contains(told), "{path}: {output}");
    }
    assert_eq!(hermes.count("items"), 2);
    assert_eq!(hermes.command(&["backup"]).code, Some(2));
}

#[test]
fn a_copy_beside_a_daemon_that_stores_page_after_page_is_of_one_moment() {
    let site = Site::new();
    site.on_fn("/things", |asked| {
        let page: u64 = asked.param("page").map_or(1, |page| page.parse().unwrap());
        let record = |n: u64| json!({ "id": page * 50 + n, "title": "x".repeat(200) });
        Reply::json(json!({ "data": (0..50).map(record).collect::<Vec<_>>() }))
    });
    let more = "pagination: { page: { param: page, start: 1 }, maxPages: 100000 }\n";
    let hermes = hermes_with(&site, &crate::util::things(more));
    let daemon = hermes.start(&[]);
    daemon.until("rows", || hermes.count("things") > 0);
    grow(&hermes);
    for file in ["one.sqlite", "two.sqlite", "three.sqlite"] {
        let said = hermes.command(&["backup", file]);
        assert!(said.done().contains("verified"), "{said}");
        let copy = open(&hermes, file);
        let (rows, counted) = ("SELECT count(*) FROM things", "SELECT records FROM fetchlogs");
        let rows: i64 = one(&copy, rows);
        // Rows and their count are written in one transaction.
        assert_eq!(rows, one::<i64>(&copy, counted));
        daemon.until("more rows than were copied", || hermes.count("things") > rows);
    }
    assert_eq!(hermes.query::<String>("SELECT status FROM fetchlogs"), "running");
}

#[test]
fn a_copy_that_is_killed_leaves_nothing_under_its_name() {
    let hermes = typed();
    grow(&hermes);
    let (path, part) = (hermes.dir().join("copy.sqlite"), hermes.dir().join("copy.sqlite.hermes-part"));
    let copying = hermes.start(&["backup", "copy.sqlite"]);
    copying.until("the copy has begun", || fs::metadata(&part).is_ok_and(|part| part.len() > 1 << 20));
    copying.kill();
    assert!(!path.exists() && part.exists());
    // What it left is taken over.
    hermes.command(&["backup", "copy.sqlite"]).done();
    assert_eq!(files(&hermes), ["copy.sqlite", "sources.d"]);
}

#[test]
fn two_copies_to_one_file_do_not_mix() {
    let hermes = typed();
    let part = File::create(hermes.dir().join("copy.sqlite.hermes-part")).unwrap();
    part.lock().unwrap();
    let output = hermes.command(&["backup", "copy.sqlite"]);
    assert_eq!(output.code, Some(1), "{output}");
    assert!(output.stderr.contains("another hermes writes"), "{output}");
    drop(part);
    hermes.command(&["backup", "copy.sqlite"]).done();
}

#[test]
fn a_damaged_database_gives_no_copy() {
    use std::os::unix::fs::FileExt;
    let hermes = typed();
    hermes.exec(
        "CREATE TABLE mine (a); INSERT INTO mine VALUES (zeroblob(4000000)); PRAGMA wal_checkpoint(TRUNCATE)",
    );
    let file = File::options().write(true).open(hermes.db_path()).unwrap();
    // In the middle of the one long value: no row is lost for counting, but this one cannot be read.
    file.write_all_at(&[0xff; 8], 4096 * 500).unwrap();
    drop(file);
    let output = hermes.command(&["backup", "copy.sqlite"]);
    assert_eq!(output.code, Some(1), "{output}");
    assert!(
        output.stderr.contains("the copy is damaged: ") && output.stderr.contains("so may the database be"),
        "{output}"
    );
    assert_eq!(files(&hermes), ["sources.d"]);
}
