//! A client's schema: a source's, with `${with.NAME}` in place of any value
//! that is not a map or a list.

use serde_json::{Value, json};

use super::super::Source;
use super::Described;

pub(super) fn schema() -> Value {
    let mut schema = Source::schema();
    let keywords = schema.as_object_mut().expect("a map");
    for keyword in ["if", "else"] {
        keywords.remove(keyword);
    }
    keywords["dependencies"].as_object_mut().expect("a map").remove("with");
    keywords["required"] = json!(["kind", "name"]);
    let properties = keywords["properties"].as_object_mut().expect("a map");
    for key in ["client", "with"] {
        properties.remove(key);
    }
    let is_open = |key: &str| !matches!(key, "kind" | "name");
    properties.iter_mut().filter(|(key, _)| is_open(key)).for_each(|(_, value)| open(value));
    schema
}

/// Wherever values are described: under keys, in lists, among alternatives.
fn open(schema: &mut Value) {
    if let Some(Value::Object(keys)) = schema.get_mut("properties") {
        keys.values_mut().for_each(open);
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(inside @ Value::Object(_)) = schema.get_mut(keyword) {
            open(inside);
        }
    }
    if let Some(Value::Array(ways)) = schema.get_mut("anyOf") {
        ways.iter_mut().for_each(open);
    }
    if is_narrow(schema) {
        let about = schema.as_object_mut().and_then(|keywords| keywords.remove("description"));
        *schema = json!({ "anyOf": [schema.take(), { "type": "string", "pattern": r"\$\{with\.[A-Za-z0-9_-]+\}" }] });
        if let Some(about) = about {
            schema["description"] = about;
        }
    }
}

/// A single value that not every text will do for.
fn is_narrow(schema: &Value) -> bool {
    let types = match schema.get("type") {
        Some(Value::Array(types)) => types.clone(),
        Some(one) => vec![one.clone()],
        None => return false,
    };
    let may_be = |word: &str| types.iter().any(|one| one == word);
    let has_rule = ["pattern", "enum", "allOf", "minLength"].iter().any(|rule| schema.get(rule).is_some());
    let is_single = !may_be("object") && !may_be("array") && types != ["null"];
    is_single && (!may_be("string") || has_rule)
}
