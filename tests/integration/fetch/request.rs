//! What the site is asked: params, headers, methods, connections, redirects.

use crate::util::{Reply, Site, hermes_with, lines, things};

const ONE: &str = r#"{"data":[{"id":1,"title":"one"}]}"#;

/// Answers every request with one record.
fn site() -> Site {
    let site = Site::new();
    site.on("/things", Reply::json(ONE));
    site
}

#[test]
fn params_of_a_list_are_sent_in_order_and_encoded() {
    let site = site();
    let hermes = hermes_with(
        &site,
        &things(
            "params:\n- { name: z, value: 20 }\n- { name: q, value: 'a b&c=d/ü+' }\n- { name: a, value: true }\n\
             - { name: z, value: 1.5 }\n",
        ),
    );
    hermes.once().done();
    let asked = site.asked();
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert_eq!(asked[0].target, "/things?z=20&q=a+b%26c%3Dd%2F%C3%BC%2B&a=true&z=1.5");
}

#[test]
fn params_of_a_map_are_sent_in_the_order_written() {
    let site = site();
    let hermes = hermes_with(&site, &things("params: { zone: 'Europe/Oslo', limit: 5, all: false }\n"));
    hermes.once().done();
    assert_eq!(site.asked()[0].target, "/things?zone=Europe%2FOslo&limit=5&all=false");
}

#[test]
fn params_follow_the_query_of_the_url() {
    let site = site();
    let yaml = things("params: { b: 2 }\n").replace("/things\n", "/things?a=1\n");
    hermes_with(&site, &yaml).once().done();
    assert_eq!(site.asked()[0].target, "/things?a=1&b=2");
}

#[test]
fn headers_are_sent_and_hermes_names_itself() {
    let site = site();
    let hermes = hermes_with(&site, &things("headers: { Accept: application/json, X-Tenant: 'a b' }\n"));
    hermes.once().done();
    let asked = &site.asked()[0];
    assert_eq!(asked.method, "GET");
    assert_eq!(asked.header("accept"), Some("application/json"));
    assert_eq!(asked.header("x-tenant"), Some("a b"));
    assert_eq!(asked.header("host"), Some(&*site.authority()));
    let agent = asked.header("user-agent").expect("a User-Agent");
    assert!(agent.starts_with("hermes/"), "{agent}");
    assert_eq!(asked.header("content-length"), None, "a GET has no body");
}

#[test]
fn a_post_sends_its_body_as_json() {
    let site = site();
    let body =
        "method: POST\nbody: { sensors: [1, 2], since: '2026-11-15', deep: { all: true, none: null } }\n";
    let hermes = hermes_with(&site, &things(body));
    hermes.once().done();
    let asked = &site.asked()[0];
    assert_eq!((asked.method.as_str(), asked.header("content-type")), ("POST", Some("application/json")));
    let want = serde_json::json!({ "sensors": [1, 2], "since": "2026-11-15", "deep": { "all": true, "none": null } });
    assert_eq!(asked.body_json(), want);
    assert_eq!(hermes.count("things"), 1);
}

#[test]
fn a_gzipped_answer_is_asked_for_and_unpacked() {
    let site = Site::new();
    site.on("/things", Reply::json(ONE).gzip());
    let hermes = hermes_with(&site, &things(""));
    hermes.once().done();
    assert_eq!(site.asked()[0].header("accept-encoding"), Some("gzip"));
    assert_eq!(lines(&hermes, "SELECT id, title FROM things"), ["1 'one'"]);
    let bytes: i64 = hermes.query("SELECT bytes FROM fetchlogs");
    assert_eq!(bytes, ONE.len() as i64, "bytes are counted after decompression");
}

#[test]
fn a_chunked_answer_is_put_together() {
    let site = Site::new();
    site.on("/things", Reply::json(ONE).chunked(3));
    let hermes = hermes_with(&site, &things(""));
    hermes.once().done();
    assert_eq!(lines(&hermes, "SELECT id, title FROM things"), ["1 'one'"]);
}

#[test]
fn the_pages_of_a_run_share_one_connection() {
    let site = Site::new();
    site.pages("/things", 7, "page", 2);
    let hermes = hermes_with(&site, &things("pagination: { page: { param: page, limit: 2 } }\n"));
    hermes.once().done();
    assert_eq!((site.count("/things"), hermes.count("things")), (4, 7));
    assert_eq!(site.connections(), 1);
}

#[test]
fn a_redirect_within_the_origin_is_followed_with_the_headers() {
    for status in [301, 302, 303, 307, 308] {
        let site = Site::new();
        site.on("/things", Reply::redirect("/moved/../now?x=1", status));
        site.on("/now", Reply::json(ONE));
        let hermes = hermes_with(&site, &things("headers: { X-Tenant: me }\nparams: { a: 1 }\n"));
        hermes.once().done();
        let targets: Vec<String> = site.asked().into_iter().map(|asked| asked.target).collect();
        assert_eq!(targets, ["/things?a=1", "/now?x=1"], "{status}");
        assert_eq!(site.asked()[1].header("x-tenant"), Some("me"), "{status}");
        assert_eq!(hermes.count("things"), 1, "{status}");
    }
}

#[test]
fn a_post_is_repeated_after_307_and_becomes_a_get_after_303() {
    for (status, method) in [(307, "POST"), (308, "POST"), (303, "GET")] {
        let site = Site::new();
        site.on("/things", Reply::redirect("/now", status));
        site.on("/now", Reply::json(ONE));
        let hermes = hermes_with(&site, &things("method: POST\nbody: { a: 1 }\n"));
        hermes.once().done();
        let asked = &site.asked()[1];
        let body = if method == "POST" { r#"{"a":1}"# } else { "" };
        assert_eq!((asked.method.as_str(), asked.body_text().as_str()), (method, body), "{status}");
    }
}
