//! Walks JSON along a trie. No tree of the answer is built: what the trie
//! does not name is skipped, what it names is handed on as the text that it is.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::trie::Node;

/// What is done with what the walk finds.
pub(super) trait Meet<'de> {
    fn keep(&mut self, slot: usize, raw: &'de RawValue);

    fn records<D: Deserializer<'de>>(&mut self, answer: D) -> Result<(), D::Error> {
        IgnoredAny::deserialize(answer).map(drop)
    }
}

impl<'de> Meet<'de> for Vec<Option<&'de RawValue>> {
    fn keep(&mut self, slot: usize, raw: &'de RawValue) {
        self[slot] = Some(raw);
    }
}

/// Walks one whole text, once for each thing that is wanted of this node:
/// itself, its children, the records. More than one is rare.
pub(super) fn walk_text<'de, M>(text: &'de str, node: &Node, meet: &mut M) -> Result<(), serde_json::Error>
where
    M: Meet<'de>,
{
    if let Some(slot) = node.slot {
        meet.keep(slot, serde_json::from_str(text)?);
    }
    // Records in a list have no place for anything else: one walk is enough.
    let only_records = node.records && !node.has_indices() && text.trim_start().starts_with('[');
    if !node.is_leaf() && !only_records {
        let mut json = serde_json::Deserializer::from_str(text);
        json.deserialize_any(Children { node, meet })?;
        json.end()?;
    }
    if node.records {
        let mut json = serde_json::Deserializer::from_str(text);
        meet.records(&mut json)?;
        json.end()?;
    }
    Ok(())
}

struct Walk<'w, M> {
    node: &'w Node,
    meet: &'w mut M,
}

impl<'de, M: Meet<'de>> DeserializeSeed<'de> for Walk<'_, M> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        let Walk { node, meet } = self;
        match (node.slot, node.records, node.is_leaf()) {
            (None, false, _) => value.deserialize_any(Children { node, meet }),
            (None, true, true) => meet.records(value),
            (Some(slot), false, true) => {
                meet.keep(slot, <&RawValue>::deserialize(value)?);
                Ok(())
            }
            _ => {
                let raw = <&RawValue>::deserialize(value)?;
                walk_text(raw.get(), node, meet).map_err(serde::de::Error::custom)
            }
        }
    }
}

/// Walks the children of a node. A value that has none is as good as missing.
struct Children<'w, M> {
    node: &'w Node,
    meet: &'w mut M,
}

impl<'de, M: Meet<'de>> Visitor<'de> for Children<'_, M> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        walk_map(map, self.node, self.meet).map(drop)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        let node = self.node;
        walk_seq(seq, |index| node.at_index(index), self.meet)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
}

/// How many keys there were. Of a key that comes twice, the last one counts.
pub(super) fn walk_map<'de, A, M>(mut map: A, node: &Node, meet: &mut M) -> Result<usize, A::Error>
where
    A: MapAccess<'de>,
    M: Meet<'de>,
{
    let mut keys = 0;
    while let Some(child) = map.next_key_seed(KeyOf(node))? {
        keys += 1;
        match child {
            Some(node) => map.next_value_seed(Walk { node, meet: &mut *meet })?,
            None => drop(map.next_value::<IgnoredAny>()?),
        }
    }
    Ok(keys)
}

/// `child` says what is wanted of the value at an index.
pub(super) fn walk_seq<'de, 'n, A, M>(
    mut seq: A,
    child: impl Fn(usize) -> Option<&'n Node>,
    meet: &mut M,
) -> Result<(), A::Error>
where
    A: SeqAccess<'de>,
    M: Meet<'de>,
{
    for index in 0.. {
        let met = match child(index) {
            Some(node) => seq.next_element_seed(Walk { node, meet: &mut *meet })?,
            None => seq.next_element::<IgnoredAny>()?.map(drop),
        };
        if met.is_none() {
            break;
        }
    }
    Ok(())
}

/// Looks a key up while it is read: no key is ever copied.
struct KeyOf<'n>(&'n Node);

impl<'de, 'n> DeserializeSeed<'de> for KeyOf<'n> {
    type Value = Option<&'n Node>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl<'n> Visitor<'_> for KeyOf<'n> {
    type Value = Option<&'n Node>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.child(key))
    }
}
