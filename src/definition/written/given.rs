//! A value as somebody gave it: absent, readable, or of the wrong kind. A
//! wrong kind is kept as a message and stops nothing, so that one reading
//! finds every problem.

use serde_yaml::{Mapping, Value};

#[derive(Debug, Clone, Default, PartialEq)]
pub enum Given<T> {
    /// Not there, or a key without a value.
    #[default]
    Absent,
    Good(T),
    /// What was expected and what was found: "a duration such as 5m, not a list".
    Bad(String),
}

/// A kind of value.
pub trait What: Sized {
    /// What a person is told to write.
    const WHAT: &'static str;

    /// `None` where it is of another kind.
    fn of(value: Value) -> Option<Self>;
}

impl<T> Given<T> {
    pub fn is_given(&self) -> bool {
        !matches!(self, Given::Absent)
    }
}

impl<T: What> Given<T> {
    pub fn of(value: Value) -> Given<T> {
        if value.is_null() {
            return Given::Absent;
        }
        let found = kind_of(&value);
        let is_plain = !(value.is_mapping() || value.is_sequence());
        let quotes = if T::WHAT == String::WHAT && is_plain { "; put it in quotes" } else { "" };
        match T::of(value) {
            Some(good) => Given::Good(good),
            None => Given::Bad(format!("{}, not {found}{quotes}", T::WHAT)),
        }
    }
}

/// Never the value itself: it may be a secret in the wrong place.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => "a fraction",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Sequence(_) => "a list",
        Value::Mapping(_) | Value::Tagged(_) => "a map",
    }
}

impl What for String {
    const WHAT: &'static str = "text";

    fn of(value: Value) -> Option<String> {
        if let Value::String(text) = value { Some(text) } else { None }
    }
}

impl What for i64 {
    const WHAT: &'static str = "a whole number";

    fn of(value: Value) -> Option<i64> {
        value.as_i64()
    }
}

impl What for bool {
    const WHAT: &'static str = "true or false";

    fn of(value: Value) -> Option<bool> {
        value.as_bool()
    }
}

impl What for Mapping {
    const WHAT: &'static str = "a map";

    fn of(value: Value) -> Option<Mapping> {
        if let Value::Mapping(map) = value { Some(map) } else { None }
    }
}

/// Any value at all.
impl What for Value {
    const WHAT: &'static str = "a value";

    fn of(value: Value) -> Option<Value> {
        Some(value)
    }
}

impl<T: What> What for Vec<Given<T>> {
    const WHAT: &'static str = "a list";

    fn of(value: Value) -> Option<Vec<Given<T>>> {
        if let Value::Sequence(items) = value {
            Some(items.into_iter().map(Given::of).collect())
        } else {
            None
        }
    }
}
