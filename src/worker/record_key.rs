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
        named.sort();
        let mut names = blake3::Hasher::new();
        for (name, _) in &named {
            hash_text(&mut names, name);
        }
        KeyPlan { order: named.into_iter().map(|(_, at)| at).collect(), names: *names.finalize().as_bytes() }
    }

    /// `values` are those of all fields, in the order of the document.
    pub fn key(&self, values: &[Value<'_>]) -> RecordKey {
        let mut hasher = blake3::Hasher::new_keyed(&self.names);
        for &at in &self.order {
            hash_value(&mut hasher, &values[at]);
        }
        shortened(&hasher)
    }

    /// Whether any unique value is there to tell this record from another.
    pub fn has_identity(&self, values: &[Value<'_>]) -> bool {
        self.order.iter().any(|&at| values[at] != Value::Null)
    }
}

/// The first half: 128 bits keep accidental twins out of any table that fits a disk.
pub fn shortened(hasher: &blake3::Hasher) -> RecordKey {
    let mut key = RecordKey::default();
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// A tag and a fixed or prefixed length for each value, so that no two lists
/// of values give the same bytes.
fn hash_value(hasher: &mut blake3::Hasher, value: &Value<'_>) {
    match value {
        Value::Null => drop(hasher.update(&[0])),
        Value::Integer(number) => hash_tagged(hasher, 1, number.to_le_bytes()),
        Value::Real(number) => match as_integer(*number) {
            Some(integer) => hash_tagged(hasher, 1, integer.to_le_bytes()),
            None => hash_tagged(hasher, 2, number.to_bits().to_le_bytes()),
        },
        Value::Text(text) => hash_text(hasher, text),
    }
}

fn hash_text(hasher: &mut blake3::Hasher, text: &str) {
    hash_tagged(hasher, 3, (text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

fn hash_tagged(hasher: &mut blake3::Hasher, tag: u8, bytes: [u8; 8]) {
    let mut tagged = [tag; 9];
    tagged[1..].copy_from_slice(&bytes);
    hasher.update(&tagged);
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

    #[test]
    fn the_encoding_is_the_stored_one() {
        let key = key(&["a", "b"], &[Value::Integer(1), text("x")]);
        let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "9eeca0bf4fb48ffc377b6d6f9d388c03");
    }
}
