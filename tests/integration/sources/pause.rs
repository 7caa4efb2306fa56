//! `pause` and `resume`, and what the document itself says.

use super::{rows_of, shown, site, source, source_with};
use crate::util::{Hermes, Site};

/// Fetched once, then paused and made due.
fn paused_and_due(hermes: &Hermes, site: &Site) {
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    assert_eq!(hermes.command(&["pause", "a"]).done(), "a is paused\n");
    hermes.command(&["reset", "a"]).done();
}

#[test]
fn a_paused_source_is_not_fetched_until_it_is_resumed() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    paused_and_due(&hermes, &site);
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("rows of another", || rows_of(&hermes, "b") == 2);
    assert_eq!(site.count("/a"), 1);
    assert_eq!(shown(&hermes, "a", "state"), "paused");
    assert_eq!(hermes.command(&["resume", "a"]).done(), "a is active\n");
    daemon.until("it is fetched", || site.count("/a") == 2);
}

#[test]
fn a_pause_survives_a_restart() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    paused_and_due(&hermes, &site);
    hermes.once().done();
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "status"), "paused");
    assert_eq!(site.asked_paths(), ["/a"]);
}

#[test]
fn a_pause_survives_an_unrelated_edit_of_the_file() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    paused_and_due(&hermes, &site);
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), "description: mine\n"));
    hermes.once().done();
    assert!(hermes.command(&["get", "a"]).done().contains("description: mine"));
    assert_eq!(shown(&hermes, "a", "status"), "paused");
    assert_eq!(site.asked_paths(), ["/a"]);
}

#[test]
fn a_document_whose_own_status_changes_wins() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let (active, paused) =
        (source("a", &site.url("/a")), source_with("a", &site.url("/a"), "status: paused\n"));
    hermes.write_source("a.yaml", &paused);
    hermes.once().done();
    assert!(site.asked().is_empty());
    hermes.command(&["resume", "a"]).done();
    hermes.once().done();
    assert_eq!(site.count("/a"), 1);

    hermes.command(&["pause", "a"]).done();
    hermes.write_source("a.yaml", &active);
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "status"), "active");
    hermes.write_source("a.yaml", &paused);
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "status"), "paused");
}

#[test]
fn a_removed_source_is_neither_paused_nor_reset() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    hermes.remove_source("a.yaml");
    hermes.once().done();
    for command in ["pause", "resume", "reset"] {
        let output = hermes.command(&[command, "a"]);
        assert_eq!(output.code, Some(2), "{output}");
        assert!(output.stderr.contains("a is removed: its file has to come back first"), "{output}");
    }
}
