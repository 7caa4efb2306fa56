//! `hermes check`: only validates. It opens no database and asks no site.

mod across;
mod given;
mod terminal;

use crate::sources::{source, source_with};
use crate::util::Hermes;

#[test]
fn good_files_pass() {
    let hermes = Hermes::new();
    let a = hermes.write_source("a.yaml", &source("a", "http://127.0.0.1:9/"));
    let output = hermes.plain(&["check", a.to_str().unwrap()]);
    assert_eq!(output.done(), "1 document, no problems\n");
    assert!(!hermes.db_path().exists());
}

#[test]
fn problems_are_lines_of_file_line_and_column_above_the_place() {
    let hermes = Hermes::new();
    let text = source_with("a", "http://127.0.0.1:9/", "status: on\nshedule: daily\n");
    let path = hermes.write_source("a.yaml", &text);
    let output = hermes.plain(&["check", path.to_str().unwrap()]);
    let path = path.display();
    let want = format!(
        "\
{path}:5:9: status: `status` is one of active, paused, not `on`
  5 | status: on
    |         ^
{path}:6:1: shedule: there is no key `shedule`; did you mean `schedule`?
  6 | shedule: daily
    | ^
2 problems
"
    );
    assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (Some(2), want.as_str(), ""));
}

#[test]
fn a_folder_stands_for_its_files() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &source("a", "http://127.0.0.1:9/"));
    hermes.write_source("b.yml", &source("b", "http://127.0.0.1:9/"));
    hermes.write_source("notes.txt", "status: on");
    let folder = hermes.sources();
    let folder = folder.to_str().unwrap();
    assert_eq!(hermes.plain(&["check", folder]).done(), "2 documents, no problems\n");
    hermes.write_source("c.yaml", "name: [");
    hermes.write_source("d.yaml", "name: D\n");
    let output = hermes.plain(&["check", folder]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stdout.contains("/c.yaml:2:1: this is no YAML"), "{output}");
    assert!(output.stdout.contains("/d.yaml:1:7: name: "), "{output}");
}
