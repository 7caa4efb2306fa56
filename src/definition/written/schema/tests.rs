//! The schema is valid, is that of the types, takes every good document, and
//! refuses what is wrong with a document's structure.

use std::path::Path;
use std::sync::OnceLock;

use boon::{Compiler, Schemas};
use serde_json::Value;

/// The JSON Schema of a document, for editors: draft 7.
const SCHEMA: &str = include_str!("../schema.json");
use super::kinds;
use crate::definition::{Clients, document};

/// What the program carries, and the copy that the samples name.
const FILES: [&str; 2] = ["src/definition/written/schema.json", "sources.d/hermes.schema.json"];
const COMMAND: &str = "cargo test --lib the_schema_is_that_of_the_types";

/// What the schema has against a document.
fn objections(document: &Value) -> Option<String> {
    static COMPILED: OnceLock<(Schemas, boon::SchemaIndex)> = OnceLock::new();
    let (schemas, index) = COMPILED.get_or_init(|| {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        let schema = serde_json::from_str(SCHEMA).expect("JSON");
        compiler.add_resource("hermes.json", schema).expect("a resource");
        let index = compiler.compile("hermes.json", &mut schemas).expect("a valid schema of draft 7");
        (schemas, index)
    });
    schemas.validate(document, *index).err().map(|error| error.to_string())
}

/// For every document that a unit test has found to be good.
#[track_caller]
pub(in crate::definition) fn assert_describes(document: &serde_yaml::Value) {
    let document = serde_json::to_value(document).expect("a document is JSON");
    if let Some(objections) = objections(&document) {
        panic!("a good document, and the schema says: {objections}\n{document:#}");
    }
}

/// A line a key down to the keys of a definition's maps: small, and still to be compared.
fn in_lines(value: &Value, depth: usize) -> String {
    match value {
        Value::Object(keys) if depth < 6 && !keys.is_empty() => {
            let line = |(key, value): (&String, &Value)| {
                format!("{}:{}", Value::from(key.as_str()), in_lines(value, depth + 1))
            };
            format!("{{\n{}}}", keys.iter().map(line).collect::<Vec<_>>().join(",\n"))
        }
        other => other.to_string(),
    }
}

#[test]
fn the_schema_is_that_of_the_types() {
    let schema = in_lines(&kinds::schema(), 0) + "\n";
    for file in FILES.map(|file| root().join(file)) {
        if std::env::var_os("HERMES_WRITE_SCHEMA").is_some() {
            std::fs::write(&file, &schema).expect("the file can be written");
        }
        let is_that = std::fs::read_to_string(&file).is_ok_and(|known| known == schema);
        assert!(
            is_that,
            "{} is out of date; this writes it: HERMES_WRITE_SCHEMA=1 {COMMAND}",
            file.display()
        );
    }
}

#[test]
fn every_key_is_described() {
    fn look(schema: &Value, path: &str) {
        if let Some(Value::Object(keys)) = schema.get("properties") {
            for (key, value) in keys {
                let is_rule = value.get("const").is_some()
                    || value.get("enum").is_some_and(|_| value.get("type").is_none());
                let about = value.get("description").and_then(Value::as_str).unwrap_or_default();
                assert!(is_rule || about.ends_with('.'), "{path}.{key}: {about:?}");
            }
        }
        match schema {
            Value::Object(keys) => keys.iter().for_each(|(key, value)| look(value, &format!("{path}.{key}"))),
            Value::Array(items) => items.iter().for_each(|value| look(value, path)),
            _ => {}
        }
    }
    look(&kinds::schema(), "");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reading a good document compares it with the schema.
fn good_documents_in(text: &str) -> usize {
    let reading = document::read_with(text, &Clients::default());
    assert_eq!(reading.problems, [], "{text}");
    reading.documents.len()
}

#[test]
fn the_samples_are_as_the_schema_says() {
    for (folder, least) in [("sources.d", 4), ("tests/integration/shapes", 14)] {
        let files = std::fs::read_dir(root().join(folder))
            .expect("a folder")
            .map(|entry| entry.expect("a file").path());
        let documents = files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
        let texts = documents
            .map(|path| std::fs::read_to_string(path).expect("text").replace("SITE", "127.0.0.1:80"));
        let count: usize = texts.map(|text| good_documents_in(&text)).sum();
        assert!(count >= least, "{folder}: {count}");
    }
}

#[test]
fn the_documents_of_the_readme_are_as_the_schema_says() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("text");
    let blocks = readme.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let whole = blocks.filter(|block| block.contains("name: ") && !block.starts_with("pagination:"));
    assert!(whole.map(good_documents_in).sum::<usize>() >= 5);
}

const SOURCE: &str = "name: a\nurl: http://a.org\ntable: t\nresponse: { fields: { a: a } }\n";

/// What both have to say something against.
#[test]
fn what_is_wrong_with_the_structure_is_wrong_for_the_schema_too() {
    let more = |lines: &str| format!("{SOURCE}{lines}\n");
    let response = |inside: &str| format!("name: a\nurl: http://a.org\ntable: t\nresponse: {inside}\n");
    let field = |inside: &str| response(&format!("{{ fields: [ {{ {inside} }} ] }}"));
    let provider = |lines: &str| format!("kind: provider\ndomain: a.org\n{lines}\n");
    let deployment = |lines: &str| format!("kind: deployment\nname: d\n{lines}\n");
    for text in [
        "- a list\n".to_owned(),
        "kind: sauce\nname: a\n".to_owned(),
        "kind:\nname: a\n".to_owned(),
        more("shedule: daily"),
        more("kind: Source"),
        SOURCE.replace("name: a", "name: A"),
        SOURCE.replace("name: a", "name:"),
        SOURCE.replace("name: a\n", ""),
        SOURCE.replace("name: a\n", "name: 12\n"),
        SOURCE.replace("url: http://a.org\n", ""),
        SOURCE.replace("http://a.org", "ftp://a.org"),
        SOURCE.replace("http://a.org", "http://a.org/${nev:A}"),
        SOURCE.replace("http://a.org", "http://a.org/${env:A"),
        SOURCE.replace("http://a.org", "http://a.org/${with.A}"),
        SOURCE.replace("table: t", "table: 1t"),
        more("method: PUT"),
        more("headers: { \"A B\": c }"),
        more("headers: { A: 1 }"),
        more("params: [ { name: a } ]"),
        more("params: [ { name: a, value: [] } ]"),
        more("params: { a: \"${x}\" }"),
        more("body: {}"),
        more("schedule: houry"),
        more("schedule: interval:15w"),
        more("schedule: \"* * * *\""),
        more("status: on"),
        more("handler: A"),
        more("execution: { timeout: 5w }"),
        more("execution: { maxRetries: 0 }"),
        more("execution: { retries: 1 }"),
        more("unique: []"),
        more("retention: { days: 0 }"),
        more("lookback: soon"),
        more("incremental: { field: a }"),
        more("catchUp: all"),
        more("startup: later"),
        more("with: { a: 1 }"),
        more("client: c\nwith: { a: [] }"),
        more("pagination: {}"),
        more("pagination: { link: }"),
        more("pagination: { link: {}, page: {} }"),
        more("pagination: { pages: {} }"),
        more("pagination: { page: { limitParam: n } }"),
        more("pagination: { page: { limit: 0 } }"),
        more("pagination: { cursor: {} }"),
        more("pagination: { link: {}, maxPages: 0 }"),
        more("pagination: { link: {} }\noffsetPagination: {}"),
        more("offsetPagination: {}\ncursorPagination: { nextCursorPath: a }"),
        response("{}"),
        response("{ fields: [] }"),
        response("{ fields: { 1a: a } }"),
        response("{ fields: { a: 1 } }"),
        response("{ format: xml, fields: { a: a } }"),
        response("{ records: rows, fields: { a: a } }"),
        response("{ records: columns, fields: { a: a } }"),
        response("{ columnsPath: a, fields: { a: a } }"),
        response("{ maxBytes: 16MB, fields: { a: a } }"),
        field("source: a"),
        field("target: a"),
        field("source: a, value: 1, target: a"),
        field("source: a, target: a, type: float"),
        field("source: a, target: a, format: unix"),
        field("value: 1, target: a, default: 2"),
        provider("limits: [ { requests: 60 } ]"),
        provider("limits: [ { requests: 0, per: 1m } ]"),
        provider("limit: 60"),
        provider("limits: []\nlimit: 60\nperiod: 1m"),
        provider("concurrency: 0"),
        provider("auth: {}"),
        provider("auth: { bearer: a, basic: { user: a, password: b } }"),
        provider("auth: { header: { name: a } }"),
        provider("auth: { bearer: \"${ENV}\" }"),
        provider("name: a"),
        "kind: provider\ndomain: https://a.org\n".to_owned(),
        "kind: provider\n".to_owned(),
        deployment(""),
        deployment("schedule: daily\nsources: a"),
        deployment("schedule: daily\nsources: [A]"),
        deployment("schedule: daily\nsources: [a, a]"),
        deployment("schedule: daily\ntemporalOffset: 1.5"),
        deployment("schedule: daily\nactive: yes please"),
        "kind: handler\nname: a\nring: { capacity: 0 }\n".to_owned(),
        "kind: handler\nname: a\nkafka: {}\n".to_owned(),
        "kind: client\nurl: http://a.org\n".to_owned(),
        "kind: client\nname: a\nclient: b\n".to_owned(),
        "kind: client\nname: a\nstatus: on\n".to_owned(),
        "kind: client\nname: a\nexecution: { maxRetries: 0 }\n".to_owned(),
        "kind: client\nname: \"${with.a}\"\n".to_owned(),
    ] {
        assert!(document::read(&text).documents.is_empty(), "check takes it:\n{text}");
        let value: serde_yaml::Value = serde_yaml::from_str(&text).expect("YAML");
        assert!(
            objections(&serde_json::to_value(value).expect("JSON")).is_some(),
            "the schema takes it:\n{text}"
        );
    }
}

#[test]
fn a_client_may_leave_anything_open() {
    let text = "\
kind: client
name: c
url: http://${with.host}/
method: ${with.method}
params: [ { name: limit, value: \"${with.limit}\" } ]
table: t_${with.table}
schedule: ${with.schedule}
status: ${with.status}
execution: { timeout: \"${with.t}\", maxRetries: \"${with.r}\" }
response:
  fields: [ { source: \"${with.s}\", target: \"${with.c}\", type: \"${with.k}\" } ]
pagination: { page: { limit: \"${with.limit}\" } }
retention: { days: \"${with.days}\" }
lookback: ${with.l}
";
    assert_eq!(good_documents_in(text), 1);
    let older =
        format!("{SOURCE}offsetPagination: {{ pageParam: p, limitParam: n, limit: 5, hasMorePath: a.b }}\n");
    assert_eq!(good_documents_in(&older), 1);
}
