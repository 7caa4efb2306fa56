//! When a deployment is due: the one parser that validates a schedule, and the
//! rule that evaluates it. Time is passed in.

use std::time::Duration;

use jiff::Timestamp;

use super::job_key::Precision;
use super::units;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// As it was written.
    pub text: String,
    every: Duration,
}

const SHORTEST: Duration = Duration::from_secs(1);

impl Schedule {
    pub const DEFAULT: &'static str = "daily";

    pub fn parse(text: &str) -> Result<Schedule, String> {
        let every = match text.trim() {
            "daily" => Duration::from_secs(86_400),
            "hourly" => Duration::from_secs(3_600),
            other => match other.strip_prefix("interval:") {
                Some(duration) => units::parse_duration(duration.trim())?,
                None => return Err(format!("`{text}` is no schedule; daily, hourly and interval:15m are")),
            },
        };
        if every < SHORTEST {
            return Err(format!("`{text}` is shorter than a second"));
        }
        Ok(Schedule { text: text.trim().to_owned(), every })
    }

    /// The slot of a first run: now, to the minute where the schedule is no finer.
    pub fn first_slot(&self, now: Timestamp) -> Timestamp {
        let seconds = now.as_second();
        at(if self.is_under_a_minute() { seconds } else { seconds - seconds.rem_euclid(60) })
    }

    /// The latest slot not after `now`, counted on from the last one: late runs
    /// do not make a schedule drift. `None` where the next slot is still to come.
    pub fn due_slot(&self, last: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let every = self.every.as_secs() as i64;
        let passed = (now.as_second() - last.as_second()).div_euclid(every);
        (passed >= 1).then(|| at(last.as_second() + passed * every))
    }

    pub fn next_slot(&self, last: Timestamp) -> Timestamp {
        at(last.as_second().saturating_add(self.every.as_secs() as i64))
    }

    /// Of its job keys.
    pub fn precision(&self) -> Precision {
        if self.is_under_a_minute() { Precision::Second } else { Precision::Minute }
    }

    fn is_under_a_minute(&self) -> bool {
        self.every < Duration::from_secs(60)
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().expect("a timestamp")
    }

    #[test]
    fn a_schedule_is_daily_hourly_or_an_interval() {
        for (text, seconds) in
            [("daily", 86_400), ("hourly", 3_600), ("interval:15m", 900), (" interval:1s ", 1)]
        {
            assert_eq!(Schedule::parse(text).map(|s| s.every.as_secs()), Ok(seconds), "{text}");
        }
        for text in ["", "weekly", "interval:", "interval:0s", "interval:-1m", "interval:x", "15m"] {
            assert!(Schedule::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn missed_slots_are_one_and_the_schedule_does_not_drift() {
        let hourly = Schedule::parse("hourly").expect("hourly");
        let last = time("2026-01-01T10:07:00Z");
        for (why, now, want) in [
            ("not yet", "2026-01-01T11:06:59Z", None),
            ("on the dot", "2026-01-01T11:07:00Z", Some("2026-01-01T11:07:00Z")),
            ("late", "2026-01-01T11:30:00Z", Some("2026-01-01T11:07:00Z")),
            ("an outage of a day", "2026-01-02T11:30:00Z", Some("2026-01-02T11:07:00Z")),
            ("a clock set back", "2026-01-01T09:00:00Z", None),
        ] {
            assert_eq!(hourly.due_slot(last, time(now)), want.map(time), "{why}");
        }
    }

    #[test]
    fn a_first_slot_is_now_to_the_minute_or_the_second() {
        let now = time("2026-01-01T10:07:42.5Z");
        let first = |text| Schedule::parse(text).expect(text).first_slot(now);
        assert_eq!(first("hourly"), time("2026-01-01T10:07:00Z"));
        assert_eq!(first("interval:10s"), time("2026-01-01T10:07:42Z"));
    }
}
