//! Which fields make a record the same record. Only what is present and
//! distinct in every record of the answer is taken. Pure.

use std::collections::HashSet;

use super::fields::{Field, From};
use super::shape::Record;
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
pub(super) fn find(fields: &[Field], records: &[Record<'_>]) -> Identity {
    own_key(fields, records)
        .or_else(|| link(fields, records))
        .or_else(|| natural(fields, records))
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

fn own_key(fields: &[Field], records: &[Record<'_>]) -> Option<Identity> {
    if let Some(key) = fields.iter().find(|field| field.from == From::Key) {
        return Some(Identity { targets: vec![key.target.clone()], note: None });
    }
    let named = OWN.iter().filter_map(|name| fields.iter().find(|field| field.target == *name));
    let first = fields.iter().filter(|field| is_key(field) && !says_whose(field));
    let mut keys = named.chain(first).filter(|field| certain(field) && field.is_outer());
    let key = keys.find(|field| is_distinct(&[field], records))?;
    let changed = fields.iter().find(|field| field.is_time() && field.is_always && names_a_change(field));
    let note = match changed {
        Some(time) => {
            format!("guessed; [{}, {}] would keep every version of a record", key.target, time.target)
        }
        None => "guessed: distinct in every record; what is stored already is not stored again".to_owned(),
    };
    Some(Identity { targets: vec![key.target.clone()], note: Some(note) })
}

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

/// A time and whose it is. All that say whose, not only as many as tell these
/// records apart: the next answer may have more of them.
fn natural(fields: &[Field], records: &[Record<'_>]) -> Option<Identity> {
    let times = fields.iter().filter(|field| certain(field) && field.is_time());
    let time = times.min_by_key(|field| rank(field))?;
    let hour =
        fields.iter().filter(|field| certain(field) && field.target.split('_').any(|word| word == "hour"));
    let when: Vec<&Field> = std::iter::once(time).chain(hour).collect();
    let whose: Vec<&Field> = fields.iter().filter(|field| certain(field) && says_whose(field)).collect();
    let keys: Vec<&Field> = whose.iter().copied().filter(|field| is_key(field)).collect();
    let is_series = whose.is_empty() && fields.iter().all(|field| is_measured(field) || field.is_time());
    let sets = [keys, whose].into_iter().filter(|set| !set.is_empty() || is_series);
    let mut sets = sets.map(|set| set.into_iter().chain(when.iter().copied()).collect::<Vec<_>>());
    let key = sets.find(|key| key.len() <= MAX_FIELDS && is_distinct(key, records))?;
    Some(guess(&key))
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

/// An address of its own tells a record as well as a key.
fn link(fields: &[Field], records: &[Record<'_>]) -> Option<Identity> {
    let is_link = |field: &&Field| ["url", "link", "permalink", "uri"].contains(&field.target.as_str());
    let found =
        fields.iter().filter(is_link).find(|field| certain(field) && is_distinct(&[field], records))?;
    let note = "guessed: distinct in every record; what is stored already is not stored again".to_owned();
    Some(Identity { targets: vec![found.target.clone()], note: Some(note) })
}

/// One record is distinct whatever it holds; its names have to do then.
fn is_distinct(key: &[&Field], records: &[Record<'_>]) -> bool {
    let mut seen = HashSet::new();
    !key.is_empty()
        && records.iter().all(|record| {
            let values: Option<Vec<String>> = key.iter().map(|field| field.value(record)).collect();
            values.is_some_and(|values| seen.insert(values))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::init::shape::{self, Layout, Shape};
    use crate::init::{fields, tree::Json};

    fn unique(text: &str) -> Vec<String> {
        let tree: Json = serde_json::from_str(text).expect(text);
        let shape = Shape { path: Vec::new(), layout: Layout::List, notes: Vec::new() };
        let records = shape::records(&tree, &shape);
        find(&fields::find(&records, &tree, &[]).fields, &records).targets
    }

    #[test]
    fn an_identity_is_present_and_distinct_in_every_record() {
        for (why, text, want) in [
            (
                "an id",
                r#"[{"id":1,"t":"2026-11-15T00:00:00Z"},{"id":2,"t":"2026-11-15T00:00:00Z"}]"#,
                vec!["id"],
            ),
            ("an id that repeats", r#"[{"id":1,"a":"x"},{"id":1,"a":"y"}]"#, vec![]),
            ("an id that is null once", r#"[{"id":1,"a":"x"},{"id":null,"a":"y"}]"#, vec![]),
            (
                "whose and when",
                r#"[{"station":"a","component":"x","time":"2026-11-15T00:00:00Z","value":1},
                    {"station":"a","component":"y","time":"2026-11-15T00:00:00Z","value":1}]"#,
                vec!["station", "component", "time"],
            ),
            (
                "a station's id goes with the time",
                r#"[{"stationId":1,"time":"2026-11-15T00:00:00Z"},{"stationId":2,"time":"2026-11-15T00:00:00Z"}]"#,
                vec!["station_id", "time"],
            ),
            ("a day", r#"[{"date":"2026-11-15","open":1},{"date":"2026-11-14","open":1}]"#, vec!["date"]),
            (
                "a link",
                r#"[{"title":"a","link":"http://x/1"},{"title":"b","link":"http://x/2"}]"#,
                vec!["link"],
            ),
            (
                "an order's number",
                r#"[{"orderNumber":"a","status":"x"},{"orderNumber":"b","status":"x"}]"#,
                vec!["order_number"],
            ),
            ("a key of somebody else", r#"[{"user_id":1,"text":"x"},{"user_id":2,"text":"x"}]"#, vec![]),
            (
                "two events may share a time",
                r#"[{"ts":1794786113,"msg":"x"},{"ts":1794786114,"msg":"y"}]"#,
                vec![],
            ),
            (
                "a date and an hour",
                r#"[{"date":"2026-11-15","hour":1,"area":"a","v":1.5},{"date":"2026-11-15","hour":2,"area":"a","v":1.5}]"#,
                vec!["area", "date", "hour"],
            ),
            (
                "a key inside of a measurement is none",
                r#"[{"station":"a","time":"2026-11-15T00:00:00Z","pm":{"color_id":"1"}},
                    {"station":"b","time":"2026-11-15T00:00:00Z","pm":{"color_id":"2"}}]"#,
                vec!["station", "time"],
            ),
            ("nothing", r#"[{"title":"a"},{"title":"b"}]"#, vec![]),
        ] {
            assert_eq!(unique(text), want, "{why}");
        }
    }
}
