//! A stretch of time in which a zone's clocks do not jump. Knows nothing of
//! schedules.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

const SECOND: SignedDuration = SignedDuration::from_secs(1);

#[derive(Debug)]
pub(super) struct Stretch {
    /// The jump that it begins with. `None`: there was none before.
    start: Option<Timestamp>,
    /// The next jump, no more part of it.
    end: Option<Timestamp>,
    offset: Offset,
    /// Of the stretch before.
    before: Offset,
}

impl Stretch {
    pub(super) fn around(zone: &TimeZone, time: Timestamp) -> Stretch {
        let second = time.as_nanosecond().div_euclid(1_000_000_000) as i64;
        let time = Timestamp::from_second(second).unwrap_or(time);
        let offset = zone.to_offset(time);
        // One that comes with `time` itself has been.
        let past = time.checked_add(SECOND).unwrap_or(time);
        let start = zone.preceding(past).next().map(|jump| jump.timestamp());
        let before = start.and_then(|start| start.checked_sub(SECOND).ok());
        Stretch {
            start,
            end: zone.following(time).next().map(|jump| jump.timestamp()),
            offset,
            before: before.map_or(offset, |before| zone.to_offset(before)),
        }
    }

    pub(super) fn next(&self, zone: &TimeZone) -> Option<Stretch> {
        self.end.map(|end| Stretch::around(zone, end))
    }

    /// The last second of the stretch before.
    pub(super) fn before_start(&self) -> Option<Timestamp> {
        self.start?.checked_sub(SECOND).ok()
    }

    /// On the wall.
    pub(super) fn local(&self, time: Timestamp) -> DateTime {
        self.offset.to_datetime(time)
    }

    /// `None` for what the clocks of this stretch no longer show.
    pub(super) fn time(&self, local: DateTime) -> Option<Timestamp> {
        let time = self.offset.to_timestamp(local).ok()?;
        self.end.is_none_or(|end| time < end).then_some(time)
    }

    /// The first whole minute that its clocks show.
    pub(super) fn opening(&self) -> DateTime {
        self.start.map_or(DateTime::MIN, |start| minute_from(self.local(start)))
    }

    /// What the clocks would have shown at the start, had they not jumped.
    pub(super) fn unjumped(&self) -> DateTime {
        self.start.map_or(DateTime::MIN, |start| minute_from(self.before.to_datetime(start)))
    }
}

pub(super) fn minute_of(local: DateTime) -> DateTime {
    local.date().at(local.hour(), local.minute(), 0, 0)
}

fn minute_from(local: DateTime) -> DateTime {
    let minute = minute_of(local);
    if minute == local { minute } else { minute_after(minute) }
}

pub(super) fn minute_after(local: DateTime) -> DateTime {
    minute_of(local).saturating_add(SignedDuration::from_mins(1))
}
