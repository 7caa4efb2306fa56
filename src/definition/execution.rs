//! The retry rule: what a failure does to a source's budget. Pure; the store
//! keeps the state, the scheduler reads it.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    /// The whole run, all pages, from its start.
    pub timeout: Duration,
    /// Failures allowed per period, the first attempt included; at least 1.
    pub max_retries: u32,
    pub retry_reset_period: Duration,
}

/// A row of `retries`. A source without one has not failed since its last success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryState {
    pub retry_count: u32,
    /// The first failure after a success or a reset.
    pub period_start: Timestamp,
    pub next_retry_at: Timestamp,
}

impl Execution {
    /// Starts a new period where the old one has elapsed, or has yet to begin
    /// because the clock was set back; counts one failure, as far as the budget
    /// goes, and doubles the pause, never past the end of the period. `asked` is
    /// how long the server wants to be left alone; it counts where it is longer.
    pub fn after_failure(
        &self,
        before: Option<RetryState>,
        now: Timestamp,
        asked: Option<Duration>,
    ) -> RetryState {
        let current = before.filter(|state| state.period_start <= now && now < self.period_end(state));
        let period_start = current.map_or(now, |state| state.period_start);
        let retry_count = current.map_or(1, |state| (state.retry_count + 1).min(self.max_retries));
        let period_end = later(period_start, self.retry_reset_period);
        let backoff = later(now, backoff(retry_count));
        let asked_until = asked.map_or(now, |asked| later(now, asked));
        RetryState { retry_count, period_start, next_retry_at: backoff.min(period_end).max(asked_until) }
    }

    /// A period that begins after now was begun by a clock that has been set
    /// back since: it begins when that happened, and its pause with it.
    pub fn without_future(&self, state: RetryState, now: Timestamp, set_back_at: Timestamp) -> RetryState {
        if state.period_start <= now {
            return state;
        }
        let next_retry_at = later(set_back_at, backoff(state.retry_count));
        let replanned = RetryState { period_start: set_back_at, next_retry_at, ..state };
        RetryState { next_retry_at: next_retry_at.min(self.period_end(&replanned)), ..replanned }
    }

    pub fn period_end(&self, state: &RetryState) -> Timestamp {
        later(state.period_start, self.retry_reset_period)
    }

    pub fn is_exhausted(&self, state: &RetryState) -> bool {
        state.retry_count >= self.max_retries
    }

    /// When the failed job may run again: at its retry, or once the period of
    /// an exhausted budget is over.
    pub fn runs_again_at(&self, state: &RetryState) -> Timestamp {
        if self.is_exhausted(state) {
            self.period_end(state).max(state.next_retry_at)
        } else {
            state.next_retry_at
        }
    }
}

/// 2, 4, 8, 16 … minutes.
fn backoff(retry_count: u32) -> Duration {
    Duration::from_secs(60) * 2u32.saturating_pow(retry_count.min(20))
}

/// `when + pause`, at most the end of time.
fn later(when: Timestamp, pause: Duration) -> Timestamp {
    SignedDuration::try_from(pause)
        .ok()
        .and_then(|pause| when.checked_add(pause).ok())
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXECUTION: Execution = Execution {
        timeout: Duration::from_secs(300),
        max_retries: 5,
        retry_reset_period: Duration::from_secs(86_400),
    };

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a timestamp")
    }

    fn minutes(from: Timestamp, until: Timestamp) -> i64 {
        (until.as_second() - from.as_second()) / 60
    }

    #[test]
    fn failures_pause_for_2_4_8_16_minutes() {
        let mut now = at("2026-01-01T10:00:00Z");
        let mut state = None;
        let mut pauses = Vec::new();
        for _ in 0..4 {
            let next = EXECUTION.after_failure(state, now, None);
            pauses.push(minutes(now, next.next_retry_at));
            now = next.next_retry_at;
            state = Some(next);
        }
        assert_eq!(pauses, [2, 4, 8, 16]);
        let state = state.expect("four failures");
        assert!(!EXECUTION.is_exhausted(&state));
        assert_eq!(state.period_start, at("2026-01-01T10:00:00Z"));
    }

    #[test]
    fn the_last_failure_of_the_budget_waits_for_the_end_of_the_period() {
        let start = at("2026-01-01T10:00:00Z");
        let before = RetryState { retry_count: 4, period_start: start, next_retry_at: start };
        let state = EXECUTION.after_failure(Some(before), at("2026-01-01T10:30:00Z"), None);
        assert!(EXECUTION.is_exhausted(&state));
        assert_eq!(EXECUTION.runs_again_at(&state), at("2026-01-02T10:00:00Z"));
    }

    #[test]
    fn a_failure_after_the_period_starts_a_new_one() {
        let start = at("2026-01-01T10:00:00Z");
        let before = RetryState { retry_count: 5, period_start: start, next_retry_at: start };
        let now = at("2026-01-02T10:00:00Z");
        let state = EXECUTION.after_failure(Some(before), now, None);
        assert_eq!((state.retry_count, state.period_start), (1, now));
        assert_eq!(minutes(now, state.next_retry_at), 2);
    }

    #[test]
    fn a_clock_set_back_neither_exceeds_the_budget_nor_keeps_it_spent() {
        let start = at("2026-01-01T10:00:00Z");
        let spent = RetryState { retry_count: 5, period_start: start, next_retry_at: start };
        for (why, now, want) in [
            ("back into the period", "2026-01-02T09:00:00Z", (5, start)),
            ("back before the period", "2025-01-01T00:00:00Z", (1, at("2025-01-01T00:00:00Z"))),
        ] {
            let state = EXECUTION.after_failure(Some(spent), at(now), None);
            assert_eq!((state.retry_count, state.period_start), want, "{why}");
        }
    }

    #[test]
    fn what_the_server_asks_counts_where_it_is_longer() {
        let now = at("2026-01-01T10:00:00Z");
        for (why, asked, want) in [
            ("shorter than the backoff", 10, 2),
            ("zero means the backoff", 0, 2),
            ("longer", 3_600, 60),
            ("longer than the period: the server knows best", 2 * 86_400, 2 * 1_440),
        ] {
            let asked = Some(Duration::from_secs(asked));
            let state = EXECUTION.after_failure(None, now, asked);
            assert_eq!(minutes(now, state.next_retry_at), want, "{why}");
        }
    }

    #[test]
    fn a_clock_set_back_shortens_the_wait_to_what_it_would_be_now() {
        let future = at("2027-01-01T10:00:00Z");
        let state = RetryState { retry_count: 3, period_start: future, next_retry_at: future };
        let now = at("2026-01-01T10:00:00Z");
        let replanned = EXECUTION.without_future(state, now, now);
        assert_eq!(minutes(now, EXECUTION.runs_again_at(&replanned)), 8);
        let past = RetryState { period_start: now, ..state };
        assert_eq!(EXECUTION.without_future(past, now, now), past);
    }

    #[test]
    fn the_backoff_never_passes_the_end_of_the_period() {
        let short = Execution { max_retries: 50, retry_reset_period: Duration::from_secs(600), ..EXECUTION };
        let start = at("2026-01-01T10:00:00Z");
        let before = RetryState { retry_count: 30, period_start: start, next_retry_at: start };
        let state = short.after_failure(Some(before), at("2026-01-01T10:05:00Z"), None);
        assert_eq!(state.next_retry_at, at("2026-01-01T10:10:00Z"));
    }
}
