//! One record's values, as found, into one row: converted, keyed, handed on.
//! Keeps out how the values were found.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::plan::{FieldPlan, From, Plan};
use super::{PageFacts, ReadError};
use crate::store::value::Value;
use crate::worker::convert::{self, Converter};
use crate::worker::record_key::{self, RecordKey};

/// A record on its way to the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Row<'r> {
    /// From 1, in its answer.
    pub number: u64,
    pub key: RecordKey,
    /// In the order of the source's fields.
    pub values: &'r [Value<'r>],
}

/// What takes the rows of an answer, one at a time.
pub type Sink<'s, E> = dyn FnMut(Row<'_>) -> Result<(), E> + 's;

#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Cell<'a> {
    #[default]
    Missing,
    Json(&'a RawValue),
    /// Of a CSV file.
    Text(&'a str),
}

/// Values that all records of an answer share, by their place in `Plan::roots`.
pub(super) type Roots<'a> = Vec<Result<Value<'a>, String>>;

/// One record, found but not yet converted.
pub(super) struct Found<'c, 'a> {
    pub(super) cells: &'c [Cell<'a>],
    pub(super) key: Option<Cow<'a, str>>,
    pub(super) roots: &'a Roots<'a>,
}

/// Counts and hands on the rows of one answer.
pub(super) struct Rows<'p, 's, E> {
    pub(super) plan: &'p Plan,
    sink: &'s mut Sink<'s, E>,
    pub(super) records: u64,
    pub(super) skipped: u64,
    digest: u128,
}

impl<'p, 's, E> Rows<'p, 's, E> {
    pub(super) fn new(plan: &'p Plan, sink: &'s mut Sink<'s, E>) -> Rows<'p, 's, E> {
        Rows { plan, sink, records: 0, skipped: 0, digest: 0 }
    }

    /// `values` is only a place to put them, kept from record to record.
    pub(super) fn emit<'a>(
        &mut self,
        found: &Found<'_, 'a>,
        values: &mut Vec<Value<'a>>,
    ) -> Result<(), ReadError<E>>
    where
        'p: 'a,
    {
        let number = self.records + 1;
        values.clear();
        for field in &self.plan.fields {
            let value = value_of(field, found);
            values.push(value.map_err(|message| refused(number, &field.target, message))?);
        }
        self.check_identity(number, values)?;
        let key = self.plan.keys.key(values);
        self.digest = record_key::digest(self.digest, &key);
        self.records = number;
        (self.sink)(Row { number, key, values }).map_err(ReadError::Sink)
    }

    fn check_identity(&self, number: u64, values: &[Value<'_>]) -> Result<(), ReadError<E>> {
        match &self.plan.identity {
            Some(names) if !self.plan.keys.has_identity(values) => {
                let message = "no identity: every field that `unique` names is null".to_owned();
                Err(refused(number, names, message))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn finish(self, facts: PageFacts) -> PageFacts {
        PageFacts { records: self.records, skipped: self.skipped, digest: self.digest, ..facts }
    }
}

fn refused<E>(number: u64, field: &str, message: String) -> ReadError<E> {
    ReadError::Record { number, field: field.to_owned(), message }
}

fn value_of<'a>(field: &'a FieldPlan, found: &Found<'_, 'a>) -> Result<Value<'a>, String> {
    let converter = &field.converter;
    match &field.from {
        From::Record(slot) => match found.cells[*slot] {
            Cell::Missing => converter.missing(),
            Cell::Json(raw) => converter.json(raw.get()),
            Cell::Text(text) => converter.text(Cow::Borrowed(text)),
        },
        From::Joined(slots) => match joined(converter, slots, found.cells)? {
            Some(text) => converter.text(Cow::Owned(text)),
            None => converter.missing(),
        },
        From::Root(at) => convert::fixed(&found.roots[*at]),
        From::Key => match &found.key {
            Some(key) => converter.text(key.clone()),
            None => converter.missing(),
        },
        From::Constant(value) => convert::fixed(value),
    }
}

/// A date without its time would be a wrong time: all parts, or none.
fn joined(converter: &Converter, slots: &[usize], cells: &[Cell<'_>]) -> Result<Option<String>, String> {
    let mut text = String::new();
    for &slot in slots {
        let part = match cells[slot] {
            Cell::Missing => None,
            Cell::Json(raw) => converter.part(raw.get())?,
            Cell::Text(text) => converter.text_part(text),
        };
        let Some(part) = part else { return Ok(None) };
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(part.trim());
    }
    Ok(Some(text))
}
