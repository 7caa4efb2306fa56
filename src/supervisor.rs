//! What systemd is told: ready, reloading, stopping, still alive. Only where it
//! asks for it (`NOTIFY_SOCKET`, `WATCHDOG_USEC`). It knows nothing of what runs.

use std::time::{Duration, Instant};

use log::warn;
use sd_notify::NotifyState;

/// Signs of life, from the loop that must not hang: often enough that one may
/// be late, and not at every turn of a busy loop.
#[derive(Debug)]
pub struct Watchdog {
    /// The unit's `WatchdogSec`; `None` where nobody watches.
    within: Option<Duration>,
    last: Instant,
}

impl Watchdog {
    pub fn from_env(now: Instant) -> Watchdog {
        Watchdog { within: sd_notify::watchdog_enabled().filter(|within| !within.is_zero()), last: now }
    }

    /// When the loop must turn at the latest. With `WatchdogSec=2min` that is
    /// later than its longest sleep: no wake-up is for the watchdog alone.
    pub fn turn_by(&self) -> Option<Instant> {
        self.within.map(|within| self.last + within / 2)
    }

    pub fn turned(&mut self, now: Instant) {
        if self.is_due(now) {
            self.last = now;
            tell(&[NotifyState::Watchdog]);
        }
    }

    fn is_due(&self, now: Instant) -> bool {
        self.within.is_some_and(|within| now.saturating_duration_since(self.last) >= within / 4)
    }

    /// Waiting for another daemon to end is sleep in the kernel, without signs of life.
    pub fn stand_by(&self) {
        tell(&[NotifyState::Ready, NotifyState::Status("standing by for another hermes")]);
        if self.within.is_some() {
            tell(&[NotifyState::WatchdogUsec(0)]);
        }
    }

    pub fn take_over(&mut self, now: Instant) {
        self.last = now;
        tell(&[NotifyState::Status("running")]);
        if let Some(within) = self.within {
            tell(&[NotifyState::WatchdogUsec(u32::try_from(within.as_micros()).unwrap_or(u32::MAX))]);
        }
    }
}

pub fn ready() {
    tell(&[NotifyState::Ready]);
}

/// Without the time that `Type=notify-reload` wants and `Type=notify` does not:
/// the crate reckons it in 32 bits where those are all there is, which overflow
/// when the machine has been up for 36 minutes.
pub fn reloading() {
    tell(&[NotifyState::Reloading]);
}

pub fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// Not being heard is no reason to stop: whoever listens decides what silence means.
fn tell(what: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(what) {
        warn!("the service manager cannot be told ({error}); is NOTIFY_SOCKET right?");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_of_life_is_due_after_a_quarter_and_the_loop_turns_by_half() {
        let start = Instant::now();
        let minutes = |count: u64| Duration::from_secs(60 * count);
        let watched = Watchdog { within: Some(minutes(2)), last: start };
        for (why, after, want) in
            [("at once", 0, false), ("early", 29, false), ("a longest sleep", 30, true), ("late", 500, true)]
        {
            assert_eq!(watched.is_due(start + Duration::from_secs(after)), want, "{why}");
        }
        assert_eq!(watched.turn_by(), Some(start + minutes(1)));
        let unwatched = Watchdog { within: None, last: start };
        assert!(!unwatched.is_due(start + minutes(500)) && unwatched.turn_by().is_none());
    }
}
