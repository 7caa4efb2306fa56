//! https: who is trusted, and what is said of who is not.

use crate::scene::source;
use crate::util::{Hermes, TlsSite};

/// The year in which the certificates of good sites end: after 32 bits of seconds have run out.
const GOOD: i32 = 2039;

const BODY: &str = r#"{"data":[{"id":1,"title":"one"},{"id":2,"title":"two"}]}"#;

/// An installation that trusts this site's authority and no other, with a source on it.
fn hermes_for(site: &TlsSite, host: &str) -> Hermes {
    let hermes = Hermes::new();
    let bundle = hermes.dir().join("authority.pem");
    site.write_authority(&bundle);
    hermes.write_source("s.yaml", &source("s", &site.url(host), "hourly"));
    hermes.env("SSL_CERT_FILE", bundle.to_str().unwrap())
}

#[track_caller]
fn assert_refused(hermes: &Hermes, site: &TlsSite, word: &str) {
    assert_eq!(hermes.once().code, Some(1));
    let message: String = hermes.query("SELECT message FROM fetchlogs");
    assert!(message.starts_with("no secure connection to ") && message.contains(word), "{message}");
    assert_eq!((site.answered(), hermes.count("s")), (0, 0), "nothing was asked");
}

#[test]
fn rows_come_over_tls_from_a_site_whose_authority_is_trusted() {
    let site = TlsSite::new("localhost", GOOD, BODY);
    let hermes = hermes_for(&site, "localhost");
    hermes.once().done();
    assert_eq!((site.answered(), hermes.count("s")), (1, 2));
}

#[test]
fn an_address_may_have_a_certificate_as_well() {
    let site = TlsSite::new("127.0.0.1", GOOD, BODY);
    let hermes = hermes_for(&site, "127.0.0.1");
    hermes.once().done();
    assert_eq!(hermes.count("s"), 2);
}

#[test]
fn a_site_whose_authority_nobody_knows_is_asked_nothing() {
    let (site, other) = (TlsSite::new("localhost", GOOD, BODY), TlsSite::new("localhost", GOOD, BODY));
    let hermes = hermes_for(&site, "localhost");
    other.write_authority(&hermes.dir().join("authority.pem"));
    assert_refused(&hermes, &site, "certificate");
}

#[test]
fn a_certificate_for_another_name_is_refused() {
    let site = TlsSite::new("elsewhere.example", GOOD, BODY);
    assert_refused(&hermes_for(&site, "localhost"), &site, "name");
}

#[test]
fn a_certificate_that_has_ended_is_refused_with_a_word_on_the_clock() {
    let site = TlsSite::new("localhost", 2020, BODY);
    assert_refused(&hermes_for(&site, "localhost"), &site, "clock");
}
