//! `hermes list`.

use super::{Files, print_listing};
use crate::clock::{Clock, SystemClock};
use crate::error::{ExitCode, Result};
use crate::viewer::sources;

pub(super) fn list(files: &Files, as_json: bool) -> Result<ExitCode> {
    let listing = sources::list(&files.read()?, SystemClock.now())?;
    print_listing(&listing, &sources::GLANCE, as_json)
}
