//! What an answer says outside its records. Pure.

use super::shape::Shape;
use super::tree::Json;
use super::{names, paging, write};

/// What stands outside the records: taken into each, only named, or the place
/// where errors are told.
#[derive(Default)]
pub(super) struct Around {
    pub(super) taken: Vec<Vec<String>>,
    pub(super) named: Vec<String>,
    pub(super) error: Option<Vec<String>>,
}

impl Around {
    /// Only what says whose records they are is taken into them.
    pub(super) fn of(tree: &Json, shape: &Shape) -> Around {
        const WHOSE: [&str; 10] = [
            "symbol", "ticker", "station", "site", "sensor", "location", "city", "currency", "base", "device",
        ];
        let mut around = Around { error: empty_error(tree), ..Around::default() };
        // There is nothing outside the root.
        if shape.path.is_empty() {
            return around;
        }
        for fact in paging::facts(tree, &shape.path) {
            let key = fact.path.last().map(|key| names::snake(key)).unwrap_or_default();
            let ends = ["", "_id", "_code", "_name"];
            let is_whose =
                WHOSE.iter().any(|word| key.strip_prefix(word).is_some_and(|end| ends.contains(&end)));
            if is_whose && *fact.value != Json::Null {
                around.taken.push(fact.path);
            } else if !paging::is_about_the_answer(&fact.path) && around.error.as_ref() != Some(&fact.path) {
                around.named.push(write::path(&fact.path));
            }
        }
        around
    }
}

/// An API that says "no error" in a good answer says where it tells of one.
fn empty_error(tree: &Json) -> Option<Vec<String>> {
    const NAMES: [&str; 5] = ["error", "errors", "Error Message", "error_message", "errorMessage"];
    let is_empty = |value: &Json| match value {
        Json::Null | Json::Boolean(false) => true,
        Json::List(items) => items.is_empty(),
        Json::Text(text) => text.is_empty(),
        _ => false,
    };
    let found =
        tree.members().iter().find(|(key, value)| NAMES.contains(&key.as_str()) && is_empty(value))?;
    Some(vec![found.0.clone()])
}
