//! What an answer says of itself: an error, whether there is more, which page it is.

use super::a_source;
use crate::definition::pagination::Counted;
use crate::definition::{FieldType, Paging};
use crate::worker::extract::testing::{paged, path, read, rows, source, typed};

#[test]
fn an_error_in_the_answer_goes_before_what_else_is_wrong() {
    let mut source = source("data", vec![typed("a", "a", FieldType::Integer)]);
    source.response.error_path = Some(path("error.message"));
    for (why, body, want) in [
        ("no records", r#"{"error":{"message":"bad key"}}"#, Some("bad key")),
        ("records of another shape", r#"{"data":"x","error":{"message":"bad key"}}"#, Some("bad key")),
        ("a record that does not fit", r#"{"data":[{"a":"x"}],"error":{"message":"part"}}"#, Some("part")),
        ("good records before it", r#"{"data":[{"a":1}],"error":{"message":"part"}}"#, Some("part")),
        ("null", r#"{"data":[{"a":1}],"error":null}"#, None),
        ("empty", r#"{"data":[{"a":1}],"error":{"message":""}}"#, None),
        ("not there", r#"{"data":[{"a":1}]}"#, None),
    ] {
        let answer = read(&source, body).expect(why);
        assert_eq!(answer.facts.error.as_deref(), want, "{why}");
    }
    assert!(read(&source, r#"{"data":"x","error":{}}"#).is_err());
    let after = read(&source, r#"{"error":{"message":"part"},"data":[{"a":1}]}"#).expect("an answer");
    assert_eq!(after.rows.len(), 0, "records after an error are no records");
}

#[test]
fn an_answer_says_whether_there_is_more() {
    let counted = Counted {
        param: "p".into(),
        start: 0,
        limit: None,
        has_more_path: Some(path("meta.more")),
        total_path: Some(path("meta.found")),
    };
    let source = paged(a_source("data"), Paging::Page(counted));
    let facts =
        read(&source, r#"{"meta":{"found":"12","more":1},"data":[null,{"a":1}]}"#).expect("read").facts;
    assert_eq!((facts.has_more, facts.total, facts.records, facts.skipped), (Some(true), Some(12), 1, 1));
    let facts = read(&source, r#"{"data":[{"a":1}],"meta":{"found":">100"}}"#).expect("read").facts;
    assert_eq!((facts.has_more, facts.total), (None, None));
}

#[test]
fn an_answer_says_where_there_is_more() {
    let next_cursor_path = path("next");
    let source = paged(a_source("data"), Paging::Cursor { param: "c".into(), next_cursor_path, limit: None });
    let facts = read(&source, r#"{"data":[],"next":17}"#).expect("read").facts;
    assert_eq!(facts.cursor.as_deref(), Some("17"));
    let error = rows(&source, r#"{"data":[],"next":{"a":1}}"#);
    assert_eq!(error, Err("next: `{\"a\":1}` is no cursor; text and numbers are".to_owned()));

    let source = paged(a_source("data"), Paging::NextUrl { path: path("data.next") });
    let facts = read(&source, r#"{"data":{"a":1,"next":"/2"}}"#).expect("below the records").facts;
    assert_eq!((facts.next_url.as_deref(), facts.records), (Some("/2"), 1));
}

#[test]
fn pages_with_the_same_records_have_the_same_digest() {
    let digest = |body| read(&a_source("."), body).expect(body).facts.digest;
    assert_eq!(digest(r#"[{"a":1},{"a":2}]"#), digest(r#"[ {"x":0,"a":1.0}, {"a":2} ]"#));
    assert_ne!(digest(r#"[{"a":1},{"a":2}]"#), digest(r#"[{"a":2},{"a":1}]"#));
    assert_ne!(digest(r#"[{"a":1},{"a":2}]"#), digest(r#"[{"a":1}]"#));
}
