//! `hermes data NAME`: the newest rows.

use argh::{ArgsInfo, FromArgs};

use super::since::since;
use super::{Files, known, print_json, print_text};
use crate::clock::{Clock, SystemClock};
use crate::error::{Error, ExitCode, Result};
use crate::viewer::data;
use crate::viewer::table::terminal_width;

/// Rows of a source, newest first. Long values are cut; --json and export have
/// all of them.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    subcommand,
    name = "data",
    example = "hermes data air --limit 5
hermes data air --since 6h --json"
)]
pub(super) struct Data {
    #[argh(positional)]
    name: String,
    /// how many (20)
    #[argh(option, arg_name = "n", default = "20")]
    limit: u32,
    /// stored since then: 2026-11-15, 2026-11-15T23:41:53Z, or 6h ago
    #[argh(option, arg_name = "time")]
    since: Option<String>,
    /// as JSON
    #[argh(switch)]
    json: bool,
}

/// All of them are in memory at once.
const MOST: u32 = 10_000;

pub(super) fn data(files: &Files, options: &Data) -> Result<ExitCode> {
    let since = since(options.since.as_deref(), SystemClock.now())?;
    if options.limit > MOST {
        let message = format!("--limit: at most {MOST}; `hermes export {}` has all rows", options.name);
        return Err(Error::Input(message));
    }
    let store = files.read()?;
    let row = known(files, store.source(&options.name)?, &options.name)?;
    let listing = data::data(&store, &row, since, options.limit)?;
    if options.json {
        print_json(&listing.to_json());
    } else {
        print_text(&data::to_table(&listing, terminal_width()));
    }
    Ok(ExitCode::Done)
}
