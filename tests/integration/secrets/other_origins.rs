//! A redirect or a next page at another origin (here another port) gets nothing of the source's.

use super::{SECRET, failure, hermes, nowhere, provider, run, source};
use crate::util::{Asked, Hermes, Reply, Site};

const AUTHS: [&str; 4] = [
    r#"{ header: { name: X-Key, value: "${env:KEY}" } }"#,
    r#"{ query: { name: key, value: "${env:KEY}" } }"#,
    r#"{ bearer: "${env:KEY}" }"#,
    r#"{ basic: { user: someone, password: "${env:KEY}" } }"#,
];

/// Credentials, and a header of its own that may be as secret.
fn installation(home: &Site, auth: &str, more: &str) -> Hermes {
    let hermes = hermes();
    hermes.write_source("p.yaml", &provider(auth));
    let own = "headers: { X-Own: private, Cookie: \"${env:KEY}\" }\nparams: { k: \"${env:KEY}\" }\n";
    hermes.write_source("a.yaml", &(source("a", &home.url("/a")) + own + more));
    hermes
}

#[track_caller]
fn has_nothing_of_the_source(asked: &Asked) {
    nowhere("what another origin was asked", &format!("{asked:?}"));
    for name in ["X-Own", "X-Key", "Cookie", "Authorization", "Referer"] {
        assert_eq!(asked.header(name), None, "{asked:?}");
    }
    assert_eq!(asked.body, b"");
}

#[test]
fn nothing_follows_a_redirect() {
    for auth in AUTHS {
        let (home, other) = (Site::new(), Site::new());
        home.on("/a", Reply::redirect(&other.url("/b"), 307));
        other.on("/b", Reply::json(r#"{"data":[{"id":1}]}"#));
        let hermes = installation(&home, auth, "");
        run(&hermes).done();
        assert_eq!(hermes.count("a"), 1);
        assert!(format!("{:?}", home.asked()).contains("private"), "{:?}", home.asked());
        assert_eq!(other.asked().len(), 1);
        assert_eq!(other.asked()[0].target, "/b");
        has_nothing_of_the_source(&other.asked()[0]);
    }
}

#[test]
fn nothing_follows_a_next_url() {
    for auth in AUTHS {
        let (home, other) = (Site::new(), Site::new());
        home.on(
            "/a",
            Reply::json(serde_json::json!({ "data": [{ "id": 1 }], "next": other.url("/b?page=2") })),
        );
        other.on("/b", Reply::json(r#"{"data":[{"id":2}]}"#));
        let hermes = installation(&home, auth, "pagination: { nextUrl: { path: next } }\n");
        run(&hermes).done();
        assert_eq!(hermes.count("a"), 2);
        assert_eq!(other.asked().len(), 1);
        assert_eq!(other.asked()[0].target, "/b?page=2");
        has_nothing_of_the_source(&other.asked()[0]);
    }
}

#[test]
fn nothing_follows_a_link_header() {
    let (home, other) = (Site::new(), Site::new());
    let link = format!("<{}>; rel=\"next\"", other.url("/b"));
    home.on("/a", Reply::json(r#"{"data":[{"id":1}]}"#).header("Link", &link));
    other.on("/b", Reply::json(r#"{"data":[{"id":2}]}"#));
    let hermes = installation(&home, AUTHS[2], "pagination: { link: {} }\n");
    run(&hermes).done();
    assert_eq!(hermes.count("a"), 2);
    assert_eq!(other.asked().len(), 1);
    has_nothing_of_the_source(&other.asked()[0]);
}

#[test]
fn credentials_stay_with_a_next_page_of_the_same_origin() {
    let home = Site::new();
    home.on("/a", Reply::json(r#"{"data":[{"id":1}],"next":"/b"}"#));
    home.on("/b", Reply::redirect("/c", 302));
    home.on("/c", Reply::json(r#"{"data":[{"id":2}]}"#));
    let hermes = installation(&home, AUTHS[2], "pagination: { nextUrl: { path: next } }\n");
    run(&hermes).done();
    assert_eq!(home.asked_paths(), ["/a", "/b", "/c"]);
    let bearer = format!("Bearer {SECRET}");
    assert!(
        home.asked().iter().all(|asked| asked.header("Authorization") == Some(&*bearer)),
        "{:?}",
        home.asked()
    );
}

#[test]
fn a_redirect_that_takes_the_secret_along_is_not_followed() {
    for spelled in ["kx7Vq%2FWm93%2BTz1%3DJd", "kx7Vq/Wm93+Tz1=Jd", "a3g3VnEvV205MytUejE9SmQ"] {
        let (home, other) = (Site::new(), Site::new());
        home.on("/a", Reply::redirect(&other.url(&format!("/b?stolen={spelled}")), 302));
        let hermes = installation(&home, AUTHS[1], "");
        assert_eq!(run(&hermes).code, Some(1));
        let want =
            format!("refused to go to {}: its url holds a secret of this source's host", other.authority());
        assert_eq!(failure(&hermes, "a"), want);
        assert_eq!(other.connections(), 0);
    }
}

#[test]
fn a_next_url_that_takes_the_secret_along_is_not_followed() {
    let (home, other) = (Site::new(), Site::new());
    let next = other.url(&format!("/{SECRET}/b"));
    home.on_fn("/a", move |_| Reply::json(serde_json::json!({ "data": [{ "id": 1 }], "next": next })));
    let hermes = installation(&home, AUTHS[0], "pagination: { nextUrl: { path: next } }\n");
    assert_eq!(run(&hermes).code, Some(1));
    assert!(failure(&hermes, "a").contains("its url holds a secret"), "{}", failure(&hermes, "a"));
    assert_eq!(hermes.count("a"), 1, "the page before it stays");
    assert_eq!(other.connections(), 0);
}

#[test]
fn a_body_is_not_sent_on() {
    let (home, other) = (Site::new(), Site::new());
    home.on("/a", Reply::redirect(&other.url("/b"), 308));
    let hermes = installation(&home, AUTHS[2], "method: POST\nbody: { key: \"${env:KEY}\" }\n");
    assert_eq!(run(&hermes).code, Some(1));
    assert!(
        failure(&hermes, "a").starts_with("refused to send the request's body on to"),
        "{}",
        failure(&hermes, "a")
    );
    assert_eq!(other.connections(), 0);
}

#[test]
fn a_client_secret_does_not_follow_a_token_url_that_redirects() {
    let (home, other) = (Site::new(), Site::new());
    home.on("/token", Reply::redirect(&other.url("/token"), 307));
    let auth = format!(
        "{{ oauth2: {{ tokenUrl: \"{}\", clientId: me, clientSecret: \"${{env:KEY}}\" }} }}",
        home.url("/token")
    );
    let hermes = installation(&home, &auth, "");
    assert_eq!(run(&hermes).code, Some(1));
    assert_eq!(other.connections(), 0);
    assert_eq!(home.asked_paths(), ["/token"]);
}

#[test]
fn a_refusal_elsewhere_says_that_credentials_did_not_follow() {
    let (home, other) = (Site::new(), Site::new());
    home.on("/a", Reply::redirect(&other.url("/b"), 302));
    other.on("/b", Reply::empty(401));
    let hermes = installation(&home, AUTHS[2], "");
    assert_eq!(run(&hermes).code, Some(1));
    let want = "answered 401: it was redirected to another origin, where credentials do not follow";
    assert_eq!(failure(&hermes, "a"), want);
}
