//! Values that may be written in more than one form. Keeps out what the forms
//! have in common: `check` brings them together.

use serde::Deserialize;
use serde_yaml::{Mapping, Number};

use super::{Field, Given, Param, What};

/// Query parameters: a list of `{name, value}`, or a map.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Params {
    List(Vec<Given<Param>>),
    Map(Mapping),
}

impl What for Params {
    const WHAT: &'static str = "a list of {name, value} or a map";
}

/// A list of fields, or a map `target: source`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Fields {
    List(Vec<Given<Field>>),
    Map(Mapping),
}

impl What for Fields {
    const WHAT: &'static str = "a list of fields or a map `target: source`";
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, bound = "T: serde::de::DeserializeOwned + What")]
pub enum OneOrMany<T> {
    Many(Vec<Given<T>>),
    One(T),
}

impl<T: What> What for OneOrMany<T> {
    const WHAT: &'static str = "text or a list";
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    Text(String),
    Number(Number),
    Boolean(bool),
}

impl What for Scalar {
    const WHAT: &'static str = "text, a number, true or false";
}

/// A duration: `90s`, or a number of seconds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Span(pub NumberOrText);

impl What for Span {
    const WHAT: &'static str = "a duration such as 5m";
}

/// A size: `16MiB`, or a number of bytes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Size(pub NumberOrText);

impl What for Size {
    const WHAT: &'static str = "a size such as 16MiB";
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum NumberOrText {
    Number(Number),
    Text(String),
}

impl NumberOrText {
    pub fn into_text(self) -> String {
        match self {
            NumberOrText::Number(number) => number.to_string(),
            NumberOrText::Text(text) => text,
        }
    }
}
