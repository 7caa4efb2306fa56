//! `hermes data NAME`: the newest rows.

use argh::{ArgsInfo, FromArgs};

use super::{Files, known, print_listing};
use crate::error::{ExitCode, Result};
use crate::viewer::data;

/// Rows of a source, newest first.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "data")]
pub(super) struct Data {
    #[argh(positional)]
    name: String,
    /// how many (20)
    #[argh(option, default = "20")]
    limit: u32,
    /// as JSON
    #[argh(switch)]
    json: bool,
}

pub(super) fn data(files: &Files, options: &Data) -> Result<ExitCode> {
    let store = files.read()?;
    let row = known(files, store.source(&options.name)?, &options.name)?;
    let listing = data::data(&store, &row, options.limit)?;
    let columns: Vec<&str> = listing.columns.iter().map(String::as_str).collect();
    print_listing(&listing, &columns, options.json)
}
