//! The rules of reading an answer, table by table: here its records and values.

mod facts;
mod formats;

use super::testing::{field, read, rows, source, typed};
use super::{Plan, ReadError};
use crate::definition::mapping::Shape;
use crate::definition::{FieldType, Source};

fn a_source(data_path: &str) -> Source {
    source(data_path, vec![field("a", "a")])
}

/// Why, the answer, and its rows or the error.
type Case<'a> = (&'a str, &'a str, Result<&'a [&'a str], &'a str>);

fn check(source: &Source, cases: &[Case<'_>]) {
    for (why, body, want) in cases {
        let want = match want {
            Ok(rows) => Ok(rows.iter().map(|row| (*row).to_owned()).collect()),
            Err(message) => Err((*message).to_owned()),
        };
        assert_eq!(rows(source, body), want, "{why}");
    }
}

#[test]
fn records_are_found_where_the_path_leads() {
    check(
        &a_source("data.items"),
        &[
            ("a list", r#"{"data":{"items":[{"a":1},{"a":2}]}}"#, Ok(&["1", "2"])),
            ("after other things", r#"{"x":[[{}]],"data":{"y":"z","items":[{"b":{},"a":1}]}}"#, Ok(&["1"])),
            ("an empty list", r#"{"data":{"items":[]}}"#, Ok(&[])),
            ("one object", r#"{"data":{"items":{"a":1}}}"#, Ok(&["1"])),
            ("an empty object", r#"{"data":{"items":{}}}"#, Ok(&[])),
            ("null", r#"{"data":{"items":null}}"#, Ok(&[])),
            ("null on the way", r#"{"data":null}"#, Ok(&[])),
            ("null at the root", "null", Ok(&[])),
            ("an empty root", "{ }", Ok(&[])),
            ("an empty object on the way", r#"{"data":{},"meta":1}"#, Ok(&[])),
            ("an empty list on the way", r#"{"data":[]}"#, Ok(&[])),
            ("nulls among them", r#"{"data":{"items":[null,{"a":1},null]}}"#, Ok(&["1"])),
            ("an empty record is one", r#"{"data":{"items":[{}]}}"#, Ok(&["null"])),
            ("escaped keys", r#"{"d\u0061ta":{"items":[{"\u0061":1}]}}"#, Ok(&["1"])),
        ],
    );
    let body = r#"[{"rows":[{"a":1}]},{"rows":[{"a":2}]}]"#;
    check(&a_source("0.rows"), &[("in an element of a list", body, Ok(&["1"]))]);
    check(&a_source("."), &[("an empty root is no record", "{}", Ok(&[])), ("nor is null", "null", Ok(&[]))]);
}

#[test]
fn records_that_are_not_there_are_an_error_that_says_what_is() {
    let cases = [
        (
            "no such key",
            r#"{"meta":1,"page":2}"#,
            ": there is no `data` in the answer; it has: `meta`, `page`",
        ),
        ("a slip", r#"{"Dta":1}"#, ": there is no `data` in the answer; it has: `Dta`; did you mean `Dta`?"),
        ("none below", r#"{"data":{"rows":[]}}"#, ": there is no `items` in `data`; it has: `rows`"),
        ("a list on the way", r#"{"data":[1]}"#, ": there is no `items` in `data`, which is a list"),
        ("a scalar on the way", r#"{"data":"none"}"#, ": there is no `items` in `data`, which is `\"none\"`"),
        ("text", r#"{"data":{"items":"none"}}"#, " `data.items`: the text `none` is not a list of objects"),
        ("a number", r#"{"data":{"items":7}}"#, " `data.items`: `7` is not a list of objects"),
    ];
    for (why, body, want) in cases {
        assert_eq!(rows(&a_source("data.items"), body), Err(format!("dataPath{want}")), "{why}");
    }
    check(
        &a_source("."),
        &[
            ("a scalar among them", r#"[{"a":1},2]"#, Err("record 2: `2` is not an object")),
            ("a list among them", r#"[null,{"a":1},[2]]"#, Err("record 2: a list is not an object")),
        ],
    );
    let keys: Vec<String> = (0..25).map(|at| format!("\"k{at}\":{at}")).collect();
    let error = rows(&a_source("data"), &format!("{{{}}}", keys.join(","))).expect_err("no data");
    assert!(error.ends_with("`k8`, `k9` and 15 more"), "{error}");
}

#[test]
fn a_map_of_records_has_their_keys() {
    let mut source = source("data", vec![field("id", "$key"), field("a", "a")]);
    source.response.records = Shape::Map;
    check(
        &source,
        &[
            ("objects", r#"{"data":{"x":{"a":1},"y\n":{}}}"#, Ok(&["'x' 1", "'y\n' null"])),
            ("none", r#"{"data":{}}"#, Ok(&[])),
            ("none, from a server that cannot tell", r#"{"data":[]}"#, Ok(&[])),
            ("null for a record", r#"{"data":{"x":null,"y":{"a":2}}}"#, Ok(&["'y' 2"])),
            ("a scalar", r#"{"data":{"x":{"a":1},"y":3}}"#, Err("record 2 at `y`: `3` is not an object")),
            ("a list", r#"{"data":[{"a":1}]}"#, Err("dataPath `data`: a list is not an object of objects")),
        ],
    );
}

#[test]
fn values_are_found_by_their_paths() {
    for (why, from, record, want) in [
        ("nested", "a.b", r#"{"a":{"b":1}}"#, "1"),
        ("through a number", "a.b", r#"{"a":7}"#, "null"),
        ("through text", "a.b", r#"{"a":"x"}"#, "null"),
        ("through null", "a.b", r#"{"a":null}"#, "null"),
        ("through a boolean and floats", "a.b", r#"{"a":true,"a":-1,"a":1.5}"#, "null"),
        ("a place in a list", "xs.1", r#"{"xs":[5,6,7]}"#, "6"),
        ("beyond the list", "xs.3", r#"{"xs":[5,6,7]}"#, "null"),
        ("a number as a key", "xs.1", r#"{"xs":{"1":"one"}}"#, "'one'"),
        ("a key with a dot", "\"a.b\"", r#"{"a":{"b":1},"a.b":2}"#, "2"),
        ("a key twice: the last", "a", r#"{"a":1,"a":2}"#, "2"),
        ("the whole record", ".", r#"{"a": 1}"#, "'{\"a\": 1}'"),
    ] {
        let source = source(".", vec![field("v", from)]);
        assert_eq!(rows(&source, &format!("[ {record} ]")), Ok(vec![want.to_owned()]), "{why}");
        assert_eq!(rows(&source, record), Ok(vec![want.to_owned()]), "{why}, alone");
    }
    let both = source(".", vec![field("inner", "a.b"), field("outer", "a"), field("again", "a.b")]);
    assert_eq!(rows(&both, r#"[{"a":{"b":1}}]"#), Ok(vec![r#"1 '{"b":1}' 1"#.to_owned()]));
    let around = source("data", vec![field("all", "$.data"), field("a", "a"), field("n", "$.n.0")]);
    assert_eq!(rows(&around, r#"{"data":[{"a":1}],"n":[4]}"#), Ok(vec![r#"'[{"a":1}]' 1 4"#.to_owned()]));
}

#[test]
fn a_value_that_does_not_fit_names_its_record_and_field() {
    let source = source(".", vec![typed("pm", "pm25", FieldType::Real), field("name", "n")]);
    let half = r#"record 1, name: `"\ud800"` has an escape that is no character (half of a surrogate pair)"#;
    check(
        &source,
        &[
            ("no number", r#"[{"pm25":1},{"pm25":"bad"}]"#, Err("record 2, pm: `bad` is no number")),
            ("half a pair", r#"[{"n":"\ud800"}]"#, Err(half)),
        ],
    );
    let long = format!(r#"[{{"pm25":"{}"}}]"#, "x".repeat(100_000));
    assert!(rows(&source, &long).expect_err("no number").len() < 150);
}

#[test]
fn a_record_without_identity_is_refused_where_unique_was_given() {
    let mut source = source(".", vec![field("a", "a"), field("b", "b"), field("c", "c")]);
    source.unique = vec![0, 1];
    assert_eq!(rows(&source, r#"[{"c":1}]"#), Ok(vec!["null null 1".to_owned()]));
    source.unique_given = true;
    let want = "record 2, a, b: no identity: every field that `unique` names is null";
    assert_eq!(rows(&source, r#"[{"a":1},{"c":1}]"#), Err(want.to_owned()));
}

#[test]
fn the_sink_can_refuse_a_row() {
    let mut seen = 0;
    let done = Plan::new(&a_source(".")).read(br#"[{"a":1},{"a":2},{"a":3}]"#, &mut |row| {
        seen += 1;
        if row.number == 2 { Err("full") } else { Ok(()) }
    });
    assert_eq!((done, seen), (Err(ReadError::Sink("full")), 2));
}

/// Whatever the order of its keys, a record has the same values and key.
#[test]
fn the_order_of_keys_does_not_count() {
    let parts =
        [r#""a":1"#, r#""b":{"c":"x","d":[1,2]}"#, r#""e":null"#, r#""f.g":"\u00e9""#, r#""h":[{"a":9}]"#];
    let fields = ["a", "b.c", "b.d.1", "b", "e", "\"f.g\"", "h.0.a"];
    let fields = fields.iter().enumerate().map(|(at, from)| field(&format!("f{at}"), from));
    let source = source(".", fields.collect());
    let answer = |parts: &[&str]| read(&source, &format!("[{{{}}}]", parts.join(","))).expect("an answer");
    let want = answer(&parts);
    let mut state = 7_u64;
    for _ in 0..200 {
        let mut shuffled = parts;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        assert_eq!(answer(&shuffled), want, "{shuffled:?}");
    }
}
