//! Rows under names, on their way to a table or to JSON: one shape for both,
//! so that a column has one name everywhere.

use serde_json::Value;

use super::table;
use crate::order;

#[derive(Debug, Default)]
pub struct Listing {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
}

impl Listing {
    pub fn new(columns: &[&str]) -> Listing {
        Listing { columns: columns.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    pub fn to_json(&self) -> Value {
        self.rows.iter().map(|row| self.object(row)).collect()
    }

    pub fn object(&self, row: &[Value]) -> Value {
        order::object(self.columns.iter().cloned().zip(row.iter().cloned()))
    }

    /// Only these columns, for a terminal that has no room for all.
    pub fn only(&self, columns: &[&str]) -> Listing {
        let at: Vec<usize> =
            columns.iter().filter_map(|name| self.columns.iter().position(|own| own == name)).collect();
        let pick = |row: &Vec<Value>| at.iter().map(|&at| row[at].clone()).collect();
        Listing {
            columns: at.iter().map(|&at| self.columns[at].clone()).collect(),
            rows: self.rows.iter().map(pick).collect(),
        }
    }

    pub fn to_table(&self, width: Option<u16>) -> String {
        table::render(&self.columns, &self.rows, width)
    }

    /// One row as lines of `name  value`.
    pub fn to_lines(&self, row: &[Value]) -> String {
        let longest = self.columns.iter().map(String::len).max().unwrap_or(0);
        let line = |(name, value): (&String, &Value)| format!("{name:longest$}  {}\n", table::cell(value));
        self.columns.iter().zip(row).map(line).collect()
    }
}
