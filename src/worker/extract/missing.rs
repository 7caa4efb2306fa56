//! What an answer has instead of what was looked for. Only read where
//! something is missing: a good answer never pays for it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::error::names;
use super::json::Columns;
use super::plan::Plan;
use crate::definition::{Path, nearest};
use crate::worker::quote::quote;

/// Among these the nearest to a misspelt key is looked for.
const MAX_KEYS: usize = 100;

/// Why there are no records at the data path. `Ok` where the answer says that
/// there are none: null or something empty on the way to them.
pub(super) fn explain(text: &str, path: &Path) -> Result<(), String> {
    match follow(text, path) {
        Followed::Lost(lost) => Err(format!("dataPath: {}", lost.words(path, "the answer"))),
        Followed::Found(_) | Followed::Nothing => Ok(()),
    }
}

/// Where a path leads in a JSON text.
pub(super) enum Followed<'a> {
    Found(&'a str),
    /// Null or something empty is on the way: there is nothing to tell.
    Nothing,
    Lost(Lost<'a>),
}

/// A path that leads nowhere from some depth on.
pub(super) struct Lost<'a> {
    pub(super) depth: usize,
    /// What stands there; a scalar has no level.
    level: Option<Level<'a>>,
    text: &'a str,
}

pub(super) fn follow<'a>(text: &'a str, path: &Path) -> Followed<'a> {
    let mut here = text.trim();
    for (depth, key) in path.0.iter().enumerate() {
        let level = match here.as_bytes().first() {
            Some(b'{' | b'[') => Level::read(here, key),
            Some(b'n') => return Followed::Nothing,
            _ => return Followed::Lost(Lost { depth, level: None, text: here }),
        };
        match level.found {
            Some(raw) => here = raw.get(),
            None if level.count == 0 => return Followed::Nothing,
            None => return Followed::Lost(Lost { depth, level: Some(level), text: here }),
        }
    }
    Followed::Found(here)
}

impl<'a> Lost<'a> {
    /// None of a list or a scalar.
    pub(super) fn keys(&self) -> &[Cow<'a, str>] {
        self.level.as_ref().map_or(&[], |level| &level.keys)
    }

    /// "there is no `items` in `data`; it has: `rows`"; `whole` is what the path leads into.
    fn words(&self, path: &Path, whole: &str) -> String {
        let key = &path.0[self.depth];
        let place = if self.depth == 0 { whole.to_owned() } else { parent(path, self.depth) };
        let has = match &self.level {
            None => format!(", which is {}", quote(self.text)),
            Some(level) if level.is_list => ", which is a list".to_owned(),
            Some(level) => format!("; it has: {}", listed(key, &level.keys, level.count)),
        };
        format!("there is no {} in {place}{has}", quote(key))
    }
}

/// What a key stands in, as people write it.
pub(super) fn parent(path: &Path, depth: usize) -> String {
    format!("`{}`", Path(path.0[..depth].to_vec()))
}

/// The names that are there, and the one that was meant.
pub(super) fn listed(wanted: &str, keys: &[impl AsRef<str>], count: usize) -> String {
    let all = names(keys.iter().map(AsRef::as_ref), count);
    match nearest(wanted, keys.iter().map(AsRef::as_ref)) {
        Some(meant) => format!("{all}; did you mean {}?", quote(meant)),
        None => all,
    }
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
            if level.keys.len() < MAX_KEYS {
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
            return Err(no_column(wanted, &columns));
        }
    }
    Ok(columns.iter().map(|column| plan.record.root.child(column)).collect())
}

pub(super) fn no_column(wanted: &str, columns: &[impl AsRef<str>]) -> String {
    let first = &columns[..columns.len().min(MAX_KEYS)];
    format!("no column {}; the answer has: {}", quote(wanted), listed(wanted, first, columns.len()))
}
