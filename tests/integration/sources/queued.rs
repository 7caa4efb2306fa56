//! What reaches a job that is queued and not one that runs: updates, pauses, other handlers.

use super::{document, records, rows_of, shown, site, source, source_with};
use crate::util::{Daemon, Gate, Hermes, Reply, Site};

/// One worker, held in the run of `first`; `second` waits behind it.
fn one_running_one_queued(hermes: &Hermes, site: &Site, gate: &Gate) -> Daemon {
    site.on("/first", Reply::gated(gate, records(2)));
    hermes.write_source("first.yaml", &source("first", &site.url("/first")));
    let daemon = hermes.start(&["--max-sleep", "30s", "--workers", "1"]);
    daemon.until("the first runs", || gate.waiting() == 1);
    hermes.write_source("second.yaml", &source("second", &site.url("/old")));
    daemon.until("the second is queued", || {
        hermes.try_query::<String>("SELECT status FROM fetchlogs WHERE source_name = 'second'").is_some()
    });
    assert_eq!(shown(hermes, "first", "state"), "running");
    assert_eq!(shown(hermes, "second", "state"), "queued");
    daemon
}

#[test]
fn an_update_reaches_a_queued_job_and_not_a_running_one() {
    let (hermes, site, gate) = (Hermes::new(), site(&["/old", "/new"]), Gate::new());
    let daemon = one_running_one_queued(&hermes, &site, &gate);
    // The running one would store `n`, were it updated.
    let changed = source("first", &site.url("/new")).replace("title: title", "title: title, n: id");
    hermes.write_source("first.yaml", &changed);
    hermes.write_source("second.yaml", &source("second", &site.url("/new")));
    daemon.until_logged("source first updated");
    daemon.until_logged("source second updated");
    gate.open();
    daemon.until("all rows", || rows_of(&hermes, "first") == 2 && rows_of(&hermes, "second") == 2);
    assert_eq!(site.asked_paths(), ["/first", "/new"]);
    assert_eq!(hermes.count("items WHERE n IS NULL"), 4);
}

#[test]
fn a_queued_job_of_a_source_that_is_gone_is_discarded_without_a_failure() {
    let (hermes, site, gate) = (Hermes::new(), site(&["/old"]), Gate::new());
    let daemon = one_running_one_queued(&hermes, &site, &gate);
    hermes.remove_source("second.yaml");
    daemon.until("it is removed", || shown(&hermes, "second", "state") == "removed");
    gate.open();
    let status = "SELECT status FROM fetchlogs WHERE source_name = 'second'";
    daemon.until("it is discarded", || hermes.query::<String>(status) == "discarded");
    assert_eq!(hermes.count("retries"), 0);
    assert_eq!(site.asked_paths(), ["/first"]);
}

#[test]
fn a_queued_job_of_a_paused_source_waits_until_it_is_resumed() {
    let (hermes, site, gate) = (Hermes::new(), site(&["/old", "/third"]), Gate::new());
    let daemon = one_running_one_queued(&hermes, &site, &gate);
    hermes.command(&["pause", "second"]).done();
    gate.open();
    // Queued behind it: once this has run, the paused one has had its turn.
    hermes.write_source("third.yaml", &source("third", &site.url("/third")));
    daemon.until("the third has rows", || rows_of(&hermes, "third") == 2);
    assert_eq!(site.asked_paths(), ["/first", "/third"]);
    assert_eq!(shown(&hermes, "second", "state"), "paused");
    hermes.command(&["resume", "second"]).done();
    daemon.until("the second has rows", || rows_of(&hermes, "second") == 2);
}

#[test]
fn a_queued_job_of_a_handler_that_nothing_names_any_more_is_run() {
    let (hermes, site, gate) = (Hermes::new(), site(&["/a"]), Gate::new());
    site.on("/first", Reply::gated(&gate, records(2)));
    let with_handler =
        |name, path, handler: &str| source_with(name, &site.url(path), &format!("handler: {handler}\n"));
    hermes.write_source("first.yaml", &with_handler("first", "/first", "old"));
    hermes.write_source("second.yaml", &with_handler("second", "/a", "old"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the first runs", || gate.waiting() == 1);
    daemon.until("the second is queued", || hermes.count("fetchlogs") == 2);
    assert!(daemon.stop().success());
    hermes.write_source("first.yaml", &with_handler("first", "/first", "new"));
    hermes.write_source("second.yaml", &with_handler("second", "/a", "new"));
    gate.open();
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("rows of both", || rows_of(&hermes, "first") == 2 && rows_of(&hermes, "second") == 2);
    // The first was cut by the stop.
    assert_eq!((site.count("/first"), site.count("/a")), (2, 1));
}

#[test]
fn a_pause_lets_the_run_under_way_end() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, records(2)));
    let file = document(&hermes, "a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until_logged("watching");
    hermes.command(&["add", file.to_str().unwrap()]).done();
    daemon.until("it runs", || gate.waiting() == 1);
    hermes.command(&["pause", "a"]).done();
    assert_eq!(shown(&hermes, "a", "state"), "running");
    gate.open();
    daemon.until("it is paused", || shown(&hermes, "a", "state") == "paused");
    assert_eq!((rows_of(&hermes, "a"), site.count("/a")), (2, 1));
}
