//! How an answer becomes rows: where the records are, which values become
//! which columns. What reads an answer with it is in `worker::extract`.

use jiff::tz::TimeZone;

use super::Path;

#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub format: Format,
    /// To the records; empty is the root of the answer.
    pub data_path: Path,
    pub records: Shape,
    /// Where this exists, the answer is a failure, whatever its status code.
    pub error_path: Option<Path>,
    /// Never empty; targets differ, also when case is ignored.
    pub fields: Vec<Field>,
    /// Of one answer, after decompression.
    pub max_bytes: u64,
}

pub const DEFAULT_MAX_BYTES: u64 = 16 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
    Ndjson,
    Csv,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A list of objects, or one object where a list is expected.
    List,
    /// An object keyed by id; the key is available as `$key`.
    Map,
    /// Rows under a list of column names, which stands at this path of the answer.
    Columns(Path),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub origin: Origin,
    /// A checked identifier: the column.
    pub target: String,
    /// `None`: the JSON value is kept as it is.
    pub kind: Option<FieldType>,
    /// In place of a missing value or a null.
    pub default: Option<serde_json::Value>,
    /// Values that mean "none": equal as text, or as numbers.
    pub nulls: Vec<serde_json::Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// Of the record.
    Record(Path),
    /// Several values of the record, joined by a blank: a date and a time.
    Joined(Vec<Path>),
    /// Of the answer, outside the record.
    Root(Path),
    /// The record's key, where records are a map.
    Key,
    Constant(serde_json::Value),
}

#[derive(Debug, Clone, PartialEq)]
pub enum FieldType {
    Text,
    Integer,
    Real,
    Boolean,
    Timestamp { format: TimeFormat, zone: TimeZone },
    Json,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeFormat {
    /// ISO 8601 with or without zone, RFC 2822, or an epoch number whose size
    /// tells seconds from milliseconds.
    Guess,
    UnixSeconds,
    UnixMillis,
    /// Of strptime.
    Pattern(String),
}

impl FieldType {
    /// As a document has it.
    pub fn word(&self) -> &'static str {
        match self {
            FieldType::Text => "text",
            FieldType::Integer => "integer",
            FieldType::Real => "real",
            FieldType::Boolean => "boolean",
            FieldType::Timestamp { .. } => "timestamp",
            FieldType::Json => "json",
        }
    }

    /// The type that a new column is declared with; none keeps each value's own.
    pub fn column_type(kind: Option<&FieldType>) -> &'static str {
        match kind {
            None => "",
            Some(FieldType::Integer | FieldType::Boolean) => "INTEGER",
            Some(FieldType::Real) => "REAL",
            Some(FieldType::Text | FieldType::Timestamp { .. } | FieldType::Json) => "TEXT",
        }
    }
}
