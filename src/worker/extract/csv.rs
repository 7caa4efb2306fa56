//! A CSV file into rows: a header that names the columns, then a record a
//! line. Keeps out types; every value is text here.

use csv::{ErrorKind, ReaderBuilder, StringRecord};

use super::ReadError;
use super::missing::no_column;
use super::plan::Plan;
use super::rows::{Cell, Found, Roots, Rows};

pub(super) fn read<E>(text: &str, rows: &mut Rows<'_, '_, E>) -> Result<(), ReadError<E>> {
    let plan = rows.plan;
    let mut reader = ReaderBuilder::new().delimiter(delimiter(text)).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| unreadable(&error))?;
    if headers.is_empty() {
        return Ok(());
    }
    let columns = columns(plan, headers).map_err(ReadError::Answer)?;
    let roots: Roots<'_> =
        plan.roots.iter().map(|(field, _)| plan.fields[*field].converter.missing()).collect();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| unreadable(&error))? {
        let cell = |&column: &usize| record.get(column).map_or(Cell::Missing, Cell::Text);
        let cells: Vec<Cell<'_>> = columns.iter().map(cell).collect();
        let found = Found { cells: &cells, key: None, roots: &roots };
        rows.emit(&found, &mut Vec::with_capacity(plan.fields.len()))?;
    }
    Ok(())
}

/// The column of each slot. A dot needs no quotes here: a column has no parts.
fn columns(plan: &Plan, headers: &StringRecord) -> Result<Vec<usize>, String> {
    let column = |wanted: String| {
        let at = headers.iter().position(|header| header.trim() == wanted.trim());
        at.ok_or_else(|| no_column(&wanted, &headers.iter().collect::<Vec<_>>()))
    };
    plan.record.paths.iter().map(|path| column(path.0.join("."))).collect()
}

/// A comma, unless the header has none and has another that is usual.
pub fn delimiter(text: &str) -> u8 {
    let header = text.trim_start().lines().next().unwrap_or_default();
    let usual = [b',', b';', b'\t', b'|'];
    usual.into_iter().find(|mark| header.as_bytes().contains(mark)).unwrap_or(b',')
}

fn unreadable<E>(error: &csv::Error) -> ReadError<E> {
    ReadError::answer(match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: {len} values under {expected_len} columns; the answer may be cut off")
        }
        _ => format!("not CSV: {error}"),
    })
}
