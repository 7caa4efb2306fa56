//! Sources made by hand, for tests of what reads their answers.

use serde_json::json;

use super::{PageFacts, Plan, ReadError};
use crate::definition::execution::Execution;
use crate::definition::mapping::{DEFAULT_MAX_BYTES, Format, Shape};
use std::time::Duration;

use crate::definition::source::{DEFAULT_HANDLER, DEFAULT_TIMEOUT, Method, Retention, Slots};
use crate::definition::{
    Field, FieldType, Origin, Pagination, Paging, Path, Response, Source, Status, Template,
};
use crate::store::value::Value;
use crate::worker::record_key::RecordKey;

pub(crate) fn path(text: &str) -> Path {
    Path::parse(text).expect(text)
}

/// `$.x` is of the root, `$key` the key, `a+b` two joined, `=x` a constant.
pub(crate) fn field(target: &str, from: &str) -> Field {
    let origin = match (from.strip_prefix("$."), from.strip_prefix('=')) {
        (Some(root), _) => Origin::Root(path(root)),
        (_, Some(constant)) => Origin::Constant(json!(constant)),
        _ if from == "$key" => Origin::Key,
        _ if from.contains('+') => Origin::Joined(from.split('+').map(path).collect()),
        _ => Origin::Record(path(from)),
    };
    Field { origin, target: target.to_owned(), kind: None, default: None, nulls: vec![] }
}

pub(crate) fn typed(target: &str, from: &str, kind: FieldType) -> Field {
    Field { kind: Some(kind), ..field(target, from) }
}

/// All fields are unique, and not because the document says so.
pub(crate) fn source(data_path: &str, fields: Vec<Field>) -> Source {
    Source {
        name: "test".to_owned(),
        description: None,
        url: Template::parse("https://api.example").expect("a template"),
        method: Method::Get,
        headers: vec![],
        params: vec![],
        body: None,
        table: "test".to_owned(),
        schedule: None,
        status: Status::Active,
        handler: DEFAULT_HANDLER.to_owned(),
        execution: Execution {
            timeout: DEFAULT_TIMEOUT,
            max_retries: 5,
            retry_reset_period: DEFAULT_TIMEOUT,
        },
        unique: (0..fields.len()).collect(),
        unique_given: false,
        response: Response {
            format: Format::Json,
            data_path: path(data_path),
            records: Shape::List,
            error_path: None,
            fields,
            max_bytes: DEFAULT_MAX_BYTES,
        },
        pagination: None,
        retention: Retention::default(),
        lookback: Duration::ZERO,
        incremental: None,
        slots: Slots::default(),
    }
}

pub(crate) fn paged(source: Source, paging: Paging) -> Source {
    Source { pagination: Some(Pagination { paging, max_pages: 1_000 }), ..source }
}

/// An answer, read. Values as SQLite would show them: `null`, `1`, `1.5`, `'a'`.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) rows: Vec<String>,
    pub(crate) keys: Vec<RecordKey>,
    pub(crate) facts: PageFacts,
}

pub(crate) fn read(source: &Source, body: &str) -> Result<Answer, ReadError<String>> {
    let (mut rows, mut keys) = (Vec::new(), Vec::new());
    let facts = Plan::new(source).read(body.as_bytes(), &mut |row| {
        assert_eq!(row.number, rows.len() as u64 + 1);
        rows.push(row.values.iter().map(shown).collect::<Vec<_>>().join(" "));
        keys.push(row.key);
        Ok(())
    })?;
    Ok(Answer { rows, keys, facts })
}

/// The rows, or the error as people see it.
pub(crate) fn rows(source: &Source, body: &str) -> Result<Vec<String>, String> {
    read(source, body).map(|answer| answer.rows).map_err(|error| error.to_string())
}

fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => format!("'{text}'"),
    }
}
