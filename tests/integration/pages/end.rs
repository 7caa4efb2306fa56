//! Each way in which pages end, told by the requests that were not made any more.

use super::{ids, number, records, run, targets};
use crate::util::{Reply, Site, hermes_with, things};
use serde_json::json;

#[test]
fn has_more_false_ends_the_pages() {
    let site = Site::new();
    site.pages("/things", 4, "page", 2);
    let more = "pagination: { page: { param: page, limit: 2, hasMorePath: has_more } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    assert_eq!(
        targets(&site),
        ["/things?page=1", "/things?page=2"],
        "a full page, and none asked for after it"
    );
    assert_eq!(run(&hermes), "'completed' 2 4 null");
}

#[test]
fn has_more_true_goes_on_past_a_short_page() {
    let site = Site::new();
    site.on_each(
        "/things",
        vec![
            Reply::json(json!({ "data": records(1, 1), "has_more": true })),
            Reply::json(json!({ "data": records(2, 1), "has_more": false })),
        ],
    );
    let more = "pagination: { page: { param: page, limit: 2, hasMorePath: has_more } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    assert_eq!(ids(&hermes), [1, 2]);
}

#[test]
fn no_cursor_ends_the_pages() {
    for last in [json!({ "data": records(3, 2) }), json!({ "data": records(3, 2), "next": null })] {
        let site = Site::new();
        let first = json!({ "data": records(1, 2), "next": "b" });
        site.on_each("/things", vec![Reply::json(first), Reply::json(&last)]);
        let hermes = hermes_with(&site, &things("pagination: { cursor: { nextCursorPath: next } }\n"));
        hermes.once().done();
        assert_eq!(targets(&site), ["/things", "/things?cursor=b"], "{last}");
        assert_eq!(run(&hermes), "'completed' 2 4 null", "{last}");
    }
}

#[test]
fn a_repeated_cursor_ends_the_pages() {
    let site = Site::new();
    site.on_fn("/things", |asked| match asked.param("cursor") {
        None => Reply::json(json!({ "data": records(1, 2), "next": "b" })),
        Some("b") => Reply::json(json!({ "data": records(3, 2), "next": "c" })),
        _ => Reply::json(json!({ "data": records(5, 2), "next": "b" })),
    });
    let hermes = hermes_with(&site, &things("pagination: { cursor: { nextCursorPath: next } }\n"));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things", "/things?cursor=b", "/things?cursor=c"]);
    assert_eq!(run(&hermes), "'completed' 3 6 null");
}

#[test]
fn a_next_url_that_leads_back_ends_the_pages() {
    let site = Site::new();
    site.on("/things", Reply::json(json!({ "data": records(1, 2), "next": "/more" })));
    site.on("/more", Reply::json(json!({ "data": records(3, 2), "next": "/more" })));
    let hermes = hermes_with(&site, &things("pagination: { nextUrl: { path: next } }\n"));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things", "/more"]);
    assert_eq!(run(&hermes), "'completed' 2 4 null");
}

#[test]
fn an_empty_page_ends_the_pages() {
    let site = Site::new();
    site.pages("/things", 4, "page", 2);
    let hermes = hermes_with(&site, &things("pagination: { page: { param: page } }\n"));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things?page=1", "/things?page=2", "/things?page=3"]);
    assert_eq!(run(&hermes), "'completed' 3 4 null");
}

#[test]
fn an_empty_page_ends_the_pages_though_a_cursor_leads_on() {
    let site = Site::new();
    site.on_fn("/things", |asked| match asked.param("cursor") {
        None => Reply::json(json!({ "data": records(1, 2), "next": "b" })),
        _ => Reply::json(json!({ "data": [], "next": "c" })),
    });
    let hermes = hermes_with(&site, &things("pagination: { cursor: { nextCursorPath: next } }\n"));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things", "/things?cursor=b"]);
}

#[test]
fn no_content_ends_the_pages() {
    let site = Site::new();
    site.on_each("/things", vec![Reply::json(json!({ "data": records(1, 2) })), Reply::empty(204)]);
    let hermes = hermes_with(&site, &things("pagination: { page: { param: page } }\n"));
    hermes.once().done();
    assert_eq!(run(&hermes), "'completed' 2 2 null");
}

#[test]
fn a_short_page_ends_the_pages_where_the_limit_is_known() {
    let counted = [
        ("page: { param: at, limit: 2 }", vec!["/things?at=1", "/things?at=2"]),
        ("offset: { param: at, limit: 2 }", vec!["/things?at=0", "/things?at=2"]),
    ];
    for (paging, want) in counted {
        let site = Site::new();
        let pages = [json!({ "data": records(1, 2) }), json!({ "data": records(3, 1) })];
        site.on_each("/things", pages.iter().map(Reply::json).collect());
        let hermes = hermes_with(&site, &things(&format!("pagination: {{ {paging} }}\n")));
        hermes.once().done();
        assert_eq!(targets(&site), want, "{paging}");
        assert_eq!(run(&hermes), "'completed' 2 3 null", "{paging}");
    }
}

#[test]
fn the_total_ends_the_pages_when_it_is_reached() {
    for (paging, total) in [
        ("page: { param: at, limit: 2, totalPath: total }", json!(4)),
        ("page: { param: at, limit: 2, totalPath: total }", json!("4")),
        ("offset: { param: at, limit: 2, totalPath: total }", json!(4)),
    ] {
        let site = Site::new();
        let pages = [1, 3, 5].map(|first| json!({ "data": records(first, 2), "total": total }));
        site.on_each("/things", pages.iter().map(Reply::json).collect());
        let hermes = hermes_with(&site, &things(&format!("pagination: {{ {paging} }}\n")));
        hermes.once().done();
        assert_eq!(site.count("/things"), 2, "{paging}, {total}");
        assert_eq!(ids(&hermes), [1, 2, 3, 4], "{paging}, {total}");
    }
}

#[test]
fn a_total_that_is_no_number_is_unknown() {
    let site = Site::new();
    site.on_fn("/things", |asked| {
        let page = number(asked, "page");
        Reply::json(json!({ "data": records(page * 2 - 1, if page < 3 { 2 } else { 1 }), "total": ">100" }))
    });
    let more = "pagination: { page: { param: page, limit: 2, totalPath: total } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    assert_eq!(site.count("/things"), 3, "until the short page");
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5]);
}

#[test]
fn max_pages_ends_a_run_with_a_warning_and_without_a_failure() {
    let site = Site::new();
    site.pages("/things", 100, "page", 2);
    let hermes =
        hermes_with(&site, &things("pagination: { page: { param: page, limit: 2 }, maxPages: 3 }\n"));
    let output = hermes.once();
    output.done();
    assert_eq!(site.count("/things"), 3);
    let run = run(&hermes);
    assert!(run.starts_with("'completed' 3 6 '") && run.contains("maxPages (3)"), "{run}");
    let warned = output
        .stderr
        .lines()
        .any(|line| line.contains("WARN") && line.contains("things") && line.contains("maxPages"));
    assert!(warned, "{output}");
    assert_eq!(hermes.count("retries"), 0);
}

#[test]
fn the_last_page_that_is_allowed_is_no_warning_where_it_is_the_last() {
    let site = Site::new();
    site.pages("/things", 5, "page", 2);
    let hermes =
        hermes_with(&site, &things("pagination: { page: { param: page, limit: 2 }, maxPages: 3 }\n"));
    let output = hermes.once();
    output.done();
    assert_eq!(run(&hermes), "'completed' 3 5 null");
    assert!(!output.stderr.contains("maxPages"), "{output}");
}

#[test]
fn a_page_like_the_one_before_it_is_an_error_and_no_endless_loop() {
    let site = Site::new();
    site.on("/things", Reply::json(json!({ "data": records(1, 2) })));
    let hermes = hermes_with(&site, &things("pagination: { page: { param: page, limit: 2 } }\n"));
    let output = hermes.once();
    assert_eq!(output.code, Some(1), "{output}");
    assert_eq!(site.count("/things"), 2);
    assert_eq!(ids(&hermes), [1, 2], "the first page is kept");
    let run = run(&hermes);
    assert!(run.starts_with("'failed' 1 2 '") && run.contains("page 2 is the same as page 1"), "{run}");
}
