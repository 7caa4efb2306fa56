//! The first rows of a source, as they are stored: the columns of its mapping
//! and no others, in the order in which they came.

use rusqlite::params;
use rusqlite::types::Value;

use super::{Store, quoted};
use crate::definition::Source;
use crate::error::Result;

#[derive(Debug, Default)]
pub struct Sample {
    pub rows: Vec<Vec<Value>>,
    /// Of all rows, for each field: what SQLite calls the types of its values, nulls aside.
    pub types: Vec<Option<String>>,
}

impl Store {
    pub fn sample(&self, source: &Source, limit: u32) -> Result<Sample> {
        let names: Vec<String> = source.response.fields.iter().map(|field| quoted(&field.target)).collect();
        let table = quoted(&source.table);
        let list = names.join(", ");
        let sql = format!("SELECT {list} FROM {table} WHERE source_name = ? ORDER BY rowid LIMIT ?");
        let mut find = self.conn.prepare(&sql)?;
        let all = |row: &rusqlite::Row<'_>| (0..names.len()).map(|at| row.get(at)).collect();
        let rows = find.query_map(params![source.name, limit], all)?;
        let rows = rows.collect::<rusqlite::Result<_>>()?;
        let type_of = |name: &String| {
            let sql = format!(
                "SELECT group_concat(DISTINCT typeof({name})) FROM {table}
                 WHERE source_name = ? AND {name} IS NOT NULL"
            );
            self.conn.query_row(&sql, [&source.name], |row| row.get(0))
        };
        let types = names.iter().map(type_of).collect::<rusqlite::Result<_>>()?;
        Ok(Sample { rows, types })
    }
}
