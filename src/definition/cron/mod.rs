//! Five-field cron in a time zone: the one parser that validates an expression,
//! and the search for its slots. Keeps out what a slot is used for.
//!
//! Where clocks jump, an expression that names every hour (`0 * * * *`,
//! `*/15 * * * *`) goes on with them: in an hour that comes twice it fires both
//! times, and what is skipped is not made up for. Any other fires once for each
//! time that it names: at its first coming where it comes twice, and where it is
//! skipped at the first minute after the jump; times skipped together are one
//! slot. It is the hours that count and not their spelling: `0-23` is every hour.
//!
//! The search goes from stretch to stretch (`stretch`) and within one from
//! month to month (`calendar`), never minute by minute.

mod calendar;
mod field;
mod stretch;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use self::calendar::Calendar;
use self::stretch::{Stretch, minute_after, minute_of};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cron {
    calendar: Calendar,
    zone: TimeZone,
}

/// Eight years at most lie between two slots, and clocks jump twice a year, in
/// some zones four times.
const MAX_STRETCHES: usize = 100;

impl Cron {
    pub fn parse(text: &str, zone: &TimeZone) -> Result<Cron, String> {
        Ok(Cron { calendar: Calendar::parse(text)?, zone: zone.clone() })
    }

    /// `None` past the end of all calendars only.
    pub fn next_after(&self, time: Timestamp) -> Option<Timestamp> {
        let mut stretch = Stretch::around(&self.zone, time);
        for _ in 0..MAX_STRETCHES {
            if let Some(slot) = self.first_within(&stretch, time) {
                return Some(slot);
            }
            stretch = stretch.next(&self.zone)?;
        }
        None
    }

    /// The latest slot not after `time`.
    pub fn latest_at(&self, time: Timestamp) -> Option<Timestamp> {
        let mut until = time;
        for _ in 0..MAX_STRETCHES {
            let stretch = Stretch::around(&self.zone, until);
            if let Some(slot) = self.last_within(&stretch, until) {
                return Some(slot);
            }
            until = stretch.before_start()?;
        }
        None
    }

    fn first_within(&self, stretch: &Stretch, after: Timestamp) -> Option<Timestamp> {
        let made_up = self.made_up(stretch).filter(|slot| *slot > after);
        made_up.or_else(|| {
            let from = minute_after(stretch.local(after)).max(self.opening(stretch));
            stretch.time(self.calendar.first_from(from)?)
        })
    }

    fn last_within(&self, stretch: &Stretch, until: Timestamp) -> Option<Timestamp> {
        let last = self.calendar.last_until(minute_of(stretch.local(until)));
        let slot = last.filter(|local| *local >= self.opening(stretch)).and_then(|local| stretch.time(local));
        slot.or_else(|| self.made_up(stretch).filter(|slot| *slot <= until))
    }

    /// The slot that stands for all times that the jump at the start skipped.
    fn made_up(&self, stretch: &Stretch) -> Option<Timestamp> {
        let (skipped, opening) = (stretch.unjumped(), stretch.opening());
        if self.calendar.has_every_hour() || skipped >= opening {
            return None;
        }
        let is_skipped = self.calendar.first_from(skipped)? < opening;
        is_skipped.then(|| stretch.time(opening))?
    }

    /// The first time in the stretch that is to count: after a jump back, what
    /// is shown a second time does not.
    fn opening(&self, stretch: &Stretch) -> DateTime {
        match self.calendar.has_every_hour() {
            true => stretch.opening(),
            false => stretch.opening().max(stretch.unjumped()),
        }
    }
}
