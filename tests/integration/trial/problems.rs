//! What did not work is said with what is there instead, and all else is shown all the same.

use super::{names, try_file};
use crate::sources::document;
use crate::util::{Hermes, Output, Reply, Site};
use serde_json::json;

fn source(url: &str, data_path: &str, fields: &str) -> String {
    format!("name: a\nurl: {url}\ntable: t\nresponse: {{ dataPath: {data_path}, fields: {{ {fields} }} }}\n")
}

#[track_caller]
fn has_line(output: &Output, code: i32, line: &str) {
    assert_eq!(output.code, Some(code), "{output}");
    assert!(output.stdout.lines().any(|found| found == line), "no {line:?} in {output}");
}

#[test]
fn a_wrong_data_path_says_which_keys_are_there() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/a", Reply::json(r#"{"results": [{"id": 1}], "meta": {}}"#));
    let output = try_file(&hermes, &source(&site.url("/a"), "data", "id: id"), &[]);
    let want = "problem   page 1: dataPath: there is no `data` in the answer; it has: `results`, `meta`";
    has_line(&output, 1, want);
    assert!(output.stdout.contains("answer    200, "), "{output}");
    assert!(output.stdout.contains("CREATE TABLE \"t\" ("), "{output}");
    // The words of a run are the same.
    hermes.write_source("a.yaml", &source(&site.url("/a"), "result", "id: id"));
    hermes.once();
    let message: String = hermes.query("SELECT message FROM fetchlogs");
    let want = "it has: `results`, `meta`; did you mean `results`?";
    assert_eq!(message, format!("page 1: dataPath: there is no `result` in the answer; {want}"));
}

#[test]
fn a_field_that_no_record_has_says_which_keys_are_there() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/a", Reply::json(r#"{"data": [{"title": "x", "date": 1}]}"#));
    let output = try_file(&hermes, &source(&site.url("/a"), "data", "headline: titel, date: date"), &[]);
    let want =
        "problem   field `titel`: no record has it; the records have: `title`, `date`; did you mean `title`?";
    has_line(&output, 1, want);
    has_line(&output, 1, "records   1 record on 1 page; that is all");
    let output = try_file(&hermes, &source(&site.url("/a"), ".", "headline: title"), &["--json"]);
    assert_eq!(output.code, Some(1), "{output}");
    let found: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let want = json!([
        "field `title`: no record has it; the records have: `data`",
        "dataPath: `data` is a list; are the records there?",
    ]);
    assert_eq!(found["problems"], want);
    let fields = "fields: [ { source: titel, target: title, default: none } ]";
    let yaml =
        format!("name: a\nurl: {}\ntable: t\nresponse: {{ dataPath: data, {fields} }}\n", site.url("/a"));
    let output = try_file(&hermes, &yaml, &[]);
    let want =
        "warning   field `titel`: no record has it; the records have: `title`, `date`; did you mean `title`?";
    has_line(&output, 0, want);
}

#[test]
fn an_answer_that_is_none_is_told_as_a_run_tells_it() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/401", Reply::json(r#"{"detail":"who?"}"#).status(401));
    site.on("/html", Reply::text("text/html", "<html>\u{1b}[2J</html>"));
    let says = "problem   answered 401: it wants credentials; give its provider `auth`; it says: {\"detail\":\"who?\"}";
    let html = "problem   page 1: not JSON: expected value at line 1 column 1; the answer begins with `<html> [2J</html>`";
    for (path, want) in [("/401", says), ("/html", html)] {
        let output = try_file(&hermes, &source(&site.url(path), ".", "id: id"), &[]);
        has_line(&output, 1, want);
        assert_eq!(output.stderr, "");
    }
    let output = try_file(&hermes, &source("http://127.0.0.1:9/", ".", "id: id"), &[]);
    has_line(&output, 1, "request   GET http://127.0.0.1:9/");
    assert!(output.stdout.contains("\nanswer    none, after "), "{output}");
    assert!(output.stdout.contains("\nproblem   "), "{output}");
    assert_eq!(names(&hermes), ["a.yaml", "sources.d"]);
}

#[test]
fn no_records_are_no_problem() {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/a", Reply::json("[]"));
    let output = try_file(&hermes, &source(&site.url("/a"), ".", "id: id"), &[]);
    has_line(&output, 0, "records   0 records on 1 page; that is all");
    has_line(&output, 0, "warning   the answer has no records: nothing is to be seen of the fields");
}

#[test]
fn problems_of_the_document_are_those_of_check_and_nothing_is_asked() {
    let (site, hermes) = (Site::new(), Hermes::new());
    let yaml = source(&site.url("/a"), ".", "id: id") + "shedule: daily\n";
    let file = document(&hermes, "a.yaml", &yaml);
    let checked = hermes.command(&["check", file.to_str().unwrap()]);
    let tried = hermes.command(&["try", file.to_str().unwrap()]);
    assert_eq!((tried.code, checked.code), (Some(2), Some(2)), "{tried}");
    assert!(tried.stdout.contains("a.yaml:5:1: shedule: "), "{tried}");
    assert_eq!(site.asked().len(), 0);
    for (args, want) in [
        (&["try", "nowhere.yaml"][..], "hermes: cannot read nowhere.yaml: "),
        (&["try", "a.yaml", "--pages", "0"], "hermes: --pages: 0 is not between 1 and 100"),
        (&["try", "a.yaml", "--rows", "1001"], "hermes: --rows: 1001 is not between 0 and 1000"),
    ] {
        let output = hermes.command(args);
        assert_eq!(output.code, Some(2), "{output}");
        assert!(output.stderr.starts_with(want), "{output}");
    }
}

#[test]
fn secrets_are_never_shown() {
    const KEY: &str = "s3cret/välue";
    let (site, hermes) = (Site::new(), Hermes::new().env("KEY", KEY));
    let echo = json!([{ "id": 1, "echo": format!("you sent {KEY}") }]);
    site.on("/ok", Reply::json(echo).header("ETag", "\"s3cret%2Fv%C3%A4lue\""));
    site.on("/bad", Reply::json(json!({ "error": format!("bad key {KEY}") })).status(403));
    site.on("/there", Reply::redirect("/ok?again=s3cret%2Fv%C3%A4lue", 302));
    let auths =
        ["header: { name: X-Key, value: \"${env:KEY}\" }", "query: { name: key, value: \"${env:KEY}\" }"];
    for (path, auth) in [("/ok", auths[0]), ("/ok", auths[1]), ("/bad", auths[1]), ("/there", auths[0])] {
        let source = source(&site.url(path), ".", "id: id, echo: echo");
        let params = "params: { token: \"${env:KEY}\" }\n";
        let yaml = format!("{source}{params}---\nkind: provider\ndomain: 127.0.0.1\nauth: {{ {auth} }}\n");
        for more in [&[][..], &["--json"]] {
            let output = try_file(&hermes, &yaml, more);
            let all = format!("{output}");
            assert!(!all.contains("s3cret") && !all.contains("lue\""), "{output}");
            assert!(all.contains("token=***"), "{output}");
            assert_eq!(all.contains("you sent ***"), path != "/bad", "{output}");
        }
    }
    assert!(site.asked_for("/ok").iter().any(|asked| asked.param("key") == Some(KEY)));
}

#[test]
fn a_missing_secret_names_its_file() {
    let (site, hermes) = (Site::new(), Hermes::new());
    let yaml = source(&site.url("/a"), ".", "id: id") + "headers: { X-Key: \"${env:NOPE}\" }\n";
    let output = try_file(&hermes, &yaml, &[]);
    assert_eq!((output.code, site.asked().len()), (Some(1), 0), "{output}");
    assert!(output.stdout.contains("problem   the environment variable NOPE is not set"), "{output}");
    assert!(output.stdout.contains("(in a.yaml)\n"), "{output}");
}
