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

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// Of one text. Nobody mends more in one edit, and each costs a look at the text.
pub const MAX_PROBLEMS: usize = 100;

/// A message stays one line, whatever was found.
pub fn shorten(text: &str) -> String {
    const MOST: usize = 80;
    let short: String = text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if short.len() < text.len() { short + "…" } else { short }
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
                Step::Key(key) if at == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Item(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
