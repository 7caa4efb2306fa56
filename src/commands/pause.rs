//! `hermes pause NAME` and `hermes resume NAME`.

use super::{Files, known, print_text};
use crate::error::{Error, ExitCode, Result};

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
