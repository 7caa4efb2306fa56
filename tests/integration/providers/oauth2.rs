//! Tokens: asked for when needed, and not more often.

use super::{failure, provider, source};
use crate::util::{Hermes, Reply, Site};

/// `/token` gives `t1`, then `t2`, then `t3` for ever, each living so many seconds.
fn installation(seconds: u32, schedule: &str) -> (Site, Hermes) {
    let (site, hermes) = (Site::new(), Hermes::new().env("CLIENT_SECRET", "s&cret"));
    let token = |name| Reply::json(format!(r#"{{"access_token":"{name}","expires_in":{seconds}}}"#));
    site.on_each("/token", vec![token("t1"), token("t2"), token("t3")]);
    site.on("/a", Reply::json(r#"{"data":[{"id":1}]}"#));
    let url = site.url("/token");
    let auth = format!(
        "auth: {{ oauth2: {{ tokenUrl: \"{url}\", clientId: me, clientSecret: \"${{env:CLIENT_SECRET}}\", scope: read }} }}"
    );
    hermes.write_source("p.yaml", &provider(&auth));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")).replace("hourly", schedule));
    (site, hermes)
}

fn tokens(site: &Site) -> Vec<String> {
    let shown = site.asked_for("/a").into_iter();
    shown.map(|asked| asked.header("Authorization").unwrap_or_default().to_owned()).collect()
}

#[test]
fn one_token_serves_several_runs() {
    let (site, hermes) = installation(3_600, "interval:1s");
    let daemon = hermes.start(&[]);
    daemon.until("two runs", || site.count("/a") == 2);
    assert_eq!(site.count("/token"), 1);
    assert_eq!(tokens(&site), ["Bearer t1", "Bearer t1"]);
    let asked = &site.asked_for("/token")[0];
    assert_eq!(asked.method, "POST");
    assert_eq!(
        asked.body_text(),
        "grant_type=client_credentials&client_id=me&client_secret=s%26cret&scope=read"
    );
}

#[test]
fn a_token_is_renewed_when_its_time_is_over() {
    let (site, hermes) = installation(1, "interval:1s");
    let daemon = hermes.start(&[]);
    daemon.until("a run with a new token", || tokens(&site).contains(&"Bearer t2".to_owned()));
    assert_eq!(tokens(&site)[0], "Bearer t1");
    assert_eq!(hermes.count("retries"), 0, "nothing failed meanwhile");
}

#[test]
fn a_token_that_is_no_longer_taken_is_renewed_within_the_run() {
    let (site, hermes) = installation(3_600, "hourly");
    site.on_fn("/a", |asked| match asked.header("Authorization") {
        Some("Bearer t2") => Reply::json(r#"{"data":[{"id":1}]}"#),
        _ => Reply::json(r#"{"error":"expired"}"#).status(401),
    });
    hermes.once().done();
    assert_eq!(tokens(&site), ["Bearer t1", "Bearer t2"]);
    assert_eq!(site.count("/token"), 2);
    assert_eq!(hermes.count("a"), 1);
    assert_eq!(hermes.count("retries"), 0);
}

#[test]
fn a_site_that_takes_no_token_is_not_asked_again_and_again() {
    let (site, hermes) = installation(3_600, "hourly");
    site.on("/a", Reply::empty(401));
    assert_eq!(hermes.once().code, Some(1));
    let want = "answered 401: the key in ${env:CLIENT_SECRET} is refused?";
    assert_eq!(failure(&hermes, "a").as_deref(), Some(want));
    assert_eq!(tokens(&site), ["Bearer t1", "Bearer t2"]);
    assert_eq!(site.count("/token"), 2);
}

#[test]
fn a_token_url_that_fails_is_a_clear_failure_and_the_api_is_not_asked() {
    for (reply, want) in [
        (Reply::json("{}").status(400), "the tokenUrl answered 400; check clientId, clientSecret and scope"),
        (Reply::empty(503), "the tokenUrl answered 503"),
        (Reply::text("text/html", "<html>"), "the tokenUrl answered without JSON"),
        (Reply::json("{}"), "the tokenUrl answered without an access_token"),
    ] {
        let (site, hermes) = installation(3_600, "hourly");
        site.on("/token", reply);
        assert_eq!(hermes.once().code, Some(1));
        assert_eq!(failure(&hermes, "a"), Some(format!("no credentials for 127.0.0.1: {want} (in p.yaml)")));
        assert_eq!(site.asked_paths(), ["/token"]);
    }
}

#[test]
fn a_token_url_that_cannot_be_reached_is_named() {
    let (site, hermes) = installation(3_600, "hourly");
    let authority = site.authority();
    site.on("/token", Reply::raw("nonsense\r\n\r\n"));
    assert_eq!(hermes.once().code, Some(1));
    let message = failure(&hermes, "a").unwrap();
    assert!(
        message.starts_with(&format!("no token for 127.0.0.1: {authority} sent no valid HTTP")),
        "{message}"
    );
    assert_eq!(site.count("/a"), 0);
}
