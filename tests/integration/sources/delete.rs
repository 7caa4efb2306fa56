//! `delete`: definition, state and rows go together, whatever is under way.

use super::{document, records, rows_of, shown, site, source};
use crate::util::{Gate, Hermes, Reply, Site};

/// Two sources in one table, fetched once.
fn two_sources(hermes: &Hermes, site: &Site) {
    for name in ["a", "b"] {
        let file = document(hermes, &format!("{name}.yaml"), &source(name, &site.url(&format!("/{name}"))));
        hermes.command(&["add", file.to_str().unwrap()]).done();
    }
    hermes.once();
}

/// Whatever is left of the source `a`: definition, jobs, retries.
fn traces(hermes: &Hermes) -> [i64; 3] {
    [
        "source_definitions WHERE name = 'a'",
        "fetchlogs WHERE source_name = 'a'",
        "retries WHERE source_name = 'a'",
    ]
    .map(|of| hermes.count(of))
}

#[test]
fn definition_state_and_rows_of_a_deleted_source_go() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    two_sources(&hermes, &site);
    assert_eq!(hermes.command(&["delete", "a"]).done(), "a deleted with 2 rows\n");
    assert_eq!(traces(&hermes), [0, 0, 0]);
    assert_eq!((rows_of(&hermes, "a"), rows_of(&hermes, "b")), (0, 2));
    assert_eq!(hermes.command(&["status", "a"]).code, Some(2));
}

#[test]
fn the_failures_of_a_deleted_source_are_forgotten() {
    let (hermes, site) = (Hermes::new(), site(&["/b"]));
    site.on("/a", Reply::empty(500));
    two_sources(&hermes, &site);
    assert_eq!(traces(&hermes), [1, 1, 1]);
    hermes.command(&["delete", "a"]).done();
    assert_eq!(traces(&hermes), [0, 0, 0]);
}

#[test]
fn rows_of_a_deleted_source_can_be_kept() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    two_sources(&hermes, &site);
    let output = hermes.command(&["delete", "a", "--keep-data"]);
    assert_eq!(output.done(), "a deleted with 0 rows; its rows stay\n");
    assert_eq!(traces(&hermes), [0, 0, 0]);
    assert_eq!(rows_of(&hermes, "a"), 2);
}

#[test]
fn a_source_of_a_file_is_deleted_only_with_its_file() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let path = hermes.write_source("mine.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    let output = hermes.command(&["delete", "a"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("mine.yaml: remove that file, or give --with-file"), "{output}");
    assert_eq!((rows_of(&hermes, "a"), path.exists()), (2, true));

    hermes.command(&["delete", "a", "--with-file"]).done();
    assert_eq!((rows_of(&hermes, "a"), path.exists()), (0, false));
    hermes.once().done();
    assert_eq!(traces(&hermes), [0, 0, 0]);
    assert_eq!(site.count("/a"), 1);
}

#[test]
fn a_file_with_other_documents_is_not_deleted_with_a_source() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    let both = format!("{}---\n{}", source("a", &site.url("/a")), source("b", &site.url("/b")));
    let path = hermes.write_source("both.yaml", &both);
    hermes.once().done();
    let output = hermes.command(&["delete", "a", "--with-file"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("both.yaml holds 2 documents"), "{output}");
    assert_eq!((hermes.count("items"), path.exists()), (4, true));
}

#[test]
fn a_deleted_source_whose_file_was_removed_before_is_gone() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    hermes.remove_source("a.yaml");
    hermes.once().done();
    assert_eq!(hermes.command(&["delete", "a"]).done(), "a deleted with 2 rows\n");
    assert_eq!(traces(&hermes), [0, 0, 0]);
}

#[test]
fn a_delete_during_a_run_cancels_it_and_leaves_nothing() {
    let (hermes, site, gate) = (Hermes::new(), site(&["/b"]), Gate::new());
    // The first page is stored, the second held back.
    site.on_fn("/a", {
        let gate = gate.clone();
        move |asked| match asked.param("page") {
            Some("1") => records(2),
            _ => Reply::gated(&gate, Reply::json(r#"[{"id": 3, "title": "three"}]"#)),
        }
    });
    let pages = "pagination: { page: { param: page, start: 1 } }\n";
    let file = document(&hermes, "a.yaml", &(source("a", &site.url("/a")) + pages));
    hermes.command(&["add", file.to_str().unwrap()]).done();
    let daemon = hermes.start(&["--max-sleep", "30s", "--workers", "1"]);
    daemon.until("the run waits for its second page", || gate.waiting() == 1 && rows_of(&hermes, "a") == 2);
    assert_eq!(shown(&hermes, "a", "state"), "running");

    assert_eq!(hermes.command(&["delete", "a"]).done(), "a deleted with 2 rows\n");
    assert_eq!(traces(&hermes), [0, 0, 0]);
    // The one worker takes up another job while the answer is still held back: the run was cut.
    let file = document(&hermes, "b.yaml", &source("b", &site.url("/b")));
    hermes.command(&["add", file.to_str().unwrap()]).done();
    daemon.until("rows of another", || rows_of(&hermes, "b") == 2);
    gate.open();
    assert_eq!(traces(&hermes), [0, 0, 0]);
    assert_eq!(rows_of(&hermes, "a"), 0);
    assert_eq!(site.count("/a"), 2);
    assert!(daemon.stop().success());
    assert_eq!(traces(&hermes), [0, 0, 0]);
}

#[test]
fn a_file_deleted_with_its_source_while_the_daemon_runs_does_not_come_back() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
    hermes.command(&["delete", "a", "--with-file"]).done();
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    daemon.until("rows of another", || rows_of(&hermes, "b") == 2);
    assert_eq!(traces(&hermes), [0, 0, 0]);
    assert_eq!((site.count("/a"), rows_of(&hermes, "a")), (1, 0));
}
