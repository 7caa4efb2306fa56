//! A value on its way into a data table.

use std::borrow::Cow;

use rusqlite::ToSql;
use rusqlite::types::{Null, ToSqlOutput, ValueRef};

/// Borrows from the page's bytes where the text needs no unescaping.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(Cow<'a, str>),
}

impl Value<'_> {
    /// As SQLite orders: nulls, numbers, text.
    pub fn is_after(&self, other: &Value<'_>) -> bool {
        use Value::{Integer, Null, Real, Text};
        match (self, other) {
            (Null, _) => false,
            (_, Null) => true,
            (Text(a), Text(b)) => a > b,
            (Text(_), _) => true,
            (_, Text(_)) => false,
            (Integer(a), Integer(b)) => a > b,
            (Integer(a), Real(b)) => *a as f64 > *b,
            (Real(a), Integer(b)) => *a > *b as f64,
            (Real(a), Real(b)) => a > b,
        }
    }

    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Integer(number) => Value::Integer(number),
            Value::Real(number) => Value::Real(number),
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
        }
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Value::Null => ToSqlOutput::from(Null),
            Value::Integer(number) => ToSqlOutput::from(*number),
            Value::Real(number) => ToSqlOutput::from(*number),
            Value::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}
