//! A value as somebody gave it: absent, readable, or of the wrong kind. A
//! wrong kind is kept as a message and stops nothing, so that one reading
//! finds every problem.

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
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

/// What a person is told to write.
pub trait What {
    const WHAT: &'static str;
}

impl<T> Given<T> {
    pub fn is_given(&self) -> bool {
        !matches!(self, Given::Absent)
    }
}

impl<'de, T: DeserializeOwned + What> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if value.is_null() {
            return Ok(Given::Absent);
        }
        let found = kind_of(&value);
        let quotes = if T::WHAT == String::WHAT && !(value.is_mapping() || value.is_sequence()) {
            "; put it in quotes"
        } else {
            ""
        };
        Ok(match serde_yaml::from_value(value) {
            Ok(good) => Given::Good(good),
            Err(_) => Given::Bad(format!("{}, not {found}{quotes}", T::WHAT)),
        })
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
}

impl What for i64 {
    const WHAT: &'static str = "a whole number";
}

impl What for bool {
    const WHAT: &'static str = "true or false";
}

impl What for Mapping {
    const WHAT: &'static str = "a map";
}

/// Any value at all.
impl What for Value {
    const WHAT: &'static str = "a value";
}

impl<T> What for Vec<T> {
    const WHAT: &'static str = "a list";
}
