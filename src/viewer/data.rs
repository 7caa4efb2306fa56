//! `data`: the newest rows of a source, as they are in its table.

use jiff::Timestamp;
use serde_json::Value;

use super::listing::Listing;
use super::table;
use super::values::{kinds, to_json};
use crate::error::Result;
use crate::store::Store;
use crate::store::source_definitions::SourceRow;

/// In a table that is no terminal's: a value may be a whole document.
const LONGEST_CELL: usize = 200;

/// The least that a value is cut to for a terminal, and the most that is shown of it there.
const SHORTEST_CUT: usize = 10;
const LONGEST_CUT: usize = 100;

pub fn data(store: &Store, row: &SourceRow, since: Option<Timestamp>, limit: u32) -> Result<Listing> {
    let columns = store.columns_of(&row.table_name)?;
    let kinds = kinds(store, &row.table_name, &columns)?;
    let of_value = |at: usize, value: rusqlite::types::ValueRef<'_>| to_json(kinds[at], value);
    let rows = store.newest_rows(&row.table_name, &columns, &row.name, since, limit, of_value)?;
    Ok(Listing { columns, rows })
}

/// A line a row, or a line a value where the terminal is too narrow for that:
/// NULL is to be seen, and long values are cut.
pub fn to_table(listing: &Listing, width: Option<u16>) -> String {
    let cells: Vec<Vec<Value>> = listing.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let cells = Listing { columns: listing.columns.clone(), rows: cells };
    let Some(width) = width else { return cut(&cells, LONGEST_CELL).to_table(None) };
    match fitting(&cells, width.into()) {
        Some(longest) => cut(&cells, longest).to_table(Some(width)),
        None if cells.rows.is_empty() => cells.to_table(Some(width)),
        None => to_lines(&cells, width.into()),
    }
}

fn to_lines(cells: &Listing, width: usize) -> String {
    let names = cells.columns.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let cells = cut(cells, width.saturating_sub(names + 2).max(SHORTEST_CUT));
    let rows: Vec<String> = cells.rows.iter().map(|row| cells.to_lines(row)).collect();
    rows.join("\n")
}

/// Numbers stay numbers, which stand to the right.
fn cell(value: &Value) -> Value {
    match value {
        Value::Null => Value::from("NULL"),
        Value::Number(_) => value.clone(),
        Value::Array(_) | Value::Object(_) => Value::from(value.to_string()),
        other => Value::from(table::cell(other)),
    }
}

/// The longest value with which the table fits, if it does.
fn fitting(cells: &Listing, width: usize) -> Option<usize> {
    let length = |row: &Vec<Value>, at: usize| table::cell(&row[at]).chars().count();
    let widest = |at: usize| cells.rows.iter().map(|row| length(row, at)).max().unwrap_or(0);
    let widths: Vec<(usize, usize)> =
        cells.columns.iter().enumerate().map(|(at, name)| (name.chars().count(), widest(at))).collect();
    let total = |longest: usize| -> usize {
        widths.iter().map(|(name, widest)| (*widest).min(longest).max(*name) + 2).sum()
    };
    (SHORTEST_CUT..=LONGEST_CUT).rev().find(|longest| total(*longest) <= width)
}

fn cut(cells: &Listing, longest: usize) -> Listing {
    let cut = |cell: &Value| match cell {
        Value::String(text) => Value::from(shortened(text, longest)),
        other => other.clone(),
    };
    let rows = cells.rows.iter().map(|row| row.iter().map(cut).collect()).collect();
    Listing { columns: cells.columns.clone(), rows }
}

fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some(_) => text.chars().take(longest - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nulls_are_seen_and_long_values_cut_to_fit() {
        let mut listing = Listing::new(&["id", "text", "tags"]);
        listing.rows.push(vec![json!(1), json!("a ".repeat(60)), json!(["x", "y"])]);
        listing.rows.push(vec![json!(2), Value::Null, json!("")]);
        let want = "id  text                     tags\n \
                    1  a a a a a a a a a a a …  [\"x\",\"y\"]\n \
                    2  NULL\n";
        assert_eq!(to_table(&listing, Some(40)), want);
        assert!(to_table(&listing, None).contains(&"a ".repeat(60)));
    }

    #[test]
    fn a_row_that_is_too_wide_for_the_terminal_is_a_line_a_value() {
        let mut listing = Listing::new(&["a_long_name", "another_name"]);
        listing.rows.push(vec![json!("x".repeat(50)), Value::Null]);
        listing.rows.push(vec![json!(1), json!("b")]);
        let want = "a_long_name   xxxxxxxxx…\nanother_name  NULL\n\n\
                    a_long_name   1\nanother_name  b\n";
        assert_eq!(to_table(&listing, Some(24)), want);
    }

    #[test]
    fn a_value_is_never_longer_than_a_line_can_bear() {
        let mut listing = Listing::new(&["text"]);
        listing.rows.push(vec![json!("x".repeat(5_000))]);
        assert_eq!(to_table(&listing, None).lines().last().map(|line| line.chars().count()), Some(200));
    }
}
