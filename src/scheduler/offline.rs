//! Whether this machine is offline, as runs tell: then no job is sent out but
//! one probe at a time, and no source's budget is spent. Monotonic: a clock
//! that is set when the network comes back must not confuse it.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use log::{info, warn};

use super::offers::{Offer, Work};
use crate::dispatch::{Job, Outcome};
use crate::order;

#[derive(Debug, Default)]
pub(super) struct Offline {
    /// When the next probe may go. `None`: the machine is online.
    probe_at: Option<Instant>,
    /// Hosts whose last run found no network. A name server that cannot tell
    /// one name says the same as one that cannot tell any.
    silent: BTreeMap<String, Silent>,
    answered_at: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Silent {
    since: Instant,
    ask_again_at: Instant,
}

const PROBE_EVERY: Duration = Duration::from_secs(30);

impl Offline {
    /// Any answer from elsewhere, good or bad, came over a network. A host that
    /// stays silent while others answer is not the machine's trouble: it waits
    /// by itself.
    pub(super) fn hear(&mut self, host: &str, job: &Job, outcome: Outcome, now: Instant) {
        let was_offline = self.probe_at.is_some();
        if outcome == Outcome::Offline {
            let ask_again_at = now + PROBE_EVERY;
            let since = self.silent.get(host).map_or(now, |silent| silent.since);
            self.silent.insert(host.to_owned(), Silent { since, ask_again_at });
            if self.answered_at.is_none_or(|at| at <= since) {
                self.probe_at = Some(ask_again_at);
            }
        } else if matches!(outcome, Outcome::Completed | Outcome::Failed)
            && needs_network(host, job.is_offline)
        {
            self.silent.remove(host);
            (self.probe_at, self.answered_at) = (None, Some(now));
        }
        match (was_offline, self.probe_at.is_some()) {
            (false, true) => warn!("this machine is offline: nothing is fetched but a probe every 30 s"),
            (true, false) => info!("online again"),
            _ => {}
        }
    }

    /// Whether a job may go. One that goes while the machine is offline is the
    /// probe: the next one waits, for so long.
    pub(super) fn lets(&mut self, offer: &Offer, now: Instant) -> Result<(), Duration> {
        if !needs_network(&offer.host, offer.is_offline()) {
            return Ok(());
        }
        let silent_until = self.silent.get(&offer.host).map(|silent| silent.ask_again_at);
        match silent_until.max(self.probe_at).filter(|at| *at > now) {
            Some(at) => Err(at - now),
            None => {
                self.probe_at = self.probe_at.map(|_| now + PROBE_EVERY);
                Ok(())
            }
        }
    }

    /// The probe is who was not asked for longest: the oldest job may be of a
    /// host that never answers again. Otherwise their order is kept.
    pub(super) fn order(&self, due: &mut Vec<Offer>) {
        let first = self.silent.values().map(|silent| silent.ask_again_at).min();
        if let (Some(first), Some(_)) = (first, self.probe_at) {
            let after_first = |silent: &Silent| silent.ask_again_at.duration_since(first).as_micros() as i64;
            order::by_number(due, |offer| self.silent.get(&offer.host).map_or(-1, after_first));
        }
    }
}

impl Offer {
    /// Its last run found no network, whatever its host says.
    fn is_offline(&self) -> bool {
        matches!(&self.work, Work::Queued(job) if job.is_offline)
    }
}

/// Not loopback, nor Hermes itself, nor a host that is known only as the run
/// starts: unless such a one was found to need it.
fn needs_network(host: &str, was_offline: bool) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let is_here =
        host.is_empty() || host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    was_offline || !is_here
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::definition::window::Window;

    fn job(is_offline: bool) -> Job {
        let (slot, queued_at) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        Job {
            id: 1,
            key: "k".into(),
            source_name: "a".into(),
            deployment: "a".into(),
            handler: "default".into(),
            attempt: 1,
            slot,
            window: Window { from: slot, to: slot },
            queued_at,
            not_before: None,
            is_offline,
            is_asked: false,
            resume: None,
        }
    }

    /// A job that waits for the network where it was once found to need it.
    fn offer(host: &str, is_offline: bool) -> Offer {
        Offer::queued_for_test(host, job(is_offline))
    }

    fn hear(offline: &mut Offline, host: &str, outcome: Outcome, now: Instant) {
        offline.hear(host, &job(false), outcome, now);
    }

    #[test]
    fn offline_lets_one_probe_go_every_30_seconds_until_an_answer_comes() {
        let (mut offline, start) = (Offline::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        let lets =
            |offline: &mut Offline, seconds| offline.lets(&offer("api.example", true), at(seconds)).is_ok();
        assert!(lets(&mut offline, 0));
        hear(&mut offline, "api.example", Outcome::Offline, at(0));
        for (seconds, want) in [(1, false), (29, false), (30, true), (31, false), (59, false), (60, true)] {
            assert_eq!(lets(&mut offline, seconds), want, "after {seconds} s");
        }
        hear(&mut offline, "127.0.0.1", Outcome::Completed, at(61));
        assert!(!lets(&mut offline, 61), "an answer of this machine proves nothing");
        hear(&mut offline, "other.example", Outcome::Failed, at(62));
        assert!(lets(&mut offline, 62), "an answer, even a bad one, came over a network");
    }

    #[test]
    fn what_needs_no_network_goes_on() {
        let (mut offline, now) = (Offline::default(), Instant::now());
        hear(&mut offline, "api.example", Outcome::Offline, now);
        for (host, is_offline, want) in [
            ("", false, true),
            ("", true, false),
            ("localhost", false, true),
            ("127.0.0.1", false, true),
            ("127.0.0.1", true, false),
            ("[::1]", false, true),
            ("a.example", false, false),
        ] {
            assert_eq!(offline.lets(&offer(host, is_offline), now).is_ok(), want, "{host} {is_offline}");
        }
    }

    #[test]
    fn a_host_that_stays_silent_while_others_answer_stops_nobody() {
        let (mut offline, start) = (Offline::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        hear(&mut offline, "dead.example", Outcome::Offline, at(0));
        let mut due = vec![offer("dead.example", true), offer("good.example", false)];
        offline.order(&mut due);
        assert_eq!(due[0].host, "good.example", "the probe is another than the one that failed");
        assert!(offline.lets(&due[0], at(30)).is_ok());
        hear(&mut offline, "good.example", Outcome::Completed, at(31));
        for seconds in [31, 61, 91] {
            assert!(offline.lets(&offer("dead.example", true), at(seconds)).is_ok(), "after {seconds} s");
            hear(&mut offline, "dead.example", Outcome::Offline, at(seconds));
            assert!(offline.lets(&offer("dead.example", true), at(seconds + 29)).is_err(), "no more often");
            assert!(
                offline.lets(&offer("good.example", false), at(seconds)).is_ok(),
                "the machine is online"
            );
        }
        hear(&mut offline, "good.example", Outcome::Offline, at(100));
        assert!(offline.lets(&offer("other.example", false), at(101)).is_err(), "now it is offline");
    }
}
