//! Markets: articles, prices, and the ways to say that the quota is used up.

use super::{KEY, answer, failed, fetched, shape};
use crate::util::{Reply, lines};

const ARTICLES: &str = "/stable/fmp-articles";
const HISTORICAL: &str = "/api/v3/historical-price-full/SMPL";

/// Pages from zero, times of New York without a zone, HTML.
#[test]
fn fmp_articles() {
    let (site, hermes) = shape("fmp-articles", ARTICLES, Reply::empty(500));
    site.on_fn(ARTICLES, |asked| match asked.param("page") {
        Some("0") => answer("fmp-articles.json"),
        Some("1") => answer("fmp-articles-2.json"),
        _ => Reply::empty(400),
    });
    let sql = "SELECT headline, published_at, content, tickers, url, author FROM news ORDER BY url";
    let want = [
        "'Sample Corp raises outlook' '2026-11-13T21:05:00.000Z' '<p>Sample &amp; more</p>\n<ul><li>one</li></ul>' \
         'NYSE:SMPL' 'https://news.example/1' 'A. Writer'",
        "'“Quotes” and dashes – kept' '2026-11-13T14:30:00.000Z' '<p></p>' null 'https://news.example/2' 'unknown'",
        "'An older one' '2026-07-01T12:00:00.000Z' '' 'NASDAQ:OLDR' 'https://news.example/3' 'B. Writer'",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    let asked: Vec<String> = site.asked().into_iter().map(|asked| asked.target).collect();
    assert_eq!(asked, [0, 1].map(|page| format!("{ARTICLES}?page={page}&limit=2&apikey={KEY}")));
}

/// The symbol stands at the root only.
#[test]
fn fmp_historical() {
    let (site, hermes) = shape("fmp-historical", HISTORICAL, answer("fmp-historical.json"));
    let sql = "SELECT symbol, day, close, volume FROM prices ORDER BY day";
    let want = ["'SMPL' '2026-11-12' 10.0 900000", "'SMPL' '2026-11-13' 10.75 1200300"];
    assert_eq!(fetched(&hermes, sql), want);
    assert_eq!(site.asked()[0].target, format!("{HISTORICAL}?from=2026-11-12&to=2026-11-13&apikey={KEY}"));
}

#[test]
fn fmp_historical_without_prices_is_an_empty_object_and_no_failure() {
    let (_site, hermes) = shape("fmp-historical", HISTORICAL, Reply::json("{}"));
    assert!(fetched(&hermes, "SELECT * FROM prices").is_empty());
    assert_eq!(lines(&hermes, "SELECT status, records FROM fetchlogs"), ["'completed' 0"]);
}

/// An object where a list is expected, with either status: never a record.
#[test]
fn fmp_over_its_quota_is_a_failure_with_either_status() {
    for (name, path, table) in [("fmp-articles", ARTICLES, "news"), ("fmp-historical", HISTORICAL, "prices")]
    {
        for status in [200, 429] {
            let (site, hermes) = shape(name, path, answer("fmp-over-quota.json").status(status));
            let text = failed(&hermes, table);
            assert!(text.contains("calls is used up"), "{name} {status}: {text}");
            assert_eq!(text.contains("429"), status == 429, "{name}: {text}");
            assert_eq!(site.asked().len(), 1, "{name} {status}: it waits before it asks again");
            assert_eq!(lines(&hermes, "SELECT retry_count FROM retries"), ["1"], "{name} {status}");
        }
    }
}

/// Prices keyed by day, with keys that have dots and blanks.
#[test]
fn alpha_vantage() {
    let (site, hermes) = shape("alpha-vantage", "/query", answer("alpha-vantage.json"));
    let sql = "SELECT symbol, day, open, close, volume FROM prices ORDER BY day";
    let want = ["'SMPL' '2026-11-12' 10.0 10.0 900000", "'SMPL' '2026-11-13' 10.5 10.75 1200300"];
    assert_eq!(fetched(&hermes, sql), want);
    assert_eq!(site.asked()[0].target, format!("/query?function=TIME_SERIES_DAILY&symbol=SMPL&apikey={KEY}"));
}

#[test]
fn a_note_of_alpha_vantage_is_a_failure_though_its_status_is_200() {
    let (_site, hermes) = shape("alpha-vantage", "/query", answer("alpha-vantage-note.json"));
    let text = failed(&hermes, "prices");
    assert!(text.contains("so many calls a minute"), "{text}");
}

#[test]
fn fmp_repeats_a_key_in_its_error_but_hermes_does_not() {
    let error = format!(r#"{{"Error Message":"the key {KEY} has no access"}}"#);
    let (_site, hermes) = shape("fmp-historical", HISTORICAL, Reply::json(error));
    let text = failed(&hermes, "prices");
    assert!(text.contains("the key ") && text.contains(" has no access"), "{text}");
}
