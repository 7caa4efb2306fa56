//! Where a secret comes from: looked up for each run, named where it is missing, shown as written.

use super::{SECRET, failure, from_file, hermes, provider, run, secret_file, source};
use crate::util::{Reply, Site};
use std::fs;

const UNSET: &str =
    "the environment variable NOPE is not set or empty; set it for the hermes process and start it again";

#[test]
fn a_missing_variable_of_a_source_is_named_and_nothing_is_sent() {
    for place in [
        "params: { k: \"${env:NOPE}\" }\n",
        "headers: { X-Own: \"${env:NOPE}\" }\n",
        "method: POST\nbody: { key: \"${env:NOPE}\" }\n",
    ] {
        let (site, hermes) = (Site::new(), hermes());
        hermes.write_source("a.yaml", &(source("a", &site.url("/a?x=${env:KEY}")) + place));
        assert_eq!(run(&hermes).code, Some(1));
        assert_eq!(failure(&hermes, "a"), format!("{UNSET} (in a.yaml)"));
        assert_eq!(site.connections(), 0);
    }
}

#[test]
fn a_missing_variable_of_a_provider_is_named_and_nothing_is_sent() {
    let (site, hermes) = (Site::new(), hermes());
    hermes.write_source("p.yaml", &provider(r#"{ basic: { user: "${env:KEY}", password: "${env:NOPE}" } }"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    assert_eq!(run(&hermes).code, Some(1));
    assert_eq!(failure(&hermes, "a"), format!("no credentials for 127.0.0.1: {UNSET} (in p.yaml)"));
    assert_eq!(site.connections(), 0);
}

#[test]
fn a_missing_file_is_named_and_nothing_is_sent() {
    let (site, hermes) = (Site::new(), hermes());
    let path = hermes.dir().join("nothing-here").display().to_string();
    hermes.write_source("p.yaml", &provider(&format!("{{ bearer: \"${{file:{path}}}\" }}")));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    assert_eq!(run(&hermes).code, Some(1));
    let message = failure(&hermes, "a");
    let want = format!("no credentials for 127.0.0.1: the secret file {path} cannot be read (");
    assert!(
        message.starts_with(&want) && message.ends_with("check its path and its permissions (in p.yaml)"),
        "{message}"
    );
    assert_eq!(site.connections(), 0);
}

#[test]
fn an_empty_file_is_no_secret() {
    let (site, hermes) = (Site::new(), hermes());
    fs::write(secret_file(&hermes), "\n").unwrap();
    hermes.write_source("p.yaml", &provider(&format!("{{ bearer: \"{}\" }}", from_file(&hermes))));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    assert_eq!(run(&hermes).code, Some(1));
    assert!(
        failure(&hermes, "a").ends_with("is empty; write the secret into it (in p.yaml)"),
        "{}",
        failure(&hermes, "a")
    );
    assert_eq!(site.connections(), 0);
}

#[test]
fn get_shows_the_placeholder() {
    let (site, hermes) = (Site::new(), hermes());
    site.on("/a", Reply::json(r#"{"data":[{"id":1}]}"#));
    hermes.write_source("a.yaml", &(source("a", &site.url("/a")) + "params: { k: \"${env:KEY}\" }\n"));
    run(&hermes).done();
    assert_eq!(site.asked()[0].param("k"), Some(SECRET));
    for args in [&["get", "a"][..], &["get", "a", "--json"]] {
        let printed = hermes.command(args);
        assert!(printed.done().contains("${env:KEY}"), "{printed}");
    }
}

#[test]
fn a_changed_file_is_used_by_the_next_run_without_a_restart() {
    let (site, hermes) = (Site::new(), hermes());
    site.on("/a", Reply::json(r#"{"data":[{"id":1}]}"#));
    hermes.write_source("p.yaml", &provider(&format!("{{ bearer: \"{}\" }}", from_file(&hermes))));
    hermes.write_source("a.yaml", &(source("a", &site.url("/a")) + "schedule: interval:1s\n"));
    let daemon = hermes.start(&[]);
    let was_sent = |token: &str| {
        let asked = site.asked();
        asked.last().is_some_and(|asked| asked.header("Authorization") == Some(&*format!("Bearer {token}")))
    };
    daemon.until("the first secret", || was_sent(SECRET));
    fs::write(secret_file(&hermes), "another-one\n").unwrap();
    daemon.until("the second one", || was_sent("another-one"));
    assert_eq!(hermes.count("retries"), 0);
}
