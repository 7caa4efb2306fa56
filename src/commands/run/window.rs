//! The window that is to be filled, as typed, and what it means. Pure.

use jiff::{SignedDuration, Timestamp};

use super::Run;
use crate::clock::from_text_or_date;
use crate::definition::units::parse_duration;
use crate::definition::window::Window;
use crate::error::{Error, Result};

pub(super) fn window(options: &Run, now: Timestamp) -> Result<Option<(Window, SignedDuration)>> {
    let (from, to) = match (&options.from, &options.to) {
        (None, None) if options.step.is_none() => return Ok(None),
        (Some(from), to) => {
            let to = to.as_deref().map(|to| time("to", to)).transpose()?;
            (time("from", from)?, to.unwrap_or(now))
        }
        _ => return Err(Error::Input("--to and --step need --from".into())),
    };
    // What is still to come would count as covered, and no run of the schedule could begin before it.
    if to > now {
        return Err(Error::Input("--to is in the future; leave it out to end now".into()));
    }
    if from >= to {
        return Err(Error::Input("--from is not before --to".into()));
    }
    let step = match &options.step {
        None => to.duration_since(from),
        Some(text) => {
            let step = parse_duration(text).map_err(|message| Error::Input(format!("--step: {message}")))?;
            SignedDuration::try_from(step).unwrap_or(SignedDuration::MAX)
        }
    };
    if step.is_zero() {
        return Err(Error::Input("--step: 0 would never end; 1d does".into()));
    }
    Ok(Some((Window { from, to }, step)))
}

fn time(option: &str, text: &str) -> Result<Timestamp> {
    from_text_or_date(text).ok_or_else(|| {
        Error::Input(format!("--{option}: `{text}` is no time; 2026-11-15T23:41:53Z and 2026-11-15 are"))
    })
}
