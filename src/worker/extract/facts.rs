//! What an answer says of itself besides its records: is there more, where,
//! and did it fail. What follows from it is decided in `worker::paginate`.

use serde_json::value::RawValue;

use super::plan::{FactSlots, Plan};
use crate::worker::quote::{quote, shorten};

/// Of an API's own error; it goes into a log line and a column.
const MAX_ERROR_CHARS: usize = 300;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageFacts {
    /// Handed on as rows.
    pub records: u64,
    /// Nulls among the records: no rows, but they fill a page as well.
    pub skipped: u64,
    /// Over the records' keys, in order: equal for pages with the same records.
    pub digest: u128,
    /// `None`: the answer does not say.
    pub has_more: Option<bool>,
    pub total: Option<u64>,
    pub cursor: Option<String>,
    pub next_url: Option<String>,
    /// What stood at the error path: the answer is a failure, and its rows do not count.
    pub error: Option<String>,
}

pub(super) type Found<'a> = Vec<Option<&'a RawValue>>;

impl PageFacts {
    /// Later lines of an answer know better.
    pub(super) fn update(&mut self, found: &Found<'_>, plan: &Plan) -> Result<(), String> {
        let FactSlots { cursor, has_more, total, next_url, error } = &plan.facts;
        let at = |slot: &Option<usize>| slot.and_then(|slot| found[slot]).map(RawValue::get);
        let named = |slot: &Option<usize>| {
            let path = slot.map(|slot| plan.answer.paths[slot].to_string()).unwrap_or_default();
            move |message: String| format!("{path}: {message}")
        };
        self.error = at(error).and_then(error_text).or(self.error.take());
        self.has_more = at(has_more).and_then(is_true).or(self.has_more);
        self.total = at(total).and_then(count).or(self.total);
        if let Some(raw) = at(cursor) {
            self.cursor = cursor_text(raw).map_err(named(cursor))?;
        }
        if let Some(raw) = at(next_url) {
            self.next_url = url_text(raw).map_err(named(next_url))?;
        }
        Ok(())
    }
}

/// The text of the error, unless what is there says "no error": null, false,
/// nothing, zero. Many APIs always send the key.
pub(super) fn error_text(raw: &str) -> Option<String> {
    let is_empty = |open, close| {
        raw.strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            .is_some_and(|in_it| in_it.trim().is_empty())
    };
    if matches!(raw, "null" | "false" | "0") || is_empty('[', ']') || is_empty('{', '}') {
        return None;
    }
    let text = text_of(raw).unwrap_or_else(|| raw.to_owned());
    if text.trim().is_empty() { None } else { Some(shorten(&text, MAX_ERROR_CHARS)) }
}

fn is_true(raw: &str) -> Option<bool> {
    let text = text_of(raw).unwrap_or_else(|| raw.to_owned()).trim().to_ascii_lowercase();
    match text.as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        number => number.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number != 0.0),
    }
}

/// `">100"` and the like say nothing that could be counted up to.
fn count(raw: &str) -> Option<u64> {
    let text = text_of(raw).unwrap_or_else(|| raw.to_owned());
    let number = text.trim();
    let whole =
        number.parse::<f64>().ok().filter(|number| number.fract() == 0.0 && (0.0..1e15).contains(number));
    number.parse().ok().or(whole.map(|number| number as u64))
}

/// A cursor that is no text is refused: to take it for "no more pages" would
/// lose the rest without a word.
fn cursor_text(raw: &str) -> Result<Option<String>, String> {
    match raw.as_bytes() {
        [b'"', ..] => Ok(text_of(raw).filter(|text| !text.is_empty())),
        [b'-' | b'0'..=b'9', ..] => Ok(Some(raw.to_owned())),
        b"null" | b"false" => Ok(None),
        _ => Err(format!("{} is no cursor; text and numbers are", quote(raw))),
    }
}

fn url_text(raw: &str) -> Result<Option<String>, String> {
    match raw.as_bytes() {
        [b'"', ..] => Ok(text_of(raw).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())),
        b"null" | b"false" => Ok(None),
        _ => Err(format!("{} is no URL", quote(raw))),
    }
}

fn text_of(raw: &str) -> Option<String> {
    if raw.starts_with('"') { serde_json::from_str(raw).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_what_is_not_empty() {
        for (raw, want) in [
            ("null", None),
            ("false", None),
            (r#""""#, None),
            (r#"" ""#, None),
            ("0", None),
            ("[]", None),
            ("{ }", None),
            ("true", Some("true")),
            ("42", Some("42")),
            (r#""Limit\nreached""#, Some("Limit reached")),
            (r#"["a"]"#, Some(r#"["a"]"#)),
            (r#"{"code": 7}"#, Some(r#"{"code": 7}"#)),
        ] {
            assert_eq!(error_text(raw).as_deref(), want, "{raw}");
        }
        let long = format!("\"{}\"", "x".repeat(1_000));
        assert_eq!(error_text(&long).map(|text| text.chars().count()), Some(300));
    }

    #[test]
    fn has_more_is_a_boolean_a_number_or_a_word() {
        for (raw, want) in [
            ("true", Some(true)),
            ("false", Some(false)),
            ("0", Some(false)),
            ("3", Some(true)),
            (r#""True""#, Some(true)),
            (r#""false""#, Some(false)),
            (r#""no""#, Some(false)),
            (r#""0""#, Some(false)),
            ("null", None),
            (r#""""#, None),
            (r#""nan""#, None),
            ("[]", None),
        ] {
            assert_eq!(is_true(raw), want, "{raw}");
        }
    }

    #[test]
    fn a_total_is_a_number_or_text_of_one() {
        for (raw, want) in [
            ("120", Some(120)),
            (r#""120""#, Some(120)),
            ("120.0", Some(120)),
            ("0", Some(0)),
            (r#"">100""#, None),
            ("-1", None),
            ("1.5", None),
            ("null", None),
            ("1e999", None),
        ] {
            assert_eq!(count(raw), want, "{raw}");
        }
    }

    #[test]
    fn cursors_are_text_or_numbers_and_urls_are_text() {
        let some = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(cursor_text(r#""a\/b==""#), some("a/b=="));
        assert_eq!(cursor_text("12345678901234567890"), some("12345678901234567890"));
        assert_eq!(cursor_text("0"), some("0"));
        for none in ["null", "false", r#""""#] {
            assert_eq!(cursor_text(none), Ok(None), "{none}");
            assert_eq!(url_text(none), Ok(None), "{none}");
        }
        assert!(cursor_text(r#"{"a":1}"#).is_err() && cursor_text("true").is_err());
        assert_eq!(url_text(r#""https:\/\/a.example\/2""#), some("https://a.example/2"));
        assert!(url_text("2").is_err());
    }
}
