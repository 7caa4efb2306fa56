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

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(since: Option<&str>) -> Moments {
        let time = |text: &str| clock::from_text(text).expect(text);
        Moments {
            slot: time("2026-01-02T05:00:00.500Z"),
            window_from: time("2026-01-01T05:00:00Z"),
            window_to: time("2026-01-02T04:00:00Z"),
            since: since.map(str::to_owned),
        }
    }

    #[test]
    fn times_are_written_to_the_second_or_as_asked_for() {
        for (moment, format, want) in [
            (Moment::Slot, None, "2026-01-02T05:00:00Z"),
            (Moment::Slot, Some("%s"), "1767330000"),
            (Moment::WindowFrom, None, "2026-01-01T05:00:00Z"),
            (Moment::WindowFrom, Some("%d.%m.%y %H h"), "01.01.26 05 h"),
            (Moment::WindowTo, Some("%Y%j"), "2026002"),
        ] {
            assert_eq!(moments(None).text(moment, format).as_deref(), Ok(want), "{format:?}");
        }
    }

    #[test]
    fn since_is_as_it_is_stored_and_a_time_only_where_one_is_asked_for() {
        for (since, format, want) in [
            ("17", None, Ok("17")),
            ("2026-01-05T00:00:00.250Z", None, Ok("2026-01-05T00:00:00.250Z")),
            ("2026-01-05T00:00:00.250Z", Some("%F"), Ok("2026-01-05")),
            ("2026-01-05", Some("%s"), Ok("1767571200")),
            ("17", Some("%F"), Err("`${since}` is `17`, which is no time to format")),
        ] {
            let text = moments(Some(since)).text(Moment::Since, format);
            assert_eq!(text.as_deref().map_err(String::as_str), want, "{since} {format:?}");
        }
        assert!(moments(None).text(Moment::Since, None).is_err());
    }
}
