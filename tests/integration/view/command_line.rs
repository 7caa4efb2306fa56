//! Options, variables, help, and a reader that has seen enough.

use super::refused;
use crate::sources::{site, source};
use crate::util::{Hermes, program_command, until_some};
use std::process::{Child, Stdio};

const COMMANDS: [&str; 12] =
    ["add", "update", "delete", "pause", "resume", "reset", "check", "list", "get", "status", "logs", "data"];

#[test]
fn help_names_every_command() {
    let hermes = Hermes::new();
    let help = hermes.plain(&["--help"]);
    for command in COMMANDS {
        let is_named = |line: &str| line.split_whitespace().next() == Some(command);
        assert!(help.done().lines().any(is_named), "{command} in {help}");
        let own = hermes.plain(&[command, "--help"]);
        assert!(own.done().contains(&format!("hermes {command}")), "{own}");
    }
    for option in ["--db", "--sources", "--workers", "--queue", "--max-sleep", "--batch-size", "--once"] {
        assert!(help.stdout.contains(option), "{option} in {help}");
    }
}

#[test]
fn the_version_is_told_with_its_commit_target_and_sqlite() {
    let hermes = Hermes::new();
    let version = hermes.plain(&["--version"]);
    let text = version.done();
    assert!(text.starts_with(concat!("hermes ", env!("CARGO_PKG_VERSION"), " (")), "{version}");
    assert!(text.contains("-linux-") && text.contains(", SQLite 3."), "{version}");
}

#[test]
fn options_that_are_wrong_are_refused_before_anything_is_made() {
    let hermes = Hermes::new();
    for (args, told) in [
        (&["--nonsense"][..], "--nonsense"),
        (&["fetch"], "fetch"),
        (&["get"], "name"),
        (&["logs", "--limit", "many"], "many"),
        (&["--workers", "0"], "--workers: 0 is not between 1 and 64"),
        (&["--queue", "9999"], "--queue: 9999 is not between 1 and 1024"),
        (&["--batch-size", "0"], "--batch-size: 0 is not between 1 and 10000"),
        (&["--max-sleep", "0s"], "--max-sleep: 0 would never sleep"),
        (&["--max-sleep", "soon"], "--max-sleep: "),
        (&["add"], "name a YAML file"),
    ] {
        refused(&hermes, args, told);
        assert!(!hermes.db_path().exists(), "{args:?}");
    }
}

#[test]
fn a_word_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let word = std::ffi::OsStr::from_bytes(b"a\xff.yaml");
    let output = program_command().arg("check").arg(word).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, "hermes: \"a\\xFF.yaml\" is no text in UTF-8: rename the file\n");
}

#[test]
fn variables_stand_in_for_the_options() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let (db, sources) = (hermes.dir().join("other.sqlite"), hermes.dir().join("other.d"));
    std::fs::create_dir(&sources).unwrap();
    std::fs::write(sources.join("a.yaml"), source("a", &site.url("/a"))).unwrap();
    let hermes =
        hermes.env("HERMES_DB", db.to_str().unwrap()).env("HERMES_SOURCES", sources.to_str().unwrap());
    hermes.plain(&["--no-listen", "--once"]).done();
    assert_eq!(hermes.plain(&["list", "--json"]).json()[0]["rows"], 2);
    assert!(db.exists() && !hermes.db_path().exists());
    // An option wins.
    assert_eq!(hermes.command(&["list"]).code, Some(2));
}

#[test]
fn without_options_everything_is_in_the_current_folder() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.plain(&["--no-listen", "--once"]).done();
    assert_eq!(hermes.count("items"), 2);
}

#[test]
fn a_reader_that_has_gone_is_no_crash() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    for args in [
        "list",
        "list --json",
        "status",
        "get a",
        "logs",
        "data a",
        "export items",
        "export a --format ndjson",
        "man",
        "completions bash",
        "--help",
        "--version",
    ] {
        let mut child = program_command()
            .args(args.split(' '))
            .env("HERMES_DB", hermes.db_path())
            .stdin(Stdio::null())
            .stdout(closed_pipe())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let status = until_some(args, || child.try_wait().unwrap());
        assert_eq!(status.code(), Some(0), "{args}");
        assert_eq!(words_of(&mut child), "", "{args}");
    }
}

/// Nobody reads what is written to it.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn words_of(child: &mut Child) -> String {
    let mut words = String::new();
    std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut words).unwrap();
    words
}
