//! What is wrong with a document, where, and what would do. Keeps out the
//! rules: what counts as wrong is decided in `check`.

use std::fmt;

/// One thing that a person has to change. Shown as `line:col: field: message`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// From 1.
    pub line: usize,
    pub column: usize,
    /// Dotted, with indices: `response.fields[2].type`; empty for the whole document.
    pub field: String,
    pub message: String,
}

impl Problem {
    /// Where it stands, as one number.
    pub fn place(&self) -> i64 {
        ((self.line as i64) << 20) + (self.column as i64).min((1 << 20) - 1)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&in_one_line(&self.message))
    }
}

/// Of one text. Nobody mends more in one edit, and each costs a look at the text.
pub const MAX_PROBLEMS: usize = 100;

/// A message stays one line, whatever was found.
pub fn shorten(text: &str) -> String {
    const MOST: usize = 80;
    let short: String = text.chars().take(MOST).collect();
    let cut = if short.len() < text.len() { "…" } else { "" };
    in_one_line(&short) + cut
}

/// A key in quotes may hold what a terminal would obey.
pub fn in_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || turns_text_round(c) { ' ' } else { c }).collect()
}

/// Lines of their own and directions of writing: what follows would be shown elsewhere.
pub fn turns_text_round(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A problem before its line and column are known: the rules see values, and
/// only a document with problems is worth a second look at its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub path: FieldPath,
    pub at: At,
    pub message: String,
}

/// Which part of a path's last step a finding points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The value; the enclosing map where there is no such key.
    Value,
    Key,
    /// The same key a second time.
    SecondKey,
    /// Where the source names its client: the value came from there.
    Client,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldPath(pub Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Key(String),
    Item(usize),
}

impl FieldPath {
    pub fn key(&self, key: &str) -> FieldPath {
        self.with(Step::Key(key.to_owned()))
    }

    pub fn item(&self, index: usize) -> FieldPath {
        self.with(Step::Item(index))
    }

    fn with(&self, step: Step) -> FieldPath {
        FieldPath(self.0.iter().cloned().chain([step]).collect())
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if at == 0 => f.write_str(&shorten(key))?,
                Step::Key(key) => write!(f, ".{}", shorten(key))?,
                Step::Item(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
