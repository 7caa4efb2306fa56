//! From a document as written to a definition: every rule, and every problem
//! at once, so that a file is mended in one edit. Keeps out the text: places
//! are looked up afterwards, by the path of each finding.

pub(super) mod client;
mod deployment;
mod field;
mod handler;
mod pagination;
mod provider;
mod request;
mod response;
mod scope;
mod source;
mod timing;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use serde_yaml::Value;

use super::document::Definition;
use super::nearest;
use super::problem::Finding;
use super::written::{self, kind_of};
use scope::{Scope, shorten};

const KINDS: [&str; 5] = ["source", "client", "provider", "deployment", "handler"];

/// Words of a later version: no slips, so nothing is guessed for them.
const LATER: [&str; 1] = ["kafka"];

pub fn check(document: &Value) -> Result<Definition, Vec<Finding>> {
    let findings = RefCell::new(Vec::new());
    let definition = definition(&Scope::new(&findings), document);
    let findings = findings.into_inner();
    if !findings.is_empty() {
        return Err(findings);
    }
    Ok(definition.expect("what is missing from a definition is a finding"))
}

fn definition(scope: &Scope<'_>, document: &Value) -> Option<Definition> {
    let Some(keys) = document.as_mapping() else {
        scope.wrong(format!("a document is a map with keys such as `name`, not {}", kind_of(document)));
        return None;
    };
    match document.get("kind").map_or(Some("source"), |kind| kind.as_str()) {
        Some("source") => source::check(scope, read(document)).map(Box::new).map(Definition::Source),
        Some("client") => client::check(scope, keys).map(Definition::Client),
        Some("provider") => provider::check(scope, read(document)).map(Definition::Provider),
        Some("deployment") => deployment::check(scope, read(document)).map(Definition::Deployment),
        Some("handler") => handler::check(scope, read(document)).map(Definition::Handler),
        kind => {
            scope.key("kind").wrong(no_such_kind(kind));
            None
        }
    }
}

fn no_such_kind(kind: Option<&str>) -> String {
    let known = "source, client, provider, deployment or handler will do";
    match kind {
        Some(other) => match nearest(other, KINDS) {
            Some(meant) => format!("there is no kind `{other}`; did you mean `{meant}`?"),
            None => format!("there is no kind `{}`; {known}", shorten(other)),
        },
        None => format!("`kind` is text; {known}"),
    }
}

fn read<T: written::What>(document: &Value) -> T {
    T::of(document.clone()).expect("written types take any map with text keys")
}

/// Unknown keys, with what was probably meant.
fn unknown(scope: &Scope<'_>, unknown: &serde_yaml::Mapping, keys: &[&str]) {
    let known: Vec<String> = keys.iter().map(|key| written::in_yaml(key)).collect();
    for key in unknown.keys().filter_map(Value::as_str) {
        let message = if LATER.contains(&key) {
            format!("`{key}` is not supported yet")
        } else if let Some(meant) = nearest(key, known.iter().map(String::as_str)) {
            format!("there is no key `{key}`; did you mean `{meant}`?")
        } else {
            format!("there is no key `{}` here; there is {}", shorten(key), known.join(", "))
        };
        scope.key(key).wrong_key(message);
    }
}
