//! One JSON object a line, each read as an answer of its own. Keeps out what
//! is in a line.

use super::rows::Rows;
use super::{PageFacts, ReadError, json};
use crate::worker::quote::quote;

pub(super) fn read<E>(
    text: &str,
    rows: &mut Rows<'_, '_, E>,
    facts: &mut PageFacts,
) -> Result<(), ReadError<E>> {
    for (at, line) in text.split('\n').enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        read_line(line, rows, facts).map_err(|error| error.at_line(at + 1))?;
        if facts.error.is_some() {
            break;
        }
    }
    Ok(())
}

/// A list would pass for records, and a file of lists is another format.
fn read_line<E>(line: &str, rows: &mut Rows<'_, '_, E>, facts: &mut PageFacts) -> Result<(), ReadError<E>> {
    if !line.starts_with('{') {
        return Err(ReadError::answer(format!("{} is not a JSON object", quote(line))));
    }
    json::read(line, rows, facts)
}
