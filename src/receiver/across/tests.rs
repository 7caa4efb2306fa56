//! What is found between documents, as a table.

use super::*;
use crate::definition::document;

const SOURCE: &str = "name: a\nurl: https://api.a.org/x\ntable: t\nresponse: { fields: { x: x } }\n";
const PROVIDER: &str = "kind: provider\ndomain: a.org\n";

fn deployment(lines: &str) -> String {
    format!("kind: deployment\nname: d\nschedule: daily\n{lines}")
}

/// `file field: message`, a warning with a `?` before it.
fn told(texts: &[&str], is_whole: bool) -> Vec<String> {
    let readings: Vec<Reading> = texts.iter().map(|text| document::read(text)).collect();
    let names = ["0", "1", "2"];
    let files: Vec<File<'_>> =
        readings.iter().zip(names).map(|(reading, name)| File { name, reading }).collect();
    let line = |found: &Found<'_>| {
        let mark = if found.severity == Severity::Warning { "?" } else { "" };
        format!("{mark}{} {}: {}", found.file, found.field, found.message)
    };
    across(&files, is_whole).iter().map(line).collect()
}

fn typed(name: &str, target: &str, kind: &str) -> String {
    let fields = format!("[ {{ source: x, target: {target}, type: {kind} }} ]");
    format!("name: {name}\nurl: https://api.a.org/x\ntable: T\nresponse: {{ fields: {fields} }}\n")
}

#[test]
fn what_two_documents_claim_is_the_first_ones() {
    let scheduled = &format!("{SOURCE}schedule: daily\n");
    let (of_a, prefixed) = (&deployment("prefix: a\n"), &deployment("prefix: p\n"));
    let other = &prefixed.replace("name: d", "name: e");
    for (why, texts, want) in [
        ("one of each", &[SOURCE, of_a, PROVIDER][..], &[][..]),
        (
            "a name in two files",
            &[SOURCE, SOURCE],
            &["1 name: `a` is defined by 0 already; change it there, or give another name"],
        ),
        ("a name of another kind", &[SOURCE, "kind: handler\nname: a\n"], &[]),
        (
            "a handler",
            &["kind: handler\nname: h\n"; 2],
            &["1 name: `h` is defined by 0 already; change it there, or give another name"],
        ),
        (
            "a client",
            &["kind: client\nname: h\n"; 2],
            &["1 name: `h` is defined by 0 already; change it there, or give another name"],
        ),
        (
            "a provider",
            &[PROVIDER, "kind: provider\ndomain: A.org\n"],
            &["1 domain: `a.org` is defined by 0 already; change it there, or give another name"],
        ),
        (
            "a prefix",
            &[prefixed, other],
            &["1 prefix: jobs of `d` have the keys of `p` already; choose another"],
        ),
        (
            "a source is a deployment of one",
            &[scheduled, of_a],
            &["1 prefix: jobs of `a` have the keys of `a` already; choose another"],
        ),
        (
            "in either order",
            &[of_a, scheduled],
            &["1 name: jobs of `d` have the keys of `a` already; choose another"],
        ),
    ] {
        assert_eq!(told(texts, false), want, "{why}");
    }
}

#[test]
fn what_is_named_has_to_be_there() {
    let (of_a, of_b) = (&deployment("sources: [a]\n"), &deployment("sources: [a, bbbbb]\n"));
    let slip = &deployment("sources: [openaq-lastest]\n");
    let openaq = &SOURCE.replace("name: a", "name: openaq-latest");
    let flawed = &SOURCE.replace("table: t", "table: 1t");
    let bulk = &format!("{SOURCE}handler: bulk\n");
    for (why, texts, is_whole, want) in [
        ("it is", &[SOURCE, of_a][..], true, &[][..]),
        (
            "not in the folder",
            &[SOURCE, of_b],
            true,
            &["1 sources[1]: there is no source `bbbbb` in what is checked"],
        ),
        ("perhaps elsewhere", &[of_a], false, &["?0 sources[0]: there is no source `a` in what is checked"]),
        (
            "a slip",
            &[openaq, slip],
            true,
            &["1 sources[0]: there is no source `openaq-lastest`; did you mean `openaq-latest`?"],
        ),
        ("with a problem of its own", &[flawed, of_a], true, &[]),
        ("perhaps in what cannot be read", &["name: [", of_a], true, &[]),
        (
            "a handler of the default size",
            &[bulk],
            true,
            &["?0 handler: no document describes the handler `bulk`, so it has the default size"],
        ),
        (
            "told once",
            &[bulk, &bulk.replace("name: a", "name: b")],
            true,
            &["?0 handler: no document describes the handler `bulk`, so it has the default size"],
        ),
        (
            "a slip of a handler",
            &[bulk, "kind: handler\nname: bulkk\n"],
            true,
            &[
                "?0 handler: no document describes the handler `bulk`, so it has the default size; did you mean `bulkk`?",
            ],
        ),
        ("a handler that may stand elsewhere", &[bulk], false, &[]),
    ] {
        assert_eq!(told(texts, is_whole), want, "{why}");
    }
}

#[test]
fn a_provider_that_no_source_uses_is_probably_a_slip() {
    let other = &PROVIDER.replace("a.org", "b.org");
    let narrow = &PROVIDER.replace("a.org", "api.a.org");
    let open = &SOURCE.replace("api.a.org", "${env:HOST}");
    let flawed = &SOURCE.replace("table: t", "table: 1t");
    let beside = &format!("{SOURCE}---\n{other}");
    let slip = &PROVIDER.replace("a.org", "aip.a.org");
    for (why, texts, is_whole, want) in [
        ("used by a subdomain", &[SOURCE, PROVIDER][..], true, &[][..]),
        ("used by nobody", &[SOURCE, other], true, &["?1 domain: no source is of this domain"]),
        (
            "by nobody, as a narrower one is",
            &[SOURCE, PROVIDER, narrow],
            true,
            &["?1 domain: no source is of this domain"],
        ),
        (
            "a slip",
            &[SOURCE, slip],
            true,
            &["?1 domain: no source is of this domain; did you mean `api.a.org`?"],
        ),
        ("a source's host is open", &[open, other], true, &[]),
        ("a source has a problem", &[flawed, other], true, &[]),
        ("sources may stand elsewhere", &[other], false, &[]),
        ("sources stand beside it", &[beside], false, &["?0 domain: no source is of this domain"]),
        (
            "built in is no host",
            &["name: v\nurl: hermes:vitals\ntable: v\nresponse: { fields: { x: x } }\n", other],
            true,
            &["?1 domain: no source is of this domain"],
        ),
    ] {
        assert_eq!(told(texts, is_whole), want, "{why}");
    }
}

#[test]
fn a_column_has_one_type() {
    let message = "`X` of the table `T` is text here and real in `a` (0:1); one column has one type";
    let (real, text) = (&typed("a", "x", "real"), &typed("b", "X", "text"));
    let (same, untyped) = (&typed("b", "x", "real"), &SOURCE.replace("name: a", "name: c"));
    for (why, texts, want) in [
        ("the same", &[real.as_str(), same][..], None),
        ("another", &[real, text], Some(message)),
        ("none", &[real, untyped], None),
        ("another column", &[real, &typed("b", "y", "text")], None),
    ] {
        let want: Vec<String> =
            want.map(|want| format!("1 response.fields[0].type: {want}")).into_iter().collect();
        assert_eq!(told(texts, false), want, "{why}");
    }
}
