//! `hermes help`: the way through the commands first, then their options. Made
//! from the same descriptions that argh parses by; argh's own text is one flat
//! list. Nothing here knows what a command does.

use argh::{ArgsInfo, CommandInfoWithArgs, FlagInfo, FlagInfoKind, Optionality};

use super::about::{EXAMPLES, EXIT_STATUS, GROUPS, USAGE};
use super::layout::{columns, filled, owned, section};
use super::options::Options;
use super::position::position;
use crate::definition::nearest::nearest;

/// For words that ask for help: of the command that they name, or of all.
pub(super) fn help(words: &[&str]) -> String {
    let top = Options::get_args_info();
    let at = position(&top, words);
    if at.is_top { of_all(&top) } else { of_command(at.info) }
}

/// Where to read on after words that argh refused, and what was probably meant.
pub(super) fn advice(words: &[&str]) -> String {
    let top = Options::get_args_info();
    let at = position(&top, words);
    let flags = || at.info.flags.iter().chain(top.flags).map(|flag| flag.long);
    let is_slip = |word: &&&str| word.starts_with("--") && !flags().any(|flag| flag == **word);
    if let Some(meant) = words.iter().find(is_slip).and_then(|word| nearest(word, flags())) {
        let is_its_own = !at.is_top && at.info.flags.iter().any(|flag| flag.long == meant);
        let command = if is_its_own { at.info.name } else { "" };
        return format!(
            "Did you mean `{meant}`? Try: {}",
            ["hermes", command, "--help"].join(" ").replace("  ", " ")
        );
    }
    if !at.is_top {
        return format!("Try: hermes {} --help", at.info.name);
    }
    let known = || top.commands.iter().map(|sub| sub.name);
    let meant = words.iter().filter(|word| !word.starts_with('-')).find_map(|word| nearest(word, known()));
    let meant = meant.map(|name| format!("Did you mean `hermes {name}`? ")).unwrap_or_default();
    format!("{meant}Try: hermes --help")
}

fn of_all(top: &CommandInfoWithArgs) -> String {
    let usage = columns("", &owned(&USAGE)).replace('\n', "\n       ");
    let mut text = format!("Usage: {}\n\n{}\n", usage.trim_end(), filled(top.description, 0));
    text += &section("From nothing to rows", &owned(&examples(top)));
    for (group, commands) in grouped(top) {
        let lines: Vec<_> = commands.iter().map(|c| (c.name.to_owned(), sentence(c.description))).collect();
        text += &section(group, &lines);
    }
    text += &section("Options, which stand before the command", &options(top));
    let codes: Vec<String> = EXIT_STATUS.iter().map(|(code, means)| format!("{code} {means}")).collect();
    text += &format!("\nExit codes: {}.\n", codes.join(", "));
    text + "`hermes help COMMAND` has its options and examples, `hermes man` has it all.\n"
}

fn of_command(info: &CommandInfoWithArgs) -> String {
    let mut text =
        format!("Usage: {}\n\n{}\n", filled(&usage(info), 7).trim_start(), filled(info.description, 0));
    text += &section("Arguments", &arguments(info));
    text += &section("Options", &options(info));
    let examples = info.examples.join("\n");
    text += &section(
        "Examples",
        &examples.lines().map(|line| (line.to_owned(), String::new())).collect::<Vec<_>>(),
    );
    text
}

/// Groups in order, each with those of its commands that there are.
pub(super) fn grouped(
    top: &CommandInfoWithArgs,
) -> impl Iterator<Item = (&'static str, Vec<&CommandInfoWithArgs>)> {
    let find = |name: &&str| top.commands.iter().find(|sub| sub.name == *name).map(|sub| &sub.command);
    let groups = GROUPS.iter().map(move |(group, names)| (*group, names.iter().filter_map(find).collect()));
    groups.filter(|(_, commands): &(_, Vec<_>)| !commands.is_empty())
}

pub(super) fn examples(top: &CommandInfoWithArgs) -> Vec<(&'static str, &'static str)> {
    let is_there = |line: &str| {
        let word = line.split_whitespace().nth(1).unwrap_or_default();
        word.starts_with('-') || top.commands.iter().any(|sub| sub.name == word)
    };
    EXAMPLES.into_iter().filter(|(line, _)| is_there(line)).collect()
}

/// `hermes data NAME [--limit N] [--json]`
pub(super) fn usage(info: &CommandInfoWithArgs) -> String {
    let mut text = format!("hermes {}", info.name);
    for argument in info.positionals.iter().filter(|argument| !argument.hidden) {
        let name = argument.name.to_ascii_uppercase();
        text += &match argument.optionality {
            Optionality::Required => format!(" {name}"),
            Optionality::Optional => format!(" [{name}]"),
            Optionality::Repeating | Optionality::Greedy => format!(" {name}..."),
        };
    }
    for flag in shown(info).filter(|flag| flag.long != "--help") {
        let short = flag.short.map(|short| format!("-{short}"));
        let spelled = with_value(flag, short.as_deref().unwrap_or(flag.long));
        text += &match flag.optionality {
            Optionality::Required => format!(" {spelled}"),
            _ => format!(" [{spelled}]"),
        };
    }
    text
}

/// Those that have something said of them.
pub(super) fn arguments(info: &CommandInfoWithArgs) -> Vec<(String, String)> {
    let told =
        info.positionals.iter().filter(|argument| !argument.hidden && !argument.description.is_empty());
    told.map(|argument| (argument.name.to_ascii_uppercase(), argument.description.to_owned())).collect()
}

/// `--help` last.
pub(super) fn options(info: &CommandInfoWithArgs) -> Vec<(String, String)> {
    let line = |flag: &FlagInfo<'_>| {
        let short = flag.short.map(|short| format!("-{short}, ")).unwrap_or_default();
        (with_value(flag, &format!("{short}{}", flag.long)), flag.description.to_owned())
    };
    let mut lines: Vec<_> = shown(info).filter(|flag| flag.long != "--help").map(line).collect();
    lines.push(("-h, --help".to_owned(), "show help".to_owned()));
    lines
}

fn shown(info: &CommandInfoWithArgs) -> impl Iterator<Item = &FlagInfo<'static>> {
    info.flags.iter().filter(|flag| !flag.hidden)
}

fn with_value(flag: &FlagInfo<'_>, name: &str) -> String {
    match flag.kind {
        FlagInfoKind::Switch => name.to_owned(),
        FlagInfoKind::Option { arg_name } => format!("{name} {}", arg_name.to_ascii_uppercase()),
    }
}

/// The first one.
pub(super) fn sentence(text: &str) -> String {
    let end = text.find(". ").unwrap_or(text.len());
    text[..end].trim_end_matches('.').replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_exactly_one_group() {
        let top = Options::get_args_info();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for sub in &top.commands {
            let times = grouped.iter().filter(|name| **name == sub.name).count();
            assert_eq!(times, 1, "`{}` in the groups of src/commands/about.rs", sub.name);
        }
        for name in grouped {
            let is_known = top.commands.iter().any(|sub| sub.name == name);
            assert!(is_known, "`{name}` is no command");
        }
    }

    #[test]
    fn help_fits_a_terminal_of_80_columns() {
        let top = Options::get_args_info();
        let all = top.commands.iter().map(|sub| of_command(&sub.command)).chain([of_all(&top)]);
        for line in all.collect::<String>().lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn the_examples_of_a_command_are_commands_that_argh_accepts() {
        let top = Options::get_args_info();
        let own =
            top.commands.iter().flat_map(|sub| sub.command.examples.iter().flat_map(|text| text.lines()));
        for line in own.chain(examples(&top).into_iter().map(|(line, _)| line)) {
            use argh::FromArgs;
            let words: Vec<&str> = line.split('|').next().unwrap_or_default().split_whitespace().collect();
            assert_eq!(words.first(), Some(&"hermes"), "{line}");
            // A quoted schedule is one word.
            if !line.contains('"') {
                assert!(Options::from_args(&["hermes"], &words[1..]).is_ok(), "{line}");
            }
        }
    }

    #[test]
    fn a_misspelt_command_is_answered_with_the_one_that_was_meant() {
        for (words, want) in [
            (&["lsit"][..], "Did you mean `hermes list`? Try: hermes --help"),
            (&["--db", "x", "exprot"], "Did you mean `hermes export`? Try: hermes --help"),
            (&["--nonsense"], "Try: hermes --help"),
            (&["--dbb", "x"], "Did you mean `--db`? Try: hermes --help"),
            (&["data", "--limt"], "Did you mean `--limit`? Try: hermes data --help"),
            (&["--wrkers", "3", "status"], "Did you mean `--workers`? Try: hermes --help"),
            (&["data", "--nonsense"], "Try: hermes data --help"),
        ] {
            assert_eq!(advice(words), want, "{words:?}");
        }
    }
}
