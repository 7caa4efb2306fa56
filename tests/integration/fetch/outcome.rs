//! How a run ends and what `fetchlogs` says of it: failures that a person understands, empty answers,
//! the bound of the log.

use super::{again, message};
use crate::util::{Reply, Site, hermes_with, lines, things};

const ONE: &str = r#"{"data":[{"id":1,"title":"one"}]}"#;

#[test]
fn a_run_leaves_a_row_that_says_what_it_did() {
    let site = Site::new();
    site.pages("/things", 5, "page", 2);
    let hermes = hermes_with(&site, &things("pagination: { page: { param: page, limit: 2 } }\n"));
    hermes.once().done();
    let counts = "SELECT source_name, deployment, handler, status, attempt, pages, records, inserted, message \
                  FROM fetchlogs";
    assert_eq!(lines(&hermes, counts), ["'things' 'things' 'default' 'completed' 1 3 5 5 null"]);
    let bytes: i64 = hermes.query("SELECT bytes FROM fetchlogs");
    assert!((100..site.bytes_sent() as i64).contains(&bytes), "{bytes} of the bodies alone");
    let key = "SELECT key = substr(scheduled_datetime, 1, 10) || '/things/things-' || \
               strftime('%Y%m%d%H%M', scheduled_datetime) FROM fetchlogs";
    assert_eq!(lines(&hermes, key), ["1"], "{:?}", lines(&hermes, "SELECT key FROM fetchlogs"));
    let times = "SELECT scheduled_datetime <= queued_datetime, queued_datetime <= started_datetime, \
                 started_datetime <= completed_datetime, duration_ms >= 0 FROM fetchlogs";
    assert_eq!(lines(&hermes, times), ["1 1 1 1"]);
    let form = "____-__-__T__:__:__.___Z";
    let forms = format!(
        "SELECT scheduled_datetime LIKE '{form}' AND queued_datetime LIKE '{form}'
         AND started_datetime LIKE '{form}' AND completed_datetime LIKE '{form}' FROM fetchlogs"
    );
    assert_eq!(lines(&hermes, &forms), ["1"]);
}

#[test]
fn a_row_of_data_says_whose_it_is_and_since_when() {
    let site = Site::new();
    site.on("/things", Reply::json(ONE));
    let hermes = hermes_with(&site, &things(""));
    hermes.once().done();
    let own = "SELECT source_name, created_at LIKE '____-__-__T__:__:__.___Z', typeof(record_hash), \
               created_at BETWEEN started_datetime AND completed_datetime FROM things JOIN fetchlogs \
               USING (source_name)";
    assert_eq!(lines(&hermes, own), ["'things' 1 'blob' 1"]);
}

#[test]
fn an_error_in_an_answer_of_status_200_is_a_failure_and_stores_nothing() {
    let bodies = [
        r#"{"error":{"text":"no more today"},"data":[{"id":1,"title":"one"}]}"#,
        r#"{"data":[{"id":1,"title":"one"}],"error":{"text":"no more today"}}"#,
        r#"{"error":{"text":"no more today"}}"#,
    ];
    for body in bodies {
        let site = Site::new();
        site.on("/things", Reply::json(body));
        let yaml = things("").replace("dataPath: data", "dataPath: data, errorPath: error.text");
        let hermes = hermes_with(&site, &yaml);
        assert_eq!(hermes.once().code, Some(1), "{body}");
        assert_eq!(hermes.count("things"), 0, "{body}");
        assert!(message(&hermes).contains("no more today"), "{body}: {}", message(&hermes));
        assert_eq!(lines(&hermes, "SELECT retry_count FROM retries"), ["1"], "{body}");
    }
}

#[test]
fn an_error_path_that_holds_nothing_is_no_error() {
    for nothing in ["null", "false", "\"\"", "[]", "0"] {
        let site = Site::new();
        site.on(
            "/things",
            Reply::json(format!(r#"{{"error":{nothing},"data":[{{"id":1,"title":"one"}}]}}"#)),
        );
        let hermes =
            hermes_with(&site, &things("").replace("dataPath: data", "dataPath: data, errorPath: error"));
        hermes.once().done();
        assert_eq!(hermes.count("things"), 1, "{nothing}");
    }
}

#[test]
fn a_refusal_is_a_failure_with_its_status_a_hint_and_the_words_of_the_site() {
    for (status, hint) in [
        (400, ""),
        (401, "credentials"),
        (403, "credentials"),
        (404, "check the url"),
        (429, "too many requests"),
        (500, "server"),
        (503, "server"),
    ] {
        let site = Site::new();
        site.on("/things", Reply::json(r#"{"detail":"the  parameter\n q is odd"}"#).status(status));
        let hermes = hermes_with(&site, &things(""));
        let output = hermes.once();
        assert_eq!(output.code, Some(1), "{status}");
        let text = message(&hermes);
        assert!(text.contains(&format!("answered {status}")) && text.contains(hint), "{status}: {text}");
        assert!(text.contains("q is odd"), "{status}: {text}");
        assert!(output.stderr.contains("things: failed"), "{output}");
        assert_eq!(lines(&hermes, "SELECT status, pages FROM fetchlogs"), ["'failed' 0"], "{status}");
        assert_eq!(hermes.count("things"), 0);
    }
}

#[test]
fn an_answer_without_its_records_says_what_it_has_instead() {
    let site = Site::new();
    site.on("/things", Reply::json(r#"{"results":[],"meta":{}}"#));
    let hermes = hermes_with(&site, &things(""));
    assert_eq!(hermes.once().code, Some(1));
    let text = message(&hermes);
    assert!(
        ["dataPath: there is no `data`", "`results`, `meta`"].iter().all(|part| text.contains(part)),
        "{text}"
    );
}

#[test]
fn an_empty_answer_completes_without_records() {
    let empty = [
        ("204", Reply::empty(204)),
        ("an empty list", Reply::json(r#"{"data":[]}"#)),
        ("an empty object for the list", Reply::json(r#"{"data":{}}"#)),
        ("null for the list", Reply::json(r#"{"data":null}"#)),
        ("an empty object", Reply::json("{}")),
    ];
    for (why, reply) in empty {
        let site = Site::new();
        site.on("/things", reply);
        let hermes = hermes_with(&site, &things(""));
        hermes.once().done();
        let run = "SELECT status, pages, records, inserted, message FROM fetchlogs";
        assert_eq!(lines(&hermes, run), ["'completed' 1 0 0 null"], "{why}");
    }
}

#[test]
fn an_empty_answer_at_the_root_completes_without_records() {
    for (why, reply) in [("204", Reply::empty(204)), ("[]", Reply::json("[]")), ("{}", Reply::json("{}"))] {
        let site = Site::new();
        site.on("/things", reply);
        let hermes = hermes_with(&site, &things("").replace("dataPath: data", "dataPath: ."));
        hermes.once().done();
        assert_eq!(lines(&hermes, "SELECT status, records FROM fetchlogs"), ["'completed' 0"], "{why}");
        assert_eq!(hermes.count("things"), 0, "{why}");
    }
}

#[test]
fn an_answer_of_nothing_with_status_200_is_a_failure() {
    let site = Site::new();
    site.on("/things", Reply::empty(200));
    let hermes = hermes_with(&site, &things(""));
    assert_eq!(hermes.once().code, Some(1));
    assert!(message(&hermes).contains("empty"), "{}", message(&hermes));
}

/// Old rows by SQL: a hundred and fifty runs would take their time.
#[test]
fn the_log_keeps_a_hundred_rows_of_a_source_and_its_newest_success() {
    let site = Site::new();
    site.on_each("/things", vec![Reply::json(ONE), Reply::empty(500)]);
    let hermes = hermes_with(&site, &things(""));
    hermes.once().done();
    hermes.exec(
        "WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 155)
         INSERT INTO fetchlogs (key, source_name, deployment, handler, status, scheduled_datetime, queued_datetime)
         SELECT 'old-' || value, iif(value <= 150, 'things', 'others'), 'things', 'default', 'failed',
                '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n",
    );
    assert_eq!(again(&hermes).code, Some(1));
    let of_things = "SELECT count(*), sum(status = 'completed'), min(id) FROM fetchlogs \
                     WHERE source_name = 'things'";
    assert_eq!(lines(&hermes, of_things), ["101 1 1"], "the newest hundred, and the success before them");
    assert_eq!(lines(&hermes, "SELECT count(*) FROM fetchlogs WHERE source_name = 'others'"), ["5"]);
    assert_eq!(lines(&hermes, "SELECT status FROM fetchlogs ORDER BY id DESC LIMIT 1"), ["'failed'"]);
}
