//! `completions`: sourced by real shells, where they are installed; bash always is.

use crate::sources::source_with;
use crate::util::Hermes;
use std::path::Path;
use std::process::Command;

fn with_two_sources() -> Hermes {
    let hermes = Hermes::new();
    for name in ["air-1", "air-2"] {
        let text = source_with(name, "http://127.0.0.1:9/", "status: paused\n");
        hermes.write_source(&format!("{name}.yaml"), &text);
    }
    hermes.once().done();
    hermes
}

/// What a shell says to a script, with the binary on its path; `None` where there is no such shell.
fn shell(hermes: &Hermes, shell: &[&str], script: &str) -> Option<String> {
    let bin = Path::new(env!("CARGO_BIN_EXE_hermes")).parent().unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg("-c").arg(script).current_dir(hermes.dir());
    let output = command.env_clear().env("PATH", path).env("HOME", hermes.dir()).output().ok()?;
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn bash_completes_commands_options_files_and_sources() {
    let hermes = with_two_sources();
    let script = r#"
        source <(hermes completions bash)
        complete -p hermes
        compopt() { printf 'compopt %s %s\n' "$@"; }
        complete_words() {
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _hermes hermes "${@: -1}"
            echo "${COMPREPLY[@]}"
        }
        complete_words hermes exp
        complete_words hermes help pre
        complete_words hermes data ''
        complete_words hermes data air-2
        complete_words hermes --db elsewhere data ''
        complete_words hermes export --f
        complete_words hermes export items --format ''
        complete_words hermes export ''
        complete_words hermes add ''
        complete_words hermes --sources ''
        complete_words hermes completions f
    "#;
    let want = "complete -F _hermes hermes\nexport\npreview\nair-1 air-2\nair-2\n\n--format\ncsv ndjson\n\
                air-1 air-2 items\ncompopt -o default\n\ncompopt -o dirnames\n\nfish\n";
    assert_eq!(shell(&hermes, &["bash", "--norc"], script).expect("bash"), want);
}

#[test]
fn fish_completes_with_what_things_mean() {
    let hermes = with_two_sources();
    let script = "
        hermes completions fish | source
        complete -C 'hermes back'
        complete -C 'hermes data '
        complete -C 'hermes export x --format '
        complete -C 'hermes --sources sour'
    ";
    let Some(said) = shell(&hermes, &["fish", "--no-config"], script) else { return };
    let want = "backup\tCopy the whole database, also while hermes runs, and verify the copy\n\
                air-1\tsource, paused\nair-2\tsource, paused\ncsv\nndjson\nsources.d/\tDirectory\n";
    assert_eq!(said, want);
}

#[test]
fn zsh_completes_with_what_things_mean() {
    let hermes = with_two_sources();
    let script = "
        compdef() { print -r -- \"compdef $*\" }
        _describe() { print -rl -- \"${(@P)2}\" }
        _files() { print -r -- \"files $*\" }
        source <(hermes completions zsh)
        complete_words() { words=(\"$@\") CURRENT=$#; _hermes }
        complete_words hermes back
        complete_words hermes data ''
        complete_words hermes --limit
        complete_words hermes --db ''
        complete_words hermes --sources ''
    ";
    let Some(said) = shell(&hermes, &["zsh", "-f"], script) else { return };
    let want = "compdef _hermes hermes\nbackup:Copy the whole database, also while hermes runs, and verify the copy\n\
                air-1:source, paused\nair-2:source, paused\nfiles \nfiles -/\n";
    assert_eq!(said, want);
}

#[test]
fn a_shell_that_nobody_knows_is_refused() {
    let output = Hermes::new().plain(&["completions", "tcsh"]);
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""), "{output}");
    assert!(output.stderr.contains("tcsh") && output.stderr.contains("fish"), "{output}");
}
