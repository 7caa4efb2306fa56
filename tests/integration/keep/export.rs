//! `export`: formats, tables and sources, files that are whole or not there, slow readers.

use super::{files, typed};
use crate::sources::{site, source};
use crate::util::{Hermes, program_command, rss_peak_kb, until};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

const CSV: &str = "\
id,title,value,ok,tags,source_name,created_at
1,\"one, \"\"two\"\"
three\",2.0,1,\"{ \"\"b\"\": [1], \"\"a\"\": 1.10 }\",a,2025-01-01T00:00:00.000Z
2,,,0,\"\"\"x\\u009by\"\"\",a,2026-01-01T00:00:00.000Z
";

const NDJSON: &str = r#"{"id":1,"title":"one, \"two\"\nthree","value":2.0,"ok":true,"tags":{ "b": [1], "a": 1.10 },"source_name":"a","created_at":"2025-01-01T00:00:00.000Z"}
{"id":2,"title":"","value":null,"ok":false,"tags":"x\u009by","source_name":"a","created_at":"2026-01-01T00:00:00.000Z"}
"#;

#[test]
fn rows_come_oldest_first_in_either_format() {
    let hermes = typed();
    assert_eq!(hermes.command(&["export", "items"]).done(), CSV);
    assert_eq!(hermes.command(&["export", "items", "--format", "csv"]).done(), CSV);
    assert_eq!(hermes.command(&["export", "ITEMS", "--format", "ndjson"]).done(), NDJSON);
}

#[test]
fn values_that_are_not_of_their_type_come_as_they_are() {
    let hermes = typed();
    hermes.exec("UPDATE items SET tags = '{broken', ok = 7, title = x'00ff', value = 'none' WHERE id = 1");
    let first =
        hermes.command(&["export", "items", "--format", "ndjson"]).done().lines().next().unwrap().to_owned();
    let want = r#"{"id":1,"title":"00ff","value":"none","ok":7,"tags":"{broken","#;
    assert!(first.starts_with(want), "{first}");
}

#[test]
fn a_table_has_all_sources_and_a_source_only_its_own() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    // A source that is called as the table is not asked for by that name.
    hermes.write_source("items.yaml", &source("items", &site.url("/a")));
    hermes.once().done();
    let lines = |name: &str| hermes.command(&["export", name]).done().lines().count() - 1;
    assert_eq!((lines("items"), lines("a"), lines("b")), (6, 2, 2));
    // Rows outlive their source.
    hermes.remove_source("b.yaml");
    hermes.command(&["delete", "b", "--keep-data"]).done();
    assert_eq!(lines("items"), 6);
}

#[test]
fn a_source_without_rows_has_a_header_and_one_without_a_table_has_nothing() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &(source("a", "http://127.0.0.1:9/") + "status: paused\n"));
    hermes.once().done();
    assert_eq!(hermes.command(&["export", "a"]).done(), "id,title,source_name,created_at\n");
    assert_eq!(hermes.command(&["export", "a", "--format", "ndjson"]).done(), "");
    hermes.exec("DROP TABLE items");
    assert_eq!(hermes.command(&["export", "a"]).done(), "");
}

#[test]
fn tables_that_are_no_data_tables_are_refused() {
    let hermes = typed();
    hermes.exec("CREATE TABLE mine (a); CREATE VIEW seen AS SELECT * FROM items");
    for name in
        ["fetchlogs", "Providers", "sqlite_schema", "stuck_jobs", "mine", "seen", "nobody", "items\"--"]
    {
        let output = hermes.command(&["export", name]);
        assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{output}");
        let told = format!("there is no data table and no source `{name}`; `hermes list` names them all");
        assert!(output.stderr.contains(&told), "{output}");
    }
}

#[test]
fn since_leaves_out_what_was_stored_before() {
    let hermes = typed();
    let ids = |since: &str| {
        let output = hermes.command(&["export", "items", "--since", since]);
        output
            .done()
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').next().map(str::to_owned))
            .collect::<String>()
    };
    assert_eq!(
        (ids("2025-06-01").as_str(), ids("2026-01-01T00:00:00Z").as_str(), ids("1d").as_str()),
        ("2", "2", "")
    );
    // A table of the user's may lack either.
    hermes.exec("CREATE TABLE own (id, source_name, created_at, record_hash); INSERT INTO own VALUES (1, NULL, NULL, 1)");
    assert_eq!(
        hermes.command(&["export", "own", "--since", "2025-06-01"]).done(),
        "id,source_name,created_at\n"
    );
    assert_eq!(hermes.command(&["export", "own"]).done(), "id,source_name,created_at\n1,,\n");
    let output = hermes.command(&["export", "items", "--since", "soon"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("--since: `soon` is no time; 2026-11-15"), "{output}");
    assert_eq!(hermes.command(&["export", "items", "--format", "xml"]).code, Some(2));
}

#[test]
fn a_file_is_replaced_whole_and_its_ending_says_the_format() {
    let hermes = typed();
    fs::write(hermes.dir().join("rows.csv"), "old").unwrap();
    assert_eq!(hermes.command(&["export", "items", "-o", "rows.csv"]).done(), "rows.csv: 2 rows\n");
    hermes.command(&["export", "items", "--output", "rows.ndjson"]).done();
    assert_eq!(fs::read_to_string(hermes.dir().join("rows.csv")).unwrap(), CSV);
    assert_eq!(fs::read_to_string(hermes.dir().join("rows.ndjson")).unwrap(), NDJSON);
    assert_eq!(hermes.command(&["export", "items", "-o", "-"]).done(), CSV);
    assert_eq!(files(&hermes), ["rows.csv", "rows.ndjson", "sources.d"]);
}

#[test]
fn a_file_that_cannot_be_written_is_a_failure_that_destroys_nothing() {
    let hermes = typed();
    std::os::unix::fs::symlink("data.sqlite", hermes.dir().join("link.csv")).unwrap();
    for (path, code, told) in [
        ("/dev/full", 1, "cannot write /dev/full: No space left"),
        ("nowhere/rows.csv", 2, "there is no folder nowhere"),
        ("sources.d", 2, "sources.d is a folder"),
        ("data.sqlite", 2, "belongs to the database"),
        ("link.csv", 2, "belongs to the database"),
        ("data.sqlite-wal", 2, "belongs to the database"),
    ] {
        let output = hermes.command(&["export", "items", "-o", path]);
        assert_eq!(output.code, Some(code), "{path}: {output}");
        assert!(output.stderr.contains(told), "{path}: {output}");
    }
    assert_eq!(hermes.command(&["export", "items"]).done(), CSV);
    assert_eq!(files(&hermes), ["link.csv", "sources.d"]);
    // A device stays one.
    assert_eq!(hermes.command(&["export", "items", "-o", "/dev/null"]).done(), "/dev/null: 2 rows\n");
}

#[test]
fn a_slow_reader_costs_no_memory_and_keeps_no_checkpoint_waiting() {
    let hermes = typed();
    hermes.exec(
        "WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO items (id, title, source_name, created_at, record_hash)
         SELECT i, hex(zeroblob(2000)), 'a', '2026-01-01T00:00:00.000Z', randomblob(16) FROM n",
    );
    let mut child = program_command()
        .args(["export", "items"])
        .env("HERMES_DB", hermes.db_path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut begun = [0; 1000];
    out.read_exact(&mut begun).unwrap();
    // It is blocked on the pipe now, in the middle of 40 MB; SQLite would have to wait for a reader.
    hermes.exec("UPDATE items SET title = 'changed' WHERE id = 10000");
    until("a checkpoint of the whole WAL", || hermes.checkpoint());
    let peak = rss_peak_kb(child.id());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(peak < 40_000, "{peak} KiB");
    // The header and a record with a line break in it are two lines of their own.
    assert_eq!(String::from_utf8_lossy(&begun).matches('\n').count() + rest.matches('\n').count(), 10_002);
    assert!(rest.contains("\n10000,changed,"));
}
