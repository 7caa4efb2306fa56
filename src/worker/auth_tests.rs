//! Credentials of each kind, and tokens from a real site on the loopback
//! address.

use std::sync::Arc;

use super::super::testing::{Reply, Site, ok, reply};
use super::*;

fn template(text: &str) -> Template {
    Template::parse(text).expect(text)
}

fn provider(auth: Auth) -> Provider {
    Provider { domain: "a.example".into(), limits: vec![], concurrency: None, auth: Some(auth) }
}

fn oauth(site: &Site) -> Provider {
    provider(Auth::OAuth2 {
        token_url: template(site.url("/token").as_str()),
        client_id: template("${env:ID}"),
        client_secret: template("${env:SECRET}"),
        scope: Some("read all".into()),
    })
}

/// What is sent, and whether a message that holds it would be masked.
fn sent(provider: &Provider, tokens: &Tokens) -> Result<(Vec<Credential>, Secrets), Failure> {
    let mut secrets = Secrets::new(|name| (name != "MISSING").then(|| format!("the {name}&")));
    let mut asking = Asking {
        client: &mut Client::new(Arc::default()),
        secrets: &mut secrets,
        tokens,
        deadline: Instant::now() + Duration::from_secs(10),
        now: Timestamp::UNIX_EPOCH,
    };
    let credentials = credentials(Some(provider), &mut asking)?;
    Ok((credentials, secrets))
}

fn header(value: &str) -> Credential {
    Credential::Header("Authorization".into(), value.into())
}

#[test]
fn each_kind_of_authentication_becomes_its_credential() {
    let key = || template("${env:KEY}");
    for (auth, want) in [
        (
            Auth::Header { name: "X-Key".into(), value: key() },
            Credential::Header("X-Key".into(), "the KEY&".into()),
        ),
        (Auth::Query { name: "k".into(), value: key() }, Credential::Query("k".into(), "the KEY&".into())),
        (Auth::Bearer(key()), header("Bearer the KEY&")),
        (Auth::Basic { user: template("user"), password: key() }, header("Basic dXNlcjp0aGUgS0VZJg==")),
    ] {
        let (credentials, secrets) = sent(&provider(auth), &Tokens::default()).expect("nothing is missing");
        assert_eq!(credentials, [want]);
        assert_eq!(
            secrets.mask("dXNlcjp0aGUgS0VZJg==").contains("***"),
            credentials[0] == header("Basic dXNlcjp0aGUgS0VZJg==")
        );
        assert_eq!(secrets.mask("k=the+KEY%26"), "k=***");
        assert!(!format!("{credentials:?}").contains("KEY"), "{credentials:?}");
    }
}

#[test]
fn a_missing_secret_names_the_domain_and_the_variable() {
    let failure = sent(&provider(Auth::Bearer(template("${env:MISSING}"))), &Tokens::default());
    let failure = failure.expect_err("it is missing");
    assert_eq!(failure.kind, Kind::Credentials);
    assert!(
        failure.message.contains("a.example") && failure.message.contains("MISSING"),
        "{}",
        failure.message
    );
}

#[test]
fn a_token_is_asked_for_once_and_again_after_it_was_forgotten() {
    let token = |number: u8| ok(&format!(r#"{{"access_token":"t0ken-{number}","expires_in":3600}}"#));
    let site = Site::new(vec![token(1), token(2)]);
    let (provider, tokens) = (oauth(&site), Tokens::default());
    for _ in 0..3 {
        let (credentials, secrets) = sent(&provider, &tokens).expect("a token");
        assert_eq!(credentials, [header("Bearer t0ken-1")]);
        assert_eq!(secrets.mask("t0ken-1"), "***");
    }
    tokens.forget("a.example");
    assert_eq!(sent(&provider, &tokens).expect("a token").0, [header("Bearer t0ken-2")]);
    let asked = site.asked();
    assert_eq!(asked.len(), 2);
    let form = "grant_type=client_credentials&client_id=the+ID%26&client_secret=the+SECRET%26&scope=read+all";
    assert!(asked[0].starts_with("POST /token ") && asked[0].ends_with(form), "{}", asked[0]);
    assert!(asked[0].to_ascii_lowercase().contains("content-type: application/x-www-form-urlencoded"));
}

#[test]
fn a_token_of_no_life_is_used_but_not_held() {
    let token = || ok(r#"{"access_token":"t0ken","expires_in":"0"}"#);
    let site = Site::new(vec![token(), token()]);
    let (provider, tokens) = (oauth(&site), Tokens::default());
    for _ in 0..2 {
        assert_eq!(sent(&provider, &tokens).expect("a token").0, [header("Bearer t0ken")]);
    }
    assert_eq!(site.asked().len(), 2);
}

#[test]
fn a_refused_token_names_the_domain_and_nothing_that_was_sent_or_answered() {
    let echo = r#"{"access":"the SECRET& t0ken"}"#;
    for (why, answer, kind) in [
        ("refused", reply("401 Unauthorized", &[], echo.as_bytes()), Kind::Credentials),
        ("broken", reply("500 Oops", &[], echo.as_bytes()), Kind::Credentials),
        ("no token", ok(echo), Kind::Credentials),
        ("an empty token", ok(r#"{"access_token":""}"#), Kind::Credentials),
        ("no JSON", ok("the SECRET& t0ken"), Kind::Credentials),
        ("no HTTP", Reply::Bytes(b"the SECRET& t0ken\r\n\r\n".to_vec()), Kind::Protocol),
    ] {
        let failure = sent(&oauth(&Site::new(vec![answer])), &Tokens::default()).expect_err(why);
        assert_eq!(failure.kind, kind, "{why}");
        assert!(failure.message.contains("a.example"), "{why}: {}", failure.message);
        assert!(
            !failure.message.contains("SECRET") && !failure.message.contains("t0ken"),
            "{}",
            failure.message
        );
    }
}

#[test]
fn nothing_is_sent_where_nothing_is_asked_for() {
    let mut asking = Asking {
        client: &mut Client::new(Arc::default()),
        secrets: &mut Secrets::default(),
        tokens: &Tokens::default(),
        deadline: Instant::now(),
        now: Timestamp::UNIX_EPOCH,
    };
    assert_eq!(credentials(None, &mut asking), Ok(vec![]));
    let open = Provider { auth: None, ..provider(Auth::Bearer(template("x"))) };
    assert_eq!(credentials(Some(&open), &mut asking), Ok(vec![]));
}
