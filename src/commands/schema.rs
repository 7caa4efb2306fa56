//! `hermes schema`: the JSON Schema of the documents, for editors. It opens no
//! database.

use argh::{ArgsInfo, FromArgs};

use super::print_text;
use crate::definition::written::SCHEMA;
use crate::error::{ExitCode, Result};

/// The JSON Schema of the documents, for editors that complete and underline.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "schema")]
pub(super) struct Schema {}

pub(super) fn schema() -> Result<ExitCode> {
    print_text(SCHEMA);
    Ok(ExitCode::Done)
}
