//! What the words of a command line lead to, as argh would read them: which
//! command, which option awaits its value, how many arguments there are. It
//! judges nothing; words that are wrong are argh's to refuse.

use argh::{CommandInfoWithArgs, FlagInfo, FlagInfoKind};

#[derive(Debug)]
pub(super) struct Position<'a> {
    /// The command that is named; the program itself where none is.
    pub(super) info: &'a CommandInfoWithArgs,
    pub(super) is_top: bool,
    /// The last word is an option whose value is to come.
    pub(super) awaits: Option<&'a FlagInfo<'static>>,
    /// Arguments so far that are no options.
    pub(super) arguments: usize,
    /// `--` was typed: what follows is no option.
    pub(super) options_ended: bool,
}

pub(super) fn position<'a>(top: &'a CommandInfoWithArgs, words: &[&str]) -> Position<'a> {
    let mut at = Position { info: top, is_top: true, awaits: None, arguments: 0, options_ended: false };
    for &word in words {
        at.read(word);
    }
    at
}

impl Position<'_> {
    fn read(&mut self, word: &str) {
        if self.awaits.take().is_some() {
            return;
        }
        if !self.options_ended && word == "--" {
            self.options_ended = true;
        } else if !self.options_ended && word.starts_with('-') {
            self.awaits = self.info.flags.iter().find(|flag| takes_value(flag) && is_called(flag, word));
        } else if let Some(sub) = self.info.commands.iter().find(|sub| sub.name == word) {
            (self.info, self.is_top, self.options_ended) = (&sub.command, false, false);
        } else if !(self.is_top && word == "help") {
            self.arguments += 1;
        }
    }
}

fn takes_value(flag: &FlagInfo<'_>) -> bool {
    matches!(flag.kind, FlagInfoKind::Option { .. })
}

fn is_called(flag: &FlagInfo<'_>, word: &str) -> bool {
    flag.long == word || flag.short.is_some_and(|short| word.strip_prefix('-') == Some(&short.to_string()))
}

#[cfg(test)]
mod tests {
    use argh::ArgsInfo;

    use super::*;
    use crate::commands::options::Options;

    #[test]
    fn words_lead_to_a_command_an_option_or_an_argument() {
        let top = Options::get_args_info();
        for (words, want) in [
            ("", ("Options", None, 0)),
            ("--db", ("Options", Some("--db"), 0)),
            ("--db list", ("Options", None, 0)),
            ("--db list data", ("data", None, 0)),
            ("help data", ("data", None, 0)),
            ("data list", ("data", None, 1)),
            ("data --limit", ("data", Some("--limit"), 0)),
            ("data --limit 5 air", ("data", None, 1)),
            ("data --json", ("data", None, 0)),
            ("add -- --db a.yaml", ("add", None, 2)),
            ("export -o", ("export", Some("--output"), 0)),
            ("nonsense", ("Options", None, 1)),
        ] {
            let words: Vec<&str> = words.split_whitespace().collect();
            let at = position(&top, &words);
            let found = (at.info.name, at.awaits.map(|flag| flag.long), at.arguments);
            assert_eq!(found, want, "{words:?}");
            assert_eq!(at.is_top, want.0 == "Options", "{words:?}");
        }
    }
}
