//! The rules of conversion, a table a type.

use super::*;
use crate::definition::mapping::TimeFormat;
use crate::worker::extract::testing::field;
use jiff::tz::TimeZone;
use serde_json::json;

fn text(text: &str) -> Option<Value<'_>> {
    Some(Value::Text(text.into()))
}

fn int(number: i64) -> Option<Value<'static>> {
    Some(Value::Integer(number))
}

fn real(number: f64) -> Option<Value<'static>> {
    Some(Value::Real(number))
}

/// `None` is an error.
fn check(kind: Option<FieldType>, rows: &[(&str, &str, Option<Value<'_>>)]) {
    let converter = Converter::new(&Field { kind, ..field("a", "a") });
    for (why, raw, want) in rows {
        assert_eq!(converter.json(raw).ok(), *want, "{why}: {raw}");
    }
}

#[test]
fn without_a_type_the_value_is_kept_as_it_is() {
    check(
        None,
        &[
            ("text", r#""a b""#, text("a b")),
            ("escapes", r#""a\"\u0e01""#, text("a\"ก")),
            ("text of a number stays text", r#""1""#, text("1")),
            ("blanks stay", r#"" a ""#, text(" a ")),
            ("an integer", "12", int(12)),
            ("negative zero", "-0", int(0)),
            ("a float", "1.5", real(1.5)),
            ("an integral float", "1.0", real(1.0)),
            ("an exponent", "1e2", real(100.0)),
            ("beyond 64 bits", "9223372036854775808", text("9223372036854775808")),
            ("beyond any float", "1e999", text("1e999")),
            ("true", "true", int(1)),
            ("false", "false", int(0)),
            ("null", "null", Some(Value::Null)),
            ("a list", r#"[1, "a"]"#, text(r#"[1, "a"]"#)),
            ("an object", r#"{"a": null}"#, text(r#"{"a": null}"#)),
            ("half a surrogate pair", r#""\ud800""#, None),
            ("a NUL is a character", r#""a\u0000b""#, text("a\0b")),
        ],
    );
}

#[test]
fn text_is_the_text_of_anything() {
    check(
        Some(FieldType::Text),
        &[
            ("text", r#""a""#, text("a")),
            ("a number as it is written", "1.50", text("1.50")),
            ("a boolean", "true", text("true")),
            ("a list", "[1]", text("[1]")),
            ("null", "null", Some(Value::Null)),
        ],
    );
}

#[test]
fn numbers_may_be_text_and_must_fit() {
    check(
        Some(FieldType::Integer),
        &[
            ("an integer", "12", int(12)),
            ("an integral float", "12.0", int(12)),
            ("text", r#"" 12 ""#, int(12)),
            ("a boolean", "true", int(1)),
            ("a fraction", "12.5", None),
            ("out of range", "9223372036854775808", None),
            ("words", r#""twelve""#, None),
            ("a boolean's word", r#""true""#, None),
            ("a list", "[12]", None),
            ("empty", r#""""#, None),
        ],
    );
    check(
        Some(FieldType::Real),
        &[
            ("a float", "1.5", real(1.5)),
            ("an integer", "2", real(2.0)),
            ("text", r#""1.5""#, real(1.5)),
            ("a boolean", "false", real(0.0)),
            ("not a number", r#""NaN""#, None),
            ("infinite", "1e999", None),
            ("an object", "{}", None),
            ("empty", r#""""#, None),
        ],
    );
    check(
        Some(FieldType::Boolean),
        &[
            ("true", "true", int(1)),
            ("a number", "0", int(0)),
            ("a word", r#""YES""#, int(1)),
            ("another number", "2", None),
            ("a list", "[]", None),
        ],
    );
}

#[test]
fn timestamps_are_text_or_numbers() {
    let kind = FieldType::Timestamp { format: TimeFormat::Guess, zone: TimeZone::UTC };
    check(
        Some(kind),
        &[
            ("text", r#""2026-11-15 23:41:53""#, text("2026-11-15T23:41:53.000Z")),
            ("a number", "1794786113", text("2026-11-15T23:41:53.000Z")),
            ("null", "null", Some(Value::Null)),
            ("an object", "{}", None),
            ("a boolean", "true", None),
        ],
    );
}

#[test]
fn json_is_kept_as_it_stands() {
    let deep = format!("{}{}", "[".repeat(129), "]".repeat(129));
    let rows = [
        ("a list", r#"["A", "B"]"#, text(r#"["A", "B"]"#)),
        ("a text keeps its quotes", r#""a\n""#, text(r#""a\n""#)),
        ("a number", "1.50", text("1.50")),
        ("null", "null", Some(Value::Null)),
        ("too deep", &deep, None),
    ];
    check(Some(FieldType::Json), &rows);
    check(None, &[("too deep without a type", &deep, None)]);
    check(Some(FieldType::Text), &[("too deep as text", &deep, None)]);
}

#[test]
fn a_csv_cell_is_text() {
    let convert = |kind, cell: &'static str| {
        let converter = Converter::new(&Field { kind, ..field("a", "a") });
        converter.text(cell.into()).ok().map(into_owned)
    };
    for (why, kind, cell, want) in [
        ("no type", None, " 1 ", text(" 1 ")),
        ("the word null is a word", None, "null", text("null")),
        ("an integer", Some(FieldType::Integer), " 1 ", int(1)),
        ("a boolean's word is no number", Some(FieldType::Integer), "true", None),
        ("a boolean", Some(FieldType::Boolean), "true", int(1)),
        ("json", Some(FieldType::Json), "[1]", text("[1]")),
        ("not json", Some(FieldType::Json), "a, b", None),
        ("empty", Some(FieldType::Real), "", None),
    ] {
        assert_eq!(convert(kind, cell), want, "{why}");
    }
}

#[test]
fn nulls_and_defaults_stand_in_for_what_is_not_there() {
    let field = Field {
        kind: Some(FieldType::Real),
        nulls: vec![json!(""), json!("-1"), json!(-999)],
        default: Some(json!("0.5")),
        ..field("a", "a")
    };
    let converter = Converter::new(&field);
    for (why, raw, want) in [
        ("null", "null", real(0.5)),
        ("empty", r#"" ""#, real(0.5)),
        ("a sentinel", "-999", real(0.5)),
        ("the same in text", r#""-999.0""#, real(0.5)),
        ("the same as a number", "-1.0", real(0.5)),
        ("a value", "-2", real(-2.0)),
    ] {
        assert_eq!(converter.json(raw).ok(), want, "{why}");
    }
    assert_eq!(converter.missing().ok(), real(0.5), "missing");
    assert_eq!(converter.text("-1".into()).ok(), real(0.5), "of a CSV file");
}

#[test]
fn a_default_that_does_not_fit_is_an_error_where_it_is_needed() {
    let field = Field { kind: Some(FieldType::Integer), default: Some(json!("none")), ..field("a", "a") };
    let converter = Converter::new(&field);
    assert_eq!(converter.json("1"), Ok(Value::Integer(1)));
    assert_eq!(converter.missing(), Err("its default: `none` is no integer".to_owned()));
}

#[test]
fn nulls_apply_to_json_and_the_parts_of_a_text() {
    let field = Field { kind: Some(FieldType::Json), nulls: vec![json!([]), json!("-")], ..field("a", "a") };
    let converter = Converter::new(&field);
    assert_eq!(converter.json("[]"), Ok(Value::Null));
    assert_eq!(converter.json(r#""-""#), Ok(Value::Null));
    assert_eq!(converter.part(r#""-""#), Ok(None));
    assert_eq!(converter.part("12"), Ok(Some("12".into())));
    assert_eq!(converter.text_part("-"), None);
}

#[test]
fn text_without_escapes_is_borrowed_from_the_answer() {
    let converter = Converter::new(&field("a", "a"));
    assert!(matches!(converter.json(r#""abc""#), Ok(Value::Text(Cow::Borrowed("abc")))));
}
