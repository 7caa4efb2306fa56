//! Tables of expressions and slots, checked by hand, and rules that hold for
//! any expression at any time.

mod accepted;
mod any;
mod jumps;
mod slots;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Cron;
use crate::definition::units::parse_zone;

fn cron(text: &str, zone: &str) -> Cron {
    let zone = parse_zone(zone).expect("a zone");
    Cron::parse(text, &zone).unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn utc(text: &str) -> Timestamp {
    let local: jiff::civil::DateTime = text.parse().expect(text);
    local.to_zoned(TimeZone::UTC).expect(text).timestamp()
}

/// Forwards from `from`, and the same backwards.
fn slots(cron: &Cron, from: Timestamp, count: usize) -> Vec<Timestamp> {
    let slots: Vec<Timestamp> =
        std::iter::successors(cron.next_after(from), |slot| cron.next_after(*slot)).take(count).collect();
    for pair in slots.windows(2) {
        let before = pair[1] - jiff::SignedDuration::from_nanos(1);
        assert_eq!(cron.latest_at(before), Some(pair[0]), "backwards from {before}");
        assert_eq!(cron.latest_at(pair[1]), Some(pair[1]), "a slot is not after itself");
    }
    slots
}
