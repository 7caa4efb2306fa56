//! The wall clock, and how its times are written. Deadlines are not kept here:
//! they are monotonic (`std::time::Instant`).

use jiff::Timestamp;
use jiff::fmt::strtime;

/// Passed to whatever needs the time, so that a test can be its own clock.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A clock earlier than the build is not set yet, as on a Pi that has no
/// battery for it. A day is left to clocks that are merely wrong.
pub fn earliest_plausible() -> Timestamp {
    let built: i64 = env!("HERMES_BUILD_EPOCH").parse().expect("the build script writes a number");
    Timestamp::from_second(built - 86_400).expect("the time of a build is a time")
}

/// ISO 8601, UTC, always with milliseconds: text that sorts as time does.
pub fn to_text(time: Timestamp) -> String {
    strtime::format("%Y-%m-%dT%H:%M:%S.%3fZ", time).expect("every timestamp has these parts")
}

/// Of a column; `None` for what no Hermes wrote.
pub fn from_text(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

/// Of a person: a day is its midnight in UTC.
pub fn from_text_or_date(text: &str) -> Option<Timestamp> {
    from_text(text).or_else(|| from_text(&format!("{text}T00:00:00Z")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc_text_with_milliseconds() {
        let time: Timestamp = "2026-11-15T23:41:53.5+01:00".parse().expect("a time");
        assert_eq!(to_text(time), "2026-11-15T22:41:53.500Z");
        assert_eq!(from_text(&to_text(time)), Some(time));
        assert_eq!(from_text_or_date("2026-11-15"), from_text("2026-11-15T00:00:00Z"));
        assert_eq!((from_text("2026-11-15"), from_text_or_date("soon")), (None, None));
    }
}
