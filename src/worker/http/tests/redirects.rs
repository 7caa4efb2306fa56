//! Where a request goes, and what goes along.

use super::super::super::testing::{Site, ok, reply, to};
use super::*;

#[test]
fn a_user_in_the_url_becomes_basic_authentication() {
    let site = Site::new(vec![to("302 Found", "/b"), ok("")]);
    let mut url = site.url("/a");
    url.set_username("me").and_then(|()| url.set_password(Some("p w+="))).expect("a url with a host");
    let answer = ask(&request(url)).0.expect("an answer");
    assert_eq!(answer.url, site.url("/b"));
    for asked in site.asked() {
        assert!(has(&asked, "authorization: basic bWU6cCB3Kz0="), "{asked}");
    }
}

#[test]
fn a_redirect_within_the_origin_keeps_the_credentials() {
    let site = Site::new(vec![to("301 Moved", "/new?apikey=s3cret"), ok("here")]);
    let (answer, body) = ask(&request(site.url("/old")));
    assert!(answer.expect("an answer").is_home);
    assert_eq!(body, b"here");
    let asked = &site.asked()[1];
    assert!(asked.starts_with("GET /new?apikey=s3cret HTTP"), "not twice: {asked}");
    assert!(has(asked, "x-key: s3cret") && has(asked, "x-source"), "{asked}");
}

#[test]
fn a_redirect_to_another_origin_gets_nothing_of_ours() {
    let other = Site::new(vec![ok("there")]);
    let target = other.url("/x?page=2").to_string();
    let site = Site::new(vec![to("302 Found", &target)]);
    let (answer, body) = ask(&post(site.url("/")));
    let answer = answer.expect("an answer");
    assert_eq!(
        (answer.is_home, answer.url.as_str(), body.as_slice()),
        (false, target.as_str(), &b"there"[..])
    );
    let asked = &other.asked()[0];
    assert!(asked.starts_with("GET /x?page=2 HTTP/1.1"), "{asked}");
    for ours in ["s3cret", "apikey", "x-source", "x-key", "content-type", "\"q\""] {
        assert!(!has(asked, ours), "{ours} in {asked}");
    }
}

#[test]
fn a_next_page_on_another_origin_gets_nothing_of_ours_either() {
    let other = Site::new(vec![ok("")]);
    let home = Url::parse("https://api.example/").expect("a url").origin();
    ask(&Request { home: home.clone(), ..request(other.url("/next")) }).0.expect("an answer");
    assert!(!has(&other.asked()[0], "s3cret") && !has(&other.asked()[0], "x-source"));
    let with_body = Request { home, ..post(other.url("/next")) };
    assert_eq!(fails(&with_body).0, Kind::Redirect);
}

#[test]
fn redirects_that_would_give_something_away_are_refused() {
    let other = Site::new(vec![ok(""), ok("")]);
    let echo = format!("{}?key=s3cret", other.url);
    for (why, reply) in [
        ("a body", to("307 Temporary Redirect", other.url.as_str())),
        ("a body for good", to("308 Permanent Redirect", other.url.as_str())),
        ("a secret in the url", to("302 Found", &echo)),
        ("a file", to("302 Found", "file:///etc/passwd")),
    ] {
        let site = Site::new(vec![reply]);
        assert_eq!(fails(&post(site.url("/"))).0, Kind::Redirect, "{why}");
    }
    assert!(other.asked().is_empty());
}

#[test]
fn a_kept_method_keeps_its_body_at_home() {
    let site = Site::new(vec![to("307 Temporary Redirect", "/b"), ok("")]);
    ask(&post(site.url("/a"))).0.expect("an answer");
    assert!(site.asked()[1].starts_with("POST /b") && site.asked()[1].ends_with("{\"q\":1}"));
}

#[test]
fn a_circle_of_redirects_ends_where_it_closes() {
    let site = Site::new(vec![to("302 Found", "/b"), to("302 Found", "/a"), ok("never asked")]);
    let (kind, message) = fails(&request(site.url("/a")));
    assert!(kind == Kind::Redirect && message.contains("circle"), "{message}");
    assert_eq!(site.asked().len(), 2);
}

#[test]
fn ten_redirects_are_followed_and_no_more() {
    let chain = |length: usize| (1..=length).map(|number| to("302 Found", &format!("/{number}"))).collect();
    let site = Site::new([chain(10), vec![ok("at last")]].concat());
    assert_eq!(ask(&request(site.url("/"))).1, b"at last");
    let site = Site::new(chain(12));
    let (kind, message) = fails(&request(site.url("/")));
    assert!(kind == Kind::Redirect && message.contains("more than 10"), "{message}");
    assert_eq!(site.asked().len(), 11);
}

#[test]
fn a_redirect_without_a_target_is_an_answer() {
    let site = Site::new(vec![reply("302 Found", &[], b"lost")]);
    let (answer, body) = ask(&request(site.url("/")));
    assert_eq!((answer.expect("an answer").status, body.as_slice()), (302, &b"lost"[..]));
}
