//! Values that may be written in more than one form. Keeps out what the forms
//! have in common: `check` brings them together.

use serde_yaml::{Mapping, Number, Value};

use super::{Field, Given, Param, What};

/// Query parameters: a list of `{name, value}`, or a map.
#[derive(Debug, Clone, PartialEq)]
pub enum Params {
    List(Vec<Given<Param>>),
    Map(Mapping),
}

impl What for Params {
    const WHAT: &'static str = "a list of {name, value} or a map";

    fn of(value: Value) -> Option<Self> {
        Vec::of(value.clone()).map(Params::List).or_else(|| Mapping::of(value).map(Params::Map))
    }
}

/// A list of fields, or a map `target: source`.
#[derive(Debug, Clone, PartialEq)]
pub enum Fields {
    List(Vec<Given<Field>>),
    Map(Mapping),
}

impl What for Fields {
    const WHAT: &'static str = "a list of fields or a map `target: source`";

    fn of(value: Value) -> Option<Self> {
        Vec::of(value.clone()).map(Fields::List).or_else(|| Mapping::of(value).map(Fields::Map))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum OneOrMany<T> {
    Many(Vec<Given<T>>),
    One(T),
}

impl<T: What> What for OneOrMany<T> {
    const WHAT: &'static str = "text or a list";

    fn of(value: Value) -> Option<Self> {
        Vec::of(value.clone()).map(OneOrMany::Many).or_else(|| T::of(value).map(OneOrMany::One))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    Text(String),
    Number(Number),
    Boolean(bool),
}

impl What for Scalar {
    const WHAT: &'static str = "text, a number, true or false";

    fn of(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Scalar::Text(text)),
            Value::Number(number) => Some(Scalar::Number(number)),
            Value::Bool(boolean) => Some(Scalar::Boolean(boolean)),
            _ => None,
        }
    }
}

/// A duration: `90s`, or a number of seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Span(pub NumberOrText);

impl What for Span {
    const WHAT: &'static str = "a duration such as 5m";

    fn of(value: Value) -> Option<Self> {
        number_or_text(value).map(Span)
    }
}

/// A size: `16MiB`, or a number of bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Size(pub NumberOrText);

impl What for Size {
    const WHAT: &'static str = "a size such as 16MiB";

    fn of(value: Value) -> Option<Self> {
        number_or_text(value).map(Size)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum NumberOrText {
    Number(Number),
    Text(String),
}

fn number_or_text(value: Value) -> Option<NumberOrText> {
    match value {
        Value::Number(number) => Some(NumberOrText::Number(number)),
        Value::String(text) => Some(NumberOrText::Text(text)),
        _ => None,
    }
}

impl NumberOrText {
    pub fn into_text(self) -> String {
        match self {
            NumberOrText::Number(number) => number.to_string(),
            NumberOrText::Text(text) => text,
        }
    }
}
