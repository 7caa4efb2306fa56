//! The times of a job, as a request says them: `${slot}`, `${window.from}`,
//! `${window.to}`, `${since}`.

use jiff::fmt::strtime;
use jiff::{SignedDuration, Timestamp};

use crate::clock;
use crate::definition::Source;
use crate::definition::template::Moment;
use crate::store::fetchlogs::Job;

#[derive(Debug, Clone)]
pub struct Moments {
    slot: Timestamp,
    window_from: Timestamp,
    window_to: Timestamp,
    /// As it is stored.
    since: Option<String>,
}

/// Without a format: ISO 8601 to the second, which most APIs take.
const FORMAT: &str = "%Y-%m-%dT%H:%M:%SZ";

impl Moments {
    /// The lookback widens what is asked for, not what counts as covered.
    pub(super) fn new(job: &Job, source: &Source, since: Option<String>) -> Moments {
        let lookback = SignedDuration::try_from(source.lookback).unwrap_or_default();
        let from = job.window.from;
        Moments {
            slot: job.slot,
            window_from: from.checked_sub(lookback).unwrap_or(from),
            window_to: job.window.to,
            since,
        }
    }

    pub(super) fn text(&self, moment: Moment, format: Option<&str>) -> Result<String, String> {
        let time = match moment {
            Moment::Slot => self.slot,
            Moment::WindowFrom => self.window_from,
            Moment::WindowTo => self.window_to,
            Moment::Since => return self.since_text(format),
        };
        write(time, format.unwrap_or(FORMAT))
    }

    /// A time only where it is asked for as one: it may as well be a number.
    fn since_text(&self, format: Option<&str>) -> Result<String, String> {
        let since = self.since.as_deref().ok_or("`${since}` needs `incremental`")?;
        match format {
            None => Ok(since.to_owned()),
            Some(format) => {
                let time = clock::from_text_or_date(since);
                write(
                    time.ok_or_else(|| format!("`${{since}}` is `{since}`, which is no time to format"))?,
                    format,
                )
            }
        }
    }
}

fn write(time: Timestamp, format: &str) -> Result<String, String> {
    strtime::format(format, time).map_err(|error| format!("`{format}` cannot be filled in: {error}"))
}
