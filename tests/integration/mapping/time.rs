//! Times as APIs write them, and the one spelling in which they are stored.

use super::{refused, stored};
use crate::util::Reply;

#[test]
fn times_of_every_spelling_are_stored_as_one() {
    for (kind, json, want) in [
        ("", r#""2026-11-15T23:41:53Z""#, "2026-11-15T23:41:53.000Z"),
        ("", r#""2026-11-15T23:41:53.25+02:00""#, "2026-11-15T21:41:53.250Z"),
        ("", r#""2026-11-15 23:41:53""#, "2026-11-15T23:41:53.000Z"),
        ("", r#""2026-11-15""#, "2026-11-15T00:00:00.000Z"),
        ("", r#""Sun, 15 Nov 2026 23:41:53 GMT""#, "2026-11-15T23:41:53.000Z"),
        ("", "1794786113", "2026-11-15T23:41:53.000Z"),
        ("", r#""1794786113007""#, "2026-11-15T23:41:53.007Z"),
        (", format: unix", "1794786113", "2026-11-15T23:41:53.000Z"),
        (", format: unix_ms", "1794786113", "1970-01-21T18:33:06.113Z"),
        (", timezone: Asia/Bangkok", r#""2026-11-15 23:00""#, "2026-11-15T16:00:00.000Z"),
        (", timezone: Asia/Bangkok", r#""2026-11-15T23:00:00Z""#, "2026-11-15T23:00:00.000Z"),
        (
            ", format: '%d.%m.%Y %H:%M', timezone: Europe/Berlin",
            r#""15.07.2026 12:00""#,
            "2026-07-15T10:00:00.000Z",
        ),
        (
            ", format: '%d.%m.%Y %H:%M', timezone: Europe/Berlin",
            r#""15.11.2026 12:00""#,
            "2026-11-15T11:00:00.000Z",
        ),
        (", format: '%m/%d/%y'", r#"" 11/15/26 ""#, "2026-11-15T00:00:00.000Z"),
        (", format: '%Y-%m-%dT%H:%M:%S%z'", r#""2026-11-15T23:41:53-0130""#, "2026-11-16T01:11:53.000Z"),
    ] {
        let fields = format!("{{ fields: [ {{ source: v, target: at, type: timestamp{kind} }} ] }}");
        let rows = stored(&fields, &format!("[{{\"v\":{json}}}]"), "SELECT at FROM t");
        assert_eq!(rows, [format!("'{want}'")], "{json}{kind}");
    }
}

#[test]
fn a_time_of_another_form_is_refused_with_the_form() {
    let fields = "{ fields: [ { source: v, target: at, type: timestamp, format: '%Y-%m-%d' } ] }";
    let text = refused(fields, Reply::json(r#"[{"v":"15.11.2026"}]"#));
    assert!(["record 1", "at", "15.11.2026", "%Y-%m-%d"].iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn a_date_and_a_time_of_two_fields_are_joined() {
    let fields =
        "{ fields: [ { source: id, target: id }, { source: [day, clock.hour], target: at, type: timestamp,
        format: '%Y-%m-%d %H', timezone: Asia/Bangkok, nulls: ['', '-1'] } ] }";
    let json = r#"[{"id":1,"day":"2026-11-15 ","clock":{"hour":23}},{"id":2,"day":"2026-11-15","clock":{"hour":"07"}},
        {"id":3,"day":"2026-11-15"},{"id":4,"day":"","clock":{"hour":1}},{"id":5,"day":"2026-11-15","clock":{"hour":-1}}]"#;
    let rows = stored(fields, json, "SELECT id, at FROM t ORDER BY id");
    let want = ["1 '2026-11-15T16:00:00.000Z'", "2 '2026-11-15T00:00:00.000Z'", "3 null", "4 null", "5 null"];
    assert_eq!(rows, want);
}

#[test]
fn texts_of_two_fields_are_joined_by_a_blank() {
    let json = r#"[{"a":" x ","b":7},{"a":"y","b":null}]"#;
    let rows = stored("{ fields: { both: [a, b] } }", json, "SELECT both FROM t ORDER BY rowid");
    assert_eq!(rows, ["'x 7'", "null"]);
}

#[test]
fn stored_times_sort_as_text() {
    let fields = "{ fields: [ { source: v, target: at, type: timestamp } ] }";
    let json = r#"[{"v":"2026-11-15T10:00:00.5Z"},{"v":"2026-11-15T12:00:00+03:00"},{"v":1794700000}]"#;
    let rows = stored(fields, json, "SELECT at FROM t ORDER BY at");
    let want = ["'2026-11-14T23:46:40.000Z'", "'2026-11-15T09:00:00.000Z'", "'2026-11-15T10:00:00.500Z'"];
    assert_eq!(rows, want);
}
