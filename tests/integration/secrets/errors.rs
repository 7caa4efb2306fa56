//! Errors that quote what a site sent, where that has the secret in it.

use super::{SECRET, failure, hermes, provider, run, source};
use crate::util::{Reply, Site};

/// The message for a source that gets this reply, sent the secret as bearer and as a parameter.
#[track_caller]
fn message_for(reply: Reply) -> String {
    let (site, hermes) = (Site::new(), hermes());
    site.on("/a", reply);
    hermes.write_source("p.yaml", &provider(r#"{ bearer: "${env:KEY}" }"#));
    hermes.write_source("a.yaml", &(source("a", &site.url("/a")) + "params: { k: \"${env:KEY}\" }\n"));
    assert_eq!(run(&hermes).code, Some(1));
    assert_eq!(site.count("/a"), 1);
    failure(&hermes, "a")
}

#[test]
fn a_refusal_that_repeats_the_key_in_any_spelling_is_masked() {
    let escaped =
        r"kx7Vq\/Wm93+Tz1=Jd kx7Vq%2FWm93%2BTz1%3DJd \u006bx7Vq/Wm93+Tz1=Jd a3g3VnEvV205MytUejE9SmQ=";
    let message = message_for(Reply::text("text/plain", format!("{SECRET} {escaped}")).status(403));
    assert!(message.ends_with("it says: *** *** *** *** ***"), "{message}");
}

#[test]
fn a_key_on_the_edge_of_what_is_quoted_leaves_no_half() {
    // 160 characters are shown, of the 4096 bytes that are looked at.
    for before in [144, 150, 156, 159] {
        message_for(Reply::text("text/plain", format!("{} {SECRET}", "x".repeat(before))).status(500));
    }
    let blanks = " ".repeat(4_080);
    let message = message_for(Reply::text("text/plain", format!("oh{blanks}{SECRET}")).status(500));
    assert!(message.ends_with("it says: oh ***…"), "{message}");
}

#[test]
fn an_answer_that_is_no_json_and_has_the_key_on_the_edge_of_the_quote() {
    for before in [0, 40, 50, 55, 57] {
        let text = format!("{}{SECRET} is not your key", "x".repeat(before));
        let message = message_for(Reply::text("text/plain", text));
        assert!(message.contains("not JSON") && message.contains("***"), "{message}");
    }
}

#[test]
fn an_error_at_the_error_path_is_masked() {
    for before in [0, 290] {
        let error = format!("{}{SECRET} is not known", "x".repeat(before));
        let (site, hermes) = (Site::new(), hermes());
        site.on("/a", Reply::json(serde_json::json!({ "error": error, "data": [] })));
        let source =
            source("a", &site.url("/a?k=${env:KEY}")).replace("dataPath", "errorPath: error, dataPath");
        hermes.write_source("a.yaml", &source);
        assert_eq!(run(&hermes).code, Some(1));
        let message = failure(&hermes, "a");
        assert!(message.starts_with("the answer is an error: ") && message.contains("***"), "{message}");
    }
}

#[test]
fn a_value_that_does_not_fit_its_field_is_masked() {
    for before in [0, 50, 58] {
        let value = format!("{}{SECRET}", "x".repeat(before));
        let (site, hermes) = (Site::new(), hermes());
        site.on("/a", Reply::json(serde_json::json!({ "data": [{ "id": value }] })));
        let source = source("a", &site.url("/a?k=${env:KEY}"))
            .replace("{ id: id }", "[ { source: id, target: id, type: integer } ]");
        hermes.write_source("a.yaml", &source);
        assert_eq!(run(&hermes).code, Some(1));
        let message = failure(&hermes, "a");
        assert!(message.starts_with("page 1, record 1, id: ") && message.contains("***"), "{message}");
        assert_eq!(hermes.count("a"), 0);
    }
}

#[test]
fn keys_of_an_answer_without_the_records_are_masked() {
    let answer = format!(r#"{{"your key {SECRET}":1,"aaaaaaaaaaaaaaaaaaaaaaaa{SECRET}":2}}"#);
    let message = message_for(Reply::json(answer));
    assert!(message.contains("there is no `data`") && message.contains("***"), "{message}");
}

#[test]
fn a_connection_that_is_refused_is_named_without_its_url() {
    let (gone, hermes) = (Site::new(), hermes());
    let (url, authority) = (gone.url("/a?k=${env:KEY}"), gone.authority());
    drop(gone);
    hermes.write_source("p.yaml", &provider(r#"{ query: { name: key, value: "${env:KEY}" } }"#));
    hermes.write_source("a.yaml", &source("a", &url));
    assert_eq!(run(&hermes).code, Some(1));
    assert_eq!(failure(&hermes, "a"), format!("connection refused by {authority}"));
}

#[test]
fn a_site_that_speaks_no_http_and_repeats_the_key_is_masked() {
    let message = message_for(Reply::raw(format!("HTTP/1.1 {SECRET}\r\n{SECRET}: {SECRET}\r\n\r\n")));
    assert!(message.contains("sent no valid HTTP"), "{message}");
}

#[test]
fn a_header_value_that_http_forbids_is_not_quoted() {
    let (site, hermes) = (Site::new(), hermes());
    let hermes = hermes.env("KEY", &format!("{SECRET}\n{SECRET}"));
    hermes.write_source("p.yaml", &provider(r#"{ bearer: "${env:KEY}" }"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    assert_eq!(run(&hermes).code, Some(1));
    assert!(failure(&hermes, "a").contains("a character that HTTP forbids"), "{}", failure(&hermes, "a"));
    assert_eq!(site.asked().len(), 0);
}
