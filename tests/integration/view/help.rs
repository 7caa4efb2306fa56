//! `help`, `--help` and `man`: the way through the commands, and all of them.

use crate::util::Hermes;
use std::io::Write;
use std::process::{Command, Stdio};

const EXPORT: &str = "\
Usage: hermes export TABLE [--format FORMAT] [--since TIME] [-o FILE]

All rows of a data table or a source, oldest first. A table wins over a source
of its name. CSV has a header, and NULL empty; NDJSON keeps the types.

Arguments:
  TABLE  a data table, or a source

Options:
  --format FORMAT    csv or ndjson (csv, unless FILE ends in .ndjson or .jsonl)
  --since TIME       stored since then: 2026-11-15, 2026-11-15T23:41:53Z, or 6h
                     ago
  -o, --output FILE  to a file, which has its name only once it is whole
  -h, --help         show help

Examples:
  hermes export air -o air.csv
  hermes export air --since 1d --format ndjson | jq .value
";

#[test]
fn help_of_a_command_is_the_same_however_it_is_asked_for() {
    let hermes = Hermes::new();
    for args in [
        &["help", "export"][..],
        &["export", "--help"],
        &["export", "-h"],
        &["export", "help"],
        &["--db", "list", "export", "items", "--help"],
    ] {
        assert_eq!(hermes.plain(args).done(), EXPORT, "{args:?}");
    }
}

#[test]
fn help_shows_the_common_path_first() {
    let hermes = Hermes::new();
    let help = hermes.plain(&["help"]);
    for args in [["--help"], ["-h"]] {
        assert_eq!(hermes.plain(&args).done(), help.done());
    }
    let text = help.done();
    let order = [
        "Usage: hermes [OPTIONS]",
        "\nFrom nothing to rows:\n",
        "\nCheck it:\n",
        "\nRun:\n",
        "\nLook:\n",
        "\nKeep:\n",
        "\nOptions",
    ];
    let places: Vec<usize> =
        order.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"))).collect();
    assert!(places.is_sorted(), "{text}");
    assert!(text.contains("\n  hermes check sources.d  "), "{text}");
    assert!(!hermes.db_path().exists());
}

#[test]
fn a_word_that_is_no_command_is_answered_with_one_that_is() {
    let hermes = Hermes::new();
    for (args, told) in [
        (
            &["exprot", "a"][..],
            "Unrecognized argument: exprot\nDid you mean `hermes export`? Try: hermes --help\n",
        ),
        (
            &["data", "--limt", "5"],
            "Unrecognized argument: --limt\nDid you mean `--limit`? Try: hermes data --help\n",
        ),
    ] {
        let output = hermes.plain(args);
        assert_eq!((output.code, output.stderr), (Some(2), format!("hermes: {told}")), "{args:?}");
    }
}

#[test]
fn the_manual_has_the_sections_that_people_look_for() {
    let hermes = Hermes::new();
    let page = hermes.plain(&["man"]);
    let sections: Vec<&str> = page.done().lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
    let want =
        "NAME|SYNOPSIS|DESCRIPTION|OPTIONS|COMMANDS|FILES|ENVIRONMENT|SIGNALS|EXIT STATUS|EXAMPLES|SEE ALSO";
    assert_eq!(sections.join("|"), want);
    assert!(page.stdout.contains("\n.B hermes export TABLE [\\-\\-format FORMAT]"), "{page}");
    // Where there is something that knows better than this test.
    let lint = Command::new("mandoc")
        .args(["-Tlint", "-Wstyle"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    if let Ok(mut lint) = lint {
        lint.stdin.take().unwrap().write_all(page.stdout.as_bytes()).unwrap();
        let found = lint.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&found.stdout), "");
    }
}
