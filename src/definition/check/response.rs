//! The rules of an answer: its format, where its records are, what shape they
//! have. The fields of a record are in `field`.

use serde_yaml::Value;

use super::field;
use super::scope::Scope;
use super::unknown;
use crate::definition::mapping::{DEFAULT_MAX_BYTES, Format, Shape};
use crate::definition::written::{self, Fields, Given, Size};
use crate::definition::{Path, Response, units};

/// What the fields of a record have to know of the answer around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Around {
    pub(super) format: Format,
    pub(super) records: Records,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Records {
    List,
    Map,
    Columns,
}

const FORMATS: [(&str, Format); 3] =
    [("json", Format::Json), ("ndjson", Format::Ndjson), ("csv", Format::Csv)];

const RECORDS: [(&str, Records); 3] =
    [("list", Records::List), ("map", Records::Map), ("columns", Records::Columns)];

pub(super) fn check(scope: &Scope<'_>, given: Given<written::Response>) -> Option<Response> {
    let written = scope.needed("response", given)?;
    let scope = &scope.key("response");
    unknown(scope, &written.unknown, written::Response::KEYS);
    let format_given = written.format.is_given();
    let format = scope.word("format", written.format, &FORMATS);
    if format_given && format.is_none() {
        // Every other key here depends on it.
        return None;
    }
    let format = format.unwrap_or(Format::Json);
    refuse_json_only(scope, format, &written.data_path, &written.records, &written.error_path);
    let data_path = scope.path("dataPath", written.data_path);
    let error_path = scope.inner_path("errorPath", written.error_path);
    let records = scope.word("records", written.records, &RECORDS).unwrap_or(Records::List);
    let shape = shape(scope, records, written.columns_path);
    let fields = field::check(scope, written.fields, Around { format, records });
    let max_bytes = max_bytes(scope, written.max_bytes);
    Some(Response {
        format,
        data_path: data_path.unwrap_or_default(),
        records: shape?,
        error_path,
        fields: fields?,
        max_bytes: max_bytes.unwrap_or(DEFAULT_MAX_BYTES),
    })
}

/// The format as written, for rules outside the response; what is wrong with
/// it is told by [`check`].
pub(super) fn format(given: &Given<written::Response>) -> Option<Format> {
    let Given::Good(written) = given else { return None };
    match &written.format {
        Given::Absent => Some(Format::Json),
        Given::Good(text) => FORMATS.iter().find(|(word, _)| word == text).map(|(_, format)| *format),
        Given::Bad(_) => None,
    }
}

/// The targets as written, one for each field, so that a field with another
/// problem can still be named elsewhere.
pub(super) fn targets(given: &Given<written::Response>) -> Option<Vec<String>> {
    let Given::Good(written) = given else { return None };
    match &written.fields {
        Given::Good(Fields::List(list)) => Some(list.iter().map(target).collect()),
        Given::Good(Fields::Map(map)) => {
            Some(map.keys().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        _ => None,
    }
}

fn target(field: &Given<written::Field>) -> String {
    match field {
        Given::Good(written::Field { target: Given::Good(target), .. }) => target.clone(),
        _ => String::new(),
    }
}

/// What leads into a tree has no meaning where the answer is lines.
fn refuse_json_only(
    scope: &Scope<'_>,
    format: Format,
    data_path: &Given<String>,
    records: &Given<String>,
    error_path: &Given<String>,
) {
    let why = match format {
        Format::Json => return,
        Format::Ndjson => "in ndjson each line is a record",
        Format::Csv => "in csv the header row names the columns and each line is a record",
    };
    let leads_inside = matches!(data_path, Given::Good(path) if path != "." && !path.is_empty());
    for (key, given) in
        [("dataPath", leads_inside), ("records", records.is_given()), ("errorPath", error_path.is_given())]
    {
        if given {
            scope.key(key).wrong_key(format!("`{key}` is for `format: json`; {why}"));
        }
    }
}

fn shape(scope: &Scope<'_>, records: Records, columns_path: Given<String>) -> Option<Shape> {
    let given = columns_path.is_given();
    if records != Records::Columns && given {
        scope.key("columnsPath").wrong_key("`columnsPath` goes with `records: columns`");
        return None;
    }
    match records {
        Records::List => Some(Shape::List),
        Records::Map => Some(Shape::Map),
        Records::Columns => columns(scope, columns_path).map(Shape::Columns),
    }
}

fn columns(scope: &Scope<'_>, columns_path: Given<String>) -> Option<Path> {
    if !columns_path.is_given() {
        let message = "`columnsPath` is missing: with `records: columns` it leads to the column names";
        scope.key("columnsPath").wrong(message);
    }
    scope.inner_path("columnsPath", columns_path)
}

fn max_bytes(scope: &Scope<'_>, given: Given<Size>) -> Option<u64> {
    let size = scope.good("maxBytes", given);
    scope.ruled("maxBytes", size, |size| {
        let text = size.0.into_text();
        let bytes = units::parse_bytes(&text)?;
        if (1 << 10..=256 << 20).contains(&bytes) {
            return Ok(bytes);
        }
        Err(format!("`maxBytes` is between 1KiB and 256MiB, not {text}"))
    })
}
