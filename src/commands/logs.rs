//! `hermes logs [NAME]`.

use super::options::Logs;
use super::{Files, known, print_listing};
use crate::error::{ExitCode, Result};
use crate::viewer::logs;

pub(super) fn logs(files: &Files, options: &Logs) -> Result<ExitCode> {
    let store = files.read()?;
    if let Some(name) = &options.name {
        known(files, store.source(name)?, name)?;
    }
    let listing = logs::logs(&store, options.name.as_deref(), options.limit)?;
    print_listing(&listing, &logs::GLANCE, options.json)
}
