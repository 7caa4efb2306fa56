//! What is wrong between files.

use crate::sources::{source, source_with};
use crate::util::Hermes;

const SITE: &str = "http://api.example.org/";

/// The output for the whole folder, its path taken off.
fn checked(hermes: &Hermes, code: i32) -> String {
    let folder = hermes.sources();
    let output = hermes.plain(&["check", folder.to_str().unwrap()]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(code), ""), "{output}");
    output.stdout.replace(&format!("{}/", folder.display()), "")
}

#[test]
fn a_name_stands_once_in_a_file_and_once_in_all() {
    let hermes = Hermes::new();
    let text = source("a", SITE);
    hermes.write_source("a.yaml", &format!("{text}---\n{text}"));
    hermes.write_source("b.yaml", &format!("# the same\n{text}"));
    let want = "\
a.yaml:6:7: name: `a` stands at line 1 already; give it another name
  6 | name: a
    |       ^
b.yaml:2:7: name: `a` is defined by a.yaml already; change it there, or give another name
  2 | name: a
    |       ^
2 problems
";
    assert_eq!(checked(&hermes, 2), want);
}

#[test]
fn deployments_have_prefixes_of_their_own_and_name_what_there_is() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &source_with("air", SITE, "schedule: hourly\n"));
    let deployment =
        "kind: deployment\nname: late\nschedule: daily\nprefix: air\nsources: [air, aier, water]\n";
    hermes.write_source("b.yaml", deployment);
    let want = "\
b.yaml:4:9: prefix: jobs of `air` have the keys of `air` already; choose another
  4 | prefix: air
    |         ^
b.yaml:5:16: sources[1]: there is no source `aier`; did you mean `air`?
  5 | sources: [air, aier, water]
    |                ^
b.yaml:5:22: sources[2]: there is no source `water` in what is checked
  5 | sources: [air, aier, water]
    |                      ^
3 problems
";
    assert_eq!(checked(&hermes, 2), want);
}

#[test]
fn a_column_has_one_type_also_by_way_of_a_client() {
    let hermes = Hermes::new();
    let fields =
        |kind: &str| format!("response: {{ fields: [ {{ source: v, target: value, type: {kind} }} ] }}\n");
    hermes.write_source("a.yaml", &format!("name: a\nurl: {SITE}\ntable: air\n{}", fields("real")));
    hermes.write_source(
        "b.yaml",
        &format!("kind: client\nname: c\nurl: {SITE}\ntable: air\n{}", fields("text")),
    );
    hermes.write_source("c.yaml", "name: b\nclient: c\n");
    let told = checked(&hermes, 2);
    let want = "\
c.yaml:2:9: response.fields[0].type: `value` of the table `air` is text here and real in `a` (FOLDER/a.yaml:1); one column has one type
  2 | client: c
    |         ^
1 problem
";
    assert_eq!(told, want.replace("FOLDER/", ""));
}

#[test]
fn what_works_and_is_hardly_meant_is_a_warning() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &source_with("a", SITE, "handler: bulk\n"));
    hermes.write_source("b.yaml", "kind: provider\ndomain: apii.example.org\n");
    let want = "\
a.yaml:5:10: warning: handler: no document describes the handler `bulk`, so it has the default size
  5 | handler: bulk
    |          ^
b.yaml:2:9: warning: domain: no source is of this domain; did you mean `api.example.org`?
  2 | domain: apii.example.org
    |         ^
2 documents, no problems, 2 warnings
";
    assert_eq!(checked(&hermes, 0), want);
}

#[test]
fn a_deployment_alone_may_have_its_sources_elsewhere() {
    let hermes = Hermes::new();
    let text = "kind: deployment\nname: late\nschedule: daily\nsources: [air]\n";
    let path = hermes.write_source("b.yaml", text);
    let output = hermes.plain(&["check", path.to_str().unwrap()]);
    let want = format!(
        "\
{}:4:11: warning: sources[0]: there is no source `air` in what is checked
  4 | sources: [air]
    |           ^
1 document, no problems, 1 warning
",
        path.display()
    );
    assert_eq!(output.done(), want);
}

/// Or a mistake would be followed by others that are none.
#[test]
fn a_source_with_a_problem_of_its_own_is_not_missing() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &source_with("air", SITE, "status: on\n"));
    hermes.write_source("b.yaml", "kind: deployment\nname: late\nschedule: daily\nsources: [air]\n");
    let want = "\
a.yaml:5:9: status: `status` is one of active, paused, not `on`
  5 | status: on
    |         ^
1 problem
";
    assert_eq!(checked(&hermes, 2), want);
}
