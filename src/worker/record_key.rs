//! What makes a record the same record: 16 bytes over its unique values. Keeps
//! out where the values come from, and the columns they go to.
//!
//! The key is keyed by the names of the unique columns and hashes their values
//! in the order of those names. So it stays the same when a document reorders
//! its fields or gains one that is not unique, and columns that swap their
//! meaning do not make two records one. Case does not count, as in SQLite. Without
//! `unique` all fields count: there a new field makes new records, which is
//! what "all of them" means.
//!
//! The first bytes of a key follow the data's own order, for the index of the
//! keys is written where they fall: records that come together should lie
//! together in it, as those of an API nearly always do by time or number. A hash
//! alone would touch another page of the index with every record. They are made
//! of the values alone, as the hash is: the same values are the same key, whatever
//! the document says of their types.
//!
//! Keys are stored: a change of this encoding stores every record once more.

use crate::definition::Field;
use crate::store::value::Value;

pub type RecordKey = [u8; 16];

#[derive(Debug, Clone)]
pub struct KeyPlan {
    /// Indices of the unique fields, by name.
    order: Vec<usize>,
    /// Of the names; hashing them once for all records instead of with each.
    names: [u8; blake3::KEY_LEN],
}

impl KeyPlan {
    pub fn new(fields: &[Field], unique: &[usize]) -> KeyPlan {
        let mut named: Vec<(String, usize)> =
            unique.iter().map(|&at| (fields[at].target.to_ascii_lowercase(), at)).collect();
        named.sort_unstable();
        let mut names = Vec::new();
        for (name, _) in &named {
            write_text(&mut names, name);
        }
        let names = *blake3::hash(&names).as_bytes();
        KeyPlan { order: named.into_iter().map(|(_, at)| at).collect(), names }
    }

    /// `values` are those of all fields, in the order of the document.
    pub fn key(&self, values: &[Value<'_>]) -> RecordKey {
        // All at once: a hasher that can be fed is 2 KB to set up.
        let mut bytes = Vec::with_capacity(128);
        for &at in &self.order {
            write_value(&mut bytes, &values[at]);
        }
        let mut key = RecordKey::default();
        key.copy_from_slice(&blake3::keyed_hash(&self.names, &bytes).as_bytes()[..16]);
        let place = place(self.order.iter().map(|&at| &values[at]));
        key[..PLACE_BYTES].copy_from_slice(&place.to_be_bytes()[8 - PLACE_BYTES..]);
        key
    }

    /// Whether any unique value is there to tell this record from another.
    pub fn has_identity(&self, values: &[Value<'_>]) -> bool {
        self.order.iter().any(|&at| values[at] != Value::Null)
    }
}

/// Leaves 80 bits of hash: twins would need the same place as well. Holds the
/// 14 digits of a time and ids of 48 bits; larger ones begin again at the front.
const PLACE_BYTES: usize = 6;

/// Where among the other records: by time where a value is one, else by the
/// largest number that a value makes, which is the one that grows.
fn place<'v>(values: impl Iterator<Item = &'v Value<'v>> + Clone) -> u64 {
    let time = values.clone().find_map(|value| match value {
        Value::Text(text) if begins_with_date(text) => Some(digits(text, TIME_BYTES)),
        _ => None,
    });
    time.or_else(|| values.map(number).max()).unwrap_or_default()
}

/// `2026-11-15T23:41:53`: records of one second lie together in any order.
const TIME_BYTES: usize = 19;

/// Of a text that is looked at for a number: an id or an address.
const NUMBER_BYTES: usize = 128;

fn begins_with_date(text: &str) -> bool {
    let is_digit = |at: usize| text.as_bytes()[at].is_ascii_digit();
    text.len() >= 10 && [0, 1, 2, 3, 5, 6, 8, 9].into_iter().all(is_digit) && &text.as_bytes()[4..5] == b"-"
}

fn number(value: &Value<'_>) -> u64 {
    match value {
        Value::Null => 0,
        Value::Integer(number) => number.unsigned_abs(),
        // The cast saturates.
        Value::Real(number) => (number.floor() as i64).unsigned_abs(),
        Value::Text(text) => time_of_uuid(text).unwrap_or_else(|| digits(text, NUMBER_BYTES)),
    }
}

/// All of them as one number: `art-0042` is 42, and the date in an address counts.
fn digits(text: &str, bytes: usize) -> u64 {
    let mut number = 0_u64;
    for byte in text.bytes().take(bytes) {
        if byte.is_ascii_digit() {
            number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        }
    }
    number
}

/// Version 7 begins with its milliseconds.
fn time_of_uuid(text: &str) -> Option<u64> {
    let has_shape = text.len() == 36 && text.as_bytes()[14] == b'7';
    let (high, low) = (text.get(..8)?, text.get(9..13)?);
    let part = |digits| u64::from_str_radix(digits, 16).ok();
    has_shape.then(|| Some(part(high)? << 16 | part(low)?)).flatten()
}

/// Of keys in their order, one after the other. Most of each is a hash already: it is
/// enough that it moves those before it to another place.
pub fn digest(before: u128, key: &RecordKey) -> u128 {
    /// Any odd number with about as many ones as zeros.
    const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    before.wrapping_mul(SPREAD).wrapping_add(u128::from_le_bytes(*key))
}

/// A tag and a fixed or prefixed length for each value, so that no two lists
/// of values give the same bytes.
fn write_value(to: &mut Vec<u8>, value: &Value<'_>) {
    match value {
        Value::Null => to.push(0),
        Value::Integer(number) => write_tagged(to, 1, number.to_le_bytes()),
        Value::Real(number) => match as_integer(*number) {
            Some(integer) => write_tagged(to, 1, integer.to_le_bytes()),
            None => write_tagged(to, 2, number.to_bits().to_le_bytes()),
        },
        Value::Text(text) => write_text(to, text),
    }
}

fn write_text(to: &mut Vec<u8>, text: &str) {
    write_tagged(to, 3, (text.len() as u64).to_le_bytes());
    to.extend_from_slice(text.as_bytes());
}

fn write_tagged(to: &mut Vec<u8>, tag: u8, bytes: [u8; 8]) {
    to.push(tag);
    to.extend_from_slice(&bytes);
}

/// An API that flips between `1` and `1.0` does not have two records; nor
/// does one that knows a negative zero.
fn as_integer(number: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (number.fract() == 0.0 && (-LIMIT..LIMIT).contains(&number)).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::extract::testing::field;

    fn text(text: &str) -> Value<'_> {
        Value::Text(text.into())
    }

    fn key(names: &[&str], values: &[Value<'_>]) -> RecordKey {
        let fields: Vec<_> = names.iter().map(|name| field(name, name)).collect();
        let all: Vec<usize> = (0..names.len()).collect();
        KeyPlan::new(&fields, &all).key(values)
    }

    #[test]
    fn values_that_differ_have_keys_that_differ() {
        let lists = [
            vec![Value::Null, Value::Null],
            vec![text(""), Value::Null],
            vec![Value::Null, text("")],
            vec![text(""), text("")],
            vec![Value::Integer(1), Value::Null],
            vec![text("1"), Value::Null],
            vec![Value::Real(1.5), Value::Null],
            vec![text("1.5"), Value::Null],
            vec![Value::Integer(0), Value::Null],
            vec![Value::Integer(-1), Value::Null],
            vec![text("a"), text("bc")],
            vec![text("ab"), text("c")],
            vec![text("abc"), text("")],
            vec![text("bc"), text("a")],
            vec![Value::Real(1e300), Value::Null],
            vec![Value::Integer(i64::MAX), Value::Null],
            vec![Value::Real(9.3e18), Value::Null],
        ];
        let keys: std::collections::HashSet<_> = lists.iter().map(|list| key(&["a", "b"], list)).collect();
        assert_eq!(keys.len(), lists.len());
    }

    #[test]
    fn one_number_is_one_value_however_it_is_written() {
        for (why, one, other) in [
            ("integral", Value::Real(1.0), Value::Integer(1)),
            ("negative zero", Value::Real(-0.0), Value::Integer(0)),
            ("large", Value::Real(1e15), Value::Integer(1_000_000_000_000_000)),
            ("the least", Value::Real(i64::MIN as f64), Value::Integer(i64::MIN)),
        ] {
            assert_eq!(key(&["a"], &[one]), key(&["a"], &[other]), "{why}");
        }
    }

    #[test]
    fn the_order_and_the_number_of_other_fields_do_not_count() {
        let (one, two) = (Value::Integer(1), Value::Integer(2));
        let want = key(&["a", "b"], &[one.clone(), two.clone()]);
        assert_eq!(key(&["b", "a"], &[two.clone(), one.clone()]), want, "reordered");
        assert_eq!(key(&["A", "b"], &[one.clone(), two.clone()]), want, "SQLite ignores case");
        assert_ne!(key(&["b", "a"], &[one.clone(), two.clone()]), want, "swapped");
        assert_ne!(key(&["a", "c"], &[one.clone(), two.clone()]), want, "another column");
        let fields = [field("x", "x"), field("a", "a"), field("b", "b")];
        let plan = KeyPlan::new(&fields, &[2, 1]);
        assert_eq!(plan.key(&[text("new"), one, two]), want, "a field that is not unique");
    }

    /// In the order in which they are written here, and no two at one place.
    #[test]
    fn keys_keep_the_order_of_the_data() {
        let lists: [(&str, Vec<Vec<Value<'_>>>); 7] = [
            (
                "numbers",
                vec![vec![Value::Integer(9)], vec![Value::Integer(10)], vec![Value::Integer(1 << 40)]],
            ),
            (
                "of both kinds",
                vec![vec![Value::Integer(9)], vec![Value::Real(10.5)], vec![Value::Integer(11)]],
            ),
            ("numbers as text", vec![vec![text("9")], vec![text("10")], vec![text("art-0011")]]),
            (
                "times, whatever stands beside them",
                vec![
                    vec![Value::Integer(9), text("2026-01-01T00:00:00.999Z")],
                    vec![text("zzz999999999999999999"), text("2026-01-01T00:00:01.000Z")],
                    vec![Value::Null, text("2026-01-02 00:00:00.000+02:00")],
                    vec![Value::Integer(-1), text("2027-01-01T00:00:00.000Z")],
                ],
            ),
            (
                "a station and its clock",
                vec![
                    vec![Value::Integer(77), Value::Integer(1_768_000_000)],
                    vec![Value::Integer(12), Value::Integer(1_768_000_060)],
                ],
            ),
            (
                "UUIDs with a time",
                vec![
                    vec![text("01900000-00fe-7fff-bfff-ffffffffffff")],
                    vec![text("01900000-0100-7000-8000-000000000000")],
                ],
            ),
            (
                "dates in addresses",
                vec![vec![text("https://a/2026/01/31/x")], vec![text("https://a/2026/02/01/b")]],
            ),
        ];
        for (why, lists) in lists {
            let names = &["a", "b"][..lists[0].len()];
            let places: Vec<_> = lists.iter().map(|list| key(names, list)[..PLACE_BYTES].to_vec()).collect();
            assert!(places.is_sorted_by(|a, b| a < b), "{why}: {places:02x?}");
        }
    }

    #[test]
    fn odd_texts_have_a_place_too() {
        for odd in
            ["", "é", "٣", "2026-1", "2026-01-0é", "01900000-00fé-7", &"é".repeat(18), &"9".repeat(300)]
        {
            assert_eq!(key(&["a"], &[text(odd)]), key(&["a"], &[text(odd)]), "{odd}");
        }
        for number in [f64::NAN, f64::INFINITY, f64::MIN, i64::MIN as f64] {
            assert_eq!(key(&["a"], &[Value::Real(number)]), key(&["a"], &[Value::Real(number)]), "{number}");
        }
        assert_eq!(key(&["a"], &[Value::Integer(i64::MIN)])[..PLACE_BYTES], [0; PLACE_BYTES]);
    }

    #[test]
    fn the_encoding_is_the_stored_one() {
        let key = key(&["a", "b"], &[Value::Integer(1), text("x")]);
        let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "0000000000018ffc377b6d6f9d388c03");
    }
}
