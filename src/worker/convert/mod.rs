//! One value of an answer into one value of a row, by the type that its field
//! has. Keeps out where in the answer it stood.

mod given;
mod nulls;
mod number;
mod time;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::de::IgnoredAny;

use self::given::{Given, check_depth, unescaped};
use self::nulls::Nulls;
use crate::definition::{Field, FieldType};
use crate::store::value::Value;
use crate::worker::quote::quote;

pub use self::given::MAX_JSON_DEPTH;

/// A field's rules, made once for all records. The errors say what is wrong
/// with the value; whose value it is, the caller knows.
#[derive(Debug, Clone)]
pub struct Converter {
    kind: Option<FieldType>,
    nulls: Nulls,
    /// Converted once; a default that does not fit its type is an error where it is needed.
    default: Result<Value<'static>, String>,
}

impl Converter {
    pub fn new(field: &Field) -> Converter {
        let default = match &field.default {
            Some(default) => constant(default, field).map_err(|message| format!("its default: {message}")),
            None => Ok(Value::Null),
        };
        Converter { kind: field.kind.clone(), nulls: Nulls::new(&field.nulls), default }
    }

    /// `raw` is one JSON value without blanks around it.
    pub fn json<'a>(&'a self, raw: &'a str) -> Result<Value<'a>, String> {
        if matches!(self.kind, Some(FieldType::Json)) {
            return self.kept_json(raw);
        }
        // Most values are texts that stay as they are.
        if matches!(self.kind, None | Some(FieldType::Text)) && raw.starts_with('"') && self.nulls.is_empty()
        {
            return unescaped(raw).map(Value::Text);
        }
        match Given::from_json(raw)? {
            Some(given) if !self.nulls.contain(given.text()) => self.typed(given),
            _ => self.missing(),
        }
    }

    /// A cell of a CSV file, a key, or values joined.
    pub fn text<'a>(&'a self, text: Cow<'a, str>) -> Result<Value<'a>, String> {
        if self.nulls.contain(&text) {
            return self.missing();
        }
        self.typed(Given::Text(text))
    }

    /// For a value that is not there, or null.
    pub fn missing(&self) -> Result<Value<'_>, String> {
        fixed(&self.default)
    }

    /// One of several values that become one text; `None` where it is not there.
    pub fn part<'a>(&self, raw: &'a str) -> Result<Option<Cow<'a, str>>, String> {
        let given = Given::from_json(raw)?.filter(|given| !self.nulls.contain(given.text()));
        Ok(given.map(Given::into_text))
    }

    /// The same of a CSV file's cell.
    pub fn text_part<'a>(&self, text: &'a str) -> Option<Cow<'a, str>> {
        (!self.nulls.contain(text)).then_some(Cow::Borrowed(text))
    }

    /// As it stands, quotes and escapes included.
    fn kept_json<'a>(&'a self, raw: &'a str) -> Result<Value<'a>, String> {
        let is_null = raw == "null"
            || (!self.nulls.is_empty()
                && Given::from_json(raw)?.is_some_and(|given| self.nulls.contain(given.text())));
        if is_null { self.missing() } else { json_text(raw) }
    }

    fn typed<'a>(&self, given: Given<'a>) -> Result<Value<'a>, String> {
        match &self.kind {
            None => as_it_is(given),
            Some(FieldType::Text) => as_text(given),
            Some(FieldType::Integer) => integer(&given).map(Value::Integer),
            Some(FieldType::Real) => number::real(numeric(&given, "a number")?).map(Value::Real),
            Some(FieldType::Boolean) => number::boolean(given.scalar("a boolean")?).map(Value::Integer),
            Some(FieldType::Timestamp { format, zone }) => {
                time::timestamp(given.scalar("a timestamp")?, format, zone)
                    .map(|text| Value::Text(text.into()))
            }
            Some(FieldType::Json) => parsed_json(given),
        }
    }
}

/// A value of the document, which outlives every answer. `nulls` do not apply:
/// they are about what the API says.
pub fn constant(value: &serde_json::Value, field: &Field) -> Result<Value<'static>, String> {
    let plain = Converter { kind: field.kind.clone(), nulls: Nulls::default(), default: Ok(Value::Null) };
    plain.json(&value.to_string()).map(into_owned)
}

/// A value made once, lent to one record.
pub fn fixed<'a>(value: &'a Result<Value<'_>, String>) -> Result<Value<'a>, String> {
    Ok(match value {
        Ok(Value::Null) => Value::Null,
        Ok(Value::Integer(number)) => Value::Integer(*number),
        Ok(Value::Real(number)) => Value::Real(*number),
        Ok(Value::Text(text)) => Value::Text(Cow::Borrowed(text)),
        Err(message) => return Err(message.clone()),
    })
}

fn into_owned(value: Value<'_>) -> Value<'static> {
    match value {
        Value::Null => Value::Null,
        Value::Integer(number) => Value::Integer(number),
        Value::Real(number) => Value::Real(number),
        Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
    }
}

/// Without a type. A number that neither kind of column can hold stays as its
/// digits: nothing is rounded behind anyone's back.
fn as_it_is(given: Given<'_>) -> Result<Value<'_>, String> {
    Ok(match given {
        Given::Boolean(raw) => Value::Integer(i64::from(raw == "true")),
        Given::Number(raw) => as_number(raw),
        other => return as_text(other),
    })
}

fn as_number(raw: &str) -> Value<'_> {
    if let Ok(number) = raw.parse() {
        return Value::Integer(number);
    }
    let is_integer = !raw.contains(['.', 'e', 'E']);
    match number::parse_number(raw).filter(|number| number.is_finite() && !is_integer) {
        Some(number) => Value::Real(number),
        None => Value::Text(Cow::Borrowed(raw)),
    }
}

fn as_text(given: Given<'_>) -> Result<Value<'_>, String> {
    if let Given::Container(raw) = given {
        return json_text(raw);
    }
    Ok(Value::Text(given.into_text()))
}

fn integer(given: &Given<'_>) -> Result<i64, String> {
    number::integer(numeric(given, "an integer")?)
}

/// The text of a number; a boolean of JSON counts as one, its word in a text does not.
fn numeric<'g>(given: &'g Given<'_>, want: &str) -> Result<&'g str, String> {
    match given {
        Given::Boolean("true") => Ok("1"),
        Given::Boolean(_) => Ok("0"),
        other => other.scalar(want),
    }
}

fn json_text(raw: &str) -> Result<Value<'_>, String> {
    check_depth(raw)?;
    Ok(Value::Text(Cow::Borrowed(raw)))
}

/// For a CSV cell of type `json`: it must be some.
fn parsed_json(given: Given<'_>) -> Result<Value<'_>, String> {
    let text = given.into_text();
    number::full(&text, "JSON")?;
    match serde_json::from_str::<IgnoredAny>(&text) {
        Ok(_) => check_depth(&text).map(|()| Value::Text(text)),
        Err(_) => Err(format!("{} is not JSON", quote(&text))),
    }
}
