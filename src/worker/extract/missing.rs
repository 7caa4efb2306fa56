//! What an answer has instead of what was looked for. Only read where
//! something is missing: a good answer never pays for it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{MAX_NAMES, names};
use super::json::Columns;
use super::plan::Plan;
use crate::definition::Path;
use crate::worker::quote::quote;

/// Why there are no records at the data path. `Ok` where the answer says that
/// there are none: null or something empty on the way to them.
pub(super) fn explain(text: &str, path: &Path) -> Result<(), String> {
    let mut here = text;
    for (depth, key) in path.0.iter().enumerate() {
        let level = match here.trim_start().as_bytes().first() {
            Some(b'{' | b'[') => Level::read(here, key),
            Some(b'n') => return Ok(()),
            _ => return Err(format!("dataPath `{path}`: {} has no keys", quote(here))),
        };
        match level.found {
            Some(raw) => here = raw.get(),
            None if level.count == 0 => return Ok(()),
            None => return Err(level.lacks(path, depth, key)),
        }
    }
    Ok(())
}

/// One object or list on the way.
struct Level<'a> {
    found: Option<&'a RawValue>,
    /// The first ones.
    keys: Vec<Cow<'a, str>>,
    /// Keys of an object, elements of a list.
    count: usize,
    is_list: bool,
}

impl<'a> Level<'a> {
    fn read(text: &'a str, key: &str) -> Level<'a> {
        let level = serde_json::Deserializer::from_str(text).deserialize_any(Look(key));
        level.unwrap_or(Level { found: None, keys: Vec::new(), count: 1, is_list: false })
    }

    fn lacks(&self, path: &Path, depth: usize, key: &str) -> String {
        let whose = match depth {
            0 => "the answer".to_owned(),
            _ => format!("`{}`", Path(path.0[..depth].to_vec())),
        };
        let has = match self.is_list {
            true => format!("{whose} is a list"),
            false => format!("{whose} has: {}", names(self.keys.iter().map(|key| &**key), self.count)),
        };
        let what = if depth == 0 { String::new() } else { format!(" {}", quote(key)) };
        format!("dataPath `{path}`: no such key{what}; {has}")
    }
}

struct Look<'k>(&'k str);

impl<'a> Visitor<'a> for Look<'_> {
    type Value = Level<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Level<'a>, A::Error> {
        let mut level = Level { found: None, keys: Vec::new(), count: 0, is_list: false };
        while let Some((key, raw)) = map.next_entry::<Cow<'a, str>, &RawValue>()? {
            level.count += 1;
            if key == self.0 {
                level.found = Some(raw);
            }
            if level.keys.len() < MAX_NAMES {
                level.keys.push(key);
            }
        }
        Ok(level)
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Level<'a>, A::Error> {
        let mut level = Level { found: None, keys: Vec::new(), count: 0, is_list: true };
        while let Some(raw) = seq.next_element::<&RawValue>()? {
            if self.0.parse() == Ok(level.count) {
                level.found = Some(raw);
            }
            level.count += 1;
        }
        Ok(level)
    }
}

/// The nodes of the record's values, in the order of the columns. A column
/// that the mapping names must be there: its values would be null for ever.
pub(super) fn columns<'a>(plan: &'a Plan, slot: usize, raw: Option<&'a RawValue>) -> Columns<'a> {
    let path = &plan.before.paths[slot];
    let Some(raw) = raw else { return Err(format!("columnsPath `{path}`: no such key")) };
    let columns: Vec<Cow<'_, str>> = serde_json::from_str(raw.get())
        .map_err(|_| format!("columnsPath `{path}`: {} is not a list of names", quote(raw.get())))?;
    for wanted in plan.record.paths.iter().filter_map(|path| path.0.first()) {
        if !columns.iter().any(|column| column == wanted) {
            return Err(no_column(wanted, columns.iter().map(|column| &**column), columns.len()));
        }
    }
    Ok(columns.iter().map(|column| plan.record.root.child(column)).collect())
}

pub(super) fn no_column<'a>(wanted: &str, columns: impl Iterator<Item = &'a str>, count: usize) -> String {
    format!("no column {}; the answer has: {}", quote(wanted), names(columns, count))
}
