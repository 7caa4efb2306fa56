//! A file with problems: what it defined before goes on, and the problems are told once, with their places.

use super::{rows_of, shown, site, source, source_with};
use crate::util::Hermes;

#[test]
fn a_broken_edit_keeps_the_last_good_definition() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/other"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the first rows", || rows_of(&hermes, "a") == 2);
    hermes.write_source("a.yaml", &source_with("a", &site.url("/other"), "shedule: hourly\n"));
    daemon.until_logged("a.yaml:5:1: shedule:");
    assert_eq!(shown(&hermes, "a", "status"), "active");
    hermes.command(&["reset", "a"]).done();
    daemon.until("it runs on", || site.count("/a") == 2);
    assert_eq!(site.count("/other"), 0);
}

#[test]
fn a_problem_is_in_the_log_once_and_in_the_status_with_its_place() {
    let (hermes, site) = (Hermes::new(), site(&["/b"]));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until_logged("watching");
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), "status: on\n"));
    let line = "a.yaml:5:9: status: `status` is one of active, paused, not `on`";
    daemon.until_logged(line);
    // A good file makes it look at the bad one again.
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    daemon.until("the rows of the good one", || rows_of(&hermes, "b") == 2);
    assert_eq!(daemon.log().matches("a.yaml:").count(), 1, "{}", daemon.log());
    assert!(hermes.command(&["status"]).done().lines().any(|shown| shown == line));
    assert_eq!(site.asked_paths(), ["/b"]);
}

#[test]
fn a_repaired_file_goes_live_and_its_problem_is_forgotten() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", "name: [\n");
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until_logged("a.yaml:");
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
    assert!(!hermes.command(&["status"]).done().contains("problems in files"));
}

#[test]
fn all_problems_of_a_file_are_told_at_once() {
    let hermes = Hermes::new();
    let lines = "status: on\nschedule: weekly\nexecution: { maxRetries: 0 }\n";
    hermes.write_source("a.yaml", &source_with("A", "http://127.0.0.1:9/", lines));
    let output = hermes.once();
    output.done();
    for place in
        ["a.yaml:1:7: name:", "a.yaml:5:9: status:", "a.yaml:6:11: schedule:", "a.yaml:7:26: execution"]
    {
        assert!(output.stderr.contains(place), "{place} in {output}");
    }
}

#[test]
fn one_bad_document_holds_back_its_whole_file_and_no_other() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b", "/c"]));
    let bad = source_with("b", &site.url("/b"), "status: on\n");
    hermes.write_source("ab.yaml", &format!("{}---\n{bad}", source("a", &site.url("/a"))));
    hermes.write_source("c.yaml", &source("c", &site.url("/c")));
    hermes.once().done();
    assert_eq!(site.asked_paths(), ["/c"]);
    assert_eq!(hermes.count("source_definitions"), 1);
}

#[test]
fn what_sqlite_refuses_is_a_problem_of_the_file_and_stops_no_other() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    // The name of an index.
    let text = source("bad", "http://127.0.0.1:9/").replace("items", "fetchlogs_open");
    hermes.write_source("bad.yaml", &text);
    hermes.write_source("deployments.yaml", &two_deployments("same", "same"));
    hermes.write_source("good.yaml", &source("a", &site.url("/a")));
    let output = hermes.once();
    output.done();
    assert!(output.stderr.contains("bad.yaml:1:1: table: SQLite refuses"), "{output}");
    assert!(output.stderr.contains("deployments.yaml:7:1: prefix: jobs of `one`"), "{output}");
    assert_eq!(rows_of(&hermes, "a"), 2);
    assert_eq!(hermes.count("deployments"), 0);
}

fn two_deployments(first: &str, second: &str) -> String {
    let one = |name, prefix| {
        format!("kind: deployment\nname: {name}\nprefix: {prefix}\nschedule: hourly\nsources: [a]\n")
    };
    format!("{}---\n{}", one("one", first), one("two", second))
}

#[test]
fn a_renamed_deployment_keeps_its_prefix() {
    let hermes = Hermes::new();
    hermes.write_source("d.yaml", &two_deployments("p", "q"));
    hermes.once().done();
    hermes.write_source("d.yaml", &two_deployments("p", "q").replace("name: one", "name: three"));
    hermes.once().done();
    let names = hermes.rows("SELECT name FROM deployments WHERE prefix = 'p'");
    assert_eq!(names, [["three".to_owned().into()]]);
}

#[test]
fn a_file_that_is_no_text_or_too_large_is_a_problem_too() {
    let hermes = Hermes::new();
    std::fs::write(hermes.sources().join("bytes.yaml"), [0xff, 0xfe, 0x00]).unwrap();
    hermes.write_source("large.yaml", &"# large\n".repeat(200_000));
    let output = hermes.once();
    output.done();
    assert!(output.stderr.contains("bytes.yaml:1:1: is not UTF-8"), "{output}");
    assert!(output.stderr.contains("large.yaml:1:1: is larger than 1 MiB"), "{output}");
}
