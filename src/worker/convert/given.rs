//! One value as the answer gives it: JSON text or a cell of a CSV file. Keeps
//! out what it is to become.

use std::borrow::Cow;

use memchr::memchr;

use crate::worker::quote::quote;

/// Of a value that is kept as JSON. The reader itself does not recurse into
/// one; what reads the table later might.
pub const MAX_JSON_DEPTH: usize = 128;

#[derive(Debug, PartialEq)]
pub(super) enum Given<'a> {
    Text(Cow<'a, str>),
    Number(&'a str),
    Boolean(&'a str),
    /// A list or an object, as its JSON text.
    Container(&'a str),
}

impl<'a> Given<'a> {
    /// `raw` is valid JSON without blanks around it; `None` is its null.
    pub(super) fn from_json(raw: &'a str) -> Result<Option<Given<'a>>, String> {
        Ok(match raw.as_bytes().first() {
            Some(b'"') => Some(Given::Text(unescaped(raw)?)),
            Some(b'{' | b'[') => Some(Given::Container(raw)),
            Some(b't' | b'f') => Some(Given::Boolean(raw)),
            Some(b'n') | None => None,
            Some(_) => Some(Given::Number(raw)),
        })
    }

    /// A text's characters, anything else's JSON.
    pub(super) fn text(&self) -> &str {
        match self {
            Given::Text(text) => text,
            Given::Number(raw) | Given::Boolean(raw) | Given::Container(raw) => raw,
        }
    }

    pub(super) fn into_text(self) -> Cow<'a, str> {
        match self {
            Given::Text(text) => text,
            Given::Number(raw) | Given::Boolean(raw) | Given::Container(raw) => Cow::Borrowed(raw),
        }
    }

    /// The text, for a type that no list or object can be.
    pub(super) fn scalar(&self, want: &str) -> Result<&str, String> {
        match self {
            Given::Container(raw) => Err(format!("{} is not {want}", quote(raw))),
            other => Ok(other.text()),
        }
    }
}

/// The characters of a text, borrowed where nothing is escaped, as in nearly all of them.
pub(super) fn unescaped(raw: &str) -> Result<Cow<'_, str>, String> {
    match raw.get(1..raw.len() - 1) {
        Some(inside) if memchr(b'\\', inside.as_bytes()).is_none() => Ok(Cow::Borrowed(inside)),
        _ => serde_json::from_str(raw).map(Cow::Owned).map_err(|_| {
            format!("{} has an escape that is no character (half of a surrogate pair)", quote(raw))
        }),
    }
}

/// Refuses JSON that is nested deeper than [`MAX_JSON_DEPTH`].
pub(super) fn check_depth(raw: &str) -> Result<(), String> {
    if raw.len() <= MAX_JSON_DEPTH {
        return Ok(());
    }
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for byte in raw.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth -= 1,
            _ => {}
        }
        if depth > MAX_JSON_DEPTH {
            return Err(format!("its JSON is nested deeper than {MAX_JSON_DEPTH} levels"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_borrowed_unless_it_is_escaped() {
        for (raw, want, borrowed) in [
            (r#""""#, "", true),
            (r#""ไทย""#, "ไทย", true),
            (r#""a\nb""#, "a\nb", false),
            (r#""\ud83d\ude00""#, "😀", false),
        ] {
            let Ok(Some(Given::Text(text))) = Given::from_json(raw) else { panic!("{raw} is text") };
            assert_eq!(text, want);
            assert_eq!(matches!(text, Cow::Borrowed(_)), borrowed, "{raw}");
        }
        assert!(Given::from_json(r#""\ud83d""#).is_err(), "half a pair");
    }

    #[test]
    fn depth_is_counted_outside_of_texts() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        for (why, raw, fits) in [
            ("the limit", nested(128), true),
            ("one more", nested(129), false),
            ("brackets in a text", format!("[\"{}\"]", "[".repeat(500)), true),
            ("after an escaped quote", format!(r#"["\"{}"]"#, "{".repeat(500)), true),
            ("wide is not deep", format!("[{}[]]", "[],".repeat(500)), true),
        ] {
            assert_eq!(check_depth(&raw).is_ok(), fits, "{why}");
        }
    }
}
