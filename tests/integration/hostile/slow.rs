//! Sites that take their time: the run's deadline holds, whatever they do with it.

use super::{Case, source};
use crate::util::{Reply, Site};
use std::time::Duration;

const TOO_LATE: &str = "SITE had not finished its answer when the run's time was over (execution.timeout)";

#[test]
fn a_byte_every_100_ms_does_not_outlast_the_timeout() {
    let case = Case::new(Reply::drip(vec![b' '; 10_000], Duration::from_millis(100)), "1s");
    case.fails_with(TOO_LATE);
    case.was_asked(1);
}

#[test]
fn a_site_that_never_answers_is_left_at_the_timeout() {
    let case = Case::new(Reply::hang(), "1s");
    case.fails_with(TOO_LATE);
    case.was_asked(1);
}

#[test]
fn pages_that_each_take_long_share_one_timeout_and_stay() {
    let site = Site::new();
    site.on_fn("/bad", |asked| match asked.param("page") {
        Some("3") => Reply::hang(),
        page => Reply::json(format!("[{{\"id\":{}}}]", page.unwrap_or_default())),
    });
    let bad = source("bad", &site.url("/bad"), "2s") + "pagination: { page: { param: page } }\n";
    let case = Case::with(site, &bad);
    let message = case.daemon.until_some("the failure", || case.message("failed"));
    assert_eq!(message, TOO_LATE.replace("SITE", &case.site.authority()));
    assert_eq!(case.hermes.count("bad"), 2, "the pages before it stay");
    case.was_asked(3);
    case.harms_nobody();
}

#[test]
fn a_page_of_a_million_records_does_not_outlast_the_timeout() {
    let records: Vec<String> = (0..1_000_000).map(|id| format!("{{\"id\":{id}}}")).collect();
    let case = Case::new(Reply::json(format!("[{}]", records.join(","))), "1s");
    let message = case.daemon.until_some("the failure", || case.message("failed"));
    // A slow machine may not even have read it all by then.
    assert!(message.contains("timeout"), "{message}");
    assert_eq!(case.hermes.count("bad"), 0, "a page is stored whole or not at all");
    case.was_asked(1);
    case.harms_nobody();
}
