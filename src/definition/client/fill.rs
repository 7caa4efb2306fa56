//! A source made from a client: the client's keys with the values of `with`,
//! under the source's own keys. Values in, value out; what the result means is
//! checked afterwards.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::{Mapping, Value};

use super::{Client, Clients, is_source, names_in, split};
use crate::definition::nearest;
use crate::definition::problem::{At, FieldPath, Finding, Step, shorten};
use crate::definition::written::{Scalar, What, kind_of};
use crate::order;

/// Values and characters of a source that is filled in: one long value may
/// stand in many places.
const MAX_FILLED: usize = 1 << 20;

/// The values of `with`.
type With<'a> = BTreeMap<&'a str, &'a Value>;

/// A source as if it had been written in full.
#[derive(Debug)]
pub struct Filled {
    pub document: Value,
    pub client: String,
}

impl Clients {
    /// `None` for a document that is not made from a client.
    pub(in crate::definition) fn fill(&self, document: &Value) -> Result<Option<Filled>, Vec<Finding>> {
        let Some(own) = document.as_mapping().filter(|_| is_source(document)) else { return Ok(None) };
        let given = |key: &str| own.get(key).filter(|value| !value.is_null());
        let name = match (given("client"), given("with")) {
            (None, None) => return Ok(None),
            (None, Some(_)) => return Err(vec![without_client()]),
            (Some(name), _) => name.as_str().ok_or_else(|| vec![not_a("client", String::WHAT, name)])?,
        };
        let client = self.find(name).map_err(|message| vec![finding(&["client"], At::Value, message)])?;
        let with = values(given("with"))?;
        check_names(client, own, &with, given("with").is_some())?;
        let document = together(own, client, &with)
            .ok_or_else(|| vec![finding(&["client"], At::Value, TOO_LARGE.to_owned())])?;
        Ok(Some(Filled { document, client: name.to_owned() }))
    }

    fn find(&self, name: &str) -> Result<&Client, String> {
        let shown = shorten(name);
        match self.0.get(name) {
            Some(known) => known
                .client
                .as_ref()
                .ok_or_else(|| format!("the client `{shown}` has a problem of its own; mend that first")),
            None => Err(match nearest(name, self.names()) {
                Some(meant) => format!("there is no client `{shown}`; did you mean `{meant}`?"),
                None => {
                    format!("there is no client `{shown}`: a document with `kind: client` and that name")
                }
            }),
        }
    }
}

const TOO_LARGE: &str = "filled in, this source is larger than 1 MiB";

fn finding(path: &[&str], at: At, message: String) -> Finding {
    Finding { path: FieldPath(path.iter().map(|&key| Step::Key(key.to_owned())).collect()), at, message }
}

fn without_client() -> Finding {
    finding(&["with"], At::Key, "`with` fills in a client: name it with `client`".into())
}

fn not_a(key: &str, what: &str, found: &Value) -> Finding {
    finding(&[key], At::Value, format!("`{key}` is {what}, not {}", kind_of(found)))
}

/// A key without a value is as good as none.
fn values(with: Option<&Value>) -> Result<With<'_>, Vec<Finding>> {
    let Some(with) = with else { return Ok(With::new()) };
    let entries = with.as_mapping().ok_or_else(|| vec![not_a("with", Mapping::WHAT, with)])?;
    let mut values = With::new();
    let mut wrong = Vec::new();
    for (key, value) in entries {
        let key = key.as_str().unwrap_or_default();
        match value {
            Value::Null => {}
            Value::String(_) | Value::Number(_) | Value::Bool(_) => drop(values.insert(key, value)),
            _ => {
                let message = format!("a value of `with` is {}, not {}", Scalar::WHAT, kind_of(value));
                wrong.push(finding(&["with", key], At::Value, message));
            }
        }
    }
    if wrong.is_empty() { Ok(values) } else { Err(wrong) }
}

/// Each value that is needed is given, each that is given has a place. What
/// only keys use that the source overrides is neither missing nor in the way.
fn check_names(client: &Client, own: &Mapping, with: &With<'_>, has_with: bool) -> Result<(), Vec<Finding>> {
    let names = |wanted: &dyn Fn(&Value) -> bool| -> BTreeSet<String> {
        let values = client.keys.iter().filter(|(key, _)| wanted(key)).map(|(_, value)| names_in(value));
        order::set(values.flatten())
    };
    let known = names(&|_| true);
    let needed = names(&|key| !own.contains_key(key));
    // Without `with` there is no place for it but the client's.
    let at = if has_with { At::Value } else { At::Client };
    let missing = needed.iter().filter(|name| !with.contains_key(name.as_str())).map(|name| {
        let message = format!("`{name}` is missing: the client `{}` has ${{with.{name}}}", client.name);
        finding(&["with", name], at, message)
    });
    let unused = with.keys().filter(|name| !known.contains(**name)).map(|name| {
        let message =
            format!("the client `{}` has no ${{with.{}}}{}", client.name, shorten(name), meant(name, &known));
        finding(&["with", name], At::Key, message)
    });
    let findings: Vec<Finding> = missing.chain(unused).collect();
    if findings.is_empty() { Ok(()) } else { Err(findings) }
}

fn meant(name: &str, known: &BTreeSet<String>) -> String {
    let all: Vec<&str> = known.iter().map(String::as_str).collect();
    match nearest(name, all.iter().copied()) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None if all.is_empty() => "; it takes no values".to_owned(),
        None => format!("; it takes {}", shorten(&all.join(", "))),
    }
}

/// The source's own keys first, so that its name is; the client's where the
/// source has none. `None` where that is too large.
fn together(own: &Mapping, client: &Client, with: &With<'_>) -> Option<Value> {
    let is_way = |key: &Value| matches!(key.as_str(), Some("client" | "with"));
    let mut all: Mapping =
        own.iter().filter(|(key, _)| !is_way(key)).map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut left = MAX_FILLED;
    for (key, value) in client.keys.iter().filter(|(key, _)| !own.contains_key(*key)) {
        all.insert(key.clone(), filled(value, with, &mut left)?);
    }
    Some(Value::Mapping(all))
}

fn filled(value: &Value, with: &With<'_>, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    Some(match value {
        Value::String(text) => filled_text(text, with, left)?,
        Value::Sequence(items) => {
            Value::Sequence(items.iter().map(|item| filled(item, with, left)).collect::<Option<_>>()?)
        }
        Value::Mapping(entries) => {
            let entry = |(key, value): (&Value, &Value)| {
                *left = left.checked_sub(key.as_str().map_or(0, str::len))?;
                Some((key.clone(), filled(value, with, left)?))
            };
            Value::Mapping(entries.iter().map(entry).collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// What is nothing but a placeholder takes the value as it is, a number as a number.
fn filled_text(text: &str, with: &With<'_>, left: &mut usize) -> Option<Value> {
    if let Some(("", name, "")) = split(text)
        && let Some(&value) = with.get(name)
    {
        *left = left.checked_sub(as_text(value).len())?;
        return Some(value.clone());
    }
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, name, after)) = split(rest) {
        result.push_str(before);
        result.push_str(&with.get(name).map(|value| as_text(value)).unwrap_or_default());
        if result.len() > *left {
            return None;
        }
        rest = after;
    }
    result.push_str(rest);
    *left = left.checked_sub(result.len())?;
    Some(Value::String(result))
}

fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        _ => String::new(),
    }
}

/// A problem with a key that the client brought is told where the source names
/// the client.
pub(in crate::definition) fn of_the_client(mut finding: Finding, own: &Value, filled: &Filled) -> Finding {
    if let Some(Step::Key(key)) = finding.path.0.first()
        && own.get(key).is_none()
        && filled.document.get(key).is_some()
    {
        finding.at = At::Client;
        finding.message += &format!(" (from the client `{}`)", filled.client);
    }
    finding
}
