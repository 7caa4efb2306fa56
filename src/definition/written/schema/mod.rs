//! The JSON Schema of the documents, made of the types that read them, for
//! tests only: the program carries the file `schema.json`, and a test fails
//! where the two differ. This makes the file anew:
//!
//! `HERMES_WRITE_SCHEMA=1 cargo test --lib the_schema_is_that_of_the_types`
//!
//! Draft 7, as that is what yaml-language-server understands.

mod client;
mod kinds;
mod tests;

pub(in crate::definition) use tests::assert_describes;

use serde_json::{Map, Value, json};
use serde_yaml::Mapping;

use super::{Fields, Given, OneOrMany, Params, Scalar, Size, Span, in_yaml};

pub(super) const KINDS: [&str; 5] = ["source", "client", "provider", "deployment", "handler"];
pub(super) const NAME: &str = "^[a-z0-9_-]{1,64}$";
pub(super) const IDENTIFIER: &str = "^[A-Za-z_][A-Za-z0-9_]{0,63}$";
pub(super) const HEADER: &str = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
pub(super) const DOMAIN: &str = r"^[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*$";
pub(super) const WEB_URL: &str = "^[Hh][Tt][Tt][Pp][Ss]?://[^#]+$";
pub(super) const URL: &str = "^([Hh][Tt][Tt][Pp][Ss]?://[^#]+|hermes:vitals)$";
/// Any text, but after `${` what is known. Without a look ahead, which not every validator has.
pub(super) const TEMPLATE: &str = concat!(
    r"^([^$]|\$+[^${]|\$+\{(env:[A-Za-z0-9_]+|file:[^}]+|",
    r"(slot|window\.from|window\.to|since)(\|[^}]+)?)\})*\$*$"
);
pub(super) const SCHEDULE: &str = r"^\s*(daily|hourly|interval:\s*[0-9]+[smhd]?|(\S+\s+){4}\S+)\s*$";
pub(super) const SCHEDULES: [&str; 4] = ["daily", "hourly", "interval:15m", "*/15 * * * *"];
const DURATION: &str = "^[0-9]+[smhd]?$";
const SIZE: &str = "^[0-9]+ *(B|KiB|MiB|GiB)?$";

/// What a value of this type looks like.
pub(super) trait Described {
    fn schema() -> Value;
}

macro_rules! described {
    ($($type:ty => $schema:tt)*) => {$(
        impl Described for $type {
            fn schema() -> Value {
                json!($schema)
            }
        }
    )*};
}

described! {
    String => { "type": "string" }
    i64 => { "type": "integer" }
    bool => { "type": "boolean" }
    Mapping => { "type": "object" }
    serde_yaml::Value => {}
    Scalar => { "type": ["string", "number", "boolean"] }
    Span => { "type": ["string", "integer"], "pattern": DURATION, "minimum": 0 }
    Size => { "type": ["string", "integer"], "pattern": SIZE, "minimum": 0 }
    Params => { "anyOf": [
        { "type": "array", "items": (super::Param::schema()) },
        { "type": "object", "propertyNames": { "minLength": 1 },
          "additionalProperties": { "type": ["string", "number", "boolean"], "pattern": TEMPLATE } }
    ] }
    Fields => { "anyOf": [
        { "type": "array", "minItems": 1, "items": (super::Field::schema()) },
        { "type": "object", "minProperties": 1, "propertyNames": { "pattern": IDENTIFIER },
          "additionalProperties": (OneOrMany::<String>::schema()) }
    ] }
}

impl<T: Described> Described for Vec<Given<T>> {
    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }
}

impl<T: Described> Described for OneOrMany<T> {
    fn schema() -> Value {
        json!({ "anyOf": [T::schema(), { "type": "array", "minItems": 1, "items": T::schema() }] })
    }
}

/// A key of a map, as the types have it.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) schema: Value,
    /// Keywords for this key alone. `nullable: false` is none: the key has to have a value where it stands.
    pub(super) hint: Value,
}

pub(super) fn map_of(needed: &[&str], keys: Vec<Key>, rule: Value) -> Value {
    let mut properties = Map::new();
    for key in keys {
        let is_needed = needed.contains(&key.name);
        properties.insert(in_yaml(key.name), key.into_schema(is_needed));
    }
    let mut schema = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if !needed.is_empty() {
        schema["required"] = needed.iter().map(|key| in_yaml(key)).collect();
    }
    add(&mut schema, rule);
    schema
}

impl Key {
    fn into_schema(self, is_needed: bool) -> Value {
        let mut schema = self.schema;
        add(&mut schema, self.hint);
        let has_to = schema.as_object_mut().and_then(|keywords| keywords.remove("nullable"));
        if !is_needed && has_to.is_none() {
            allow_nothing(&mut schema);
        }
        // Of one line: editors break it themselves.
        schema["description"] = self.about.split_whitespace().collect::<Vec<_>>().join(" ").into();
        schema
    }
}

fn add(schema: &mut Value, more: Value) {
    let (Value::Object(keywords), Value::Object(more)) = (schema, more) else { panic!("maps of keywords") };
    keywords.extend(more);
}

/// A key without a value is as good as none.
fn allow_nothing(schema: &mut Value) {
    if let Some(words) = schema.get_mut("enum") {
        words.as_array_mut().expect("a list").push(Value::Null);
    }
    if let Some(ways) = schema.get_mut("anyOf") {
        ways.as_array_mut().expect("a list").push(json!({ "type": "null" }));
    } else if let Some(types) = schema.get_mut("type") {
        *types = match types.take() {
            Value::Array(mut types) => {
                types.push("null".into());
                types.into()
            }
            one => json!([one, "null"]),
        };
    }
}
