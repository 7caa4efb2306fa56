//! The rules of a client by itself, and of some keys of a source without the
//! others. What depends on the values of `with` is left to the sources.

use std::cell::RefCell;

use serde_yaml::{Mapping, Value};

use super::scope::Scope;
use super::{read, source};
use crate::definition::client::{Client, is_open, is_sound};
use crate::definition::problem::{At, FieldPath, Finding, Step};

/// Neither is a template's: a client is not made from another.
const OF_SOURCES: [&str; 2] = ["client", "with"];

pub(super) fn check(scope: &Scope<'_>, document: &Mapping) -> Option<Client> {
    for key in OF_SOURCES.iter().filter(|key| document.contains_key(**key)) {
        scope.key(key).wrong_key(format!("`{key}` stands in a source; a client is not made from another"));
    }
    for (key, value) in document {
        let key = key.as_str().unwrap_or_default();
        placeholders(scope, value, &mut FieldPath::default().key(key));
    }
    for finding in of_some_keys(&without_placeholders(document)) {
        let at = scope.at(&finding.path);
        if finding.at == At::Value { at.wrong(finding.message) } else { at.wrong_key(finding.message) }
    }
    let is_key = |key: &Value| !matches!(key.as_str(), Some("kind" | "name"));
    let keys = document.iter().filter(|(key, _)| is_key(key));
    let name = document.get("name")?.as_str()?.to_owned();
    Some(Client { name, keys: keys.map(|(key, value)| (key.clone(), value.clone())).collect() })
}

fn placeholders(scope: &Scope<'_>, value: &Value, path: &mut FieldPath) {
    match value {
        Value::String(text) if !is_sound(text) => scope
            .at(path)
            .wrong("`${with.` has to go on as in ${with.NAME}; a name has letters, digits, - and _"),
        Value::Sequence(items) => {
            for (index, item) in items.iter().enumerate() {
                path.0.push(Step::Item(index));
                placeholders(scope, item, path);
                path.0.pop();
            }
        }
        Value::Mapping(entries) => {
            for (key, value) in entries {
                let key = key.as_str().unwrap_or_default();
                path.0.push(Step::Key(key.to_owned()));
                if key.contains("${with.") {
                    scope
                        .at(path)
                        .wrong_key("${with.NAME} is filled in where it stands in a value, not in a key");
                }
                placeholders(scope, value, path);
                path.0.pop();
            }
        }
        _ => {}
    }
}

/// A key whose value is not known yet stays, for its name can be wrong.
fn without_placeholders(document: &Mapping) -> Mapping {
    let plain = |(key, value): (&Value, &Value)| match key.as_str() {
        Some("client" | "with") => None,
        Some("name") => Some((key.clone(), value.clone())),
        _ if is_open(value) => Some((key.clone(), Value::Null)),
        _ => Some((key.clone(), value.clone())),
    };
    document.iter().filter_map(plain).collect()
}

/// The problems of these keys of a source, whatever the others will be. The
/// name is never another's.
pub(in crate::definition) fn of_some_keys(keys: &Mapping) -> Vec<Finding> {
    let mut probe = keys.clone();
    if keys.get("method").is_none_or(Value::is_null) {
        // What a body goes with.
        probe.insert("method".into(), "POST".into());
    }
    let findings = RefCell::new(Vec::new());
    source::check(&Scope::new(&findings), read(&Value::Mapping(probe)));
    let is_given = |key: &str| keys.get(key).is_some_and(|value| !value.is_null());
    let counts = |finding: &Finding| match finding.path.0.as_slice() {
        // Without the fields it cannot be told what is.
        [Step::Key(key)] if key == "incremental" => is_given(key) && is_given("response"),
        [Step::Key(key), ..] => key == "name" || is_given(key) || finding.at == At::Key,
        _ => true,
    };
    findings.into_inner().into_iter().filter(counts).collect()
}
