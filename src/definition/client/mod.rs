//! Clients: templates of sources. Here is what one holds and how it is found;
//! `text` finds them in a file, `fill` makes a source of one. Keeps out the rules of what is filled in,
//! which are in `check`.

mod fill;
mod text;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_yaml::{Mapping, Value};

pub use fill::Filled;
pub(super) use fill::of_the_client;
pub use text::named_in;

/// What sources of one API have in common, with `${with.NAME}` for what differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Client {
    pub name: String,
    /// Of a source: the document without its `kind` and `name`.
    pub keys: Mapping,
}

/// Every client that there is, by name. A copy is cheap.
#[derive(Debug, Clone, Default)]
pub struct Clients(BTreeMap<String, Arc<Known>>);

#[derive(Debug)]
struct Known {
    text: String,
    /// `None`: it is there, and has a problem of its own.
    client: Option<Client>,
}

impl Clients {
    fn insert(&mut self, name: String, text: String, client: Option<Client>) {
        let client = client.filter(|client| client.name == name);
        self.0.insert(name, Arc::new(Known { text, client }));
    }

    /// These and the others, which win.
    pub fn and(&self, others: &Clients) -> Clients {
        let mut all = self.clone();
        all.0.extend(others.0.iter().map(|(name, known)| (name.clone(), Arc::clone(known))));
        all
    }

    /// Tells whether a client has changed.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|known| known.text.as_str())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

fn is_source(document: &Value) -> bool {
    document.get("kind").is_none_or(|kind| kind.as_str() == Some("source"))
}

const OPENING: &str = "${with.";

/// A text up to its first `${with.NAME}`, the name, and what follows.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = text.split_once(OPENING)?;
    let (name, rest) = after.split_once('}')?;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (!name.is_empty() && name.bytes().all(allowed)).then_some((before, name, rest))
}

/// Whether every `${with.` of a text has a name and an end.
pub(super) fn is_sound(text: &str) -> bool {
    match split(text) {
        Some((_, _, rest)) => is_sound(rest),
        None => !text.contains(OPENING),
    }
}

/// Whether something in a value is still to be filled in, or was meant to be.
pub(super) fn is_open(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(OPENING),
        Value::Sequence(items) => items.iter().any(is_open),
        Value::Mapping(entries) => entries.iter().any(|(key, value)| is_open(key) || is_open(value)),
        _ => false,
    }
}

/// The names in the texts of a value; those in keys are not filled in.
fn names_in(value: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    note_names(value, &mut names);
    names
}

fn note_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let mut left = text.as_str();
            while let Some((_, name, rest)) = split(left) {
                names.insert(name.to_owned());
                left = rest;
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| note_names(item, names)),
        Value::Mapping(entries) => entries.values().for_each(|value| note_names(value, names)),
        _ => {}
    }
}
