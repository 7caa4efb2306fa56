//! The three layouts of records: a list, a map, rows under columns. Keeps out
//! what a record's values become.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::ReadError;
use super::json::Page;
use super::walk::{walk_map, walk_seq};
use crate::definition::mapping::Shape;
use crate::worker::quote::quote;

/// What stands at the data path.
pub(super) struct Records<'v, 'a, 'w, 'p, 's, E> {
    pub(super) page: &'v mut Page<'a, 'w, 'p, 's, E>,
}

impl<'a, 'p: 'a, E> Records<'_, 'a, '_, 'p, '_, E> {
    fn unfit<S: Error>(self, found: &str) -> S {
        let plan = self.page.rows.plan;
        let want = match plan.shape {
            Shape::List => "a list of objects",
            Shape::Map => "an object of objects",
            Shape::Columns(_) => "a list of lists",
        };
        self.page.fail(ReadError::answer(format!("dataPath `{}`: {found} is not {want}", plan.data_path)))
    }
}

impl<'a, 'p: 'a, E> DeserializeSeed<'a> for Records<'_, 'a, '_, 'p, '_, E> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, answer: D) -> Result<(), D::Error> {
        let plan = self.page.rows.plan;
        if plan.record.root.slot.is_none() || !matches!(plan.shape, Shape::List) {
            return answer.deserialize_any(self);
        }
        // All of what may be one record is wanted, and a walk cannot go back for it.
        let raw = <&RawValue>::deserialize(answer)?;
        if raw.get().starts_with('{') {
            let record = Record { page: self.page, place: Place::Alone };
            return record.deserialize(raw).map_err(D::Error::custom);
        }
        raw.deserialize_any(self).map_err(D::Error::custom)
    }
}

/// A scalar is no place for records; each kind says what it is.
macro_rules! refuse_scalars {
    ($out:ty) => {
        fn visit_bool<S: Error>(self, value: bool) -> Result<$out, S> {
            Err(self.unfit(&format!("`{value}`")))
        }

        fn visit_i64<S: Error>(self, value: i64) -> Result<$out, S> {
            Err(self.unfit(&format!("`{value}`")))
        }

        fn visit_u64<S: Error>(self, value: u64) -> Result<$out, S> {
            Err(self.unfit(&format!("`{value}`")))
        }

        fn visit_f64<S: Error>(self, value: f64) -> Result<$out, S> {
            Err(self.unfit(&format!("`{value}`")))
        }

        fn visit_str<S: Error>(self, value: &str) -> Result<$out, S> {
            Err(self.unfit(&format!("the text {}", quote(value))))
        }
    };
}

impl<'a, 'p: 'a, E> Visitor<'a> for Records<'_, 'a, '_, 'p, '_, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("records")
    }

    /// An empty list is no records in any layout: some servers cannot tell it
    /// from an empty object.
    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        let is_map = matches!(self.page.rows.plan.shape, Shape::Map);
        let place = || if is_map { Place::Stray } else { Place::Listed };
        while seq.next_element_seed(Record { page: &mut *self.page, place: place() })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        match self.page.rows.plan.shape {
            Shape::Map => {
                while let Some(key) = map.next_key_seed(Key)? {
                    map.next_value_seed(Record { page: &mut *self.page, place: Place::Keyed(key) })?;
                }
                Ok(())
            }
            Shape::List => Record { page: self.page, place: Place::Alone }.visit_map(map),
            Shape::Columns(_) => Err(self.unfit("an object")),
        }
    }

    /// Null is how some APIs say "nothing".
    fn visit_unit<S>(self) -> Result<(), S> {
        Ok(())
    }

    refuse_scalars!(());
}

/// One record.
struct Record<'v, 'a, 'w, 'p, 's, E> {
    page: &'v mut Page<'a, 'w, 'p, 's, E>,
    place: Place<'a>,
}

enum Place<'a> {
    Listed,
    /// One object where a list is expected.
    Alone,
    Keyed(Cow<'a, str>),
    /// In a list where an object of objects is expected.
    Stray,
}

impl<'a, 'p: 'a, E> Record<'_, 'a, '_, 'p, '_, E> {
    fn unfit<S: Error>(self, found: &str) -> S {
        if matches!(self.place, Place::Stray) {
            return Records { page: self.page }.unfit("a list");
        }
        let (number, shape) = (self.page.rows.records + 1, &self.page.rows.plan.shape);
        let want = if matches!(shape, Shape::Columns(_)) { "a list of values" } else { "an object" };
        let key = match &self.place {
            Place::Keyed(key) => format!(" at {}", quote(key)),
            _ => String::new(),
        };
        self.page.fail(ReadError::answer(format!("record {number}{key}: {found} is not {want}")))
    }
}

impl<'a, 'p: 'a, E> DeserializeSeed<'a> for Record<'_, 'a, '_, 'p, '_, E> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, record: D) -> Result<(), D::Error> {
        if self.page.rows.plan.record.root.slot.is_none() {
            return record.deserialize_any(self);
        }
        let raw = <&RawValue>::deserialize(record)?;
        self.page.whole = Some(raw);
        raw.deserialize_any(self).map_err(D::Error::custom)
    }
}

impl<'a, 'p: 'a, E> Visitor<'a> for Record<'_, 'a, '_, 'p, '_, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'a>>(self, map: A) -> Result<(), A::Error> {
        if matches!(self.place, Place::Stray) || matches!(self.page.rows.plan.shape, Shape::Columns(_)) {
            return Err(self.unfit("an object"));
        }
        let plan = self.page.rows.plan;
        self.page.clear_cells();
        let keys = walk_map(map, &plan.record.root, &mut self.page.cells)?;
        match self.place {
            // `{}` where a list is expected says that there is nothing.
            Place::Alone if keys == 0 => Ok(()),
            Place::Keyed(key) => self.page.emit(Some(key)),
            _ => self.page.emit(None),
        }
    }

    fn visit_seq<A: SeqAccess<'a>>(self, seq: A) -> Result<(), A::Error> {
        if !matches!(self.page.rows.plan.shape, Shape::Columns(_)) {
            return Err(self.unfit("a list"));
        }
        let columns = match self.page.columns {
            Ok(columns) => columns,
            Err(message) => return Err(self.page.fail(ReadError::answer(message))),
        };
        self.page.clear_cells();
        walk_seq(seq, |index| *columns.get(index)?, &mut self.page.cells)?;
        self.page.emit(None)
    }

    fn visit_unit<S>(self) -> Result<(), S> {
        self.page.rows.skipped += 1;
        Ok(())
    }

    refuse_scalars!(());
}

/// A key of a map of records, borrowed where nothing in it is escaped.
struct Key;

impl<'a> DeserializeSeed<'a> for Key {
    type Value = Cow<'a, str>;

    fn deserialize<D: Deserializer<'a>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl<'a> Visitor<'a> for Key {
    type Value = Cow<'a, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<S>(self, key: &'a str) -> Result<Self::Value, S> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<S>(self, key: &str) -> Result<Self::Value, S> {
        Ok(Cow::Owned(key.to_owned()))
    }
}
