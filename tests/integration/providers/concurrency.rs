//! Requests at once.

use super::{elsewhere, provider, source};
use crate::util::{Gate, Hermes, Reply, Site};

const RECORD: &str = r#"{"data":[{"id":1}]}"#;

#[test]
fn a_domain_of_one_place_never_has_two_requests_at_once() {
    let (site, hermes, gate) = (Site::new(), Hermes::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, Reply::json(RECORD)));
    site.on("/b", Reply::json(RECORD));
    site.on("/c", Reply::json(RECORD));
    hermes.write_source("a.yaml", &(provider("concurrency: 1") + "---\n" + &source("a", &site.url("/a"))));
    let daemon = hermes.start(&["--workers", "3"]);
    daemon.until("the first request is under way", || gate.waiting() == 1);

    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    let running = "SELECT 1 FROM fetchlogs WHERE source_name = 'b' AND status = 'running'";
    daemon.until("b runs as well", || hermes.try_query::<i64>(running).is_some());
    let c = source("c", &elsewhere(&site, "/c")).replace("hourly", "interval:1s");
    hermes.write_source("c.yaml", &c);
    daemon.until("another domain goes on", || site.count("/c") == 2);
    assert_eq!(site.count("/b"), 0, "b waits for its place");

    gate.open();
    daemon.until("both are stored", || hermes.count("a") == 1 && hermes.count("b") == 1);
    assert_eq!((site.count("/a"), site.count("/b")), (1, 1));
}

#[test]
fn a_domain_of_two_places_has_two() {
    let (site, hermes, gate) = (Site::new(), Hermes::new(), Gate::new());
    hermes.write_source("p.yaml", &provider("concurrency: 2"));
    for name in ["a", "b", "c"] {
        site.on(&format!("/{name}"), Reply::gated(&gate, Reply::json(RECORD)));
        hermes.write_source(&format!("{name}.yaml"), &source(name, &site.url(&format!("/{name}"))));
    }
    let daemon = hermes.start(&["--workers", "3"]);
    let running = "SELECT count(*) FROM fetchlogs WHERE status = 'running'";
    daemon.until("three runs", || hermes.try_query::<i64>(running) == Some(3));
    daemon.until("two requests", || gate.waiting() == 2);
    gate.open();
    daemon.until("all are stored", || ["a", "b", "c"].iter().all(|name| hermes.count(name) == 1));
    assert_eq!(site.asked().len(), 3);
}

#[test]
fn a_run_that_finds_no_place_within_its_timeout_is_a_failure_that_says_so() {
    let (site, hermes, gate) = (Site::new(), Hermes::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, Reply::json(RECORD)));
    hermes.write_source("a.yaml", &(provider("concurrency: 1") + "---\n" + &source("a", &site.url("/a"))));
    let daemon = hermes.start(&[]);
    daemon.until("the only place is taken", || gate.waiting() == 1);
    let b = source("b", &site.url("/b")) + "execution: { timeout: 1s }\n";
    hermes.write_source("b.yaml", &b);
    let message = daemon.until_some("the failure", || super::failure(&hermes, "b"));
    assert_eq!(message, "not done within its timeout of 1s; the pages stored stay");
    assert_eq!(site.count("/b"), 0);
}
