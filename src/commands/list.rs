//! `hermes list`.

use argh::{ArgsInfo, FromArgs};

use super::{Files, print_listing};
use crate::clock::{Clock, SystemClock};
use crate::error::{ExitCode, Result};
use crate::viewer::sources;

/// Every source with its state.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "list")]
pub(super) struct List {
    /// all columns, as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

pub(super) fn list(files: &Files, as_json: bool) -> Result<ExitCode> {
    let listing = sources::list(&files.read()?, SystemClock.now())?;
    print_listing(&listing, &sources::GLANCE, as_json)
}
