//! Too much of something: bytes, depth, keys, headers.

use super::{Case, source};
use crate::util::{Reply, Site};

const LIMIT: usize = 16 << 20;

#[test]
fn an_endless_answer_ends_at_the_limit() {
    let case = Case::new(Reply::endless_of("[", r#"{"id":7},"#.repeat(2_000)), "30s");
    case.fails_with("answer of SITE is larger than 16 MiB (response.maxBytes)");
    case.was_asked(1);
    let sent = case.site.bytes_sent();
    assert!(sent < 64 << 20, "it hung up soon after the limit, not after {sent} bytes");
}

#[test]
fn a_gzip_bomb_is_unpacked_no_further_than_the_limit() {
    let case = Case::new(Reply::gzip_bomb(1 << 30), "30s");
    case.fails_with("answer of SITE is larger than 16 MiB (response.maxBytes)");
    case.was_asked(1);
}

#[test]
fn one_byte_over_the_limit_is_too_much() {
    let mut body = br#"[{"id":1}]"#.to_vec();
    body.resize(LIMIT + 1, b' ');
    let case = Case::new(Reply::bytes("application/json", body), "30s");
    case.fails_with("answer of SITE is larger than 16 MiB (response.maxBytes)");
}

#[test]
fn an_answer_of_exactly_the_limit_is_stored() {
    let mut body = br#"[{"id":1}]"#.to_vec();
    body.resize(LIMIT, b' ');
    let case = Case::new(Reply::bytes("application/json", body), "30s");
    case.daemon.until("the answer is stored", || case.hermes.count("bad") == 1);
    let bytes: i64 = case.hermes.query("SELECT bytes FROM fetchlogs WHERE source_name = 'bad'");
    assert_eq!(bytes, LIMIT as i64);
    case.harms_nobody();
}

#[test]
fn brackets_two_hundred_thousand_deep_are_an_error() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let case = Case::new(Reply::json(format!("[{{\"id\":{deep}}}]")), "30s");
    case.fails_with("page 1, record 1, id: its JSON is nested deeper than 128 levels");
    case.was_asked(1);
}

#[test]
fn brackets_without_an_end_are_an_error_as_well() {
    let case = Case::new(Reply::json("[".repeat(200_000)), "30s");
    case.fails_with("page 1: record 1: a list is not an object");
}

#[test]
fn a_record_with_a_hundred_thousand_keys_is_read_like_any_other() {
    let keys: Vec<String> = (0..100_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let case = Case::new(Reply::json(format!("[{{{},\"id\":5}}]", keys.join(","))), "30s");
    case.daemon.until("the record is stored", || case.hermes.count("bad") == 1);
    assert_eq!(case.hermes.query::<i64>("SELECT id FROM bad"), 5);
    case.harms_nobody();
}

#[test]
fn an_answer_that_is_one_huge_text_is_an_error_of_a_line() {
    let case = Case::new(Reply::json(format!("\"{}\"", "x".repeat(10_000_000))), "30s");
    case.fails_with("page 1: dataPath `.`: the text `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…` is not a list of objects");
}

#[test]
fn an_error_page_as_large_as_the_limit_is_quoted_in_a_line() {
    let case = Case::new(Reply::json("no ".repeat(LIMIT / 3)).status(500), "30s");
    let said = "no ".repeat(53) + "…";
    case.fails_with(&format!("answered 500: the server's trouble; it says: {said}"));
}

#[test]
fn a_header_of_a_mebibyte_is_an_error() {
    let case = Case::new(Reply::json("[]").header("X-Long", &"x".repeat(1 << 20)), "30s");
    case.fails_with("SITE closed the connection without an answer, or its headers are larger than 64 KiB");
}

#[test]
fn ten_thousand_headers_are_an_error() {
    let many = (0..10_000).fold(Reply::json("[]"), |reply, n| reply.header(&format!("X-{n}"), "1"));
    let case = Case::new(many, "30s");
    case.fails_with("SITE sent no valid HTTP (protocol: http parse resulted in too many headers)");
}

#[test]
fn endless_pages_all_different_end_at_max_pages_with_a_warning() {
    let site = Site::new();
    site.on_fn("/bad", |asked| {
        let page = asked.param("page").unwrap_or_default();
        Reply::json(format!("[{{\"id\":{page}}}]"))
    });
    let bad =
        source("bad", &site.url("/bad"), "30s") + "pagination: { page: { param: page }, maxPages: 7 }\n";
    let case = Case::with(site, &bad);
    let message = case.daemon.until_some("the warning", || case.message("completed"));
    assert_eq!(message, "stopped at maxPages (7); there are more pages for `bad`");
    assert_eq!(case.hermes.count("bad"), 7);
    case.was_asked(7);
    assert_eq!(case.hermes.count("retries"), 0, "it is no failure");
    case.harms_nobody();
}
