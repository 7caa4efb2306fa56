//! The deadline of a run: enforced at once, from its start, over all its pages.

use super::MINUTE_MS;
use crate::scene::{completed, paged, pause_ms, retry, source, the_job};
use crate::util::{Gate, Hermes, Reply, Site};
use std::time::Duration;

fn assert_timed_out(hermes: &Hermes) {
    let job = the_job(hermes, "slow");
    assert_eq!((job.status.as_str(), job.attempt), ("failed", 1));
    assert!(job.message.as_deref().is_some_and(|message| message.contains("timeout")), "{job:?}");
    assert_eq!(retry::<i64>(hermes, "slow", "retry_count"), Some(1));
    assert_eq!(pause_ms(hermes, "slow"), 2 * MINUTE_MS);
}

#[test]
fn a_run_is_cut_off_at_its_timeout_and_the_pages_stored_stay() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on_fn("/a", |asked| match asked.param("page") {
        None => Reply::json(r#"{"data":[{"id":1,"title":"one"}],"next_page":2}"#),
        Some(_) => Reply::hang(),
    });
    let yaml = paged("slow", &site.url("/a"), "hourly");
    hermes.write_source("a.yaml", &format!("{yaml}execution: {{ timeout: 2s }}\n"));
    assert_eq!(hermes.once().code, Some(1));
    assert_timed_out(&hermes);
    assert_eq!((site.count("/a"), hermes.count("slow")), (2, 1));
    assert_eq!(hermes.query::<i64>("SELECT pages FROM fetchlogs"), 1);
}

#[test]
fn an_answer_that_trickles_in_is_cut_off_as_well() {
    let (hermes, site) = (Hermes::new(), Site::new());
    let body = format!(r#"{{"data":[{{"id":1,"title":"{}"}}]}}"#, "x".repeat(2_000));
    site.on("/a", Reply::drip(body, Duration::from_millis(20)));
    let yaml = source("slow", &site.url("/a"), "hourly");
    hermes.write_source("a.yaml", &format!("{yaml}execution: {{ timeout: 1s }}\n"));
    assert_eq!(hermes.once().code, Some(1));
    assert_timed_out(&hermes);
    assert_eq!((site.count("/a"), hermes.count("slow")), (1, 0));
}

#[test]
fn pages_that_are_quick_one_by_one_share_one_timeout() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on_fn("/a", |asked| {
        let page: u64 = asked.param("page").map_or(1, |page| page.parse().unwrap());
        let body = format!(r#"{{"data":[{{"id":{page},"title":"t"}}],"next_page":{}}}"#, page + 1);
        Reply::json(body).delay(Duration::from_millis(300))
    });
    let yaml = paged("slow", &site.url("/a"), "hourly");
    hermes.write_source("a.yaml", &format!("{yaml}execution: {{ timeout: 1s }}\n"));
    assert_eq!(hermes.once().code, Some(1));
    assert_timed_out(&hermes);
    let pages: i64 = hermes.query("SELECT pages FROM fetchlogs");
    assert!((0..4).contains(&pages), "{pages} pages of 300 ms in a second");
    assert_eq!(hermes.count("slow"), pages);
    assert!((1..=4).contains(&site.count("/a")), "asked {} times", site.count("/a"));
}

#[test]
fn waiting_in_the_queue_does_not_count() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    let empty = Reply::json(r#"{"data":[]}"#);
    site.on("/first", Reply::gated(&gate, empty.clone()));
    site.on("/slow", empty);
    let yaml = source("slow", &site.url("/slow"), "hourly");
    hermes.write_source("slow.yaml", &format!("{yaml}execution: {{ timeout: 2s }}\n"));
    hermes.write_source("first.yaml", &source("first", &site.url("/first"), "hourly"));
    let daemon = hermes.start(&["--workers", "1"]);
    let waited = "SELECT unixepoch() - unixepoch(queued_datetime) FROM fetchlogs
                  WHERE source_name = 'slow' AND status = 'queued'";
    daemon.until("three seconds in the queue", || {
        gate.waiting() == 1 && hermes.try_query::<i64>(waited).is_some_and(|seconds| seconds > 3)
    });
    assert_eq!(site.count("/slow"), 0);
    gate.open();
    daemon.until("both runs", || completed(&hermes, "first") + completed(&hermes, "slow") == 2);
    assert_eq!((the_job(&hermes, "slow").attempt, hermes.count("retries"), site.count("/slow")), (1, 0, 1));
}
