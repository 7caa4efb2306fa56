//! One JSON text into rows and facts. Keeps out how records are laid out
//! (`records`) and how values are converted (`rows`).

use std::borrow::Cow;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny};
use serde_json::value::RawValue;

use super::facts::{Found, error_text};
use super::plan::Plan;
use super::records::Records;
use super::rows::{self, Cell, Roots, Rows};
use super::trie::Node;
use super::walk::{Meet, walk_text};
use super::{PageFacts, ReadError, missing};
use crate::store::value::Value;

/// The answer's own error goes before anything that is wrong with its shape:
/// it is why the shape is wrong.
pub(super) fn read<E>(
    text: &str,
    rows: &mut Rows<'_, '_, E>,
    facts: &mut PageFacts,
) -> Result<(), ReadError<E>> {
    let plan = rows.plan;
    let done = read_records(text, rows, facts);
    if let Err(ReadError::Answer(_) | ReadError::Record { .. }) = done
        && let Some(error) = own_error(plan, text)
    {
        facts.error = Some(error);
        return Ok(());
    }
    done
}

fn read_records<E>(
    text: &str,
    rows: &mut Rows<'_, '_, E>,
    facts: &mut PageFacts,
) -> Result<(), ReadError<E>> {
    let plan = rows.plan;
    let (roots, columns) = before_records(plan, text)?;
    let mut page = Page {
        found: vec![None; plan.answer.paths.len()],
        cells: vec![Cell::Missing; plan.record.paths.len()],
        values: Vec::with_capacity(plan.fields.len()),
        roots: &roots,
        columns: &columns,
        rows,
        met: false,
        whole: None,
        failure: None,
    };
    let walked = walk_text(text, &plan.answer.root, &mut page);
    let Page { found, met, failure, .. } = page;
    if let Some(failure) = failure {
        return Err(not_json_at_all(text).unwrap_or(failure));
    }
    walked.map_err(|error| ReadError::not_json(&error, text))?;
    facts.update(&found, plan).map_err(ReadError::Answer)?;
    if !met && facts.error.is_none() {
        missing::explain(text, &plan.data_path).map_err(ReadError::Answer)?;
    }
    Ok(())
}

/// The columns of rows that have none themselves, as nodes of the record's trie.
pub(super) type Columns<'a> = Result<Vec<Option<&'a Node>>, String>;

/// What each record needs of the rest of the answer, where the mapping wants
/// any; most answers are read once.
fn before_records<'a, E>(plan: &'a Plan, text: &'a str) -> Result<(Roots<'a>, Columns<'a>), ReadError<E>> {
    let mut found: Found<'a> = vec![None; plan.before.paths.len()];
    if !found.is_empty() {
        walk_text(text, &plan.before.root, &mut found).map_err(|error| ReadError::not_json(&error, text))?;
    }
    let root = |&(field, slot): &(usize, usize)| {
        let converter = &plan.fields[field].converter;
        found[slot].map_or_else(|| converter.missing(), |raw| converter.json(raw.get()))
    };
    let columns = plan.columns.map_or(Ok(Vec::new()), |slot| missing::columns(plan, slot, found[slot]));
    Ok((plan.roots.iter().map(root).collect(), columns))
}

/// A scalar is met before what follows it: the date at the head of a text file
/// reads as a number, and is not what is wrong with it.
fn not_json_at_all<E>(text: &str) -> Option<ReadError<E>> {
    if text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    Some(ReadError::not_json(&error, text))
}

/// What stands at the error path of an answer that could not be read.
fn own_error(plan: &Plan, text: &str) -> Option<String> {
    let slot = plan.facts.error?;
    let mut found: Found<'_> = vec![None; plan.answer.paths.len()];
    walk_text(text, &plan.answer.root, &mut found).ok()?;
    error_text(found[slot]?.get())
}

/// The state of a walk over one answer.
pub(super) struct Page<'a, 'w, 'p, 's, E> {
    found: Found<'a>,
    pub(super) cells: Vec<Cell<'a>>,
    values: Vec<Value<'a>>,
    roots: &'a Roots<'a>,
    pub(super) columns: &'a Columns<'a>,
    pub(super) rows: &'w mut Rows<'p, 's, E>,
    /// The place of the records is in the answer.
    met: bool,
    /// The record itself, where a field wants all of it.
    pub(super) whole: Option<&'a RawValue>,
    /// The real error: serde only carries text.
    failure: Option<ReadError<E>>,
}

impl<'a, 'p: 'a, E> Page<'a, '_, 'p, '_, E> {
    /// Hands on the record whose values are in the cells.
    pub(super) fn emit<S: serde::de::Error>(&mut self, key: Option<Cow<'a, str>>) -> Result<(), S> {
        let found = rows::Found { cells: &self.cells, key, roots: self.roots };
        let done = self.rows.emit(&found, &mut self.values);
        done.map_err(|failure| self.fail(failure))
    }

    /// Of the record before.
    pub(super) fn clear_cells(&mut self) {
        self.cells.fill(Cell::Missing);
        if let (Some(slot), Some(whole)) = (self.rows.plan.record.root.slot, self.whole) {
            self.cells[slot] = Cell::Json(whole);
        }
    }

    pub(super) fn fail<S: serde::de::Error>(&mut self, failure: ReadError<E>) -> S {
        self.failure = Some(failure);
        S::custom("stopped")
    }

    fn has_error(&self) -> bool {
        let found = self.rows.plan.facts.error.and_then(|slot| self.found[slot]);
        found.is_some_and(|raw| error_text(raw.get()).is_some())
    }
}

impl<'a, 'p: 'a, E> Meet<'a> for Page<'a, '_, 'p, '_, E> {
    fn keep(&mut self, slot: usize, raw: &'a RawValue) {
        self.found[slot] = Some(raw);
    }

    /// Records of an answer that failed are no records.
    fn records<D: Deserializer<'a>>(&mut self, answer: D) -> Result<(), D::Error> {
        self.met = true;
        if self.has_error() {
            return answer.deserialize_ignored_any(IgnoredAny).map(drop);
        }
        Records { page: self }.deserialize(answer)
    }
}

impl<'a> Meet<'a> for Vec<Cell<'a>> {
    fn keep(&mut self, slot: usize, raw: &'a RawValue) {
        self[slot] = Cell::Json(raw);
    }
}
