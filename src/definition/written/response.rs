//! The answer to a source as it is written: its records and their fields.

use super::*;

written! {
    Response [fields] {
        /// Of the answer.
        format: String => { "enum": ["json", "ndjson", "csv"], "default": "json" },
        /// The dotted path to the records; `.` is the root. A key with a dot in it: `a."b.c"`.
        data_path: String => { "default": "." },
        /// Where this exists, the answer is a failure, whatever its status code.
        error_path: String => { "minLength": 1 },
        /// A list of records; a map of them by their key, which is `$key`; or rows under a list of columns.
        records: String => { "enum": ["list", "map", "columns"], "default": "list" },
        /// With `records: columns`, the path to the names of the columns.
        columns_path: String => { "minLength": 1 },
        /// What is stored of a record: a list of fields, or a map `target: source`.
        fields: Fields,
        /// Of one answer, after decompression.
        max_bytes: Size => { "default": "16MiB" },
    } => {
        "dependencies": { "columnsPath": { "properties": { "records": { "const": "columns" } }, "required": ["records"] } },
        "if": { "properties": { "records": { "const": "columns" } }, "required": ["records"] },
        "then": { "required": ["columnsPath"] }
    }

    Field [target] {
        /// The path of the value in the record, such as `author.name`. `$.x` is outside the record, `$key`
        /// the record's key; several sources are joined by a blank.
        source: OneOrMany<String> => { "nullable": false },
        /// A constant in place of a source.
        value: Value => { "type": ["string", "number", "boolean", "object", "array"], "nullable": false },
        /// The column.
        target: String => { "pattern": IDENTIFIER },
        /// Without one, the value is kept as it is.
        r#type: String => { "enum": ["text", "integer", "real", "boolean", "timestamp", "json"] },
        /// Of a timestamp: `unix`, `unix_ms` or a pattern of strptime; ISO 8601, RFC 2822 and epochs where absent.
        format: String => { "examples": ["unix", "unix_ms", "%Y-%m-%d %H:%M:%S"] },
        /// Of a timestamp that names none itself.
        timezone: String => { "minLength": 1, "default": "UTC" },
        /// In place of a missing value or a null.
        default: Value,
        /// Values that mean none.
        nulls: OneOrMany<Scalar>,
    } => {
        "oneOf": [{ "required": ["source"] }, { "required": ["value"] }],
        "dependencies": {
            "default": ["source"],
            "nulls": ["source"],
            "format": { "properties": { "type": { "const": "timestamp" } }, "required": ["type"] },
            "timezone": { "properties": { "type": { "const": "timestamp" } }, "required": ["type"] }
        }
    }
}
