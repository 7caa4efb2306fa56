//! One thing that `hermes check` says: as text with the line that it is about,
//! and as JSON. What is wrong is decided elsewhere.

use std::io::IsTerminal;

use serde_json::{Value, json};

use super::input::Input;
use crate::definition::Problem;
use crate::definition::problem::in_one_line;
use crate::receiver::across::Severity;
use crate::viewer::excerpt::excerpt;
use crate::viewer::table::terminal_width;

pub(super) struct Remark {
    /// Its number in the input.
    pub(super) file: usize,
    pub(super) severity: Severity,
    pub(super) problem: Problem,
}

/// What the output can show.
pub(super) struct Style {
    width: usize,
    has_colours: bool,
}

impl Style {
    /// Colours only on a terminal, and not where they are unwanted (no-color.org).
    pub(super) fn of_output() -> Style {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Style {
            width: terminal_width().map_or(100, |width| usize::from(width).clamp(40, 160)),
            has_colours: std::io::stdout().is_terminal() && !unwanted && !is_dumb,
        }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.has_colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

const BOLD: &str = "1";
const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const BLUE: &str = "34";

impl Remark {
    /// `file:line:col: message`, where editors look for it, and the line below.
    pub(super) fn to_text(&self, input: &Input, style: &Style) -> String {
        let Problem { line, column, .. } = self.problem;
        let told = self.problem.to_string();
        // Its place is painted, so it is taken off.
        let message = told.strip_prefix(&format!("{line}:{column}: ")).unwrap_or(&told);
        let place = style.paint(BOLD, &format!("{}:{line}:{column}:", input.files[self.file].name));
        let (kind, colour) = match self.severity {
            Severity::Problem => (String::new(), RED),
            Severity::Warning => (style.paint(YELLOW, "warning:") + " ", YELLOW),
        };
        format!("{place} {kind}{message}\n{}", self.lines(input, style, colour).unwrap_or_default())
    }

    fn lines(&self, input: &Input, style: &Style, colour: &str) -> Option<String> {
        let text = input.files[self.file].text.as_ref().ok().filter(|_| !self.may_show_a_secret())?;
        let number = self.problem.line.to_string();
        let room = style.width.saturating_sub(number.len() + 5);
        let excerpt = excerpt(text, self.problem.line, self.problem.column, room)?;
        let (bar, no_number) = (style.paint(BLUE, "|"), " ".repeat(number.len()));
        let caret = style.paint(colour, "^");
        let (number, indent) = (style.paint(BLUE, &number), " ".repeat(excerpt.indent));
        Some(format!("  {number} {bar} {}\n  {no_number} {bar} {indent}{caret}\n", excerpt.text))
    }

    /// Under these keys a value may be a credential that somebody has written out.
    fn may_show_a_secret(&self) -> bool {
        let key = self.problem.field.split(['.', '[']).next();
        matches!(key, Some("auth" | "headers"))
    }

    pub(super) fn to_json(&self, input: &Input) -> Value {
        let severity = match self.severity {
            Severity::Problem => "error",
            Severity::Warning => "warning",
        };
        json!({
            "file": input.files[self.file].name,
            "line": self.problem.line,
            "column": self.problem.column,
            "severity": severity,
            "field": self.problem.field,
            "message": in_one_line(&self.problem.message),
        })
    }
}
