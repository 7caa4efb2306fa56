//! A source's mapping, compiled once for a run. Keeps out the answers.

use super::trie::Trie;
use crate::definition::mapping::{Format, Shape};
use crate::definition::{Field, Origin, Paging, Path, Source};
use crate::store::value::Value;
use crate::worker::convert::{self, Converter};
use crate::worker::record_key::KeyPlan;

#[derive(Debug, Clone)]
pub struct Plan {
    pub(super) format: Format,
    pub(super) shape: Shape,
    pub(super) data_path: Path,
    /// Of an answer: its records, and what else it says of itself.
    pub(super) answer: Trie,
    pub(super) facts: FactSlots,
    /// Of an answer, before its records: they need it, and it may stand after them.
    pub(super) before: Trie,
    pub(super) columns: Option<usize>,
    /// Fields whose value is the same for all records of an answer, with its slot in `before`.
    pub(super) roots: Vec<(usize, usize)>,
    /// Of a record.
    pub(super) record: Trie,
    pub(super) fields: Vec<FieldPlan>,
    pub(super) keys: KeyPlan,
    /// The names of the unique fields, where a record must have one of them.
    pub(super) identity: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct FieldPlan {
    pub(super) target: String,
    pub(super) from: From,
    pub(super) converter: Converter,
}

/// Where a field's value is found; numbers are slots of the record, and for
/// `Root` a place in `Plan::roots`.
#[derive(Debug, Clone)]
pub(super) enum From {
    Record(usize),
    Joined(Vec<usize>),
    Root(usize),
    Key,
    Constant(Result<Value<'static>, String>),
}

/// Where in the `answer` trie its facts are put.
#[derive(Debug, Clone, Default)]
pub(super) struct FactSlots {
    pub(super) cursor: Option<usize>,
    pub(super) has_more: Option<usize>,
    pub(super) total: Option<usize>,
    pub(super) next_url: Option<usize>,
    pub(super) error: Option<usize>,
}

impl Plan {
    pub fn new(source: &Source) -> Plan {
        let response = &source.response;
        let (mut answer, mut before) = (Trie::default(), Trie::default());
        answer.mark_records(&response.data_path);
        let facts = FactSlots::new(source, &mut answer);
        let columns = match &response.records {
            Shape::Columns(path) => Some(before.add(path)),
            Shape::List | Shape::Map => None,
        };
        let mut plan = Plan {
            format: response.format,
            shape: response.records.clone(),
            data_path: response.data_path.clone(),
            answer,
            facts,
            before,
            columns,
            roots: Vec::new(),
            record: Trie::default(),
            fields: Vec::new(),
            keys: KeyPlan::new(&response.fields, &source.unique),
            identity: source.unique_given.then(|| unique_names(source)),
        };
        response.fields.iter().for_each(|field| plan.add_field(field));
        plan
    }

    fn add_field(&mut self, field: &Field) {
        let from = match &field.origin {
            Origin::Record(path) => From::Record(self.record.add(path)),
            Origin::Joined(paths) => From::Joined(paths.iter().map(|path| self.record.add(path)).collect()),
            Origin::Root(path) => {
                self.roots.push((self.fields.len(), self.before.add(path)));
                From::Root(self.roots.len() - 1)
            }
            Origin::Key => From::Key,
            Origin::Constant(value) => From::Constant(convert::constant(value, field)),
        };
        let converter = Converter::new(field);
        self.fields.push(FieldPlan { target: field.target.clone(), from, converter });
    }
}

impl FactSlots {
    fn new(source: &Source, answer: &mut Trie) -> FactSlots {
        let mut slots = FactSlots::default();
        let mut add = |path: &Path| Some(answer.add(path));
        slots.error = source.response.error_path.as_ref().and_then(&mut add);
        match source.pagination.as_ref().map(|pagination| &pagination.paging) {
            Some(Paging::Page(counted) | Paging::Offset(counted)) => {
                slots.has_more = counted.has_more_path.as_ref().and_then(&mut add);
                slots.total = counted.total_path.as_ref().and_then(&mut add);
            }
            Some(Paging::Cursor { next_cursor_path, .. }) => slots.cursor = add(next_cursor_path),
            Some(Paging::NextUrl { path }) => slots.next_url = add(path),
            Some(Paging::Link) | None => {}
        }
        slots
    }
}

fn unique_names(source: &Source) -> String {
    let names: Vec<&str> =
        source.unique.iter().map(|&at| source.response.fields[at].target.as_str()).collect();
    names.join(", ")
}
