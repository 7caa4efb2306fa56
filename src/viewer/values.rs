//! Values of a data table on their way out: as their source's document types
//! them, where that says more than SQLite does. It reads the store once, for
//! the types.

use std::borrow::Cow;
use std::fmt::Write;

use rusqlite::types::ValueRef;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::definition::FieldType;
use crate::error::Result;
use crate::store::Store;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As SQLite has it.
    Plain,
    /// Text that is JSON.
    Json,
    /// 0 or 1.
    Boolean,
}

/// Of each column, by the documents of all sources that write to the table.
pub fn kinds(store: &Store, table: &str, columns: &[String]) -> Result<Vec<Kind>> {
    let mut kinds = vec![Kind::Plain; columns.len()];
    for row in store.sources()?.iter().filter(|row| row.table_name.eq_ignore_ascii_case(table)) {
        let Ok(source) = row.source(&store.client_of(row)?) else { continue };
        for field in &source.response.fields {
            let at = columns.iter().position(|name| name.eq_ignore_ascii_case(&field.target));
            match (at, &field.kind) {
                (Some(at), Some(FieldType::Json)) => kinds[at] = Kind::Json,
                (Some(at), Some(FieldType::Boolean)) => kinds[at] = Kind::Boolean,
                _ => {}
            }
        }
    }
    Ok(kinds)
}

/// What does not fit its type stays as it is.
pub fn to_json(kind: Kind, value: ValueRef<'_>) -> Value {
    match (kind, value) {
        (_, ValueRef::Null) => Value::Null,
        (Kind::Boolean, ValueRef::Integer(number @ 0..=1)) => json!(number == 1),
        (_, ValueRef::Integer(number)) => json!(number),
        (_, ValueRef::Real(number)) => json!(number),
        (Kind::Json, ValueRef::Text(text)) => {
            serde_json::from_slice(text).unwrap_or_else(|_| json!(String::from_utf8_lossy(text)))
        }
        (_, ValueRef::Text(text)) => json!(String::from_utf8_lossy(text)),
        (_, ValueRef::Blob(bytes)) => json!(hexadecimal(bytes)),
    }
}

/// As SQLite has it.
pub fn plain_json(value: &rusqlite::types::Value) -> Value {
    to_json(Kind::Plain, value.into())
}

/// The same as text: JSON digit by digit and in its own order, on one line.
pub fn to_json_text(kind: Kind, value: ValueRef<'_>) -> String {
    if let (Kind::Json, ValueRef::Text(text)) = (kind, value)
        && let Ok(raw) = serde_json::from_slice::<&RawValue>(text)
    {
        // Outside its strings, where they would be escaped, these are but blanks.
        return raw.get().replace(['\n', '\r'], " ");
    }
    to_json(kind, value).to_string()
}

/// Without types, and NULL empty.
pub fn to_text(value: ValueRef<'_>) -> Cow<'_, str> {
    match value {
        ValueRef::Null => Cow::Borrowed(""),
        ValueRef::Text(text) => String::from_utf8_lossy(text),
        ValueRef::Blob(bytes) => Cow::Owned(hexadecimal(bytes)),
        ValueRef::Integer(number) => Cow::Owned(number.to_string()),
        ValueRef::Real(number) => Cow::Owned(json!(number).to_string()),
    }
}

/// JSON may hold DEL and the C1 controls as they are; a terminal would obey them.
pub fn without_controls(json: &str) -> Cow<'_, str> {
    let is_one = |c: char| matches!(c, '\u{7f}'..='\u{9f}');
    if !json.contains(is_one) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match is_one(c) {
            true => write!(text, "\\u{:04x}", u32::from(c)).expect("a string takes all"),
            false => text.push(c),
        }
    }
    Cow::Owned(text)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_out_as_their_types_say() {
        use ValueRef::{Blob, Integer, Null, Real, Text};
        for (kind, value, json, text) in [
            (Kind::Plain, Null, "null", ""),
            (Kind::Json, Null, "null", ""),
            (Kind::Plain, Integer(i64::MIN), "-9223372036854775808", "-9223372036854775808"),
            (Kind::Plain, Real(2.0), "2.0", "2.0"),
            (Kind::Plain, Real(1e300), "1e+300", "1e+300"),
            (Kind::Boolean, Integer(1), "true", "1"),
            (Kind::Boolean, Integer(2), "2", "2"),
            (Kind::Plain, Text(b"a\"b"), "\"a\\\"b\"", "a\"b"),
            (Kind::Plain, Text(b"{\"a\":1}"), "\"{\\\"a\\\":1}\"", "{\"a\":1}"),
            (Kind::Json, Text(b"{\"b\":1,\n\"a\":1.10}"), "{\"b\":1, \"a\":1.10}", "{\"b\":1,\n\"a\":1.10}"),
            (Kind::Json, Text(b"{broken"), "\"{broken\"", "{broken"),
            (Kind::Plain, Text(b"\xff"), "\"\u{fffd}\"", "\u{fffd}"),
            (Kind::Plain, Blob(&[0, 255]), "\"00ff\"", "00ff"),
        ] {
            assert_eq!(to_json_text(kind, value), json, "{value:?}");
            assert_eq!(to_text(value), text, "{value:?}");
        }
    }

    #[test]
    fn controls_are_escaped() {
        assert_eq!(without_controls("\"a\u{7f}\u{9b}é\""), "\"a\\u007f\\u009bé\"");
    }
}
