//! Finds the line and column of a field in a text that is known to be YAML.
//! Keeps no tree of places: the parser tells a place only with an error, so
//! each look walks down one path and fails on purpose at its end.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::problem::{At, FieldPath, Step};

/// Line and column, from 1.
pub(super) type Place = (usize, usize);

/// Of a field in the document with this number, from 0. Where the path leads
/// nowhere, it is the place of the nearest thing around it.
pub(super) fn of_field(text: &str, document: usize, path: &FieldPath, at: At) -> Option<Place> {
    let found = serde_yaml::Deserializer::from_str(text).nth(document)?;
    let client = FieldPath::default().key("client");
    let (steps, stop_at_key, seen) = match at {
        At::Value => (&path.0, false, 0),
        At::Key => (&path.0, true, 0),
        At::SecondKey => (&path.0, true, 1),
        At::Client => (&client.0, false, 0),
    };
    place_of(Walk { steps, stop_at_key, seen }.deserialize(found))
}

/// Where each of the first documents begins, one pass for all of them.
pub(super) fn of_documents(text: &str, count: usize) -> Vec<Option<Place>> {
    begins(text).take(count).collect()
}

/// The same, as far as it is asked for.
pub(super) fn begins(text: &str) -> impl Iterator<Item = Option<Place>> + '_ {
    let walk = Walk { steps: &[], stop_at_key: false, seen: 0 };
    serde_yaml::Deserializer::from_str(text).map(move |document| place_of(walk.deserialize(document)))
}

pub(super) fn of_error(error: &serde_yaml::Error) -> Option<Place> {
    error.location().map(|location| (location.line(), location.column()))
}

fn place_of(result: Result<(), serde_yaml::Error>) -> Option<Place> {
    result.err().as_ref().and_then(of_error)
}

/// Walks down `steps`; errors where they end.
#[derive(Clone, Copy)]
struct Walk<'a> {
    steps: &'a [Step],
    stop_at_key: bool,
    /// How many of the last key to pass by.
    seen: usize,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Scalars are left to serde: every visit that is not written here is an error too.
impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the way to a field")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        if let Some((Step::Key(wanted), rest)) = self.steps.split_first() {
            let ends = rest.is_empty();
            loop {
                let stop = ends && self.stop_at_key && self.seen == 0;
                let Some(found) = map.next_key_seed(Key { wanted, stop })? else { break };
                if !found || (ends && self.stop_at_key) {
                    map.next_value::<IgnoredAny>()?;
                    self.seen -= usize::from(found);
                } else {
                    map.next_value_seed(Walk { steps: rest, ..self })?;
                }
            }
        }
        Err(here())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        if let Some((Step::Item(wanted), rest)) = self.steps.split_first() {
            for _ in 0..*wanted {
                seq.next_element::<IgnoredAny>()?;
            }
            seq.next_element_seed(Walk { steps: rest, ..self })?;
        }
        Err(here())
    }
}

fn here<E: Error>() -> E {
    E::custom("here")
}

/// Whether a key is the wanted one; an error at it where it is the goal.
struct Key<'a> {
    wanted: &'a str,
    stop: bool,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<bool, E> {
        if key == self.wanted && self.stop { Err(here()) } else { Ok(key == self.wanted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# a comment\nname: a\n---\nname: b\nlist:\n  - x\n  - { y: 1, z: [2, 3] }\nname: c\n";

    fn path(steps: &[&str]) -> FieldPath {
        steps.iter().fold(FieldPath::default(), |path, step| match step.parse() {
            Ok(index) => path.item(index),
            Err(_) => path.key(step),
        })
    }

    #[test]
    fn a_field_is_found_by_line_and_column() {
        for (why, document, steps, at, want) in [
            ("a value", 0, &["name"][..], At::Value, (2, 7)),
            ("a key", 0, &["name"], At::Key, (2, 1)),
            ("the whole first document", 0, &[], At::Value, (2, 1)),
            ("the second document", 1, &[], At::Value, (4, 1)),
            ("a value of the second", 1, &["name"], At::Value, (4, 7)),
            ("a key given twice", 1, &["name"], At::SecondKey, (8, 1)),
            ("an item", 1, &["list", "0"], At::Value, (6, 5)),
            ("a value in flow style", 1, &["list", "1", "y"], At::Value, (7, 10)),
            ("a key in flow style", 1, &["list", "1", "z"], At::Key, (7, 13)),
            ("an item in flow style", 1, &["list", "1", "z", "1"], At::Value, (7, 20)),
            ("a missing key is its map", 1, &["list", "1", "q"], At::Value, (7, 5)),
            ("a missing item is its list", 1, &["list", "7"], At::Value, (6, 3)),
            ("below a scalar is the scalar", 1, &["name", "x"], At::Value, (4, 7)),
        ] {
            assert_eq!(of_field(TEXT, document, &path(steps), at), Some(want), "{why}");
        }
    }

    #[test]
    fn documents_begin_at_their_first_key() {
        assert_eq!(of_documents(TEXT, 9), [Some((2, 1)), Some((4, 1))]);
    }
}
