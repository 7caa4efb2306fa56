//! `hermes schema`: the JSON Schema of the documents, for editors. It opens no
//! database.

use argh::{ArgsInfo, FromArgs};

use super::print_text;
use crate::error::{ExitCode, Result};
use crate::packed::unpacked;

/// A seventh of its size.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/schema.json.gz"));

/// The JSON Schema of the documents, for editors that complete and underline.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "schema")]
pub(super) struct Schema {}

pub(super) fn schema() -> Result<ExitCode> {
    print_text(&unpacked(PACKED));
    Ok(ExitCode::Done)
}
