//! Which fields of a mapping an answer does not have, and what it has instead:
//! for a person who tries a document. A look of its own, since a run takes a
//! missing value for null. Pure.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::as_text;
use super::missing::{Followed, Lost, follow, listed, parent};
use crate::definition::mapping::{Format, Shape};
use crate::definition::{Field, Origin, Path, Source};
use crate::worker::quote::quote;

/// Keys of records that are told apart.
const MAX_KEYS: usize = 100;

/// What the answers so far have of a mapping.
#[derive(Debug, Default)]
pub struct Keys {
    records: u64,
    wanted: Vec<Wanted>,
    /// Of one object in place of a list of records: where its lists are.
    lists: Vec<String>,
}

/// One path of one field.
#[derive(Debug)]
struct Wanted {
    path: Path,
    is_of_answer: bool,
    has_default: bool,
    is_found: bool,
    /// Where it got lost, at the furthest, and the keys there.
    depth: usize,
    keys: Vec<String>,
}

impl Keys {
    pub fn new(source: &Source) -> Keys {
        Keys { wanted: source.response.fields.iter().flat_map(wanted).collect(), ..Keys::default() }
    }

    /// CSV and columns are not looked at: there a column that is missing is an error.
    pub fn look(&mut self, source: &Source, body: &[u8]) {
        let Ok(text) = as_text(body) else { return };
        match (source.response.format, &source.response.records) {
            (Format::Csv, _) | (_, Shape::Columns(_)) => {}
            (Format::Json, _) => self.look_at(source, text),
            (Format::Ndjson, _) => text.lines().for_each(|line| self.look_at(source, line)),
        }
    }

    fn look_at(&mut self, source: &Source, answer: &str) {
        let Followed::Found(records) = follow(answer, &source.response.data_path) else { return };
        for wanted in self.wanted.iter_mut().filter(|wanted| wanted.is_of_answer) {
            wanted.look(answer);
        }
        let is_alone = records.starts_with('{') && source.response.records != Shape::Map;
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(records).unwrap_or_default();
        let records: Vec<&RawValue> = match records.as_bytes().first() {
            Some(b'[') => serde_json::from_str(records).unwrap_or_default(),
            Some(b'{') if is_alone => serde_json::from_str(records).into_iter().collect(),
            Some(b'{') => members.values().copied().collect(),
            _ => return,
        };
        if is_alone {
            let lists = members.into_iter().filter(|(_, value)| is_list_of_objects(value));
            self.lists = lists.map(|(key, _)| key).collect();
        }
        for record in records.iter().filter(|record| record.get() != "null") {
            self.records += 1;
            let open = |wanted: &&mut Wanted| !wanted.is_of_answer && !wanted.is_found;
            self.wanted.iter_mut().filter(open).for_each(|wanted| wanted.look(record.get()));
        }
    }

    /// Nothing is to be told of an answer without records. `true`: it has a default,
    /// and so may well be missing.
    pub fn lacking(&self) -> Vec<(bool, String)> {
        let lost = |wanted: &&Wanted| self.records > 0 && !wanted.is_found;
        let mut lacking: Vec<(bool, String)> =
            self.wanted.iter().filter(lost).map(|wanted| (wanted.has_default, wanted.words())).collect();
        let mut of_record = self.wanted.iter().filter(|wanted| !wanted.is_of_answer).peekable();
        if let [list] = self.lists.as_slice()
            && of_record.peek().is_some()
            && of_record.all(|wanted| !wanted.is_found)
        {
            lacking.push((false, format!("dataPath: {} is a list; are the records there?", quote(list))));
        }
        lacking
    }
}

fn wanted(field: &Field) -> Vec<Wanted> {
    let one = |path: &Path, is_of_answer| Wanted {
        path: path.clone(),
        is_of_answer,
        has_default: field.default.is_some(),
        is_found: false,
        depth: 0,
        keys: Vec::new(),
    };
    match &field.origin {
        Origin::Record(path) => vec![one(path, false)],
        Origin::Joined(paths) => paths.iter().map(|path| one(path, false)).collect(),
        Origin::Root(path) => vec![one(path, true)],
        Origin::Key | Origin::Constant(_) => Vec::new(),
    }
}

impl Wanted {
    fn look(&mut self, text: &str) {
        match follow(text, &self.path) {
            Followed::Found(_) | Followed::Nothing => self.is_found = true,
            Followed::Lost(lost) => self.note(&lost),
        }
    }

    fn note(&mut self, lost: &Lost<'_>) {
        if lost.depth > self.depth {
            (self.depth, self.keys) = (lost.depth, Vec::new());
        }
        for key in lost.keys().iter().filter(|_| lost.depth == self.depth) {
            if self.keys.len() < MAX_KEYS && !self.keys.iter().any(|known| known == key) {
                self.keys.push(key.to_string());
            }
        }
    }

    fn words(&self) -> String {
        let (root, lacks, whole) = match self.is_of_answer {
            true => ("$.", "the answer does not have it", "it has"),
            false => ("", "no record has it", "the records have"),
        };
        let place = match self.depth {
            0 => whole.to_owned(),
            depth => format!("{} has", parent(&self.path, depth)),
        };
        let has = match self.keys.as_slice() {
            [] => " no keys".to_owned(),
            keys => format!(": {}", listed(&self.path.0[self.depth], keys, keys.len())),
        };
        format!("field `{root}{}`: {lacks}; {place}{has}", self.path)
    }
}

fn is_list_of_objects(value: &RawValue) -> bool {
    value.get().strip_prefix('[').is_some_and(|list| list.trim_start().starts_with('{'))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{field, source};
    use super::*;

    fn lacking(source: &Source, body: &str) -> Vec<String> {
        let mut keys = Keys::new(source);
        keys.look(source, body.as_bytes());
        keys.lacking().into_iter().map(|(_, words)| words).collect()
    }

    #[test]
    fn a_field_that_no_record_has_is_told_with_those_that_are_there() {
        let cases: [(&str, &str, &str, &str, &[&str]); 13] = [
            ("there", ".", "a", r#"[{"a":1}]"#, &[]),
            ("in one of them", ".", "a", r#"[{"b":1},{"a":null}]"#, &[]),
            ("no records", ".", "a", "[]", &[]),
            ("only nulls", ".", "a", "[null]", &[]),
            ("not JSON", ".", "a", "<html>", &[]),
            ("null on the way", ".", "a.b", r#"[{"a":null}]"#, &[]),
            (
                "misspelt",
                "data",
                "titel",
                r#"{"data":[{"title":1,"date":2},{"url":3,"title":4}]}"#,
                &[
                    "field `titel`: no record has it; the records have: `title`, `date`, `url`; did you mean `title`?",
                ],
            ),
            (
                "below",
                ".",
                "author.nmae",
                r#"[{"b":1},{"author":{"name":1}}]"#,
                &["field `author.nmae`: no record has it; `author` has: `name`; did you mean `name`?"],
            ),
            (
                "in a scalar",
                ".",
                "a.b",
                r#"[{"a":"x"}]"#,
                &["field `a.b`: no record has it; `a` has no keys"],
            ),
            (
                "of the answer",
                "data",
                "$.symbl",
                r#"{"data":[{}],"symbol":"X"}"#,
                &[
                    "field `$.symbl`: the answer does not have it; it has: `data`, `symbol`; did you mean `symbol`?",
                ],
            ),
            ("the whole record", ".", ".", r#"[{"a":1}]"#, &[]),
            (
                "no data path",
                ".",
                "a",
                r#"{"results":[{"a":1}],"meta":{}}"#,
                &[
                    "field `a`: no record has it; the records have: `results`, `meta`",
                    "dataPath: `results` is a list; are the records there?",
                ],
            ),
            ("one object", ".", "a", r#"{"a":1,"results":[{"b":1}]}"#, &[]),
        ];
        for (why, data_path, from, body, want) in cases {
            assert_eq!(lacking(&source(data_path, vec![field("x", from)]), body), want, "{why}");
        }
    }

    #[test]
    fn maps_and_lines_have_records_too() {
        let mut map = source(".", vec![field("id", "$key"), field("a", "aa")]);
        map.response.records = Shape::Map;
        let want = ["field `aa`: no record has it; the records have: `bb`"];
        assert_eq!(lacking(&map, r#"{"x":{"bb":1},"y":{"bb":2}}"#), want);
        let mut lines = source(".", vec![field("a", "aa")]);
        lines.response.format = Format::Ndjson;
        assert_eq!(lacking(&lines, "{\"bb\":1}\n\n{\"bb\":2}\n"), want);
        assert!(lacking(&lines, "{\"bb\":1}\n{\"aa\":2}\n").is_empty());
    }
}
