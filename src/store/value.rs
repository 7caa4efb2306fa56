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
