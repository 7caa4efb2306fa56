//! What a server asks for: `Retry-After` with 429 and 503.

use super::MINUTE_MS;
use crate::scene::{end_pause, pause_ms, source};
use crate::util::{Hermes, Reply, Site};
use std::time::{Duration, SystemTime};

/// The pause after one failure with this answer.
fn pause_after(status: u16, retry_after: &str) -> i64 {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::empty(status).header("Retry-After", retry_after));
    hermes.write_source("sources.yaml", &source("busy", &site.url("/a"), "hourly"));
    assert_eq!(hermes.once().code, Some(1));
    // However long it is, it is kept.
    hermes.once().done();
    assert_eq!(site.count("/a"), 1);
    pause_ms(&hermes, "busy")
}

#[test]
fn a_retry_after_counts_where_it_is_longer_than_the_backoff() {
    for (status, retry_after, minutes) in
        [(429, "600", 10), (503, "600", 10), (429, "30", 2), (503, "119", 2), (429, "0", 2), (503, "-5", 2)]
    {
        let pause = pause_after(status, retry_after);
        assert_eq!(pause, minutes * MINUTE_MS, "{status} with Retry-After: {retry_after}");
    }
}

#[test]
fn a_retry_after_may_be_a_date() {
    let date = |time: SystemTime| httpdate::fmt_http_date(time);
    let (hour, now) = (Duration::from_secs(3_600), SystemTime::now());
    for status in [429, 503] {
        // The date is a whole second, and the test takes a while to get there.
        let pause = pause_after(status, &date(now + hour));
        assert!((50 * MINUTE_MS..=60 * MINUTE_MS).contains(&pause), "{status}: {pause} ms");
        assert_eq!(pause_after(status, &date(now - hour)), 2 * MINUTE_MS, "{status} with a past date");
    }
    assert_eq!(pause_after(503, "soon"), 2 * MINUTE_MS, "neither a number nor a date");
}

#[test]
fn what_the_server_asks_for_outlasts_the_period_of_the_budget() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::empty(429).header("Retry-After", "7200"));
    let yaml = source("busy", &site.url("/a"), "hourly");
    hermes.write_source(
        "sources.yaml",
        &format!("{yaml}execution: {{ maxRetries: 1, retryResetPeriod: 1h }}\n"),
    );
    hermes.once();
    assert_eq!(pause_ms(&hermes, "busy"), 120 * MINUTE_MS);
    hermes.exec("UPDATE retries SET period_start = '2020-01-01T00:00:00.000Z'");
    hermes.once().done();
    assert_eq!(site.count("/a"), 1);
    end_pause(&hermes, "busy");
    hermes.once();
    assert_eq!(site.count("/a"), 2);
}
