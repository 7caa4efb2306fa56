//! `hermes check`: only validates. It opens no database and asks no site.

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
fn problems_are_lines_of_file_line_and_column() {
    let hermes = Hermes::new();
    let text = source_with("a", "http://127.0.0.1:9/", "status: on\nshedule: daily\n");
    let path = hermes.write_source("a.yaml", &text);
    let output = hermes.plain(&["check", path.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    let lines: Vec<&str> = output.stdout.lines().collect();
    let path = path.display();
    assert!(lines[0].starts_with(&format!("{path}:5:9: status: ")), "{output}");
    assert!(lines[1].starts_with(&format!("{path}:6:1: shedule: ")), "{output}");
    assert_eq!((lines.len(), output.stderr.as_str()), (2, ""));
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

#[test]
fn a_name_given_twice_in_a_file_is_a_problem() {
    let hermes = Hermes::new();
    let text = source("a", "http://127.0.0.1:9/");
    let path = hermes.write_source("a.yaml", &format!("{text}---\n{text}"));
    let output = hermes.plain(&["check", path.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stdout.contains("a.yaml:6:1: name: `a` stands at line 1 already"), "{output}");
}

#[test]
fn nothing_to_check_is_wrong_input() {
    let hermes = Hermes::new();
    for args in [&["check"][..], &["check", "nowhere.yaml"]] {
        let output = hermes.plain(args);
        assert_eq!(output.code, Some(2), "{output}");
        assert!(!output.stderr.is_empty());
    }
}
