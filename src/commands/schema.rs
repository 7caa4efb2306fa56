//! `hermes schema`: the JSON Schema of the documents, for editors. It opens no
//! database.

use argh::{ArgsInfo, FromArgs};

use std::io::Read;

use flate2::read::GzDecoder;

use super::print_text;
use crate::error::{ExitCode, Result};

/// A seventh of its size, made by build.rs.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/schema.json.gz"));

/// The JSON Schema of the documents, for editors that complete and underline.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "schema")]
pub(super) struct Schema {}

pub(super) fn schema() -> Result<ExitCode> {
    let mut text = String::new();
    GzDecoder::new(PACKED).read_to_string(&mut text).expect("what build.rs packed");
    print_text(&text);
    Ok(ExitCode::Done)
}
