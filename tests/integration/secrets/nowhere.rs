//! A secret reaches the site, and nothing else has it: neither when all goes well nor when the site
//! answers with an error that repeats the whole request.

use super::{SECRET, failure, from_file, hermes, look_through, nowhere, provider, run, source};
use crate::util::{Asked, Hermes, Reply, Site};

/// `/good` answers, `/bad` refuses and says what it was sent, the secret first.
fn site() -> Site {
    let site = Site::new();
    site.on("/good", Reply::json(r#"{"data":[{"id":1}]}"#));
    site.on_fn("/bad", |asked| Reply::text("text/plain", echo(asked)).status(500));
    site
}

fn echo(asked: &Asked) -> String {
    let own = |name: &str| !["host", "accept", "user-agent", "accept-encoding"].contains(&name);
    let headers = asked.headers.iter().filter(|(name, _)| own(&name.to_ascii_lowercase()));
    let headers: Vec<String> = headers.map(|(name, value)| format!("{name}: {value}")).collect();
    format!("{} {} {}", asked.target, headers.join(" "), asked.body_text())
}

/// Both with these keys; gives what the site was sent for `/good`.
#[track_caller]
fn sent(hermes: &Hermes, site: &Site, more: &str) -> Asked {
    for name in ["good", "bad"] {
        hermes.write_source(&format!("{name}.yaml"), &(source(name, &site.url(&format!("/{name}"))) + more));
    }
    assert_eq!(run(hermes).code, Some(1));
    assert_eq!(hermes.count("good"), 1);
    let message = failure(hermes, "bad");
    assert!(message.contains("it says") && message.contains("***"), "{message}");
    assert_eq!((site.count("/good"), site.count("/bad")), (1, 1));
    site.asked_for("/good").remove(0)
}

#[test]
fn a_key_in_a_header_of_the_provider() {
    let (site, hermes) = (site(), hermes());
    hermes.write_source("p.yaml", &provider(r#"{ header: { name: X-Key, value: "${env:KEY}" } }"#));
    assert_eq!(sent(&hermes, &site, "").header("X-Key"), Some(SECRET));
}

#[test]
fn a_key_in_the_query_of_the_provider() {
    let (site, hermes) = (site(), hermes());
    let auth = format!("{{ query: {{ name: apikey, value: \"{}\" }} }}", from_file(&hermes));
    hermes.write_source("p.yaml", &provider(&auth));
    assert_eq!(sent(&hermes, &site, "").param("apikey"), Some(SECRET));
}

#[test]
fn a_bearer_token() {
    let (site, hermes) = (site(), hermes());
    hermes.write_source("p.yaml", &provider(&format!("{{ bearer: \"{}\" }}", from_file(&hermes))));
    assert_eq!(sent(&hermes, &site, "").header("Authorization"), Some(&*format!("Bearer {SECRET}")));
}

#[test]
fn a_password() {
    let (site, hermes) = (site(), hermes());
    hermes.write_source("p.yaml", &provider(r#"{ basic: { user: someone, password: "${env:KEY}" } }"#));
    let asked = sent(&hermes, &site, "");
    assert_eq!(asked.header("Authorization"), Some("Basic c29tZW9uZTpreDdWcS9XbTkzK1R6MT1KZA=="));
}

#[test]
fn a_client_secret_and_the_token_that_it_gets() {
    let (site, hermes) = (site(), hermes());
    // The token is one to be found as well.
    site.on("/token", Reply::json(format!(r#"{{"access_token":"{SECRET}-token"}}"#)));
    let url = site.url("/token");
    hermes.write_source(
        "p.yaml",
        &provider(&format!(
            "{{ oauth2: {{ tokenUrl: \"{url}\", clientId: me, clientSecret: \"${{env:KEY}}\" }} }}"
        )),
    );
    let asked = sent(&hermes, &site, "");
    assert_eq!(asked.header("Authorization"), Some(&*format!("Bearer {SECRET}-token")));
    assert!(site.asked_for("/token")[0].body_text().contains("client_secret=kx7Vq%2FWm93%2BTz1%3DJd"));
}

#[test]
fn a_token_url_that_repeats_the_client_secret() {
    let (site, hermes) = (site(), hermes());
    site.on("/token", Reply::json(format!(r#"{{"error":"no such client secret: {SECRET}"}}"#)).status(401));
    let url = site.url("/token");
    let auth = format!(
        "{{ oauth2: {{ tokenUrl: \"{url}\", clientId: me, clientSecret: \"{}\" }} }}",
        from_file(&hermes)
    );
    hermes.write_source("p.yaml", &(provider(&auth) + "---\n" + &source("good", &site.url("/good"))));
    assert_eq!(run(&hermes).code, Some(1));
    assert!(failure(&hermes, "good").contains("the tokenUrl answered 401"));
    assert_eq!(site.asked_paths(), ["/token"]);
}

#[test]
fn params_and_headers_of_a_source() {
    let (site, hermes) = (site(), hermes());
    let file = from_file(&hermes);
    let asked = sent(
        &hermes,
        &site,
        &format!("params: {{ k: \"${{env:KEY}}\" }}\nheaders: {{ X-Own: \"a {file}\" }}\n"),
    );
    assert_eq!(asked.param("k"), Some(SECRET));
    assert_eq!(asked.header("X-Own"), Some(&*format!("a {SECRET}")));
}

#[test]
fn the_body_of_a_source() {
    let (site, hermes) = (site(), hermes());
    let asked = sent(&hermes, &site, "method: POST\nbody: { login: { key: \"${env:KEY}\" } }\n");
    assert_eq!(asked.body_json()["login"]["key"], SECRET);
}

#[test]
fn the_path_and_the_query_of_a_url() {
    for (path, sent) in [
        ("/bad?x=1&k=${env:KEY}", format!("/bad?x=1&k={SECRET}")),
        ("/${env:KEY}/bad", format!("/{SECRET}/bad")),
    ] {
        let (site, hermes) = (site(), hermes());
        site.on_fn(&sent, |asked| Reply::text("text/plain", echo(asked)).status(500));
        hermes.write_source("bad.yaml", &source("bad", &site.url(path)));
        assert_eq!(run(&hermes).code, Some(1));
        let message = failure(&hermes, "bad");
        assert!(message.contains("it says") && message.contains("***"), "{message}");
        assert_eq!(site.asked()[0].target, sent);
    }
}

#[test]
fn a_daemon_that_goes_on_for_some_runs() {
    let (site, hermes) = (site(), hermes());
    hermes.write_source("p.yaml", &provider(r#"{ bearer: "${env:KEY}" }"#));
    hermes.write_source("bad.yaml", &source("bad", &site.url("/bad")));
    let good = source("good", &site.url("/good")) + "schedule: interval:1s\nparams: { k: \"${env:KEY}\" }\n";
    hermes.write_source("good.yaml", &good);
    let daemon = hermes.start(&[]);
    daemon.until("several runs", || site.count("/good") == 3 && site.count("/bad") == 1);
    // While it runs, with its write-ahead log beside the database.
    look_through(&hermes);
    assert!(daemon.stop().success());
    nowhere("the log", &daemon.log());
    assert!(daemon.log().contains("bad: failed"), "{}", daemon.log());
}
