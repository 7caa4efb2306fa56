//! An answer's bytes into rows, without a tree of it in between: for one page
//! memory grows by one record. Nothing here knows the web, the store or a clock.
//!
//! [`Plan`] is the mapping, compiled once for a run; [`Plan::read`] hands each
//! record on as it is met. An answer found to be bad halfway has handed on
//! rows by then: the caller keeps none of them (a page is one transaction).

mod csv;
mod error;
mod facts;
mod json;
pub mod keys;
mod missing;
mod ndjson;
mod plan;
mod records;
mod rows;
mod trie;
mod walk;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use self::csv::delimiter;
pub use self::error::ReadError;
pub use self::facts::PageFacts;
pub use self::plan::Plan;
pub use self::rows::{Row, Sink};

use self::rows::Rows;
use crate::definition::mapping::Format;

impl Plan {
    /// Where the facts have an `error`, the rows handed on do not count either.
    pub fn read<'s, E>(&self, body: &[u8], sink: &'s mut Sink<'s, E>) -> Result<PageFacts, ReadError<E>> {
        let text = as_text(body).map_err(ReadError::Answer)?;
        let mut rows = Rows::new(self, sink);
        let mut facts = PageFacts::default();
        match self.format {
            Format::Json => json::read(text, &mut rows, &mut facts)?,
            Format::Ndjson => ndjson::read(text, &mut rows, &mut facts)?,
            Format::Csv => csv::read(text, &mut rows)?,
        }
        Ok(rows.finish(facts))
    }
}

/// All of it is checked at once, so that no part of it has to be again.
fn as_text(body: &[u8]) -> Result<&str, String> {
    match std::str::from_utf8(body) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let at = error.valid_up_to();
            Err(format!("not UTF-8: the byte 0x{:02x} at offset {at} begins no character", body[at]))
        }
    }
}
