//! Every kind of pagination, end to end: which pages the site was asked for, and that each record was
//! stored once. How pages end is in `pages/end`.

mod end;
mod together;

use crate::util::{Asked, Hermes, Reply, Site, hermes_with, lines, things};
use serde_json::json;

/// What the site was asked, request by request.
fn targets(site: &Site) -> Vec<String> {
    site.asked().into_iter().map(|asked| asked.target).collect()
}

#[track_caller]
fn ids(hermes: &Hermes) -> Vec<i64> {
    let rows = lines(hermes, "SELECT id FROM things ORDER BY rowid");
    rows.iter().map(|id| id.parse().unwrap()).collect()
}

/// Status, pages, records and message of the only run.
#[track_caller]
fn run(hermes: &Hermes) -> String {
    lines(hermes, "SELECT status, pages, records, message FROM fetchlogs").join("\n")
}

/// The records from `first` on, `count` of them.
fn records(first: u64, count: u64) -> serde_json::Value {
    (first..first + count).map(|id| json!({ "id": id, "title": format!("record {id}") })).collect()
}

fn number(asked: &Asked, name: &str) -> u64 {
    asked.param(name).and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[test]
fn pages_are_counted_from_one_unless_told_otherwise() {
    let site = Site::new();
    site.pages("/things", 5, "page", 2);
    let paged = "params: { q: x }\npagination: { page: { param: page, limitParam: limit, limit: 2 } }\n";
    let hermes = hermes_with(&site, &things(paged));
    hermes.once().done();
    let want = [1, 2, 3].map(|page| format!("/things?q=x&page={page}&limit=2"));
    assert_eq!(targets(&site), want);
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5]);
    assert_eq!(run(&hermes), "'completed' 3 5 null");
}

#[test]
fn pages_are_counted_from_zero_where_start_says_so() {
    let site = Site::new();
    site.pages_from(0, "/things", 5, "p", 2);
    let hermes = hermes_with(&site, &things("pagination: { page: { param: p, start: 0, limit: 2 } }\n"));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things?p=0", "/things?p=1", "/things?p=2"]);
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5]);
}

#[test]
fn a_param_of_the_page_takes_the_place_of_one_of_the_same_name() {
    let site = Site::new();
    site.pages("/things", 3, "page", 2);
    let more = "params: { limit: 50, page: 9, q: x }\n\
                pagination: { page: { param: page, limitParam: limit, limit: 2 } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things?q=x&page=1&limit=2", "/things?q=x&page=2&limit=2"]);
}

#[test]
fn offsets_move_on_by_the_limit() {
    let site = Site::new();
    site.on_fn("/things", |asked| {
        let (first, limit) = (number(asked, "skip") + 1, number(asked, "take"));
        Reply::json(json!({ "data": records(first, limit.min(8 - first)) }))
    });
    let more = "pagination: { offset: { param: skip, limitParam: take, limit: 3 } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things?skip=0&take=3", "/things?skip=3&take=3", "/things?skip=6&take=3"]);
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn offsets_move_on_by_what_came_where_the_site_grants_less() {
    let site = Site::new();
    site.on_fn("/things", |asked| {
        let first = number(asked, "offset") + 1;
        Reply::json(json!({ "data": records(first, (6 - first).min(2)), "total": 5 }))
    });
    let more = "pagination: { offset: { limitParam: limit, limit: 100, totalPath: total } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    let want = [0, 2, 4].map(|offset| format!("/things?offset={offset}&limit=100"));
    assert_eq!(targets(&site), want);
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5]);
}

#[test]
fn a_cursor_leads_from_page_to_page() {
    let site = Site::new();
    site.on_fn("/things", |asked| match asked.param("after") {
        None => Reply::json(json!({ "data": records(1, 2), "page": { "next": "a/b==" } })),
        Some("a/b==") => Reply::json(json!({ "data": records(3, 2), "page": { "next": 77 } })),
        Some("77") => Reply::json(json!({ "data": records(5, 1), "page": { "next": null } })),
        Some(_) => Reply::empty(400),
    });
    let more = "params: { q: x }\n\
                pagination: { cursor: { param: after, nextCursorPath: page.next, limitParam: n, limit: 2 } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    let want = ["/things?q=x&n=2", "/things?q=x&after=a%2Fb%3D%3D&n=2", "/things?q=x&after=77&n=2"];
    assert_eq!(targets(&site), want);
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5]);
}

#[test]
fn a_link_header_leads_on_relative_or_absolute() {
    let site = Site::new();
    let absolute = site.url("/v2/more?c=2&x=%2F");
    site.on_fn("/things", move |_| {
        let reply = Reply::json(json!({ "data": records(1, 2) })).header("Link", "</first>; rel=\"first\"");
        reply.header("Link", &format!("<{absolute}>; title=\"a, b\"; rel=\"prev next\""))
    });
    let relative = "<last?c=3>; rel=next, </>; rel=\"up\"";
    site.on("/v2/more", Reply::json(json!({ "data": records(3, 2) })).header("Link", relative));
    site.on("/v2/last", Reply::json(json!({ "data": records(5, 1) })).header("Link", "</a>; rel=\"prev\""));
    let hermes = hermes_with(&site, &things("params: { q: x }\npagination: { link: {} }\n"));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things?q=x", "/v2/more?c=2&x=%2F", "/v2/last?c=3"]);
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5]);
}

#[test]
fn a_next_url_leads_on_relative_or_absolute() {
    let site = Site::new();
    let absolute = site.url("/v2/more?c=2");
    site.on_fn("/things", move |_| {
        Reply::json(json!({ "data": records(1, 2), "links": { "next": absolute } }))
    });
    site.on_fn("/v2/more", |asked| match asked.param("c") {
        Some("2") => Reply::json(json!({ "data": records(3, 2), "links": { "next": "?c=3" } })),
        _ => Reply::json(json!({ "data": records(5, 1), "links": { "next": "" } })),
    });
    let more = "headers: { X-Tenant: me }\npagination: { nextUrl: { path: links.next } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things", "/v2/more?c=2", "/v2/more?c=3"]);
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5]);
    assert!(site.asked().iter().all(|asked| asked.header("x-tenant") == Some("me")), "on every page");
}

#[test]
fn the_older_spelling_of_pages_is_understood() {
    let site = Site::new();
    site.pages("/things", 4, "p", 2);
    let more = "offsetPagination: { pageParam: p, limitParam: n, limit: 2, hasMorePath: has_more }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things?p=1&n=2", "/things?p=2&n=2"]);
    assert_eq!(ids(&hermes), [1, 2, 3, 4]);
}

#[test]
fn the_older_spelling_of_cursors_is_understood() {
    let site = Site::new();
    site.pages("/things", 4, "c", 2);
    let more = "cursorPagination: { cursorParam: c, nextCursorPath: next_page }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things", "/things?c=2"]);
    assert_eq!(ids(&hermes), [1, 2, 3, 4]);
}

#[test]
fn a_post_repeats_its_body_on_every_page() {
    let site = Site::new();
    site.pages("/things", 3, "page", 2);
    let more = "method: POST\nbody: { q: x }\npagination: { page: { param: page, limit: 2 } }\n";
    let hermes = hermes_with(&site, &things(more));
    hermes.once().done();
    let asked = site.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|asked| asked.method == "POST" && asked.body_json() == json!({ "q": "x" })));
    assert_eq!(targets(&site), ["/things?page=1", "/things?page=2"]);
}

#[test]
fn without_pagination_one_request_is_made() {
    let site = Site::new();
    site.pages("/things", 4, "page", 2);
    let hermes = hermes_with(&site, &things(""));
    hermes.once().done();
    assert_eq!(targets(&site), ["/things"]);
    assert_eq!(run(&hermes), "'completed' 1 2 null");
}
