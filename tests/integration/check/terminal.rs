//! What reaches a terminal: bounded lines, colours, and nothing that a file would have it do.

use crate::sources::source_with;
use crate::util::{Hermes, program_command};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::{Command, Stdio};

/// What the command writes to a terminal that is as wide as none says.
fn on_a_terminal(hermes: &Hermes, args: &[&str], env: &[(&str, &str)]) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut child = program_command()
        .args(args)
        .current_dir(hermes.dir())
        .env_clear()
        .envs(env.iter().copied())
        .stdin(Stdio::null())
        .stdout(terminal)
        .spawn()
        .unwrap();
    child.wait().unwrap();
    // At its end a terminal without a program is an error.
    let mut written = Vec::new();
    let _ = File::from(master).read_to_end(&mut written);
    String::from_utf8(written).unwrap().replace("\r\n", "\n")
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", &source_with("a", "http://127.0.0.1:9/", "status: on\nhandler: bulk\n"));
    let coloured = on_a_terminal(&hermes, &["check", "sources.d"], &[("TERM", "xterm")]);
    let want = "\
\x1b[1msources.d/a.yaml:5:9:\x1b[0m status: `status` is one of active, paused, not `on`
  \x1b[34m5\x1b[0m \x1b[34m|\x1b[0m status: on
    \x1b[34m|\x1b[0m         \x1b[1;31m^\x1b[0m
1 problem
";
    assert_eq!(coloured, want);
    let plain = hermes.plain(&["check", "sources.d"]).stdout;
    assert!(!plain.contains('\x1b'), "{plain:?}");
    for env in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        assert_eq!(on_a_terminal(&hermes, &["check", "sources.d"], &[env]), plain, "{env:?}");
    }
}

#[test]
fn what_a_file_holds_does_not_reach_the_terminal_as_it_is() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", "name: a\n# \x1b[31m\x07\u{9b}31m\nurl: x\n");
    hermes.write_source("b.yaml", "kind: handler\nname: b\n\"\\e[31mring\": 1 # \u{202e}\n");
    hermes.write_source("c\x1b[31m.yaml", "kind: handler\nname: C\n");
    for args in [&["check", "sources.d"][..], &["check", "--json", "sources.d"]] {
        let output = hermes.plain(args);
        assert_eq!(output.code, Some(2), "{output}");
        let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!output.stdout.contains(obeyed), "{:?}", output.stdout);
    }
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let hermes = Hermes::new();
    let long = "x".repeat(300);
    hermes.write_source(
        "a.yaml",
        &format!("{{ kind: handler, name: a, {long}: 1, rnig: {{}}, {long}a: 1 }}\n"),
    );
    let output = hermes.plain(&["check", "sources.d"]).stdout;
    let lines: Vec<&str> = output.lines().collect();
    let at = lines.iter().position(|line| line.contains("did you mean `ring`")).expect("the misspelt key");
    assert!(lines[at + 1].contains("…") && lines[at + 1].contains(" rnig: "), "{output}");
    assert_eq!(lines[at + 1].chars().count(), 100, "{output}");
    let caret = lines[at + 2].chars().count() - 1;
    assert!(lines[at + 1].chars().skip(caret).collect::<String>().starts_with("rnig"), "{output}");
}

#[test]
fn the_caret_is_right_after_tabs_and_wide_characters() {
    let hermes = Hermes::new();
    hermes.write_source("a.yaml", "{ kind: handler,\tname: \"天気\", rnig: {} }\n");
    let output = hermes.plain(&["check", "sources.d"]);
    let want = "\
sources.d/a.yaml:1:24: name: `天気` is no name: a-z, 0-9, - and _, at most 64
  1 | { kind: handler,    name: \"天気\", rnig: {} }
    |                           ^
sources.d/a.yaml:1:30: rnig: there is no key `rnig`; did you mean `ring`?
  1 | { kind: handler,    name: \"天気\", rnig: {} }
    |                                   ^
2 problems
";
    assert_eq!(output.stdout, want);
}

/// Somebody's credential that stands in the file itself.
#[test]
fn the_lines_of_credentials_are_not_shown() {
    let hermes = Hermes::new();
    hermes
        .write_source("a.yaml", "kind: provider\ndomain: a.org\nauth: { bearer: s3cret, baerer: s3cret }\n");
    hermes.write_source("b.yaml", &source_with("b", "http://a.org/", "headers: { \"X Y\": s3cret }\n"));
    let output = hermes.plain(&["check", "sources.d"]);
    assert!(output.stdout.ends_with("2 problems\n") && !output.stdout.contains("s3cret"), "{output}");
}
