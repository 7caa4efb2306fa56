//! Why an answer could not become rows, in one line for people. Keeps out what
//! is done about it.

use std::fmt;

use crate::worker::quote::{quote, shorten};

const MAX_MESSAGE_CHARS: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError<E> {
    /// The answer as a whole: not JSON, no records where they should be.
    Answer(String),
    /// A value does not fit its field. `number` counts records from 1; `field` is a target.
    Record { number: u64, field: String, message: String },
    /// What the rows were handed to refused one.
    Sink(E),
}

impl<E> ReadError<E> {
    pub(super) fn answer(message: impl Into<String>) -> ReadError<E> {
        ReadError::Answer(message.into())
    }

    /// Says where in an answer of many lines it went wrong.
    pub(super) fn at_line(self, line: usize) -> ReadError<E> {
        let located = |message| format!("line {line}: {message}");
        match self {
            ReadError::Answer(message) => ReadError::Answer(located(message)),
            ReadError::Record { number, field, message } => {
                ReadError::Record { number, field, message: located(message) }
            }
            ReadError::Sink(error) => ReadError::Sink(error),
        }
    }

    /// A cut-off answer is another trouble than a page of HTML.
    pub(super) fn not_json(error: &serde_json::Error, text: &str) -> ReadError<E> {
        let begins = match text.trim_start() {
            "" => "; the answer is empty".to_owned(),
            text if text.starts_with(['{', '[']) => String::new(),
            text => format!("; the answer begins with {}", quote(text)),
        };
        let what = if error.is_eof() && begins.is_empty() { "the answer is cut off" } else { "not JSON" };
        ReadError::Answer(format!("{what}: {error}{begins}"))
    }
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            ReadError::Answer(message) => message.clone(),
            ReadError::Record { number, field, message } => format!("record {number}, {field}: {message}"),
            ReadError::Sink(error) => return error.fmt(f),
        };
        f.write_str(&shorten(&text, MAX_MESSAGE_CHARS))
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for ReadError<E> {}

/// "`a`, `b`, `c` and 4 more": enough to see what an answer has instead.
pub(super) fn names<'a>(first: impl Iterator<Item = &'a str>, total: usize) -> String {
    const MAX_NAMES: usize = 10;
    const MAX_NAME_CHARS: usize = 32;
    let quoted = |name| format!("`{}`", shorten(name, MAX_NAME_CHARS));
    let listed: Vec<String> = first.take(MAX_NAMES).map(quoted).collect();
    let more = total - listed.len();
    if more > 0 { format!("{} and {more} more", listed.join(", ")) } else { listed.join(", ") }
}
