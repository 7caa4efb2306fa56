//! Credentials of a domain: with every request to it, and to no other.

use super::{elsewhere, provider, source};
use crate::util::{Asked, Hermes, Reply, Site};

/// What a source of the domain sent, and a source of another one.
fn asked_with(auth: &str) -> (Asked, Asked) {
    let site = Site::new();
    let hermes = Hermes::new().env("KEY", "k/e y");
    for path in ["/a", "/other"] {
        site.on(path, Reply::json(r#"{"data":[{"id":1}]}"#));
    }
    hermes.write_source("p.yaml", &provider(&format!("auth: {{ {auth} }}")));
    hermes.write_source("a.yaml", &(source("a", &site.url("/a")) + "params: { limit: 5 }\n"));
    hermes.write_source("other.yaml", &source("other", &elsewhere(&site, "/other")));
    hermes.once().done();
    assert_eq!((hermes.count("a"), hermes.count("other")), (1, 1));
    (site.asked_for("/a").remove(0), site.asked_for("/other").remove(0))
}

#[test]
fn a_header_goes_to_its_domain() {
    let (asked, other) = asked_with(r#"header: { name: X-API-Key, value: "${env:KEY}" }"#);
    assert_eq!(asked.header("X-API-Key"), Some("k/e y"));
    assert_eq!(other.header("X-API-Key"), None);
}

#[test]
fn a_query_key_goes_to_its_domain_beside_the_params() {
    let (asked, other) = asked_with(r#"query: { name: apikey, value: "${env:KEY}" }"#);
    assert_eq!((asked.param("limit"), asked.param("apikey")), (Some("5"), Some("k/e y")));
    assert_eq!(asked.query.len(), 2, "{}", asked.target);
    assert_eq!(other.target, "/other");
}

#[test]
fn a_bearer_token_goes_to_its_domain() {
    let (asked, other) = asked_with(r#"bearer: "${env:KEY}""#);
    assert_eq!(asked.header("Authorization"), Some("Bearer k/e y"));
    assert_eq!(other.header("Authorization"), None);
}

#[test]
fn user_and_password_go_to_their_domain() {
    let (asked, other) = asked_with(r#"basic: { user: me, password: "${env:KEY}" }"#);
    // me:k/e y
    assert_eq!(asked.header("Authorization"), Some("Basic bWU6ay9lIHk="));
    assert_eq!(other.header("Authorization"), None);
}

#[test]
fn refused_credentials_are_a_failure_that_says_where_to_look() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/a", Reply::json(r#"{"error":"bad key"}"#).status(403));
    hermes.write_source("p.yaml", &provider("auth: { bearer: wrong }"));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    assert_eq!(hermes.once().code, Some(1));
    let want =
        r#"answered 403: the key in the auth of its provider is refused?; it says: {"error":"bad key"}"#;
    assert_eq!(super::failure(&hermes, "a").as_deref(), Some(want));
    assert_eq!(site.count("/a"), 1);
}
