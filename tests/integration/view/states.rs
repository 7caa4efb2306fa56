//! Every state that a source can be in, reached once.

use crate::sources::{document, records, shown, site, source, source_with};
use crate::util::{Gate, Hermes, Reply, Site};

#[test]
fn a_source_that_nobody_has_run_yet_is_due() {
    let hermes = Hermes::new();
    let file = document(&hermes, "a.yaml", &source("a", "http://127.0.0.1:9/"));
    hermes.command(&["add", file.to_str().unwrap()]).done();
    assert_eq!(shown(&hermes, "a", "state"), "due");
}

#[test]
fn a_source_is_running_and_then_idle() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, records(2)));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&[]);
    daemon.until("it runs", || gate.waiting() == 1);
    assert_eq!(shown(&hermes, "a", "state"), "running");
    gate.open();
    daemon.until("it is idle", || shown(&hermes, "a", "state") == "idle");
}

#[test]
fn a_source_behind_another_is_queued() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    for path in ["/a", "/b"] {
        site.on(path, Reply::gated(&gate, records(1)));
        let name = &path[1..];
        hermes.write_source(&format!("{name}.yaml"), &source(name, &site.url(path)));
    }
    let daemon = hermes.start(&["--workers", "1"]);
    daemon.until("the first runs", || gate.waiting() == 1);
    assert_eq!(shown(&hermes, "a", "state"), "running");
    assert_eq!(shown(&hermes, "b", "state"), "queued");
    assert_eq!(site.asked_paths(), ["/a"]);
}

#[test]
fn a_paused_source_is_paused() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &source_with("a", "http://127.0.0.1:9/", "status: paused\n"));
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "state"), "paused");
    assert!(shown(&hermes, "a", "next_run_at").is_null());
}

#[test]
fn a_source_that_failed_is_in_backoff() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::empty(500));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(shown(&hermes, "a", "state"), "backoff");
    // Its time has not come.
    hermes.once().done();
    assert_eq!(site.count("/a"), 1);
}

#[test]
fn a_source_that_failed_as_often_as_it_may_is_exhausted() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::empty(500));
    let once = "execution: { maxRetries: 1 }\n";
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), once));
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(shown(&hermes, "a", "state"), "exhausted");
    hermes.once().done();
    assert_eq!(site.count("/a"), 1);
}

#[test]
fn a_source_whose_file_is_gone_is_removed() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    hermes.remove_source("a.yaml");
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "state"), "removed");
    assert_eq!(shown(&hermes, "a", "rows"), 2);
}

#[test]
fn a_source_that_sql_made_unreadable_is_invalid_and_says_why() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    hermes.exec(
        "INSERT INTO source_definitions (name, definition, table_name, hash)
         VALUES ('b', 'name: b', 'items', '')",
    );
    assert_eq!(shown(&hermes, "b", "state"), "invalid");
    assert!(shown(&hermes, "b", "last_error").as_str().unwrap().contains("url"));
    assert_eq!(shown(&hermes, "a", "state"), "idle");
    hermes.once().done();
    assert!(hermes.query::<String>("SELECT error FROM source_definitions WHERE name = 'b'").contains("url"));
}

#[test]
fn a_source_whose_domain_may_be_asked_no_more_is_rate_limited() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("p.yaml", "kind: provider\ndomain: 127.0.0.1\nlimit: 1\nperiod: 1h\n");
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    let file = document(&hermes, "b.yaml", &source("b", &site.url("/b")));
    hermes.command(&["add", file.to_str().unwrap()]).done();
    assert_eq!(shown(&hermes, "b", "state"), "rate-limited");
    hermes.once().done();
    assert_eq!(site.asked_paths(), ["/a"]);
}
