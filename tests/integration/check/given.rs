//! What `check` is given: files, folders, standard input, and what is none of these.

use crate::sources::{document, source};
use crate::util::{Hermes, program_command};
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn nothing_is_wrong_input() {
    let hermes = Hermes::new();
    let output = hermes.plain(&["check"]);
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""));
    assert_eq!(output.stderr, "hermes: name a YAML file, a folder of them, or - for standard input\n");
}

#[test]
fn a_file_that_cannot_be_read_is_a_problem_beside_the_others() {
    let hermes = Hermes::new();
    document(&hermes, "bad.yaml", "name: [\n");
    document(&hermes, "large.yaml", &"#".repeat((1 << 20) + 1));
    std::fs::write(hermes.dir().join("latin.yaml"), b"name: \xe4\n").unwrap();
    let output = hermes.plain(&["check", "nowhere.yaml", "bad.yaml", "large.yaml", "latin.yaml"]);
    let want = "\
nowhere.yaml:1:1: cannot be read: No such file or directory (os error 2)
bad.yaml:2:1: this is no YAML: did not find expected node content
large.yaml:1:1: is larger than 1 MiB
latin.yaml:1:1: is not UTF-8: invalid utf-8 sequence of 1 bytes from index 6
4 problems
";
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), want));
}

#[test]
fn a_file_given_twice_is_checked_once() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &source("a", "http://127.0.0.1:9/"));
    let output = hermes.plain(&["check", "sources.d/a.yaml", "./sources.d/../sources.d/a.yaml", "sources.d"]);
    assert_eq!(output.done(), "1 document, no problems\n");
}

#[test]
fn a_folder_without_documents_is_told() {
    let hermes = Hermes::new();
    hermes.write_source("hermes.schema.json", "{}");
    let output = hermes.plain(&["check", "sources.d"]);
    let want = "\
sources.d:1:1: warning: there is no *.yaml or *.yml file in this folder
0 documents, no problems, 1 warning
";
    assert_eq!(output.done(), want);
}

#[test]
fn standard_input_is_a_file_without_a_name() {
    let mut child =
        program_command().args(["check", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"kind: handler\nname: A\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let want = "\
<stdin>:2:7: name: `A` is no name: a-z, 0-9, - and _, at most 64
  2 | name: A
    |       ^
1 problem
";
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()), (Some(2), want));
}

#[test]
fn scripts_get_an_array() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", "kind: handler\nname: A\n");
    hermes.write_source("b.yaml", "kind: provider\ndomain: example.org\n");
    let output = hermes.plain(&["check", "--json", "sources.d/a.yaml", "sources.d/b.yaml"]);
    let want = json!([{
        "file": "sources.d/a.yaml", "line": 2, "column": 7, "severity": "error",
        "field": "name", "message": "`A` is no name: a-z, 0-9, - and _, at most 64",
    }]);
    let found: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((output.code, found), (Some(2), want));

    hermes.write_source("a.yaml", &source("a", "http://api.example.com/"));
    let want = json!([{
        "file": "sources.d/b.yaml", "line": 2, "column": 9, "severity": "warning",
        "field": "domain", "message": "no source is of this domain",
    }]);
    assert_eq!(hermes.plain(&["check", "--json", "sources.d"]).json(), want);
    hermes.remove_source("b.yaml");
    assert_eq!(hermes.plain(&["check", "--json", "sources.d"]).json(), json!([]));
}
