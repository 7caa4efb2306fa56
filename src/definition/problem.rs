//! What is wrong with a document, where, and what would do.

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
