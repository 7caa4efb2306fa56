//! Which fields make a record the same record. Only what is present and
//! distinct in every record of the answer is taken. Pure.

use std::collections::HashSet;

use super::fields::{Field, From};
use super::names;
use super::shape::{Layout, Record};
use super::types::Kind;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    /// None where nothing is certain.
    pub(super) targets: Vec<String>,
    pub(super) note: Option<String>,
}

/// Names that mean the record itself, the better ones first.
const OWN: [&str; 12] = [
    "id",
    "uuid",
    "guid",
    "_id",
    "objectid",
    "object_id",
    "node_id",
    "gid",
    "uid",
    "identifier",
    "sku",
    "slug",
];

/// What ends the name of a key.
const KEYS: [&str; 6] = ["id", "index", "number", "no", "code", "key"];

/// Whose measurement it is, or of what: together with a time they make a key.
const WHOSE: [&str; 26] = [
    "station",
    "site",
    "sensor",
    "sensors",
    "location",
    "locations",
    "device",
    "parameter",
    "component",
    "metric",
    "species",
    "symbol",
    "ticker",
    "currency",
    "base",
    "city",
    "country",
    "state",
    "region",
    "channel",
    "pollutant",
    "datasource",
    "series",
    "area",
    "name",
    "unit",
];

/// Their keys are in records of others.
const OTHERS: [&str; 14] = [
    "user", "owner", "author", "parent", "account", "customer", "category", "group", "team", "org",
    "project", "house", "type", "status",
];

/// A narrow key that is wrong loses records, a wide one only stores changes
/// anew: where in doubt, it is none.
pub(super) fn find(fields: &[Field], records: &[Record<'_>], layout: &Layout) -> Identity {
    let search = Search { fields, records, is_one: *layout == Layout::One };
    search
        .by_map()
        .or_else(|| search.own_key())
        .or_else(|| search.link())
        .or_else(|| search.natural())
        .unwrap_or_else(nothing)
}

fn nothing() -> Identity {
    let note = "no field is certain to tell records apart: all of them together do";
    Identity { targets: Vec::new(), note: Some(note.to_owned()) }
}

fn certain(field: &Field) -> bool {
    let is_value = matches!(field.typed.kind, Some(Kind::Real | Kind::Boolean | Kind::Json) | None);
    field.is_always && !is_value && !matches!(field.from, From::Root(_))
}

struct Search<'a> {
    fields: &'a [Field],
    records: &'a [Record<'a>],
    /// The answer is one record, another one each time.
    is_one: bool,
}

impl<'a> Search<'a> {
    /// The key of a map, unless its records are measured again and again.
    fn by_map(&self) -> Option<Identity> {
        let key = self.fields.iter().find(|field| field.from == From::Key)?;
        let targets = match self.moment() {
            _ if key.is_time() => vec![key.target.clone()],
            Some(time) => return Some(guess(&[key, time])),
            None if self.has_measures() => return Some(nothing()),
            None => vec![key.target.clone()],
        };
        Some(Identity { targets, note: None })
    }

    fn own_key(&self) -> Option<Identity> {
        let named = OWN.iter().filter_map(|name| self.fields.iter().find(|field| field.target == *name));
        let first = self.fields.iter().filter(|field| is_key(field) && !says_whose(field));
        let mut keys = named.chain(first).filter(|field| certain(field) && field.is_outer());
        let key = keys.find(|field| self.is_distinct(&[field]))?;
        let time = self.moment().filter(|_| self.is_one || self.has_measures());
        if self.is_one && time.is_none() {
            return None;
        }
        let targets: Vec<String> =
            std::iter::once(key).chain(time).map(|field| field.target.clone()).collect();
        let is_change = |field: &&Field| field.is_time() && field.is_always && names_a_change(field);
        let note = match self.fields.iter().find(is_change) {
            Some(change) => {
                format!("guessed; with {} as well, every version of a record is kept", change.target)
            }
            None => STORED_ONCE.to_owned(),
        };
        Some(Identity { targets, note: Some(note) })
    }

    /// An address of its own tells a record as well as a key.
    fn link(&self) -> Option<Identity> {
        let is_link = |field: &&Field| ["url", "link", "permalink", "uri"].contains(&field.target.as_str());
        let mut links = self.fields.iter().filter(is_link).filter(|field| certain(field) && !self.is_one);
        let found = links.find(|field| self.is_distinct(&[field]))?;
        Some(Identity { targets: vec![found.target.clone()], note: Some(STORED_ONCE.to_owned()) })
    }

    /// A time and whose it is. All that say whose, not only as many as tell
    /// these records apart: the next answer may have more of them.
    fn natural(&self) -> Option<Identity> {
        let all = || self.fields.iter().filter(|field| certain(field));
        let time = all().filter(|field| field.is_time()).min_by_key(|field| rank(field))?;
        let hour = all().filter(|field| field.target.split('_').any(|word| word == "hour"));
        let when: Vec<&Field> = std::iter::once(time).chain(hour).collect();
        let whose: Vec<&Field> = all().filter(|field| says_whose(field)).collect();
        let keys: Vec<&Field> = whose.iter().copied().filter(|field| is_key(field)).collect();
        let is_series = self.fields.iter().all(|field| is_measured(field) || field.is_time());
        let is_alone = whose.is_empty() && (is_series || self.is_one);
        let sets = [keys, whose].into_iter().filter(|set| !set.is_empty() || is_alone);
        let mut sets = sets.map(|set| set.into_iter().chain(when.iter().copied()).collect::<Vec<_>>());
        sets.find(|key| key.len() <= MAX_FIELDS && self.is_distinct(key)).map(|key| guess(&key))
    }

    /// When something was measured.
    fn moment(&self) -> Option<&'a Field> {
        const WORDS: [&str; 11] = [
            "time",
            "timestamp",
            "ts",
            "dt",
            "datetime",
            "seen",
            "measured",
            "observed",
            "sampled",
            "recorded",
            "at",
        ];
        let is_moment = |field: &&Field| {
            field.is_time() && certain(field) && field.target.split('_').any(|word| WORDS.contains(&word))
        };
        let written = ["created", "published", "closed", "opened", "deleted"];
        let is_written = |field: &&Field| field.target.split('_').any(|word| written.contains(&word));
        let moments = self.fields.iter().filter(is_moment).filter(|field| !is_written(field));
        moments.min_by_key(|field| rank(field)).filter(|field| self.is_map() || !names_a_change(field))
    }

    fn is_map(&self) -> bool {
        self.fields.iter().any(|field| field.from == From::Key)
    }

    fn has_measures(&self) -> bool {
        self.fields
            .iter()
            .any(|field| field.typed.kind == Some(Kind::Real) && !names::is_place(&field.target))
    }

    /// One record is distinct whatever it holds; its names have to do then.
    fn is_distinct(&self, key: &[&Field]) -> bool {
        let mut seen = HashSet::new();
        !key.is_empty()
            && self.records.iter().all(|record| {
                let values: Option<Vec<String>> = key.iter().map(|field| field.value(record)).collect();
                values.is_some_and(|values| seen.insert(values))
            })
    }
}

const STORED_ONCE: &str = "guessed: distinct in every record; what is stored already is not stored again";

fn names_a_change(field: &Field) -> bool {
    let words = ["updated", "modified", "changed", "edited"];
    field.target.split('_').any(|word| words.contains(&word))
}

/// `order_number`, `question_id`; not the key of somebody else.
fn is_key(field: &Field) -> bool {
    let words: Vec<&str> = field.target.split('_').collect();
    let [.., stem, last] = words.as_slice() else { return false };
    !field.is_time() && KEYS.contains(last) && !OTHERS.contains(stem)
}

const MAX_FIELDS: usize = 6;

/// Beside a time alone there may be numbers, and what all records share.
fn is_measured(field: &Field) -> bool {
    let is_number = matches!(field.typed.kind, Some(Kind::Real | Kind::Integer | Kind::Boolean) | None);
    is_number || matches!(field.from, From::Root(_)) || field.target == "label"
}

fn guess(key: &[&Field]) -> Identity {
    let targets = key.iter().map(|field| field.target.clone()).collect();
    Identity { targets, note: Some("guessed: together distinct in every record".to_owned()) }
}

/// When something was measured, rather than when its record was written.
fn rank(field: &Field) -> usize {
    let later = ["created", "updated", "modified", "local", "expires", "end", "to"];
    field.target.split('_').filter(|word| later.contains(word)).count()
}

/// `station`, `parameter_name`, `sensors_id`, `reporting_area`.
fn says_whose(field: &Field) -> bool {
    let words: Vec<&str> = field.target.split('_').collect();
    let is_whose = match words.as_slice() {
        [stem, last] => WHOSE.contains(stem) && (*last == "name" || KEYS.contains(last)) || *last == "area",
        [word] => WHOSE.contains(word),
        _ => false,
    };
    is_whose && !field.is_time() && field.is_outer()
}

#[cfg(test)]
mod tests;
