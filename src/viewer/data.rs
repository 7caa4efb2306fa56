//! `data`: the newest rows of a source, as they are in its table.

use rusqlite::types::Value as Sql;
use serde_json::{Value, json};

use super::listing::Listing;
use crate::error::Result;
use crate::store::Store;
use crate::store::source_definitions::SourceRow;

pub fn data(store: &Store, row: &SourceRow, limit: u32) -> Result<Listing> {
    let (columns, rows) = store.newest_rows(&row.table_name, &row.name, limit)?;
    let rows = rows.into_iter().map(|row| row.into_iter().map(to_json).collect()).collect();
    Ok(Listing { columns, rows })
}

fn to_json(value: Sql) -> Value {
    match value {
        Sql::Null => Value::Null,
        Sql::Integer(number) => json!(number),
        Sql::Real(number) => json!(number),
        Sql::Text(text) => json!(text),
        Sql::Blob(bytes) => json!(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
    }
}
