//! `${slot}`, `${window.from}`, `${window.to}`: the very texts that the site is asked with.

use super::{added, windowed};
use crate::util::{Reply, Site};

#[test]
fn every_part_of_a_request_can_say_the_times_of_its_job() {
    let site = Site::new();
    site.on("/2026-01-02/0304", Reply::json(super::ONE));
    let hermes = added(
        &site,
        "name: a\nurl: http://SITE/${slot|%Y-%m-%d}/${window.from|%H%M}?x=${window.to|%j}\nmethod: POST\ntable: a\n\
         params: { slot: \"${slot}\", from: \"${window.from}\", day: \"${window.to|%d.%m.%Y}\", s: \"${window.from|%s}\" }\n\
         headers: { X-Slot: \"at ${slot|%Y%m%dT%H%M%S}\", X-To: \"${window.to}\" }\n\
         body: { range: [\"${window.from}\", \"${window.to|%s}\"], deep: { slot: \"<${slot}>\" }, n: 1 }\n\
         response: { dataPath: data, fields: { id: id } }\n",
    );
    let (from, to) = ("2026-01-02T03:04:05Z", "2026-01-02T05:00:00Z");
    hermes.command(&["run", "a", "--from", from, "--to", to]).done();
    let asked = &site.asked()[0];
    assert_eq!(
        asked.target,
        "/2026-01-02/0304?x=002&slot=2026-01-02T05%3A00%3A00Z&from=2026-01-02T03%3A04%3A05Z\
         &day=02.01.2026&s=1767323045"
    );
    assert_eq!(asked.header("x-slot"), Some("at 20260102T050000"));
    assert_eq!(asked.header("x-to"), Some("2026-01-02T05:00:00Z"));
    let want = serde_json::json!({
        "range": [from, "1767330000"], "deep": { "slot": "<2026-01-02T05:00:00Z>" }, "n": 1,
    });
    assert_eq!(asked.body_json(), want);
    assert_eq!(hermes.count("a"), 1);
}

#[test]
fn what_is_shown_of_a_definition_has_the_placeholders() {
    let hermes = added(&Site::new(), &windowed("lookback: 1h\n"));
    let shown = hermes.command(&["get", "a"]);
    assert!(shown.done().contains("${window.from}"), "{shown}");
}

#[test]
fn a_format_that_is_none_is_a_problem_with_its_place() {
    let hermes = crate::util::Hermes::new();
    let yaml = windowed("").replace("${window.to}", "${window.to|day}");
    let path = hermes.write_source("a.yaml", &yaml.replace("SITE", "127.0.0.1:9"));
    let output = hermes.plain(&["check", path.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stdout.contains("a.yaml:4:39: params.to: "), "{output}");
    assert!(output.stdout.contains("`day` is no format of a time"), "{output}");
}
