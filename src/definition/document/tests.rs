//! Whole files: what is read, where problems are, what comes back from the store.

use std::time::{Duration, Instant};

use super::*;
use crate::definition::mapping::{Format, Shape, TimeFormat};
use crate::definition::pagination::{Counted, Limit};
use crate::definition::provider::{Auth, RequestLimit};
use crate::definition::source::{Method, Retention};
use crate::definition::{FieldType, Origin, Paging, Path, Status};

const ARTICLES: &str = r#"
name: fmp-articles
description: Articles of Financial Modeling Prep
url: https://financialmodelingprep.com/stable/fmp-articles
method: GET
headers: { Accept: application/json }
params:
  - { name: limit, value: 20 }
table: news
schedule: hourly
timezone: UTC
status: active
handler: default
execution:
  timeout: 5m
  maxRetries: 5
  retryResetPeriod: 1d
response:
  format: json
  dataPath: .
  errorPath: "Error Message"
  fields:
    - { source: title,       target: headline }
    - { source: date,        target: timestamp, type: timestamp, format: "%Y-%m-%d %H:%M:%S", timezone: UTC }
    - { source: author.name, target: author, default: unknown }
    - { source: tickers,     target: tickers, type: json }
    - { source: pm25,        target: pm25, type: real, nulls: ["", "-1", -999] }
    - { source: $.symbol,    target: symbol }
    - { value: fmp,          target: provider }
    - { source: link,        target: url }
unique: [url]
pagination:
  page:    { param: page, start: 0, limitParam: limit, limit: 20, hasMorePath: meta.more, totalPath: meta.found }
  maxPages: 1000
retention: { days: 90, rows: 100000 }
"#;

const OTHERS: &str = r#"
# The rest of a folder.
kind: provider
domain: API.openaq.org
limits: [ { requests: 60, per: 1m }, { requests: 2000, per: 1h } ]
concurrency: 2
auth:
  header: { name: X-API-Key, value: "${env:OPENAQ_KEY}" }
---
kind: deployment
name: purpleair-late
schedule: interval:1d
temporalOffset: 0
handler: bulk
prefix: purpleair
sources: [purpleair-sensors]
active: true
---
# nothing here
---
kind: handler
name: bulk
ring: { capacity: 4, workers: 1 }
"#;

/// Every form of every part that the first two leave out.
const FORMS: &str = r#"
name: post
url: https://${env:HOST}.example.org:${env:PORT}/v1?key=${file:/run/secrets/key}
method: post
body: { query: "${env:QUERY}", ids: [1, 2.5, true, null], 200: ok }
params: { b: 2, a: true, c: "${env:C}", d: 1.5 }
table: T
response:
  dataPath: data."a.b"
  records: columns
  columnsPath: meta.columns
  maxBytes: 1MiB
  fields: { day: day, at: [day, time], pm: '"pm2.5"' }
pagination: { cursor: { nextCursorPath: next } }
---
name: map
url: http://127.0.0.1:8080/
table: t
response:
  records: map
  fields:
    - { source: $key, target: id }
    - { source: t, target: t, type: timestamp, format: unix_ms, timezone: Europe/Berlin, nulls: "" }
unique: id
offsetPagination: { pageParam: p, limitParam: n, limit: 50, hasMorePath: more }
---
name: cursor
url: http://example.org
table: t
status: paused
response: { fields: { a: . } }
cursorPagination: { cursorParam: after, nextCursorPath: paging.next }
---
name: lines
url: http://example.org
table: t
response: { format: ndjson, fields: { a: a.b } }
pagination: { offset: { limit: 10 }, maxPages: 3 }
---
name: rows
url: http://example.org
table: t
response: { format: csv, dataPath: ., fields: { a: '"x.y"' } }
pagination: { link: {} }
---
name: vitals
url: hermes:vitals
table: vitals
execution: { timeout: 90 }
response: { fields: { name: name } }
---
name: next
url: http://example.org
table: t
response: { fields: { a: a } }
pagination: { nextUrl: { path: links.next } }
---
{ kind: provider, domain: a.org, limit: 60, period: 60, auth: { query: { name: k, value: "${file:/k}" } } }
---
{ kind: provider, domain: b.org, auth: { bearer: "${env:TOKEN}" } }
---
{ kind: provider, domain: localhost, auth: { basic: { user: me, password: "" } } }
---
kind: provider
domain: c.org
auth: { oauth2: { tokenUrl: https://c.org/token, clientId: "${env:ID}", clientSecret: "${env:S}", scope: read } }
---
{ kind: deployment, name: d, schedule: daily }
---
{ kind: handler, name: h }
"#;

fn good(text: &str) -> Vec<Document> {
    let reading = read(text);
    assert_eq!(shown(&reading), Vec::<String>::new());
    reading.documents
}

fn shown(reading: &Reading) -> Vec<String> {
    reading.problems.iter().map(Problem::to_string).collect()
}

fn source(document: &Document) -> &Source {
    match &document.definition {
        Definition::Source(source) => source,
        other => panic!("a source, not {other:?}"),
    }
}

fn path(text: &str) -> Path {
    Path::parse(text).expect("a path")
}

#[test]
fn a_source_with_every_key_is_read() {
    let documents = good(ARTICLES);
    let source = source(&documents[0]);
    assert_eq!((documents.len(), documents[0].line), (1, 2));
    assert_eq!((source.name.as_str(), source.table.as_str()), ("fmp-articles", "news"));
    assert_eq!((source.method, source.status), (Method::Get, Status::Active));
    assert_eq!(source.schedule.as_ref().map(|schedule| schedule.text.as_str()), Some("hourly"));
    assert_eq!(source.retention, Retention { days: Some(90), rows: Some(100_000) });
    assert_eq!((source.unique.as_slice(), source.unique_given), (&[7][..], true));
    assert_eq!(source.response.error_path, Some(path("Error Message")));
    assert_eq!(source.response.data_path, Path::default());
    let fields = &source.response.fields;
    assert!(matches!(&fields[1].kind, Some(FieldType::Timestamp { format: TimeFormat::Pattern(_), .. })));
    assert_eq!(fields[4].nulls, [serde_json::json!(""), serde_json::json!("-1"), serde_json::json!(-999)]);
    assert_eq!(fields[5].origin, Origin::Root(path("symbol")));
    assert_eq!(fields[6].origin, Origin::Constant("fmp".into()));
    let pagination = source.pagination.as_ref().expect("pages");
    let limit = Some(Limit { param: Some("limit".into()), value: 20 });
    let (has_more_path, total_path) = (Some(path("meta.more")), Some(path("meta.found")));
    let counted = Counted { param: "page".into(), start: 0, limit, has_more_path, total_path };
    assert_eq!(pagination.paging, Paging::Page(counted));
}

#[test]
fn the_other_kinds_are_read_and_know_their_line() {
    let documents = good(OTHERS);
    assert_eq!(documents.iter().map(|document| document.line).collect::<Vec<_>>(), [3, 10, 21]);
    let Definition::Provider(provider) = &documents[0].definition else { panic!("a provider") };
    assert_eq!(provider.domain, "api.openaq.org");
    assert_eq!(provider.limits[1], RequestLimit { requests: 2_000, per: Duration::from_secs(3_600) });
    assert!(matches!(&provider.auth, Some(Auth::Header { name, .. }) if name == "X-API-Key"));
    let Definition::Deployment(deployment) = &documents[1].definition else { panic!("a deployment") };
    assert_eq!((deployment.prefix.as_str(), deployment.handler.as_str()), ("purpleair", "bulk"));
    let handler = Handler { name: "bulk".into(), capacity: 4, workers: 1 };
    assert_eq!(documents[2].definition, Definition::Handler(handler));
}

#[test]
fn the_shorter_forms_mean_the_same() {
    let documents = good(FORMS);
    let post = source(&documents[0]);
    let params: Vec<String> = post.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(params, ["b=2", "a=true", "c=${env:C}", "d=1.5"]);
    let body = serde_json::json!({"query": "${env:QUERY}", "ids": [1, 2.5, true, null], "200": "ok"});
    assert_eq!((post.method, post.body.clone()), (Method::Post, Some(body)));
    assert_eq!(post.response.records, Shape::Columns(path("meta.columns")));
    assert_eq!(post.response.fields[1].origin, Origin::Joined(vec![path("day"), path("time")]));
    assert_eq!((post.unique.as_slice(), post.unique_given), (&[0, 1, 2][..], false));
    let map = source(&documents[1]);
    assert_eq!(map.response.fields[0].origin, Origin::Key);
    assert_eq!(map.response.fields[1].nulls, [serde_json::json!("")]);
    let limit = Some(Limit { param: Some("n".into()), value: 50 });
    let pages =
        Counted { param: "p".into(), start: 1, limit, has_more_path: Some(path("more")), total_path: None };
    assert_eq!(map.pagination.as_ref().map(|pages| &pages.paging), Some(&Paging::Page(pages)));
    assert_eq!(source(&documents[2]).status, Status::Paused);
    assert_eq!(source(&documents[3]).pagination.as_ref().map(|pages| pages.max_pages), Some(3));
    assert_eq!(source(&documents[4]).response.format, Format::Csv);
    assert_eq!(source(&documents[5]).execution.timeout, Duration::from_secs(90));
}

#[test]
fn a_stored_document_reads_as_the_same_definition() {
    for text in [ARTICLES, OTHERS, FORMS] {
        for document in good(text) {
            let again = good(&document.text);
            assert_eq!(again.len(), 1, "{}", document.text);
            assert_eq!(again[0].definition, document.definition, "{}", document.text);
            assert_eq!(again[0].text, document.text);
        }
    }
}

#[test]
fn placeholders_and_the_order_of_keys_are_kept() {
    let text =
        "url: http://example.org/${env:X}\nname: a\ntable: t\nresponse:\n  fields:\n    b: '1'\n    a: x\n";
    assert_eq!(good(text)[0].text, text);
}

#[test]
fn problems_of_one_document_leave_the_others() {
    let good_one = "name: a\nurl: http://a.org\ntable: t\nresponse: { fields: { a: a } }\n";
    let text = format!("{good_one}---\nname: B\nurl: ftp://b\n---\n{good_one}");
    let reading = read(&text);
    assert_eq!(reading.documents.iter().map(|document| document.line).collect::<Vec<_>>(), [1, 9]);
    assert_eq!(
        shown(&reading),
        [
            "6:1: table: `table` is missing: text",
            "6:1: response: `response` is missing: a map",
            "6:7: name: `B` is no name: a-z, 0-9, - and _, at most 64",
            "7:6: url: a url begins with http:// or https://",
        ]
    );
}

#[test]
fn what_is_no_yaml_is_one_problem_at_its_place() {
    let good_one = "{ kind: handler, name: h }\n---\n";
    for (why, text, documents, want) in [
        (
            "a tab",
            "name: a\n\turl: b\n",
            0,
            "2:1: this is no YAML: found a tab character that violates indentation",
        ),
        ("an open list", "a: [1,\nb: 2\n", 0, "3:1: this is no YAML: did not find expected ',' or ']'"),
        ("an unknown alias", "name: a\nurl: *b\n", 0, "2:6: this is no YAML: unknown anchor"),
        (
            "a control character",
            "name: a\nurl: ä\u{1}\n",
            0,
            "2:7: U+0001 is a control character, which YAML does not allow",
        ),
        ("after a good document", "a: ]\n", 1, "3:4: this is no YAML: did not find expected node content"),
        ("a tag", "name: !x a\n", 0, "1:7: a tag (`!name`) has no meaning here; leave it out"),
        (
            "a list as a key",
            "? [a]\n: b\n",
            0,
            "1:3: this is no YAML: invalid type: sequence, expected a key that is a word",
        ),
        (
            "no number of JSON",
            "name: a\nbody: .nan\n",
            0,
            "2:7: JSON has no such number; put it in quotes if it is text",
        ),
        ("a list", "- a\n- b\n", 0, "1:1: a document is a map with keys such as `name`, not a list"),
    ] {
        let text = if documents == 0 { text.to_owned() } else { format!("{good_one}{text}") };
        let reading = read(&text);
        assert_eq!((reading.documents.len(), shown(&reading)), (documents, vec![want.to_owned()]), "{why}");
    }
}

#[test]
fn nothing_is_no_problem() {
    for text in ["", "\n", "# only a comment\n", "---\n---\n", "--- # a\n...\n", "~\n"] {
        let reading = read(text);
        assert_eq!((reading.documents.len(), shown(&reading).len()), (0, 0), "{text:?}");
    }
}

#[test]
fn a_file_has_a_largest_size() {
    let text = format!("{}# {}", FORMS, "x".repeat(1 << 20));
    assert_eq!(shown(&read(&text)), ["1:1: the file is larger than 1 MiB; divide it"]);
    let aliases = "*a, ".repeat(12);
    let text = format!(
        "name: a\nurl: http://a.org\nmethod: POST\ntable: t\nresponse: {{ fields: {{ a: a }} }}\nbody: [&a {}, {aliases}]\n",
        "x".repeat(100_000)
    );
    assert_eq!(
        shown(&read(&text)),
        ["1:1: the document is larger than 1 MiB when its aliases are written out; divide it"]
    );
}

#[test]
fn hostile_texts_are_answered_in_time() {
    let items = "- ".repeat(50_000);
    let keys: String = (0..3_000).map(|at| format!("key{at}: 1\n")).collect();
    let documents = "a: 1\n---\n".repeat(3_000);
    let deep = format!("body: {}{}", "[".repeat(50_000), "]".repeat(50_000));
    let bomb = format!("a: &a [{}]\nb: [{}]\n", "x, ".repeat(30_000), "*a, ".repeat(30_000));
    for (why, text) in
        [("keys", keys), ("items", items), ("documents", documents), ("depth", deep), ("aliases", bomb)]
    {
        let start = Instant::now();
        let reading = read(&text);
        assert!((1..=101).contains(&reading.problems.len()), "{why}: {}", reading.problems.len());
        assert!(start.elapsed() < Duration::from_secs(20), "{why}: {:?}", start.elapsed());
    }
}

/// A file is read while it is being written: any beginning of it may be met,
/// and what is read of it can be read again.
#[test]
fn a_text_that_is_cut_off_or_mangled_never_panics() {
    let text = format!("{ARTICLES}---{OTHERS}---{FORMS}");
    for (index, _) in text.char_indices().step_by(37) {
        let (before, after) = text.split_at(index);
        for middle in ["", "[", "]", "&a *a ", ": ", "\n- ", "!", "\"", "\n---\n", "? ", "<<: "] {
            let end = if middle.is_empty() { "" } else { &after[..after.len().min(200)] };
            for document in
                read(&format!("{}{middle}{end}", &before[before.len().saturating_sub(400)..])).documents
            {
                assert_eq!(good(&document.text)[0].definition, document.definition);
            }
        }
    }
}
