//! Values on their way into columns: paths, types, nulls, defaults, constants. Times are in
//! `mapping/time`, layouts of records and formats of answers in `mapping/layout`.

mod layout;
mod time;

use crate::util::{Hermes, Reply, Site, hermes_with, lines};

/// Fetches `reply` with this `response:` (in flow style) into the table `t`; the exit code with it.
#[track_caller]
fn fetch(response: &str, reply: Reply) -> (Hermes, Option<i32>) {
    let site = Site::new();
    site.on("/m", reply);
    let hermes =
        hermes_with(&site, &format!("name: m\nurl: http://SITE/m\ntable: t\nresponse: {response}\n"));
    let output = hermes.once();
    assert_eq!(site.count("/m"), 1, "{output}");
    (hermes, output.code)
}

/// The rows that `sql` finds after a fetch of this JSON.
#[track_caller]
fn stored(response: &str, json: &str, sql: &str) -> Vec<String> {
    let (hermes, code) = fetch(response, Reply::json(json));
    assert_eq!(code, Some(0), "{}", lines(&hermes, "SELECT message FROM fetchlogs").join("\n"));
    lines(&hermes, sql)
}

/// Why this JSON was refused; nothing of it is stored.
#[track_caller]
fn refused(response: &str, reply: Reply) -> String {
    let (hermes, code) = fetch(response, reply);
    assert_eq!((code, hermes.count("t")), (Some(1), 0));
    hermes.query("SELECT message FROM fetchlogs")
}

#[test]
fn untyped_values_keep_the_type_they_have_in_json() {
    for (json, want) in [
        ("1", "1 'integer'"),
        ("-2.5", "-2.5 'real'"),
        ("1.0", "1.0 'real'"),
        ("\"3\"", "'3' 'text'"),
        ("\"\"", "'' 'text'"),
        ("true", "1 'integer'"),
        ("null", "null 'null'"),
        ("[1, \"a\"]", "'[1, \"a\"]' 'text'"),
        ("{\"b\":null}", "'{\"b\":null}' 'text'"),
        ("123456789012345678901234567890", "'123456789012345678901234567890' 'text'"),
    ] {
        let rows =
            stored("{ fields: { v: v } }", &format!("[{{\"v\":{json}}}]"), "SELECT v, typeof(v) FROM t");
        assert_eq!(rows, [want], "{json}");
    }
}

#[test]
fn typed_values_are_converted_whatever_the_answer_writes() {
    let fields = "{ fields: [ { source: id, target: id }, { source: i, target: i, type: integer },
        { source: r, target: r, type: real }, { source: b, target: b, type: boolean },
        { source: s, target: s, type: text } ] }";
    let json = r#"[{"id":1,"i":7,"r":1.5,"b":true,"s":"x"},{"id":2,"i":" 7 ","r":"1.5","b":"false","s":7},
        {"id":3,"i":7.0,"r":2,"b":1,"s":true},{"id":4,"i":"-7.00","r":"-2e1","b":"No","s":{"a":1}},{"id":5}]"#;
    let rows = stored(fields, json, "SELECT id, i, r, b, s FROM t ORDER BY id");
    let want = [
        "1 7 1.5 1 'x'",
        "2 7 1.5 0 '7'",
        "3 7 2.0 1 'true'",
        "4 -7 -20.0 0 '{\"a\":1}'",
        "5 null null null null",
    ];
    assert_eq!(rows, want);
}

#[test]
fn columns_are_declared_with_the_type_of_their_field() {
    let fields = "{ fields: [ { source: a, target: a }, { source: b, target: b, type: integer },
        { source: c, target: c, type: real }, { source: d, target: d, type: boolean },
        { source: e, target: e, type: timestamp }, { source: f, target: f, type: json },
        { source: g, target: g, type: text } ] }";
    let rows = stored(fields, "[]", "SELECT name, type FROM pragma_table_info('t') ORDER BY cid LIMIT 7");
    let want = "'a' '','b' 'INTEGER','c' 'REAL','d' 'INTEGER','e' 'TEXT','f' 'TEXT','g' 'TEXT'";
    assert_eq!(rows.join(","), want);
}

#[test]
fn a_value_that_does_not_fit_its_type_is_refused_with_its_record_and_field() {
    for (kind, value, says) in [
        ("integer", "1.5", "fraction"),
        ("integer", "\"many\"", "many"),
        ("integer", "9223372036854775808", "64 bits"),
        ("real", "\"12 µg\"", "12 µg"),
        ("real", "\"\"", "nulls"),
        ("real", "[1]", "[1]"),
        ("boolean", "2", "no boolean"),
        ("timestamp", "\"soon\"", "soon"),
        ("text", "\"\\ud83d\"", "surrogate"),
    ] {
        let fields = format!("{{ fields: [ {{ source: v, target: reading, type: {kind} }} ] }}");
        let text = refused(&fields, Reply::json(format!("[{{\"v\":null}},{{\"v\":{value}}}]")));
        let parts = ["page 1", "record 2", "reading", says];
        assert!(parts.iter().all(|part| text.contains(part)), "{kind} {value}: {text}");
    }
}

#[test]
fn values_that_mean_none_are_null_as_text_or_as_numbers() {
    let fields = "{ fields: [ { source: id, target: id },
        { source: v, target: v, type: real, nulls: ['', '-1', -999, n/a] } ] }";
    let json = r#"[{"id":1,"v":""},{"id":2,"v":"  "},{"id":3,"v":-1},{"id":4,"v":"-1.0"},{"id":5,"v":"-999"},
        {"id":6,"v":-999.0},{"id":7,"v":"n/a"},{"id":8,"v":-2},{"id":9,"v":"0"}]"#;
    let rows = stored(fields, json, "SELECT group_concat(id) FROM t WHERE v IS NULL");
    assert_eq!(rows, ["'1,2,3,4,5,6,7'"]);
    assert_eq!(stored(fields, json, "SELECT v FROM t WHERE id > 7 ORDER BY id"), ["-2.0", "0.0"]);
}

#[test]
fn a_default_stands_for_what_is_missing_null_or_means_none() {
    let fields = "{ fields: [ { source: id, target: id }, { source: a.b, target: who, default: unknown },
        { source: n, target: n, type: integer, default: '7', nulls: [-1] } ] }";
    let json = r#"[{"id":1,"a":{"b":"me"},"n":1},{"id":2,"a":{"b":null},"n":null},{"id":3,"a":"x","n":-1},
        {"id":4,"a":{"b":""}}]"#;
    let rows = stored(fields, json, "SELECT id, who, n FROM t ORDER BY id");
    assert_eq!(rows, ["1 'me' 1", "2 'unknown' 7", "3 'unknown' 7", "4 '' 7"]);
}

#[test]
fn constants_are_the_same_in_every_row() {
    let fields = "{ fields: [ { source: id, target: id }, { value: fmp, target: provider },
        { value: 2, target: version }, { value: '2026-11-15', target: since, type: timestamp },
        { value: [a], target: tags, type: json } ] }";
    let rows = stored(fields, r#"[{"id":1},{"id":2}]"#, "SELECT id, provider, version, since, tags FROM t");
    let constant = "'fmp' 2 '2026-11-15T00:00:00.000Z' '[\"a\"]'";
    assert_eq!(rows, [format!("1 {constant}"), format!("2 {constant}")]);
}

#[test]
fn values_of_the_root_may_stand_before_or_after_the_records() {
    let fields =
        "{ dataPath: data.rows, fields: { id: id, symbol: $.symbol, unit: $.meta.unit, none: $.no } }";
    let json = r#"{"symbol":"HRMS","data":{"rows":[{"id":1},{"id":2}]},"meta":{"unit":"µg/m³"}}"#;
    let rows = stored(fields, json, "SELECT id, symbol, unit, none FROM t ORDER BY id");
    assert_eq!(rows, ["1 'HRMS' 'µg/m³' null", "2 'HRMS' 'µg/m³' null"]);
}

#[test]
fn paths_lead_through_objects_lists_and_keys_with_dots() {
    let fields = r#"{ dataPath: '"a.b".list', fields: { x: geometry.coordinates.0, y: geometry.coordinates.1,
        z: geometry.coordinates.2, pm: '"pm2.5"', deep: 'v."1. open"', at: '@id', blank: two words } }"#;
    let json = r#"{"a.b":{"list":[{"geometry":{"coordinates":[10.5,59.9]},"pm2.5":4,"v":{"1. open":"12.5"},
        "@id":"k","two words":"w"}]}}"#;
    let rows = stored(fields, json, "SELECT x, y, z, pm, deep, at, blank FROM t");
    assert_eq!(rows, ["10.5 59.9 null 4 '12.5' 'k' 'w'"]);
}

#[test]
fn json_is_kept_as_it_stands_and_sqlite_reads_it() {
    let fields = "{ fields: [ { source: id, target: id }, { source: v, target: v, type: json } ] }";
    let json = r#"[{"id":1,"v":["A","B"]},{"id":2,"v":{"b":[1,{"c":"ü"}]}},{"id":3,"v":"text"},{"id":4,"v":1.50},
        {"id":5,"v":null}]"#;
    let rows = stored(fields, json, "SELECT id, v FROM t ORDER BY id");
    let want = ["1 '[\"A\",\"B\"]'", "2 '{\"b\":[1,{\"c\":\"ü\"}]}'", "3 '\"text\"'", "4 '1.50'", "5 null"];
    assert_eq!(rows, want);
    assert_eq!(stored(fields, json, "SELECT json_extract(v, '$.b[1].c') FROM t WHERE id = 2"), ["'ü'"]);
}

#[test]
fn the_whole_record_can_be_kept_as_json() {
    let fields = "{ fields: [ { source: id, target: id }, { source: ., target: raw, type: json } ] }";
    let rows = stored(fields, r#"[{"id":1,"more":[true]}]"#, "SELECT id, raw FROM t");
    assert_eq!(rows, [r#"1 '{"id":1,"more":[true]}'"#]);
}

#[test]
fn text_is_stored_in_any_script_and_with_escapes_undone() {
    let json = r#"[{"v":"สถานี ","w":"a\"b\\c\n\u00e9\ud83d\ude00"}]"#;
    let rows = stored("{ fields: { v: v, w: w } }", json, "SELECT v, w FROM t");
    assert_eq!(rows, ["'สถานี ' 'a\"b\\c\né😀'"]);
}
