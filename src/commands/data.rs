//! `hermes data NAME`: the newest rows.

use super::options::Data;
use super::{Files, known, print_listing};
use crate::error::{ExitCode, Result};
use crate::viewer::data;

pub(super) fn data(files: &Files, options: &Data) -> Result<ExitCode> {
    let store = files.read()?;
    let row = known(files, store.source(&options.name)?, &options.name)?;
    let listing = data::data(&store, &row, options.limit)?;
    let columns: Vec<&str> = listing.columns.iter().map(String::as_str).collect();
    print_listing(&listing, &columns, options.json)
}
