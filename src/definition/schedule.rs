//! When a deployment is due: the one parser that validates a schedule, and the
//! rule that evaluates it. Time is passed in; the calendar is `cron`'s.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::cron::Cron;
use super::job_key::Precision;
use super::problem::shorten;
use super::units;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// As it was written.
    pub text: String,
    rule: Rule,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Rule {
    /// Counted from the first run.
    Every(Duration),
    Cron(Box<Cron>),
}

/// Slots of `catchUp: each`.
const MAX_CATCH_UP: usize = 100;

const SHORTEST: Duration = Duration::from_secs(1);

impl Schedule {
    pub const DEFAULT: &'static str = "daily";
    pub const EXAMPLES: &'static str = "daily, hourly, interval:15m or cron such as \"*/15 * * * *\"";

    /// The zone is that of cron; the other schedules count seconds.
    pub fn parse(text: &str, zone: &TimeZone) -> Result<Schedule, String> {
        let text = text.trim();
        let rule = match text {
            "daily" => Rule::Every(Duration::from_secs(86_400)),
            "hourly" => Rule::Every(Duration::from_secs(3_600)),
            other => match other.strip_prefix("interval:") {
                Some(duration) => Rule::Every(interval(duration)?),
                None => Rule::Cron(Box::new(cron(text, zone)?)),
            },
        };
        Ok(Schedule { text: text.to_owned(), rule })
    }

    /// The slot of a first run. For cron the latest one not after `now`, else
    /// now, to the minute where the schedule is no finer.
    pub fn first_slot(&self, now: Timestamp) -> Timestamp {
        let seconds = now.as_second();
        let minute = at(seconds - seconds.rem_euclid(60));
        match &self.rule {
            Rule::Cron(cron) => cron.latest_at(now).unwrap_or(minute),
            Rule::Every(_) if self.is_under_a_minute() => at(seconds),
            Rule::Every(_) => minute,
        }
    }

    /// The latest slot in `(last, now]`: missed ones are one, and late runs do
    /// not make a schedule drift. `None` where the next slot is still to come.
    pub fn due_slot(&self, last: Timestamp, now: Timestamp) -> Option<Timestamp> {
        match &self.rule {
            Rule::Cron(cron) => cron.latest_at(now).filter(|slot| *slot > last),
            Rule::Every(every) => {
                let every = every.as_secs() as i64;
                let passed = (now.as_second() - last.as_second()).div_euclid(every);
                (passed >= 1).then(|| at(last.as_second() + passed * every))
            }
        }
    }

    /// The earliest slot in `(last, now]`, for those who want each.
    pub fn following_slot(&self, last: Timestamp, now: Timestamp) -> Option<Timestamp> {
        self.after(last).filter(|slot| *slot <= now)
    }

    /// The end of time where there is none.
    pub fn next_slot(&self, last: Timestamp) -> Timestamp {
        self.after(last).unwrap_or(Timestamp::MAX)
    }

    /// One after another, without end for all that matters: take what you need.
    pub fn slots_after(&self, from: Timestamp) -> impl Iterator<Item = Timestamp> + '_ {
        std::iter::successors(self.after(from), |slot| self.after(*slot))
    }

    fn after(&self, last: Timestamp) -> Option<Timestamp> {
        match &self.rule {
            Rule::Cron(cron) => cron.next_after(last),
            Rule::Every(every) => {
                let second = last.as_second().checked_add(every.as_secs() as i64)?;
                Timestamp::from_second(second).ok()
            }
        }
    }

    /// The slot before this one; itself where there is none.
    pub fn slot_before(&self, slot: Timestamp) -> Timestamp {
        let before = match &self.rule {
            Rule::Cron(cron) => {
                Timestamp::from_second(slot.as_second() - 1).ok().and_then(|t| cron.latest_at(t))
            }
            Rule::Every(every) => Timestamp::from_second(slot.as_second() - every.as_secs() as i64).ok(),
        };
        before.unwrap_or(slot)
    }

    /// The earliest missed slot, where they are to run one by one. So many that
    /// they would take for ever are one.
    pub fn catch_up_slot(&self, last: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let missed = self.slots_after(last).take(MAX_CATCH_UP + 1).take_while(|slot| *slot <= now).count();
        if missed > MAX_CATCH_UP { self.due_slot(last, now) } else { self.following_slot(last, now) }
    }

    /// Of its job keys.
    pub fn precision(&self) -> Precision {
        if self.is_under_a_minute() { Precision::Second } else { Precision::Minute }
    }

    fn is_under_a_minute(&self) -> bool {
        matches!(self.rule, Rule::Every(every) if every < Duration::from_secs(60))
    }
}

fn interval(text: &str) -> Result<Duration, String> {
    match units::parse_duration(text.trim())? {
        every if every < SHORTEST => Err(format!("`interval:{}` is shorter than a second", shorten(text))),
        every => Ok(every),
    }
}

/// One word is no cron that went wrong, but no schedule at all.
fn cron(text: &str, zone: &TimeZone) -> Result<Cron, String> {
    if text.split_ascii_whitespace().nth(1).is_none() {
        return Err(format!("`{}` is no schedule; write {}", shorten(text), Schedule::EXAMPLES));
    }
    Cron::parse(text, zone).map_err(|why| format!("`{}` is no schedule: {why}", shorten(text)))
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

    fn parse(text: &str) -> Result<Schedule, String> {
        Schedule::parse(text, &TimeZone::UTC)
    }

    #[test]
    fn a_schedule_is_daily_hourly_or_an_interval() {
        for (text, seconds) in
            [("daily", 86_400), ("hourly", 3_600), ("interval:15m", 900), (" interval:1s ", 1)]
        {
            let want = Rule::Every(Duration::from_secs(seconds));
            assert_eq!(parse(text).map(|schedule| schedule.rule), Ok(want), "{text}");
        }
        for text in
            ["", " ", "weekly", "@hourly", "interval:", "interval:0s", "interval:-1m", "interval:x", "15m"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn missed_slots_are_one_and_the_schedule_does_not_drift() {
        let hourly = parse("hourly").expect("hourly");
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
        let first = |text| parse(text).expect(text).first_slot(now);
        assert_eq!(first("hourly"), time("2026-01-01T10:07:00Z"));
        assert_eq!(first("interval:10s"), time("2026-01-01T10:07:42Z"));
    }

    #[test]
    fn a_first_slot_of_cron_is_the_latest_and_keeps_what_was_written() {
        let berlin = units::parse_zone("Europe/Berlin").expect("a zone");
        let nightly = Schedule::parse(" 0  3 * * * ", &berlin).expect("cron");
        assert_eq!(nightly.text, "0  3 * * *");
        assert!(!nightly.is_under_a_minute());
        assert_eq!(nightly.first_slot(time("2026-01-02T01:59:59Z")), time("2026-01-01T02:00:00Z"));
        assert_eq!(nightly.first_slot(time("2026-01-02T02:00:00Z")), time("2026-01-02T02:00:00Z"));
    }

    #[test]
    fn missed_slots_of_cron_are_one_or_each() {
        let nightly = parse("0 3 * * *").expect("cron");
        let last = time("2020-01-01T03:00:00Z");
        for (why, now, latest, earliest) in [
            ("not yet", "2020-01-02T02:59:59Z", None, None),
            (
                "on the dot",
                "2020-01-02T03:00:00Z",
                Some("2020-01-02T03:00:00Z"),
                Some("2020-01-02T03:00:00Z"),
            ),
            (
                "years later",
                "2026-05-05T02:00:00Z",
                Some("2026-05-04T03:00:00Z"),
                Some("2020-01-02T03:00:00Z"),
            ),
            ("a clock set back", "2019-01-01T00:00:00Z", None, None),
        ] {
            assert_eq!(nightly.due_slot(last, time(now)), latest.map(time), "{why}");
            assert_eq!(nightly.following_slot(last, time(now)), earliest.map(time), "{why}");
        }
    }

    #[test]
    fn slots_follow_one_another_to_the_end_of_time() {
        for (text, want) in
            [("interval:90s", "2026-01-01T00:04:30Z"), ("*/2 * * * *", "2026-01-01T00:06:00Z")]
        {
            let schedule = parse(text).expect(text);
            assert_eq!(schedule.slots_after(time("2026-01-01T00:00:00Z")).nth(2), Some(time(want)), "{text}");
            assert_eq!(schedule.next_slot(Timestamp::MAX), Timestamp::MAX, "{text}");
            assert_eq!(schedule.slots_after(Timestamp::MAX).next(), None, "{text}");
            schedule.first_slot(Timestamp::MIN);
        }
    }

    #[test]
    fn what_is_wrong_with_a_schedule_is_said() {
        for (text, want) in [
            (
                "weekly",
                "`weekly` is no schedule; write daily, hourly, interval:15m or cron such as \"*/15 * * * *\"",
            ),
            (
                "0 * * * * *",
                "`0 * * * * *` is no schedule: it has 6 fields, not five: minute hour day month weekday",
            ),
            ("0 0 31 2 *", "`0 0 31 2 *` is no schedule: it never fires: none of its months has such a day"),
            ("60 * * * *", "`60 * * * *` is no schedule: minute `60` is not a number from 0 to 59"),
            (
                "5/15 * * * *",
                "`5/15 * * * *` is no schedule: minute `5/15` has a step without a range; 5-59/15 has both",
            ),
            (
                "0 0 * * FOO",
                "`0 0 * * FOO` is no schedule: weekday `FOO` is not a number from 0 to 7 or a name such as SUN",
            ),
            ("interval:0s", "`interval:0s` is shorter than a second"),
        ] {
            assert_eq!(parse(text), Err(want.into()));
        }
    }
}
