//! What does not fit 32 bits: numbers, and times after January 2038. For a machine of 32 bits these are the
//! tests that matter; `packaging/test-arm` runs them there.

use crate::scene::source;
use crate::util::{Hermes, Reply, Site, hermes_with, lines};
use std::fs::File;
use std::time::{Duration, SystemTime};

#[test]
fn numbers_up_to_64_bits_are_stored_and_shown_as_they_came() {
    let site = Site::new();
    let numbers =
        ["2147483648", "4294967296", "9007199254740993", "9223372036854775807", "-9223372036854775808"];
    let records: Vec<String> = numbers.iter().map(|number| format!(r#"{{"n":{number}}}"#)).collect();
    site.on("/n", Reply::json(format!("[{}]", records.join(","))));
    let hermes = hermes_with(
        &site,
        "name: n\nurl: http://SITE/n\ntable: n\n\
         response: { fields: [ { source: n, target: n, type: integer } ] }\n",
    );
    hermes.once().done();
    assert_eq!(lines(&hermes, "SELECT n FROM n ORDER BY rowid"), numbers);
    let shown = hermes.command(&["data", "n", "--json"]).done().to_owned();
    assert!(numbers.iter().all(|number| shown.contains(number)), "{shown}");
}

#[test]
fn times_after_2038_are_stored_and_sort_behind_those_before() {
    let site = Site::new();
    site.on("/t", Reply::json(r#"[{"t":2147483647},{"t":2147483648},{"t":4294967296},{"t":9999999999}]"#));
    let hermes = hermes_with(
        &site,
        "name: t\nurl: http://SITE/t\ntable: t\n\
         response: { fields: [ { source: t, target: t, type: timestamp, format: unix } ] }\n",
    );
    hermes.once().done();
    let want = [
        "'2038-01-19T03:14:07.000Z'",
        "'2038-01-19T03:14:08.000Z'",
        "'2106-02-07T06:28:16.000Z'",
        "'2286-11-20T17:46:39.000Z'",
    ];
    assert_eq!(lines(&hermes, "SELECT t FROM t ORDER BY t"), want);
}

#[test]
fn a_document_saved_after_2038_is_read_like_any_other() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[{"id":1,"title":"one"}]}"#));
    let path = hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    let in_2040 = SystemTime::UNIX_EPOCH + Duration::from_secs(2_208_988_800);
    File::options().write(true).open(&path).unwrap().set_modified(in_2040).unwrap();
    hermes.once().done();
    assert_eq!(hermes.count("a"), 1);
}

#[test]
fn a_schedule_of_after_2038_is_known_today() {
    let shown = Hermes::new().plain(&["preview", "0 0 29 2 *", "--from", "2038-03-01", "--count", "2"]);
    assert!(shown.done().contains("2040-02-29") && shown.stdout.contains("2044-02-29"), "{shown}");
}
