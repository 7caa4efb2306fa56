//! `hermes man`: the manual page in roff, of the same text as help. The package
//! installs what it prints; nothing of it is written by hand.

use argh::{ArgsInfo, CommandInfoWithArgs, FromArgs};
use jiff::Timestamp;
use jiff::fmt::strtime;

use super::about::{ENVIRONMENT, EXIT_STATUS, FILES, SIGNALS, USAGE};
use super::layout::within;
use super::options::Options;
use super::{help, print_text};
use crate::error::{ExitCode, Result};

/// Print the manual page, in roff.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "man", example = "hermes man | man -l -")]
pub(super) struct Man {}

pub(super) fn man() -> Result<ExitCode> {
    print_text(&page(&Options::get_args_info()));
    Ok(ExitCode::Done)
}

fn page(top: &CommandInfoWithArgs) -> String {
    let mut page =
        format!(".TH HERMES 1 {} \"hermes {}\" \"User Commands\"\n", built_on(), env!("CARGO_PKG_VERSION"));
    page += &format!(".SH NAME\nhermes \\- {}\n", prose(&lower(&help::sentence(top.description))));
    let forms: Vec<String> = USAGE.iter().map(|(form, _)| format!(".B {}\n", plain(form))).collect();
    page += &format!(".SH SYNOPSIS\n{}", forms.join(".br\n"));
    page += &format!(".SH DESCRIPTION\n{}\n", prose(top.description));
    page += &section("OPTIONS", &help::options(top));
    page += ".SH COMMANDS\nThe options above stand before the command.\n";
    for (group, commands) in help::grouped(top) {
        page += &format!(".SS {}\n", plain(group));
        page += &commands.into_iter().map(command).collect::<String>();
    }
    page += &section("FILES", &FILES);
    page += &section("ENVIRONMENT", &ENVIRONMENT);
    page += &section("SIGNALS", &SIGNALS);
    page += &section("EXIT STATUS", &EXIT_STATUS);
    page += &section("EXAMPLES", &help::examples(top));
    page + ".SH SEE ALSO\n.BR sqlite3 (1)\n"
}

/// Its options and examples stand under it, indented.
fn command(info: &CommandInfoWithArgs) -> String {
    let mut text = entry(&help::usage(info), info.description);
    let mut within: String = entries(&help::arguments(info));
    let mut options = help::options(info);
    // Said once, for all of them.
    options.retain(|(name, _)| !name.ends_with("--help"));
    within += &entries(&options);
    if !info.examples.is_empty() {
        within += &format!(".PP\n.EX\n{}\n.EE\n", plain(&info.examples.join("\n")));
    }
    if !within.is_empty() {
        text += &format!(".RS\n{within}.RE\n");
    }
    text
}

fn section<N: AsRef<str>, T: AsRef<str>>(title: &str, pairs: &[(N, T)]) -> String {
    format!(".SH {title}\n{}", entries(pairs))
}

fn entries<N: AsRef<str>, T: AsRef<str>>(pairs: &[(N, T)]) -> String {
    pairs.iter().map(|(name, text)| entry(name.as_ref(), text.as_ref())).collect()
}

fn entry(name: &str, text: &str) -> String {
    format!(".TP\n.B {}\n{}\n", plain(name), prose(text))
}

/// In lines that are short also with all that is escaped in them.
fn prose(text: &str) -> String {
    plain(&within(66, text, 0))
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + chars.as_str())
}

/// A hyphen would become a dash that cannot be copied, a backslash begins an
/// escape, and a line must not begin with a dot or a quote.
fn plain(text: &str) -> String {
    let line = |line: &str| {
        let line = line.trim().replace('\\', "\\e").replace('-', "\\-").replace('"', "\\(dq");
        let line =
            line.replace('\'', "\\(aq").replace('`', "\\(ga").replace('~', "\\(ti").replace('^', "\\(ha");
        if line.starts_with('.') { format!("\\&{line}") } else { line }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The same for everybody who builds this version.
fn built_on() -> String {
    let epoch = env!("HERMES_BUILD_EPOCH").parse().unwrap_or_default();
    let time = Timestamp::from_second(epoch).unwrap_or_default();
    strtime::format("%Y-%m-%d", time).expect("every timestamp has these parts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_reaches_the_reader_as_it_was_written() {
        for (text, want) in [
            ("--db FILE", "\\-\\-db FILE"),
            (".hidden", "\\&.hidden"),
            ("'quoted' \"twice\"", "\\(aqquoted\\(aq \\(dqtwice\\(dq"),
            ("a\\b", "a\\eb"),
            ("one\n  two", "one\ntwo"),
        ] {
            assert_eq!(plain(text), want, "{text}");
        }
    }

    #[test]
    fn every_command_and_option_is_in_the_page() {
        let top = Options::get_args_info();
        let page = page(&top);
        for sub in &top.commands {
            assert!(page.contains(&format!("\n.B {}", plain(&help::usage(&sub.command)))), "{}", sub.name);
            for flag in sub.command.flags.iter().filter(|flag| !flag.hidden) {
                assert!(page.contains(&plain(flag.long)), "{} {}", sub.name, flag.long);
            }
        }
    }
}
