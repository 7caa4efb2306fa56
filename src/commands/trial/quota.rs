//! What a schedule asks of a provider in a day, and whether its limits allow
//! that. Pure; the time is passed in.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::definition::provider::RequestLimit;
use crate::definition::{Provider, Schedule};
use crate::viewer::amount::{count, length, of};

const DAY: Duration = Duration::from_secs(86_400);

/// More slots than any day has: for a limit of a year, this many will do.
const MOST_SLOTS: usize = 100_000;

#[derive(Debug)]
pub(super) struct Quota {
    pub(super) per_day: u64,
    /// There may be more pages than were asked for.
    pub(super) is_at_least: bool,
    pub(super) limits: Vec<RequestLimit>,
    domain: String,
}

impl Quota {
    /// `requests`: of one run.
    pub(super) fn new(
        schedules: &[&Schedule],
        now: Timestamp,
        requests: u64,
        is_at_least: bool,
        provider: Option<&Provider>,
        warnings: &mut Vec<String>,
    ) -> Quota {
        let within = |length| requests * schedules.iter().map(|one| slots(one, now, length)).sum::<u64>();
        let limits = provider.map_or_else(Vec::new, |provider| provider.limits.clone());
        let domain = provider.map_or_else(String::new, |provider| provider.domain.clone());
        let quota = Quota { per_day: within(DAY), is_at_least, limits, domain };
        for limit in quota.limits.iter().filter(|limit| within(limit.per) > limit.requests.into()) {
            warnings.push(format!(
                "{} in {} are more than the {} that the provider {} allows: runs will wait for it",
                quota.requests(within(limit.per)),
                length(limit.per.as_secs()),
                count(limit.requests.into()),
                quota.domain,
            ));
        }
        quota
    }

    fn requests(&self, number: u64) -> String {
        format!("{}{}", if self.is_at_least { "at least " } else { "" }, of(number, "request"))
    }

    pub(super) fn words(&self) -> String {
        let limits: Vec<String> = self.limits.iter().map(words).collect();
        let allowed = match limits.as_slice() {
            [] => "no provider limits them".to_owned(),
            limits => format!("the provider {} allows {}", self.domain, limits.join(", ")),
        };
        format!("{} a day; {allowed}", self.requests(self.per_day))
    }
}

/// `60 per 1m`.
pub(super) fn words(limit: &RequestLimit) -> String {
    format!("{} per {}", count(limit.requests.into()), length(limit.per.as_secs()))
}

/// From the next one on: a schedule that fires once a week does so on that day.
fn slots(schedule: &Schedule, now: Timestamp, length: Duration) -> u64 {
    let mut all = schedule.slots_after(schedule.first_slot(now));
    let Some(first) = all.next() else { return 0 };
    let length = SignedDuration::try_from(length).unwrap_or(SignedDuration::MAX);
    let end = first.checked_add(length).unwrap_or(Timestamp::MAX);
    1 + all.take(MOST_SLOTS).take_while(|slot| *slot < end).count() as u64
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    fn limit(requests: u32, seconds: u64) -> RequestLimit {
        RequestLimit { requests, per: Duration::from_secs(seconds) }
    }

    fn quota(
        schedule: &str,
        requests: u64,
        is_at_least: bool,
        limits: &[RequestLimit],
    ) -> (Quota, Vec<String>) {
        let schedule = Schedule::parse(schedule, &TimeZone::UTC).expect("a schedule");
        let now = "2026-11-15T10:07:30Z".parse().expect("a time");
        let provider =
            Provider { domain: "a.example".into(), limits: limits.to_vec(), concurrency: None, auth: None };
        let mut warnings = Vec::new();
        let quota = Quota::new(&[&schedule], now, requests, is_at_least, Some(&provider), &mut warnings);
        (quota, warnings)
    }

    #[test]
    fn a_day_has_the_requests_of_all_its_slots() {
        for (schedule, requests, want) in [
            ("daily", 1, 1),
            ("hourly", 1, 24),
            ("hourly", 3, 72),
            ("interval:15m", 1, 96),
            ("interval:1s", 1, 86_400),
            ("interval:7d", 1, 1),
            ("*/15 9-17 * * *", 1, 36),
            ("0 3 * * 1", 2, 2),
        ] {
            assert_eq!(quota(schedule, requests, false, &[]).0.per_day, want, "{schedule}");
        }
    }

    #[test]
    fn what_is_more_than_a_limit_is_a_warning() {
        let exceeds = "at least 24 requests in 1d are more than the 10 that the provider a.example allows: \
                       runs will wait for it";
        for (why, schedule, requests, limits, want) in [
            ("within all", "hourly", 1, vec![limit(60, 60), limit(24, 86_400)], vec![]),
            ("over the day", "hourly", 1, vec![limit(60, 60), limit(10, 86_400)], vec![exceeds]),
            (
                "one run is too much",
                "daily",
                3,
                vec![limit(2, 60)],
                vec![
                    "at least 3 requests in 1m are more than the 2 that the provider a.example allows: \
                 runs will wait for it",
                ],
            ),
            ("a year", "interval:1s", 1, vec![limit(4_000_000, 31_536_000)], vec![]),
        ] {
            assert_eq!(quota(schedule, requests, true, &limits).1, want, "{why}");
        }
        let (quota, _) = quota("hourly", 1, true, &[limit(60, 60), limit(2_000, 3_600)]);
        let want = "at least 24 requests a day; the provider a.example allows 60 per 1m, 2,000 per 1h";
        assert_eq!(quota.words(), want);
    }
}
