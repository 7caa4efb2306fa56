//! How records are laid out in an answer, and the formats that are not JSON.

use super::{fetch, refused, stored};
use crate::util::{Reply, lines};

#[test]
fn records_may_be_an_object_keyed_by_id() {
    let fields = "{ dataPath: sensors, records: map, fields: { id: $key, name: name } }";
    let json = r#"{"sensors":{"a1":{"name":"one"},"b.2":{"name":"two"},"c\"3":{}}}"#;
    let rows = stored(fields, json, "SELECT id, name FROM t ORDER BY id");
    assert_eq!(rows, ["'a1' 'one'", "'b.2' 'two'", "'c\"3' null"]);
}

#[test]
fn a_key_of_a_record_can_have_a_type() {
    let fields = "{ records: map, fields: [ { source: $key, target: day, type: timestamp }, { source: v, target: v } ] }";
    let rows =
        stored(fields, r#"{"2026-11-15":{"v":1},"2026-11-14":{"v":2}}"#, "SELECT day, v FROM t ORDER BY v");
    assert_eq!(rows, ["'2026-11-15T00:00:00.000Z' 1", "'2026-11-14T00:00:00.000Z' 2"]);
}

#[test]
fn records_may_be_rows_under_column_names() {
    let fields = r#"{ dataPath: data, records: columns, columnsPath: meta.fields,
        fields: { id: id, pm: '"pm2.5"', at: $.time } }"#;
    let json = r#"{"data":[[1,"x",4.5],[2,"y",null],[3]],"meta":{"fields":["id","name","pm2.5"]},"time":9}"#;
    assert_eq!(
        stored(fields, json, "SELECT id, pm, at FROM t ORDER BY id"),
        ["1 4.5 9", "2 null 9", "3 null 9"]
    );
}

#[test]
fn a_column_that_is_not_there_is_refused_with_those_that_are() {
    let fields = "{ dataPath: data, records: columns, columnsPath: fields, fields: { v: pm10 } }";
    let text = refused(fields, Reply::json(r#"{"fields":["id","pm25"],"data":[[1,2]]}"#));
    assert!(text.contains("pm10") && text.contains("`id`, `pm25`"), "{text}");
}

#[test]
fn one_object_stands_for_a_list_of_one() {
    let fields = "{ dataPath: data, fields: { id: id } }";
    assert_eq!(stored(fields, r#"{"data":{"id":1,"x":[]}}"#, "SELECT id FROM t"), ["1"]);
    assert_eq!(stored("{ fields: { id: id } }", r#"{"id":1}"#, "SELECT id FROM t"), ["1"]);
}

#[test]
fn nulls_among_the_records_are_no_records() {
    let (hermes, code) = fetch("{ fields: { id: id } }", Reply::json(r#"[{"id":1},null,{"id":2}]"#));
    assert_eq!(code, Some(0));
    assert_eq!(lines(&hermes, "SELECT id FROM t ORDER BY id"), ["1", "2"]);
    assert_eq!(lines(&hermes, "SELECT records FROM fetchlogs"), ["2"]);
}

#[test]
fn what_is_no_record_is_refused() {
    for (json, says) in [("[[1]]", "record 1"), (r#"[{"id":1},"x"]"#, "record 2"), ("7", "list of objects")] {
        let text = refused("{ fields: { id: id } }", Reply::json(json));
        assert!(text.contains(says), "{json}: {text}");
    }
}

#[test]
fn ndjson_has_a_record_a_line() {
    let fields = "{ format: ndjson, fields: { id: id, name: a.name } }";
    let body = "{\"id\":1,\"a\":{\"name\":\"x\"}}\r\n\n{\"id\":2}\n{\"id\":3,\"a\":{\"name\":\"z\"}}";
    let (hermes, code) = fetch(fields, Reply::text("application/x-ndjson", body));
    assert_eq!(code, Some(0));
    assert_eq!(lines(&hermes, "SELECT id, name FROM t ORDER BY id"), ["1 'x'", "2 null", "3 'z'"]);
}

#[test]
fn a_broken_line_of_ndjson_is_named_and_nothing_is_stored() {
    let fields = "{ format: ndjson, fields: { id: id } }";
    let text = refused(fields, Reply::text("application/x-ndjson", "{\"id\":1}\n{\"id\":2}\n{\"id\":"));
    assert!(text.contains("page 1") && text.contains("line 3"), "{text}");
}

#[test]
fn csv_has_columns_by_name_and_text_unless_typed() {
    let fields = r#"{ format: csv, fields: [ { source: Station Name, target: name },
        { source: '"pm2.5"', target: pm25, type: real, nulls: [''] },
        { source: [date, time], target: at, type: timestamp },
        { source: code, target: code }, { value: csv, target: origin } ] }"#;
    let body = "\u{feff}code,Station Name,pm2.5,date,time\n\
                007,\"a, \"\"b\"\"\",4.5,2026-11-15,10:00\n008,ü,,2026-11-15,11:30\n";
    let (hermes, code) = fetch(fields, Reply::text("text/csv", body));
    assert_eq!(code, Some(0), "{:?}", lines(&hermes, "SELECT message FROM fetchlogs"));
    let want = [
        "'007' 'a, \"b\"' 4.5 '2026-11-15T10:00:00.000Z' 'csv'",
        "'008' 'ü' null '2026-11-15T11:30:00.000Z' 'csv'",
    ];
    assert_eq!(lines(&hermes, "SELECT code, name, pm25, at, origin FROM t ORDER BY code"), want);
}

#[test]
fn csv_may_be_separated_by_semicolons() {
    let reply = Reply::text("text/csv", "id;v\n1;\"a;b\"\n2;1,5\n");
    let (hermes, code) = fetch("{ format: csv, fields: { id: id, v: v } }", reply);
    assert_eq!(code, Some(0));
    assert_eq!(lines(&hermes, "SELECT id, v FROM t ORDER BY id"), ["'1' 'a;b'", "'2' '1,5'"]);
}

#[test]
fn a_csv_line_that_is_cut_off_is_named_and_nothing_is_stored() {
    let reply = Reply::text("text/csv", "id,v\n1,a\n2");
    let text = refused("{ format: csv, fields: { id: id, v: v } }", reply);
    assert!(text.contains("line 3") && text.contains("cut off"), "{text}");
}
