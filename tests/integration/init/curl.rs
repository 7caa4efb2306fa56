//! Requests as people copy them, and what becomes of the secrets in them.

use crate::util::{Hermes, Reply, Site, lines};
use std::fs;

const SECRET: &str = "s3cret/of&mine";
const RECORDS: &str = r#"{"data": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]}"#;

fn things() -> Site {
    let site = Site::new();
    site.on("/things", Reply::json(RECORDS));
    site
}

#[test]
fn a_command_of_a_browser_is_asked_as_it_was_and_its_key_is_a_variable() {
    let (site, hermes) = (things(), Hermes::new());
    let command = format!(
        "curl '{}' \\\n  -H 'accept: application/json' \\\n  -H $'x-api-key: {SECRET}' \\\n  \
         -H 'sec-fetch-mode: cors' -b 'session={SECRET}' --compressed",
        site.url("/things?kind=a%20b")
    );
    let output = hermes.plain(&["init", &command]);
    let text = output.done();
    let asked = &site.asked()[0];
    assert_eq!(asked.target, "/things?kind=a+b");
    assert_eq!(asked.header("x-api-key"), Some(SECRET));
    assert_eq!(asked.header("cookie"), Some(format!("session={SECRET}").as_str()));
    assert_eq!(asked.header("sec-fetch-mode"), None);
    assert!(text.contains(r#"header: { name: x-api-key, value: "${env:THINGS_KEY}" }"#), "{output}");
    assert!(text.contains(r#"Cookie: "${env:THINGS_COOKIE}""#), "{output}");
    assert!(text.contains("# Headers that were left out: sec-fetch-mode."), "{output}");
    assert!(output.stderr.contains("set THINGS_KEY to the value of the header x-api-key"), "{output}");
    assert!(!format!("{output}").contains("s3cret"), "{output}");
}

#[test]
fn what_was_written_runs_with_the_variable_and_not_without() {
    let (site, hermes) = (things(), Hermes::new());
    let url = site.url("/things?limit=5&apikey=s3cret");
    let output = hermes.plain(&["init", &url, "--name", "mine", "-o", "sources.d/mine.yaml"]);
    assert_eq!(output.done(), "");
    assert_eq!(hermes.once().code, Some(1), "the variable is not set");
    assert!(lines(&hermes, "SELECT message FROM fetchlogs")[0].contains("MINE_KEY"));
    let hermes = hermes.env("MINE_KEY", SECRET);
    assert_eq!(hermes.command(&["run", "mine"]).code, Some(0));
    assert_eq!(hermes.count("mine"), 2);
    assert_eq!(site.asked().last().unwrap().param("apikey"), Some(SECRET));
}

#[test]
fn the_words_of_a_command_may_stand_by_themselves() {
    let (site, hermes) = (things(), Hermes::new());
    let url = site.url("/things");
    let pair = format!("me:{SECRET}");
    let output =
        hermes.plain(&["init", "--table", "mine", "curl", "-sS", "-u", &pair, "-G", "-d", "a=1", &url]);
    assert!(output.done().contains("\ntable: mine"), "{output}");
    assert!(
        output.stdout.contains(r#"basic: { user: "me", password: "${env:THINGS_PASSWORD}" }"#),
        "{output}"
    );
    assert_eq!(site.asked()[0].target, "/things?a=1");
    assert!(site.asked()[0].header("authorization").unwrap().starts_with("Basic "));
    assert!(!format!("{output}").contains("s3cret"), "{output}");
}

#[test]
fn a_variable_of_the_shell_stays_one() {
    let (site, hermes) = (things(), Hermes::new().env("MY_KEY", SECRET));
    let command = format!("curl -H \"X-API-Key: $MY_KEY\" {}", site.url("/things"));
    let output = hermes.plain(&["init", &command]);
    assert!(output.done().contains(r#"value: "${env:MY_KEY}""#), "{output}");
    assert_eq!((site.asked()[0].header("x-api-key"), output.stderr.as_str()), (Some(SECRET), ""));
}

#[test]
fn a_provider_that_is_there_is_not_written_again() {
    let (site, hermes) = (things(), Hermes::new());
    let provider =
        "kind: provider\ndomain: 127.0.0.1\nauth: { header: { name: X-API-Key, value: \"${env:K}\" } }\n";
    hermes.write_source("site.yaml", provider);
    let command = format!("curl -H 'X-API-Key: {SECRET}' {}", site.url("/things"));
    let output = hermes.command(&["init", &command]);
    assert!(!output.done().contains("provider") && !output.stdout.contains("env:"), "{output}");
    assert!(output.stderr.contains("site.yaml"), "{output}");
}

#[test]
fn a_file_that_is_overwritten_keeps_its_provider() {
    let (site, hermes) = (things(), Hermes::new());
    let url = site.url("/things?apikey=s3cret");
    hermes.command(&["init", &url, "-o", "sources.d/a.yaml"]).done();
    let first = fs::read_to_string(hermes.sources().join("a.yaml")).unwrap();
    hermes.command(&["init", &url, "-o", "sources.d/a.yaml", "--force"]).done();
    assert!(first.contains("kind: provider"), "{first}");
    assert_eq!(fs::read_to_string(hermes.sources().join("a.yaml")).unwrap(), first);
}

#[test]
fn a_file_is_overwritten_only_by_force() {
    let (site, hermes) = (things(), Hermes::new());
    let (url, path) = (site.url("/things"), hermes.write_source("a.yaml", "mine"));
    let output = hermes.plain(&["init", &url, "-o", "sources.d/a.yaml"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stderr.contains("--force"), "{output}");
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), site.asked().len()), ("mine", 0));
    hermes.plain(&["init", "--force", &url, "-o", "sources.d/a.yaml", "--schedule", "*/5 * * * *"]).done();
    assert!(fs::read_to_string(&path).unwrap().contains("schedule: \"*/5 * * * *\""));
}

/// A redirect to another host must not take the key along.
#[test]
fn credentials_stay_with_their_site() {
    let (site, other, hermes) = (Site::new(), things(), Hermes::new());
    site.on("/things", Reply::redirect(&other.url("/things"), 302));
    let command = format!("curl -H 'X-API-Key: {SECRET}' -L {}", site.url("/things"));
    hermes.plain(&["init", &command]).done();
    assert_eq!(other.asked()[0].header("x-api-key"), None);
}
