//! Whether this machine is offline, as runs tell: then no job is sent out but
//! one probe at a time, and no source's budget is spent. Monotonic: a clock
//! that is set when the network comes back must not confuse it.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use log::{info, warn};

use crate::dispatch::Outcome;

#[derive(Debug, Default)]
pub(super) struct Offline {
    /// When the next probe may go. `None`: the machine is online.
    probe_at: Option<Instant>,
}

const PROBE_EVERY: Duration = Duration::from_secs(30);

impl Offline {
    /// Any answer from elsewhere, good or bad, came over a network.
    pub(super) fn hear(&mut self, host: &str, outcome: Outcome, now: Instant) {
        let was_offline = self.probe_at.is_some();
        if outcome == Outcome::Offline {
            self.probe_at = Some(now + PROBE_EVERY);
        } else if matches!(outcome, Outcome::Completed | Outcome::Failed) && !is_here(host) {
            self.probe_at = None;
        }
        match (was_offline, self.probe_at.is_some()) {
            (false, true) => warn!("this machine is offline: nothing is fetched but a probe every 30 s"),
            (true, false) => info!("online again"),
            _ => {}
        }
    }

    /// Whether a job for this host may go. A job that goes while the machine is
    /// offline is the probe: the next one waits, for so long.
    pub(super) fn lets(&mut self, host: &str, now: Instant) -> Result<(), Duration> {
        match self.probe_at {
            None => Ok(()),
            Some(_) if is_here(host) => Ok(()),
            Some(at) if at <= now => {
                self.probe_at = Some(now + PROBE_EVERY);
                Ok(())
            }
            Some(at) => Err(at - now),
        }
    }
}

/// Needs no network: loopback, or nothing but Hermes itself.
fn is_here(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.is_empty() || host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offline_lets_one_probe_go_every_30_seconds_until_an_answer_comes() {
        let (mut offline, start) = (Offline::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert!(offline.lets("api.example", at(0)).is_ok());
        offline.hear("api.example", Outcome::Offline, at(0));
        for (seconds, want) in [(1, false), (29, false), (30, true), (31, false), (59, false), (60, true)] {
            assert_eq!(offline.lets("api.example", at(seconds)).is_ok(), want, "after {seconds} s");
        }
        offline.hear("127.0.0.1", Outcome::Completed, at(61));
        assert!(offline.lets("api.example", at(61)).is_err(), "an answer of this machine proves nothing");
        offline.hear("other.example", Outcome::Failed, at(62));
        assert!(
            offline.lets("api.example", at(62)).is_ok(),
            "an answer, even a bad one, came over a network"
        );
    }

    #[test]
    fn what_needs_no_network_goes_on() {
        let (mut offline, now) = (Offline::default(), Instant::now());
        offline.hear("api.example", Outcome::Offline, now);
        for (host, want) in
            [("", true), ("localhost", true), ("127.0.0.1", true), ("[::1]", true), ("a.example", false)]
        {
            assert_eq!(offline.lets(host, now).is_ok(), want, "{host}");
        }
    }
}
