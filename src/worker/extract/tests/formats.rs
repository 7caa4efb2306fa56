//! JSON, NDJSON and CSV, good and bad.

use super::{a_source, check};
use crate::definition::mapping::Format;
use crate::definition::{FieldType, Source};
use crate::worker::extract::testing::{field, path, read, rows, source};
use crate::worker::extract::{Plan, ReadError};

fn of_format(format: Format, fields: &[(&str, &str)]) -> Source {
    let mut source = source(".", fields.iter().map(|(target, from)| field(target, from)).collect());
    source.response.format = format;
    source
}

#[test]
fn what_is_not_json_says_what_it_is() {
    let html = "<!DOCTYPE html>\n<html><body>Service temporarily unavailable, please come back later";
    let begins = "`<!DOCTYPE html> <html><body>Service temporarily unavailable…`";
    let html_error = format!("not JSON: expected value at line 1 column 1; the answer begins with {begins}");
    let empty = "not JSON: EOF while parsing a value at line 2 column 0; the answer is empty";
    let cut_off = "the answer is cut off: EOF while parsing an object at line 1 column 13";
    check(
        &a_source("."),
        &[
            ("HTML", html, Err(&html_error)),
            ("nothing", " \n", Err(empty)),
            ("cut off", r#"[{"a":1},{"a""#, Err(cut_off)),
            ("garbage after it", r#"[{"a":1}] x"#, Err("not JSON: trailing characters at line 1 column 11")),
            ("two answers", "[]\n[]", Err("not JSON: trailing characters at line 2 column 1")),
            ("a comma too many", r#"[{"a":1},]"#, Err("not JSON: trailing comma at line 1 column 10")),
            ("a byte order mark", "\u{feff}[{\"a\":1}]", Ok(&["1"])),
        ],
    );
    let error = Plan::new(&a_source(".")).read(b"[{\"a\":\"\xff\"}]", &mut |_| Ok::<(), String>(()));
    let want = "not UTF-8: the byte 0xff at offset 7 begins no character";
    assert_eq!(error, Err(ReadError::Answer(want.to_owned())));
}

#[test]
fn deep_json_is_skipped_and_not_kept() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(rows(&a_source("."), &format!(r#"[{{"b":{deep},"a":1}}]"#)), Ok(vec!["1".to_owned()]));
    let kept = rows(&a_source("."), &format!(r#"[{{"a":{deep}}}]"#));
    assert_eq!(kept, Err("record 1, a: its JSON is nested deeper than 128 levels".to_owned()));
    assert!(rows(&a_source("."), &deep).is_err());
}

/// However an answer is cut off, it is refused: nothing panics.
#[test]
fn an_answer_cut_off_anywhere_is_an_error() {
    let body = r#"{"meta":{"n":[1,-2.5e3]},"data":[{"a":"\u0e01\"x"},null,{"a":{"b":[true]}}],"z":"é"}"#;
    let source = source("data", vec![field("a", "a"), field("b", "a.b.0"), field("n", "$.meta.n.1")]);
    assert_eq!(rows(&source, body).map(|rows| rows.len()), Ok(2));
    for end in 0..body.len() {
        let done = Plan::new(&source).read(&body.as_bytes()[..end], &mut |_| Ok::<(), String>(()));
        assert!(done.is_err(), "{end} bytes");
    }
}

#[test]
fn ndjson_is_an_object_a_line() {
    let mut source = of_format(Format::Ndjson, &[("a", "a"), ("b", "b.c")]);
    let cut_off = "line 3: the answer is cut off: EOF while parsing a value at line 1 column 5";
    let two = "line 1: not JSON: trailing characters at line 1 column 9";
    check(
        &source,
        &[
            ("lines", "{\"a\":1,\"b\":{\"c\":2}}\r\n\n  \n{\"a\":3}\n", Ok(&["1 2", "3 null"])),
            ("no end of line", "{\"a\":1}", Ok(&["1 null"])),
            ("nothing", "", Ok(&[])),
            ("cut off", "{\"a\":1}\n\n{\"a\":", Err(cut_off)),
            ("a list", "{\"a\":1}\n[1]", Err("line 2: `[1]` is not a JSON object")),
            ("two on a line", "{\"a\":1} {\"a\":2}", Err(two)),
        ],
    );
    source.response.fields[0].kind = Some(FieldType::Integer);
    let want = "record 2, a: line 3: `x` is no integer";
    assert_eq!(rows(&source, "{\"a\":1}\n\n{\"a\":\"x\"}"), Err(want.to_owned()));
    source.response.error_path = Some(path("error"));
    let answer = read(&source, "{\"a\":1}\n{\"error\":\"quota\"}\n{\"a\":2}").expect("an answer");
    assert_eq!((answer.facts.error.as_deref(), answer.rows.len()), (Some("quota"), 1));
}

#[test]
fn csv_has_its_columns_in_the_header() {
    let short = "line 3: 1 values under 2 columns; the answer may be cut off";
    check(
        &of_format(Format::Csv, &[("v", "pm2.5"), ("site", "site")]),
        &[
            ("commas", "site,pm2.5\nA, 1 \nB,\n", Ok(&["' 1 ' 'A'", "'' 'B'"])),
            ("quotes", "\"site\",x,\"pm2.5\"\r\n\"a, \"\"b\"\"\nc\",,2\r\n", Ok(&["'2' 'a, \"b\"\nc'"])),
            ("semicolons", "site;pm2.5\nA;1,5\n", Ok(&["'1,5' 'A'"])),
            ("tabs", "site\tpm2.5\nA\t1\n", Ok(&["'1' 'A'"])),
            ("pipes", "site|pm2.5\nA|1\n", Ok(&["'1' 'A'"])),
            ("a comma in the header wins", "site,pm2.5,a;b\nA,1,\n", Ok(&["'1' 'A'"])),
            ("blanks in the header", "\u{feff}site , pm2.5\nA,1\n", Ok(&["'1' 'A'"])),
            ("only a header", "site,pm2.5\n", Ok(&[])),
            ("nothing", "", Ok(&[])),
            (
                "a column is missing",
                "site,pm10\nA,1\n",
                Err("no column `pm2.5`; the answer has: `site`, `pm10`"),
            ),
            ("a short line", "site,pm2.5\nA,1\nB", Err(short)),
        ],
    );
}

#[test]
fn csv_values_have_types_nulls_and_company() {
    let mut source = of_format(Format::Csv, &[("at", "date+time"), ("n", "n"), ("c", "=x"), ("r", "$.r")]);
    source.response.fields[0].nulls = vec![serde_json::json!("-")];
    source.response.fields[1].kind = Some(FieldType::Integer);
    let body = "date,time,n\n 2026-11-15 , 23:41,7\n2026-11-15,-,8\n";
    check(
        &source,
        &[
            ("types", body, Ok(&["'2026-11-15 23:41' 7 'x' null", "null 8 'x' null"])),
            ("a bad value", "date,time,n\n,,7\n,,x\n", Err("record 2, n: `x` is no integer")),
        ],
    );
}
