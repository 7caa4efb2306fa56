//! `hermes pause NAME` and `hermes resume NAME`.

use argh::{ArgsInfo, FromArgs};

use super::{Files, known, print_text};
use crate::error::{Error, ExitCode, Result};

/// Stop running a source; a run under way ends by itself.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "pause")]
pub(super) struct Pause {
    #[argh(positional)]
    pub(super) name: String,
}

/// Run a paused source again.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "resume")]
pub(super) struct Resume {
    #[argh(positional)]
    pub(super) name: String,
}

pub(super) fn pause(files: &Files, name: &str) -> Result<ExitCode> {
    set(files, name, "paused")
}

pub(super) fn resume(files: &Files, name: &str) -> Result<ExitCode> {
    set(files, name, "active")
}

fn set(files: &Files, name: &str, status: &str) -> Result<ExitCode> {
    files.change(|tx| {
        if known(files, tx.source(name)?, name)?.is_removed() {
            return Err(Error::Input(format!("{name} is removed: its file has to come back first")));
        }
        tx.set_status(name, status)
    })?;
    print_text(&format!("{name} is {status}\n"));
    Ok(ExitCode::Done)
}
