//! Whether a source is to run now, and if not, why and until when. Pure: the
//! clock is passed in, the state comes from the store, and what depends on the
//! moment's load (rate limits, room in the ring) is the scheduler's to add.

use jiff::Timestamp;

use super::{Execution, RetryState, Schedule};

/// All that decides.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    pub is_active: bool,
    /// A job of the source is queued or running, in whatever deployment.
    pub is_in_flight: bool,
    pub execution: &'a Execution,
    pub retry: Option<RetryState>,
    /// The job that failed last is there to be run again.
    pub has_failed_job: bool,
}

/// One deployment of the source.
#[derive(Debug, Clone, Copy)]
pub struct Timing<'a> {
    pub schedule: &'a Schedule,
    /// The last slot that is done. `None`: it never ran.
    pub last: Option<Timestamp>,
    /// Missed slots run one by one.
    pub catch_up_each: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Inactive,
    InFlight,
    Backoff {
        until: Timestamp,
    },
    Exhausted {
        until: Timestamp,
    },
    /// The failed job runs again: its own trigger, whatever the schedule says.
    Retry,
    /// In the deployment with this index.
    Due {
        timing: usize,
        slot: Timestamp,
    },
    NotDue {
        next: Timestamp,
    },
    /// No deployment runs it.
    Never,
}

/// active → not in flight → budget and backoff → due, in this order.
pub fn decide<'a>(
    now: Timestamp,
    situation: &Situation<'_>,
    timings: impl Iterator<Item = Timing<'a>> + Clone,
) -> Decision {
    if !situation.is_active {
        return Decision::Inactive;
    }
    if situation.is_in_flight {
        return Decision::InFlight;
    }
    if let Some(state) = &situation.retry {
        let until = situation.execution.runs_again_at(state);
        if now < until {
            return if situation.execution.is_exhausted(state) {
                Decision::Exhausted { until }
            } else {
                Decision::Backoff { until }
            };
        }
        if situation.has_failed_job {
            return Decision::Retry;
        }
    }
    by_schedule(now, timings)
}

/// The oldest slot of all deployments that are due, else the next to come.
fn by_schedule<'a>(now: Timestamp, timings: impl Iterator<Item = Timing<'a>> + Clone) -> Decision {
    let due = timings.clone().enumerate().filter_map(|(timing, t)| Some((due_slot(now, t)?, timing))).min();
    if let Some((slot, timing)) = due {
        return Decision::Due { timing, slot };
    }
    match timings.filter_map(|t| Some(t.schedule.next_slot(t.last?))).min() {
        Some(next) => Decision::NotDue { next },
        None => Decision::Never,
    }
}

/// A source never fetched is due at once, so that a dropped file shows a
/// result without waiting out a whole interval.
pub fn due_slot(now: Timestamp, timing: Timing<'_>) -> Option<Timestamp> {
    match timing.last {
        None => Some(timing.schedule.first_slot(now)),
        Some(last) if timing.catch_up_each => timing.schedule.catch_up_slot(last, now),
        Some(last) => timing.schedule.due_slot(last, now),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::tz::TimeZone;

    use super::*;

    const EXECUTION: Execution = Execution {
        timeout: Duration::from_secs(300),
        max_retries: 2,
        retry_reset_period: Duration::from_secs(86_400),
    };

    fn at(text: &str) -> Timestamp {
        format!("2026-01-01T{text}:00Z").parse().expect("a time of day")
    }

    fn idle() -> Situation<'static> {
        Situation {
            is_active: true,
            is_in_flight: false,
            execution: &EXECUTION,
            retry: None,
            has_failed_job: false,
        }
    }

    fn failed(retry_count: u32, next: &str) -> Situation<'static> {
        let retry = RetryState { retry_count, period_start: at("09:00"), next_retry_at: at(next) };
        Situation { retry: Some(retry), has_failed_job: true, ..idle() }
    }

    #[test]
    fn the_checks_have_their_order() {
        let hourly = Schedule::parse("hourly", &TimeZone::UTC).expect("hourly");
        let last = |last| vec![Timing { schedule: &hourly, last, catch_up_each: false }];
        let fresh = Some(at("09:30"));
        let exhausted_until = "2026-01-02T09:00:00Z".parse().expect("a time");
        let now = at("10:00");
        for (why, situation, timings, want) in [
            ("never ran", idle(), last(None), Decision::Due { timing: 0, slot: now }),
            ("ran lately", idle(), last(fresh), Decision::NotDue { next: at("10:30") }),
            ("ran long ago", idle(), last(Some(at("07:45"))), Decision::Due { timing: 0, slot: at("09:45") }),
            ("paused", Situation { is_active: false, ..idle() }, last(None), Decision::Inactive),
            ("running", Situation { is_in_flight: true, ..idle() }, last(None), Decision::InFlight),
            (
                "backing off, though due",
                failed(1, "10:02"),
                last(None),
                Decision::Backoff { until: at("10:02") },
            ),
            ("its retry comes, though rows look fresh", failed(1, "10:00"), last(fresh), Decision::Retry),
            ("budget spent", failed(2, "09:50"), last(None), Decision::Exhausted { until: exhausted_until }),
            ("no deployment", idle(), vec![], Decision::Never),
        ] {
            assert_eq!(decide(now, &situation, timings.iter().copied()), want, "{why}");
        }
    }

    #[test]
    fn of_several_deployments_the_oldest_slot_goes_first() {
        let hourly = Schedule::parse("hourly", &TimeZone::UTC).expect("hourly");
        let timing = |last| Timing { schedule: &hourly, last: Some(at(last)), catch_up_each: false };
        let timings = [timing("08:50"), timing("08:40"), timing("09:59")];
        let want = Decision::Due { timing: 1, slot: at("09:40") };
        assert_eq!(decide(at("10:00"), &idle(), timings.into_iter()), want);
    }

    #[test]
    fn missed_slots_run_one_by_one_where_each_is_wanted_within_a_bound() {
        let hourly = Schedule::parse("hourly", &TimeZone::UTC).expect("hourly");
        let day_ago = "2025-12-31T10:00:00Z".parse().expect("a time");
        let year_ago = "2025-01-01T10:00:00Z".parse().expect("a time");
        let first: Timestamp = "2025-12-31T11:00:00Z".parse().expect("a time");
        let hours_ago = |hours: i64| at("10:00") - jiff::SignedDuration::from_hours(hours);
        for (why, last, want) in [
            ("a day", day_ago, first),
            ("as many as run one by one", hours_ago(100), hours_ago(99)),
            ("one more", hours_ago(101), at("10:00")),
            ("a year", year_ago, at("10:00")),
        ] {
            let timing = Timing { schedule: &hourly, last: Some(last), catch_up_each: true };
            assert_eq!(due_slot(at("10:00"), timing), Some(want), "{why}");
        }
    }
}
