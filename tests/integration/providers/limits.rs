//! Requests in a window of time.

use super::{elsewhere, job, paged, provider, source, state};
use crate::util::{Hermes, Reply, Site};
use rusqlite::types::Value;

/// `(period, requests)`, the shortest first.
fn counted(hermes: &Hermes) -> Vec<(i64, i64)> {
    let rows = hermes.rows(
        "SELECT period_seconds, request_count FROM rate_limiter_state WHERE domain = '127.0.0.1' ORDER BY 1",
    );
    let number =
        |value: &Value| if let Value::Integer(number) = value { *number } else { panic!("{value:?}") };
    rows.iter().map(|row| (number(&row[0]), number(&row[1]))).collect()
}

fn pages_asked(site: &Site, path: &str) -> Vec<String> {
    site.asked_for(path).iter().map(|asked| asked.param("page").unwrap_or_default().to_owned()).collect()
}

#[test]
fn each_page_counts_in_every_window() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.pages("/a", 6, "page", 2);
    hermes.write_source(
        "p.yaml",
        &provider("limits: [ { requests: 10, per: 1h }, { requests: 20, per: 1d } ]"),
    );
    hermes.write_source("a.yaml", &paged("a", &site.url("/a"), "30s"));
    hermes.once().done();
    assert_eq!(hermes.count("a"), 6);
    assert_eq!(site.count("/a"), 3);
    assert_eq!(counted(&hermes), [(3_600, 3), (86_400, 3)]);
}

#[test]
fn a_redirect_within_the_domain_counts_as_the_request_that_it_is() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/a", Reply::redirect(&site.url("/b"), 302));
    site.on("/b", Reply::redirect(&site.url("/c"), 302));
    site.on("/c", Reply::json(r#"{"data":[{"id":1}]}"#));
    hermes.write_source("p.yaml", &provider("limit: 10\nperiod: 1h"));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    assert_eq!(hermes.count("a"), 1);
    assert_eq!(counted(&hermes), [(3_600, 3)]);
}

#[test]
fn the_window_that_is_full_holds_however_empty_the_other_one_is() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.pages("/a", 6, "page", 2);
    hermes.write_source(
        "p.yaml",
        &provider("limits: [ { requests: 100, per: 1h }, { requests: 2, per: 1d } ]"),
    );
    hermes.write_source("a.yaml", &paged("a", &site.url("/a"), "5s"));
    let daemon = hermes.start(&[]);
    daemon.until("the second window holds", || state(&hermes, "a") == "rate-limited");
    assert_eq!(pages_asked(&site, "/a"), ["1", "2"]);
    assert_eq!(counted(&hermes), [(3_600, 2), (86_400, 2)]);
}

#[test]
fn two_sources_of_a_domain_share_its_window_and_another_domain_does_not() {
    let (site, hermes) = (Site::new(), Hermes::new());
    for path in ["/a", "/b", "/c"] {
        site.on(path, Reply::json(r#"{"data":[{"id":1}]}"#));
    }
    hermes.write_source("p.yaml", &provider("limit: 1\nperiod: 1h"));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    hermes.write_source("c.yaml", &source("c", &elsewhere(&site, "/c")));
    let daemon = hermes.start(&["--workers", "1"]);
    daemon.until("b waits", || state(&hermes, "b") == "rate-limited");
    daemon.until("c is stored", || hermes.count("c") == 1);
    assert_eq!((site.count("/a"), site.count("/b")), (1, 0));
    assert_eq!(counted(&hermes), [(3_600, 1)]);
    assert_eq!(hermes.count("retries"), 0);
}

#[test]
fn a_window_is_kept_over_a_restart() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/a", Reply::json(r#"{"data":[{"id":1}]}"#));
    hermes.write_source("p.yaml", &provider("limit: 1\nperiod: 1h"));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&[]);
    daemon.until("a is stored", || job(&hermes, "a").as_deref() == Some("completed"));
    assert!(daemon.stop().success());

    // Another one of the domain, due at once.
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    let daemon = hermes.start(&[]);
    daemon.until("b is limited", || state(&hermes, "b") == "rate-limited");
    assert!(daemon.stop().success());
    assert_eq!(site.asked_paths(), ["/a"]);
    assert_eq!(counted(&hermes), [(3_600, 1)]);
}

#[test]
fn a_window_that_fits_the_deadline_is_waited_for_between_pages() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.pages("/a", 6, "page", 2);
    hermes.write_source("p.yaml", &provider("limit: 2\nperiod: 2s"));
    hermes.write_source("a.yaml", &paged("a", &site.url("/a"), "60s"));
    hermes.once().done();
    assert_eq!(hermes.count("a"), 6);
    assert_eq!(pages_asked(&site, "/a"), ["1", "2", "3"], "in one run");
    assert_eq!(counted(&hermes), [(2, 1)], "the third page is the first of its window");
    assert_eq!(hermes.query::<i64>("SELECT attempt FROM fetchlogs"), 1);
}

#[test]
fn a_window_that_does_not_fit_the_deadline_stops_the_run_and_keeps_its_pages() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.pages("/a", 6, "page", 2);
    hermes.write_source("p.yaml", &provider("limit: 2\nperiod: 1h"));
    hermes.write_source("a.yaml", &paged("a", &site.url("/a"), "10s"));
    let daemon = hermes.start(&[]);
    daemon.until("a is limited", || state(&hermes, "a") == "rate-limited");
    assert_eq!(hermes.count("a"), 4, "two pages are kept");
    assert_eq!(pages_asked(&site, "/a"), ["1", "2"]);
    assert_eq!(job(&hermes, "a").as_deref(), Some("queued"));
    let message: String = hermes.query("SELECT message FROM fetchlogs");
    let until: String = hermes.query("SELECT not_before FROM fetchlogs");
    assert_eq!(message, format!("waits for the rate limit until {until}"));
    assert_eq!(hermes.count("retries"), 0, "it is no failure");
    assert_eq!(hermes.query::<i64>("SELECT attempt FROM fetchlogs"), 1);
}

#[test]
fn a_run_that_was_stopped_by_a_window_goes_on_by_itself() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.pages("/a", 4, "page", 2);
    site.pages("/b", 4, "page", 2);
    hermes.write_source("p.yaml", &provider("limit: 3\nperiod: 4s"));
    hermes.write_source("a.yaml", &paged("a", &site.url("/a"), "1s"));
    hermes.write_source("b.yaml", &paged("b", &site.url("/b"), "1s"));
    let daemon = hermes.start(&["--workers", "1"]);
    daemon.until("b is limited", || state(&hermes, "b") == "rate-limited");
    assert_eq!(pages_asked(&site, "/b"), ["1"]);
    daemon.until("b is done", || job(&hermes, "b").as_deref() == Some("completed"));
    assert_eq!(hermes.count("b"), 4);
    assert_eq!(pages_asked(&site, "/b"), ["1", "2"], "no page is asked for twice");
    assert_eq!(hermes.count("retries"), 0);
    assert_eq!(hermes.query::<i64>("SELECT attempt FROM fetchlogs WHERE source_name = 'b'"), 1);
}
