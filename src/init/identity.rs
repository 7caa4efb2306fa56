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
    "slug",
    "code",
];

/// Whose measurement it is, or of what: together with a time they make a key.
const WHOSE: [&str; 24] = [
    "station",
    "site",
    "sensor",
    "location",
    "device",
    "parameter",
    "component",
    "metric",
    "species",
    "symbol",
    "ticker",
    "currency",
    "city",
    "country",
    "region",
    "channel",
    "pollutant",
    "datasource",
    "series",
    "area",
    "category",
    "station_name",
    "name",
    "unit",
];

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
    let named = |name: &&str| fields.iter().find(|field| field.target == **name && certain(field));
    let own = OWN.iter().filter_map(|name| named(name));
    let found = own.into_iter().find(|field| is_distinct(&[field], records))?;
    let note = "guessed: distinct in every record; one whose key is stored already is not stored again";
    Some(Identity { targets: vec![found.target.clone()], note: Some(note.to_owned()) })
}

/// A time and whose it is. All that say whose, not only as many as tell these
/// records apart: the next answer may have more of them.
fn natural(fields: &[Field], records: &[Record<'_>]) -> Option<Identity> {
    let time =
        fields.iter().filter(|field| certain(field) && field.is_time()).min_by_key(|field| rank(field));
    let whose: Vec<&Field> = fields.iter().filter(|field| certain(field) && says_whose(field)).collect();
    let ids: Vec<&Field> = whose.iter().copied().filter(|field| is_id(field)).collect();
    let sets = [ids, whose];
    for set in sets.iter().filter(|set| !set.is_empty() || time.is_some()) {
        let key: Vec<&Field> = set.iter().copied().chain(time).collect();
        if key.len() <= 5
            && is_distinct(&key, records)
            && (time.is_some() || set.iter().any(|field| is_id(field)))
        {
            return Some(guess(&key));
        }
    }
    None
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

fn says_whose(field: &Field) -> bool {
    !field.is_time() && (is_id(field) || WHOSE.contains(&field.target.as_str()))
}

fn is_id(field: &Field) -> bool {
    let name = field.target.as_str();
    !field.is_time()
        && (["_id", "_index", "_code", "_symbol"].iter().any(|end| name.ends_with(end))
            || ["symbol", "ticker", "datasource"].contains(&name))
}

/// An address of its own tells a record as well as a key.
fn link(fields: &[Field], records: &[Record<'_>]) -> Option<Identity> {
    let is_link = |field: &&Field| ["url", "link", "permalink", "uri"].contains(&field.target.as_str());
    let found =
        fields.iter().filter(is_link).find(|field| certain(field) && is_distinct(&[field], records))?;
    Some(guess(&[found]))
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
            ("nothing", r#"[{"title":"a"},{"title":"b"}]"#, vec![]),
        ] {
            assert_eq!(unique(text), want, "{why}");
        }
    }
}
