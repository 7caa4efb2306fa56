//! The end of pages, rule by rule.

use super::*;
use crate::definition::Path;

fn counted(limit: Option<u64>) -> Counted {
    Counted {
        param: "p".into(),
        start: 0,
        limit: limit.map(|value| Limit { param: Some("n".into()), value }),
        has_more_path: None,
        total_path: None,
    }
}

fn cursor() -> Paging {
    Paging::Cursor { param: "after".into(), next_cursor_path: Path::default(), limit: None }
}

fn pages(paging: Paging, max_pages: u32) -> Pages {
    Pages::new(Some(&Pagination { paging, max_pages }))
}

/// A page of so many records, different from every other.
fn page(records: u64) -> PageFacts {
    use std::sync::atomic::{AtomicU64, Ordering};
    static PAGES: AtomicU64 = AtomicU64::new(1);
    let digest = PAGES.fetch_add(1, Ordering::Relaxed).into();
    PageFacts { records, digest, ..PageFacts::default() }
}

fn with_cursor(cursor: &str) -> PageFacts {
    PageFacts { cursor: Some(cursor.into()), ..page(1) }
}

fn asked(pages: &Pages) -> String {
    let Ask { params, url } = pages.ask();
    let params: Vec<String> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
    url.unwrap_or_default() + &params.join("&")
}

#[test]
fn a_page_or_offset_ends_where_the_answer_says_so() {
    let more = |has_more, records| PageFacts { has_more: Some(has_more), ..page(records) };
    let total = |total, records| PageFacts { total: Some(total), ..page(records) };
    for (why, limit, facts, want) in [
        ("a full page", Some(10), page(10), Step::More),
        ("more than was asked for", Some(10), page(12), Step::More),
        ("a short page", Some(10), page(9), Step::Done),
        ("nulls fill a page", Some(10), PageFacts { skipped: 1, ..page(9) }, Step::More),
        ("no limit: no page is short", None, page(1), Step::More),
        ("an empty page", None, page(0), Step::Done),
        ("an empty page, whatever it says", Some(10), more(true, 0), Step::Done),
        ("has-more false on a full page", Some(10), more(false, 10), Step::Done),
        ("has-more true on a full page", Some(10), more(true, 10), Step::More),
        ("has-more true on a short page", Some(10), more(true, 3), Step::More),
        ("total reached on a full page", Some(10), total(10, 10), Step::Done),
        ("total passed", Some(10), total(9, 10), Step::Done),
        ("total not reached", Some(10), total(11, 10), Step::More),
        ("total not reached on a short page", Some(10), total(11, 3), Step::More),
        ("total not reached on an empty page", Some(10), total(11, 0), Step::Done),
        ("total reached without a limit", None, total(10, 10), Step::Done),
        (
            "has-more false before total",
            Some(10),
            PageFacts { has_more: Some(false), ..total(99, 10) },
            Step::Done,
        ),
    ] {
        for paging in [Paging::Page(counted(limit)), Paging::Offset(counted(limit))] {
            assert_eq!(pages(paging.clone(), 100).after(&facts, None), Ok(want), "{why}: {paging:?}");
        }
    }
}

#[test]
fn pages_count_up_from_their_start_with_the_limit_on_each() {
    let mut pages = pages(Paging::Page(Counted { start: 1, ..counted(Some(2)) }), 100);
    let mut seen = vec![asked(&pages)];
    while pages.after(&page(if seen.len() < 3 { 2 } else { 1 }), None) == Ok(Step::More) {
        seen.push(asked(&pages));
    }
    assert_eq!(seen, ["p=1&n=2", "p=2&n=2", "p=3&n=2"]);
}

#[test]
fn a_limit_that_the_api_is_not_told_still_tells_a_short_page() {
    let limit = Some(Limit { param: None, value: 2 });
    let mut pages = pages(Paging::Page(Counted { limit, ..counted(None) }), 100);
    assert_eq!(asked(&pages), "p=0");
    assert_eq!(pages.after(&page(1), None), Ok(Step::Done));
}

#[test]
fn an_offset_goes_on_by_the_limit_or_by_what_there_was() {
    for (why, limit, records, want) in [
        ("full", Some(100), 100, "p=100&n=100"),
        ("the API grants less", Some(100), 50, "p=50&n=100"),
        ("the API gives more", Some(100), 120, "p=100&n=100"),
        ("no limit", None, 30, "p=30"),
    ] {
        let mut pages = pages(Paging::Offset(counted(limit)), 100);
        let facts = PageFacts { total: Some(1_000), ..page(records) };
        assert_eq!(pages.after(&facts, None), Ok(Step::More), "{why}");
        assert_eq!(asked(&pages), want, "{why}");
    }
}

#[test]
fn an_offset_that_counts_from_one_reaches_the_last_record() {
    let mut pages = pages(Paging::Offset(Counted { start: 1, ..counted(Some(100)) }), 100);
    let facts = |records| PageFacts { total: Some(101), ..page(records) };
    assert_eq!(pages.after(&facts(100), None), Ok(Step::More));
    assert_eq!(asked(&pages), "p=101&n=100");
    assert_eq!(pages.after(&facts(1), None), Ok(Step::Done));
}

#[test]
fn the_total_counts_all_pages_of_the_run() {
    let mut pages = pages(Paging::Page(counted(None)), 100);
    let facts = || PageFacts { total: Some(5), ..page(2) };
    let steps: Vec<_> = (0..3).map(|_| pages.after(&facts(), None)).collect();
    assert_eq!(steps, [Ok(Step::More), Ok(Step::More), Ok(Step::Done)]);
}

#[test]
fn a_cursor_leads_on_until_there_is_none_or_it_comes_again() {
    let limit = Some(Limit { param: Some("n".into()), value: 50 });
    let paging = Paging::Cursor { param: "after".into(), next_cursor_path: Path::default(), limit };
    let mut run = pages(paging, 100);
    assert_eq!(asked(&run), "n=50", "the first page has no cursor");
    assert_eq!(run.after(&with_cursor("a"), None), Ok(Step::More));
    assert_eq!(asked(&run), "after=a&n=50");
    assert_eq!(run.after(&with_cursor("7"), None), Ok(Step::More), "a short page is no end here");
    assert_eq!(run.after(&with_cursor("a"), None), Ok(Step::Done), "of any page before");
    for (why, facts) in [
        ("no cursor", page(1)),
        ("an empty one", with_cursor("")),
        ("an empty page", PageFacts { records: 0, ..with_cursor("z") }),
    ] {
        assert_eq!(pages(cursor(), 100).after(&facts, None), Ok(Step::Done), "{why}");
    }
}

#[test]
fn a_url_of_the_answer_is_asked_as_it_is() {
    let mut run = pages(Paging::NextUrl { path: Path::default() }, 100);
    let to = |url: &str| PageFacts { next_url: Some(url.into()), ..page(1) };
    assert_eq!(run.ask(), Ask::default());
    assert_eq!(run.after(&to("https://a.example/?p=2"), None), Ok(Step::More));
    assert_eq!(run.ask(), Ask { params: vec![], url: Some("https://a.example/?p=2".into()) });
    assert_eq!(run.after(&to("https://a.example/?p=2"), None), Ok(Step::Done), "repeated");
    assert_eq!(pages(Paging::NextUrl { path: Path::default() }, 9).after(&page(1), None), Ok(Step::Done));
}

#[test]
fn a_link_header_leads_on() {
    let mut run = pages(Paging::Link, 100);
    assert_eq!(run.after(&page(1), Some("</2>; rel=next")), Ok(Step::More));
    assert_eq!(asked(&run), "/2");
    assert_eq!(run.after(&page(1), Some("</1>; rel=prev")), Ok(Step::Done));
    assert_eq!(pages(Paging::Link, 100).after(&page(1), None), Ok(Step::Done));
    assert_eq!(pages(Paging::Link, 100).after(&page(0), Some("</2>; rel=next")), Ok(Step::Done));
}

#[test]
fn max_pages_is_said_only_where_there_would_be_more() {
    let mut run = pages(cursor(), 2);
    assert_eq!(run.after(&with_cursor("a"), None), Ok(Step::More));
    assert_eq!(run.after(&with_cursor("b"), None), Ok(Step::MaxPages));
    let mut run = pages(cursor(), 2);
    assert_eq!(run.after(&with_cursor("a"), None), Ok(Step::More));
    assert_eq!(run.after(&page(1), None), Ok(Step::Done));
}

#[test]
fn the_same_page_twice_is_an_error() {
    let same = page(5);
    let mut run = pages(Paging::Page(counted(Some(5))), 100);
    assert_eq!(run.after(&same, None), Ok(Step::More));
    let error = run.after(&same, None).expect_err("the same page");
    assert!(error.starts_with("page 2 is the same as page 1"), "{error}");
    let other = [page(5), same.clone(), page(5), same];
    let mut run = pages(Paging::Page(counted(Some(5))), 100);
    assert!(other.iter().all(|facts| run.after(facts, None) == Ok(Step::More)), "only the one before counts");
}

#[test]
fn pages_of_nothing_but_nulls_are_not_the_same_page() {
    let nulls = PageFacts { skipped: 5, ..page(0) };
    let mut run = pages(Paging::Page(counted(Some(5))), 100);
    assert_eq!(run.after(&nulls, None), Ok(Step::More));
    assert_eq!(run.after(&nulls, None), Ok(Step::More));
}

#[test]
fn without_pagination_there_is_one_page() {
    let mut run = Pages::new(None);
    assert_eq!(run.ask(), Ask::default());
    assert_eq!(run.after(&with_cursor("a"), Some("</2>; rel=next")), Ok(Step::Done));
}
