//! Sources made from a client: what they become, and what a person is told
//! where.

use crate::definition::document::{self, Definition, Document};
use crate::definition::{Clients, Source};

/// Twelve lines with the rule under it, so that a source begins at line 14.
const CLIENT: &str = "\
kind: client
name: openaq
url: https://api.example.org/v3/locations/${with.location}/latest
params:
  - { name: limit, value: \"${with.limit}\" }
  - { name: key, value: \"${env:KEY}\" }
table: air
schedule: hourly
response:
  dataPath: results
  fields:
    - { source: value, target: value }
---
";

fn told(text: &str) -> Vec<String> {
    document::read(text).problems.iter().map(ToString::to_string).collect()
}

fn made(source: &str) -> Document {
    let text = format!("{CLIENT}{source}");
    assert_eq!(told(&text), Vec::<String>::new(), "{source}");
    document::read(&text).documents.pop().expect("the source")
}

fn source(document: &Document) -> &Source {
    match &document.definition {
        Definition::Source(source) => source,
        other => panic!("a source, not {other:?}"),
    }
}

#[test]
fn a_source_is_its_client_filled_in() {
    let document = made("name: a\nclient: openaq\nwith: { location: 8118, limit: 20 }\n");
    assert_eq!(document.text, "name: a\nclient: openaq\nwith:\n  location: 8118\n  limit: 20\n");
    let filled = "\
name: a
url: https://api.example.org/v3/locations/8118/latest
params:
- name: limit
  value: 20
- name: key
  value: ${env:KEY}
table: air
schedule: hourly
response:
  dataPath: results
  fields:
  - source: value
    target: value
";
    assert_eq!(document.filled.as_deref(), Some(filled));
    let alone = document::read(filled).documents.remove(0);
    assert_eq!((alone.definition, alone.filled), (document.definition, None));
}

#[test]
fn a_client_may_come_after_its_source_or_from_elsewhere() {
    let short = "name: a\nclient: openaq\nwith: { location: x, limit: 1 }\n";
    assert_eq!(told(&format!("{short}---\n{CLIENT}")), Vec::<String>::new());
    let reading = document::read_with(short, &Clients::of_text(CLIENT));
    assert_eq!(reading.problems, []);
    assert_eq!(source(&reading.documents[0]).table, "air");
}

#[test]
fn the_keys_of_a_source_win_whole() {
    let own = "name: a\nclient: openaq\nschedule:\ntable: mine\nparams: { a: 1 }\nwith: { location: x }\n";
    let document = made(own);
    let source = source(&document);
    assert_eq!((source.name.as_str(), source.table.as_str()), ("a", "mine"));
    // A list is replaced, not added to, and a key without a value takes the client's away.
    assert_eq!((source.params.len(), source.schedule.as_ref()), (1, None));
}

#[test]
fn a_value_alone_keeps_its_type_and_becomes_text_among_text() {
    for (given, alone, among) in [
        ("5", "5", "x5y"),
        ("1.5", "1.5", "x1.5y"),
        ("true", "true", "xtruey"),
        ("'5'", "'5'", "x5y"),
        ("\"${env:A}\"", "${env:A}", "x${env:A}y"),
        ("\"${with.v}\"", "${with.v}", "x${with.v}y"),
        ("''", "''", "xy"),
    ] {
        let client = "{ kind: client, name: c, description: \"x${with.v}y\", method: POST, url: http://a.org, \
                      table: t, body: [\"${with.v}\", \"${with.v}\"] }";
        let text = format!(
            "{client}\n---\nname: a\nclient: c\nwith: {{ v: {given} }}\nresponse: {{ fields: {{ a: a }} }}\n"
        );
        let value: serde_yaml::Value = serde_yaml::from_str(&text[client.len() + 5..]).expect("YAML");
        let clients = Clients::of_text(client);
        let filled = clients.fill(&value).expect("it fits").expect("it is made").document;
        let want = format!("description: {among}\nbody:\n- {alone}\n- {alone}\n");
        let shown = ["description", "body"].map(|key| (key, filled[key].clone()));
        let shown: serde_yaml::Mapping = shown.into_iter().map(|(key, value)| (key.into(), value)).collect();
        assert_eq!(serde_yaml::to_string(&shown).expect("YAML"), want, "{given}");
    }
}

#[test]
fn a_source_that_does_not_fit_is_told_so_at_its_place() {
    for (why, source, want) in [
        (
            "no such client",
            "name: a\nclient: opnaq\nwith: { location: 1 }\n",
            &["15:9: client: there is no client `opnaq`; did you mean `openaq`?"][..],
        ),
        (
            "nothing like it, and a problem of its own",
            "name: a\nclient: purpleair\nstatus: on\n",
            &[
                "15:9: client: there is no client `purpleair`: a document with `kind: client` and that name",
                "16:9: status: `status` is one of active, paused, not `on`",
            ],
        ),
        (
            "a value is missing",
            "name: a\nclient: openaq\nwith: { location: 1 }\n",
            &["16:7: with.limit: `limit` is missing: the client `openaq` has ${with.limit}"],
        ),
        (
            "a value is empty",
            "name: a\nclient: openaq\nwith:\n  limit: 1\n  location:\n",
            &["18:12: with.location: `location` is missing: the client `openaq` has ${with.location}"],
        ),
        (
            "all are missing",
            "name: a\nclient: openaq\n",
            &[
                "15:9: with.limit: `limit` is missing: the client `openaq` has ${with.limit}",
                "15:9: with.location: `location` is missing: the client `openaq` has ${with.location}",
            ],
        ),
        (
            "a value too many, and one misspelt",
            "name: a\nclient: openaq\nwith:\n  limit: 1\n  location: 2\n  locaton: 3\n  zone: 4\n",
            &[
                "19:3: with.locaton: the client `openaq` has no ${with.locaton}; did you mean `location`?",
                "20:3: with.zone: the client `openaq` has no ${with.zone}; it takes limit, location",
            ],
        ),
        (
            "no scalar",
            "name: a\nclient: openaq\nwith: { limit: 1, location: [2] }\n",
            &["16:29: with.location: a value of `with` is text, a number, true or false, not a list"],
        ),
        ("no map", "name: a\nclient: openaq\nwith: [1]\n", &["16:7: with: `with` is a map, not a list"]),
        ("no name", "name: a\nclient: 5\n", &["15:9: client: `client` is text, not a number"]),
        (
            "no client",
            "name: a\nurl: http://a.org\ntable: t\nresponse: { fields: { a: a } }\nwith: { a: 1 }\n",
            &["18:1: with: `with` fills in a client: name it with `client`"],
        ),
        (
            "no name of its own",
            "client: openaq\nwith: { location: 1, limit: 1 }\n",
            &["14:1: name: `name` is missing: a-z, 0-9, - and _, at most 64"],
        ),
        (
            "the client's text with these values",
            "name: a\nclient: openaq\nwith: { location: \"x#y\", limit: 1 }\nunique: [b]\n",
            &[
                "15:9: url: a url ends before `#`: what follows it is never sent (from the client `openaq`)",
                "17:10: unique[0]: no field has the target `b`; there is value",
            ],
        ),
    ] {
        assert_eq!(told(&format!("{CLIENT}{source}")), want, "{why}");
    }
}

#[test]
fn a_value_that_only_overridden_keys_use_may_be_there_or_not() {
    made("name: a\nclient: openaq\nurl: http://a.org\nparams: {}\n");
    made("name: a\nclient: openaq\nurl: http://a.org\nwith: { location: 1, limit: 1 }\n");
}

#[test]
fn a_client_is_checked_by_itself() {
    let named = |lines: &str| format!("kind: client\nname: c\n{lines}\n");
    for (why, lines, want) in [
        ("nothing is needed but a name", "", &[][..]),
        (
            "a key that is not known",
            "shedule: daily",
            &["3:1: shedule: there is no key `shedule`; did you mean `schedule`?"],
        ),
        (
            "one with a placeholder",
            "shedule: ${with.s}",
            &["3:1: shedule: there is no key `shedule`; did you mean `schedule`?"],
        ),
        ("a wrong value", "status: on", &["3:9: status: `status` is one of active, paused, not `on`"]),
        ("a value that is to come", "status: ${with.status}", &[]),
        (
            "fields are replaced with their response",
            "response: { dataPath: a }",
            &["3:11: response.fields: `fields` is missing: a list of fields or a map `target: source`"],
        ),
        ("unique fields of sources", "unique: [id]", &[]),
        ("a body, and a method of the sources", "body: { a: 1 }", &[]),
        (
            "a body with the wrong method",
            "body: { a: 1 }\nmethod: GET",
            &["3:1: body: `body` is sent with `method: POST` only"],
        ),
        (
            "since, and fields of the sources",
            "url: http://a.org/${since}\nincremental: { field: a, initial: 0 }",
            &[],
        ),
        (
            "no placeholder",
            "url: http://a.org/${with.}",
            &["3:6: url: `${with.` has to go on as in ${with.NAME}; a name has letters, digits, - and _"],
        ),
        (
            "a key",
            "params: { \"${with.k}\": 1 }",
            &["3:11: params.${with.k}: ${with.NAME} is filled in where it stands in a value, not in a key"],
        ),
        (
            "a client of a client",
            "client: d",
            &["3:1: client: `client` stands in a source; a client is not made from another"],
        ),
    ] {
        assert_eq!(told(&named(lines)), want, "{why}");
    }
    assert_eq!(told("kind: client\n"), ["1:1: name: `name` is missing: a-z, 0-9, - and _, at most 64"]);
    assert_eq!(
        told("kind: client\nname: ${with.n}\n"),
        ["2:7: name: `${with.n}` is no name: a-z, 0-9, - and _, at most 64"]
    );
}

#[test]
fn a_problem_of_the_client_is_told_there_and_its_sources_point_to_it() {
    let text = "kind: client\nname: c\nstatus: on\n---\nname: a\nclient: c\n";
    assert_eq!(
        told(text),
        [
            "3:9: status: `status` is one of active, paused, not `on`",
            "6:9: client: the client `c` has a problem of its own; mend that first",
        ]
    );
}

#[test]
fn filling_in_has_a_largest_size() {
    let client = |body: &str| {
        format!("kind: client\nname: c\nmethod: POST\nurl: http://a.org\ntable: t\nbody: {body}\n")
    };
    let source = |value: &str| {
        format!("---\nname: a\nclient: c\nwith: {{ v: {value} }}\nresponse: {{ fields: {{ a: a }} }}\n")
    };
    for body in ["\"${with.v}\", ", "\"-${with.v}-\", "] {
        let text = client(&format!("[{}]", body.repeat(1_000))) + &source(&"x".repeat(10_000));
        assert_eq!(told(&text), ["9:9: client: filled in, this source is larger than 1 MiB"], "{body}");
    }
    let many = client(&"x".repeat(800_000)) + &source("1").replace("v: 1", "").repeat(30);
    let problems = told(&many);
    assert!(problems[0].ends_with("larger than 16 MiB when filled in; divide the file"), "{}", problems[0]);
}

#[test]
fn the_client_of_a_text_is_known_without_reading_it_all() {
    for (text, want) in [
        ("name: a\nclient: c\n", Some("c")),
        ("{ kind: source, \"client\": 'c' }", Some("c")),
        ("kind: provider\nclient: c\n", None),
        ("name: client\n", None),
        ("client: [", None),
    ] {
        assert_eq!(super::named_in(text).as_deref(), want, "{text}");
    }
}
