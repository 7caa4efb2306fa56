//! The seed that is measured: a trie of eight paths over a page, as Hermes has
//! it. It knows no parser; each brings what serde has no word for, the text of
//! a value as it stands.

use std::borrow::Cow;
use std::fmt;
use std::hint::black_box;
use std::marker::PhantomData;
use std::time::Instant;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

pub trait Parser {
    /// The text of any value.
    fn raw<'de, D: Deserializer<'de>>(value: D) -> Result<Cow<'de, str>, D::Error>;

    /// A JSON text that has escapes.
    fn unescape(raw: &str) -> String;
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(Cow<'a, str>),
}

#[derive(Default)]
pub struct Node {
    children: Vec<(Box<str>, Node)>,
    slot: Option<usize>,
    /// Kept as text, whatever it is.
    is_raw: bool,
}

pub const FIELDS: usize = 8;

/// `all_raw`: every value is taken as text first and converted after, as
/// Hermes does; else only the list is.
pub fn mapping(all_raw: bool) -> Node {
    let leaf = |slot, is_raw| Node { slot: Some(slot), is_raw: is_raw || all_raw, ..Node::default() };
    let node = |children: Vec<(&str, Node)>| Node {
        children: children.into_iter().map(|(key, node)| (key.into(), node)).collect(),
        ..Node::default()
    };
    node(vec![
        ("id", leaf(0, false)),
        ("title", leaf(1, false)),
        ("date", leaf(2, false)),
        ("author", node(vec![("name", leaf(3, false))])),
        ("tickers", leaf(4, true)),
        ("content", leaf(5, false)),
        ("url", leaf(6, false)),
        ("sentiment", leaf(7, false)),
    ])
}

/// What takes a record, with whether its values are still to be converted.
pub type Sink<'s> = dyn FnMut(&[Value<'_>]) + 's;

/// `{"data": [records]}`.
pub struct Page<'s, 'k, P> {
    pub record: &'s Node,
    pub sink: &'s mut Sink<'k>,
    pub parser: PhantomData<P>,
}

impl<'de, P: Parser> DeserializeSeed<'de> for Page<'_, '_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, page: D) -> Result<(), D::Error> {
        page.deserialize_any(self)
    }
}

impl<'de, P: Parser> Visitor<'de> for Page<'_, '_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(is_data) = map.next_key_seed(Key(|key: &str| key == "data"))? {
            match is_data {
                true => {
                    map.next_value_seed(Records { page: &mut self, values: vec![Value::Null; FIELDS] })?
                }
                false => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct Records<'v, 'de, 's, 'k, P> {
    page: &'v mut Page<'s, 'k, P>,
    values: Vec<Value<'de>>,
}

impl<'de, P: Parser> DeserializeSeed<'de> for Records<'_, 'de, '_, '_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, records: D) -> Result<(), D::Error> {
        records.deserialize_any(self)
    }
}

impl<'de, P: Parser> Visitor<'de> for Records<'_, 'de, '_, '_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of records")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        loop {
            self.values.fill(Value::Null);
            let walk = Walk { node: self.page.record, values: &mut self.values, parser: PhantomData::<P> };
            if seq.next_element_seed(walk)?.is_none() {
                return Ok(());
            }
            (self.page.sink)(&self.values);
        }
    }
}

struct Walk<'w, 'de, P> {
    node: &'w Node,
    values: &'w mut Vec<Value<'de>>,
    parser: PhantomData<P>,
}

impl<'de, P: Parser> DeserializeSeed<'de> for Walk<'_, 'de, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        let Some(slot) = self.node.slot else { return value.deserialize_any(self) };
        self.values[slot] = match self.node.is_raw {
            true => convert::<P>(slot, P::raw(value)?),
            false => value.deserialize_any(Plain)?,
        };
        Ok(())
    }
}

impl<'de, P: Parser> Visitor<'de> for Walk<'_, 'de, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let children = &self.node.children;
        let find = |key: &str| children.iter().find(|(name, _)| **name == *key).map(|(_, node)| node);
        while let Some(found) = map.next_key_seed(Key(find))? {
            match found {
                Some(node) => {
                    map.next_value_seed(Walk { node, values: &mut *self.values, parser: PhantomData::<P> })?;
                }
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// The text of a value into what is bound, where that is not the text itself.
fn convert<P: Parser>(slot: usize, raw: Cow<'_, str>) -> Value<'_> {
    const LIST: usize = 4;
    match raw.as_bytes() {
        _ if slot == LIST => Value::Text(raw),
        b"null" => Value::Null,
        [b'"', .., b'"'] if raw.contains('\\') => Value::Text(Cow::Owned(P::unescape(&raw))),
        [b'"', .., b'"'] => Value::Text(match raw {
            Cow::Borrowed(text) => Cow::Borrowed(&text[1..text.len() - 1]),
            Cow::Owned(text) => Cow::Owned(text[1..text.len() - 1].to_owned()),
        }),
        _ => raw.parse().map(Value::Integer).or_else(|_| raw.parse().map(Value::Real)).unwrap_or(Value::Null),
    }
}

/// A scalar as the parser gives it.
struct Plain;

impl<'de> Visitor<'de> for Plain {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a scalar")
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value<'de>, E> {
        i64::try_from(number).map(Value::Integer).map_err(E::custom)
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value<'de>, E> {
        Ok(Value::Real(number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }
}

/// Looks a key up while it is read.
struct Key<F>(F);

impl<'de, T, F: FnOnce(&str) -> T> DeserializeSeed<'de> for Key<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<T, D::Error> {
        key.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> T> Visitor<'_> for Key<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<T, E> {
        Ok((self.0)(key))
    }
}

/// `BINARY FILE TIMES WAY`: reads the page so many times, and says how many
/// records and bytes of values came out, which is the same for all, and the time.
pub fn run(read: impl Fn(&str, &[u8], &mut Sink<'_>)) {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, times, way] = &args[..] else { panic!("FILE TIMES WAY") };
    let page = std::fs::read(file).expect("the page");
    let (mut records, mut bytes) = (0_u64, 0_usize);
    let start = Instant::now();
    for _ in 0..times.parse().expect("a number") {
        read(way, &page, &mut |values| {
            records += 1;
            bytes += black_box(values).iter().map(weight).sum::<usize>();
        });
    }
    let nanoseconds = start.elapsed().as_nanos() / u128::from(records.max(1));
    println!("{records} records, {bytes} bytes, {nanoseconds} ns each");
}

fn weight(value: &Value<'_>) -> usize {
    match value {
        Value::Null => 0,
        Value::Integer(_) | Value::Real(_) => 8,
        Value::Text(text) => text.len(),
    }
}
