//! `--since TIME`: a day, a moment, or so long ago. The clock is passed in.

use jiff::{SignedDuration, Timestamp};

use crate::clock::from_text_or_date;
use crate::definition::units::parse_duration;
use crate::error::{Error, Result};

pub(super) fn since(given: Option<&str>, now: Timestamp) -> Result<Option<Timestamp>> {
    let Some(text) = given else { return Ok(None) };
    let time = from_text_or_date(text).or_else(|| ago(text, now));
    let message = || format!("--since: `{text}` is no time; 2026-11-15, 2026-11-15T23:41:53Z and 6h are");
    time.map(Some).ok_or_else(|| Error::Input(message()))
}

/// Only with its unit: a bare number might be meant as a year.
fn ago(text: &str, now: Timestamp) -> Option<Timestamp> {
    let duration = parse_duration(text).ok().filter(|_| text.ends_with(|c: char| c.is_alphabetic()))?;
    now.checked_sub(SignedDuration::try_from(duration).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::to_text;

    #[test]
    fn a_time_is_a_day_a_moment_or_so_long_ago() {
        let now = "2026-11-16T12:00:00Z".parse().expect("a time");
        for (text, want) in [
            ("2026-11-15", Some("2026-11-15T00:00:00.000Z")),
            ("2026-11-15T23:41:53+01:00", Some("2026-11-15T22:41:53.000Z")),
            ("6h", Some("2026-11-16T06:00:00.000Z")),
            ("2d", Some("2026-11-14T12:00:00.000Z")),
            ("2026", None),
            ("yesterday", None),
            ("", None),
        ] {
            let found = since(Some(text), now).ok().flatten().map(to_text);
            assert_eq!(found.as_deref(), want, "{text}");
        }
        assert_eq!(since(None, now).ok(), Some(None));
    }
}
