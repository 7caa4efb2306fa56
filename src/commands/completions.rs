//! `hermes completions bash|zsh|fish`: what a shell needs to complete a line.
//!
//! The scripts hold no list of commands: at every TAB they ask the program that
//! is being typed (`hermes completions SHELL -- WORDS`), which knows its own
//! options and, by the `--db` among the words, its sources. What a value is, is
//! told by its name in the help: FILE, FOLDER, NAME, TABLE.

use std::path::PathBuf;

use argh::{ArgsInfo, CommandInfoWithArgs, FlagInfoKind, FromArgValue, FromArgs};

use super::options::Options;
use super::position::{Position, position};
use super::{Files, help, print_text};
use crate::definition::name::{is_identifier, is_name};
use crate::error::{ExitCode, Result};
use crate::order;

/// Print the completions of commands, options, files and sources for a shell.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    subcommand,
    name = "completions",
    example = "hermes completions bash > /etc/bash_completion.d/hermes
hermes completions zsh > ~/.zfunc/_hermes
hermes completions fish > ~/.config/fish/completions/hermes.fish"
)]
pub(super) struct Completions {
    /// bash, zsh or fish
    #[argh(positional)]
    shell: Shell,
    /// the words so far, the one to complete last; prints what it may be
    #[argh(positional, greedy, hidden_help)]
    words: Vec<String>,
}

#[derive(FromArgValue, Debug, Clone, Copy)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// What the word under the cursor may be.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Files,
    Folders,
    /// Each with what it means, which may be nothing.
    Words(Vec<(String, String)>),
    Sources,
    SourcesAndTables,
}

pub(super) fn completions(files: &Files, options: &Completions) -> Result<ExitCode> {
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    let Some((current, before)) = words.split_last() else {
        print_text(script(options.shell));
        return Ok(ExitCode::Done);
    };
    let lines = match wanted(&Options::get_args_info(), before, current) {
        // The scripts know these two; no word begins with a colon.
        Wanted::Files => vec![(":files".to_owned(), String::new())],
        Wanted::Folders => vec![(":folders".to_owned(), String::new())],
        Wanted::Words(words) => words,
        Wanted::Sources => names(files, before, false),
        Wanted::SourcesAndTables => names(files, before, true),
    };
    let begun = |(word, _): &&(String, String)| word.starts_with(current) || word.starts_with(':');
    print_text(
        &lines.iter().filter(begun).map(|(word, about)| line(options.shell, word, about)).collect::<String>(),
    );
    Ok(ExitCode::Done)
}

fn wanted(top: &CommandInfoWithArgs, before: &[&str], current: &str) -> Wanted {
    let at = position(top, before);
    if let Some(flag) = at.awaits {
        return match flag.kind {
            FlagInfoKind::Option { arg_name } => value(top, arg_name),
            FlagInfoKind::Switch => Wanted::Words(Vec::new()),
        };
    }
    if current.starts_with('-') && !at.options_ended {
        return flags(&at);
    }
    // Also after `help`, which counts as no argument.
    if at.is_top {
        return if at.arguments == 0 { commands(top) } else { Wanted::Words(Vec::new()) };
    }
    let arguments: Vec<_> = at.info.positionals.iter().filter(|argument| !argument.hidden).collect();
    match arguments.get(at.arguments).or(arguments.last().filter(|last| is_repeated(last))) {
        Some(argument) => value(top, argument.name),
        None => Wanted::Words(Vec::new()),
    }
}

fn is_repeated(argument: &argh::PositionalInfo<'_>) -> bool {
    matches!(argument.optionality, argh::Optionality::Repeating | argh::Optionality::Greedy)
}

fn value(top: &CommandInfoWithArgs, name: &str) -> Wanted {
    let words =
        |words: &[&str]| Wanted::Words(words.iter().map(|w| (w.to_string(), String::new())).collect());
    match name {
        "file" | "files" | "path" | "paths" => Wanted::Files,
        "folder" => Wanted::Folders,
        "name" => Wanted::Sources,
        "table" => Wanted::SourcesAndTables,
        "command" => commands(top),
        "shell" => words(&["bash", "zsh", "fish"]),
        "format" => words(&["csv", "ndjson"]),
        _ => words(&[]),
    }
}

fn commands(top: &CommandInfoWithArgs) -> Wanted {
    let named = help::grouped(top).flat_map(|(_, commands)| commands);
    Wanted::Words(named.map(|info| (info.name.to_owned(), help::sentence(info.description))).collect())
}

fn flags(at: &Position<'_>) -> Wanted {
    let shown = at.info.flags.iter().filter(|flag| !flag.hidden);
    Wanted::Words(shown.map(|flag| (flag.long.to_owned(), flag.description.replace('\n', " "))).collect())
}

/// None where the database cannot be read: a completion is no place to complain.
fn names(files: &Files, before: &[&str], and_tables: bool) -> Vec<(String, String)> {
    let given = before.iter().position(|word| *word == "--db").and_then(|at| before.get(at + 1));
    let files = Files { db: given.map_or(files.db.clone(), PathBuf::from), sources: PathBuf::new() };
    let Ok(sources) = files.read().and_then(|store| store.sources()) else { return Vec::new() };
    let mut names: Vec<(String, String)> = Vec::new();
    for source in sources {
        // SQL may have written anything, and this goes to a terminal.
        if and_tables && is_identifier(&source.table_name) {
            names.push((source.table_name, "table".to_owned()));
        }
        if is_name(&source.name) {
            names.push((source.name, format!("source, {}", source.status)));
        }
    }
    // A table before a source of its name, which it wins over.
    order::by_number(&mut names, |(_, what)| i64::from(what != "table"));
    order::by_text(&mut names, |(name, _)| name.clone());
    names.dedup_by(|(a, _), (b, _)| a == b);
    names
}

fn line(shell: Shell, word: &str, about: &str) -> String {
    match (shell, about) {
        (Shell::Bash, _) | (_, "") => format!("{word}\n"),
        (Shell::Zsh, about) => format!("{word}:{about}\n"),
        (Shell::Fish, about) => format!("{word}\t{about}\n"),
    }
}

fn script(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("completions/hermes.bash"),
        Shell::Zsh => include_str!("completions/hermes.zsh"),
        Shell::Fish => include_str!("completions/hermes.fish"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that may stand at the end of a line; the last one is begun.
    fn found(line: &str) -> Vec<String> {
        let mut words: Vec<&str> = line.split(' ').collect();
        let current = words.pop().unwrap_or_default();
        match wanted(&Options::get_args_info(), &words, current) {
            Wanted::Words(words) => {
                words.into_iter().map(|(word, _)| word).filter(|w| w.starts_with(current)).collect()
            }
            other => vec![format!("{other:?}")],
        }
    }

    #[test]
    fn a_word_is_completed_by_where_it_stands() {
        for (line, want) in [
            ("exp", &["export"][..]),
            ("help exp", &["export"]),
            ("--db", &["--db"]),
            ("--db ", &["Files"]),
            ("--sources ", &["Folders"]),
            ("--db x.sqlite ba", &["backup"]),
            ("data ", &["Sources"]),
            ("data a ", &[]),
            ("data --li", &["--limit"]),
            ("data --limit ", &[]),
            ("data a --js", &["--json"]),
            ("add ", &["Files"]),
            ("add a.yaml ", &["Files"]),
            ("add -- -", &["Files"]),
            ("export ", &["SourcesAndTables"]),
            ("export air --format ", &["csv", "ndjson"]),
            ("export air -o ", &["Files"]),
            ("completions ", &["bash", "zsh", "fish"]),
            ("completions bash ", &[]),
            ("nonsense ", &[]),
        ] {
            assert_eq!(found(line), want, "{line:?}");
        }
    }
}
