//! The five fields together: which minutes of the calendar they name, as a
//! clock on the wall shows them. Knows nothing of zones and of clocks that jump.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time};

use super::field::{DAY, HOUR, MINUTE, MONTH, WEEKDAY};

/// Sets of numbers, a bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Calendar {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    /// 0 is Sunday.
    weekdays: u64,
    /// Both day fields say something, and a day of either will do.
    is_either_day: bool,
}

/// The longest way to the next day that is named: from 29 February 2096 to that of 2104.
const MONTHS_APART: usize = 8 * 12 + 1;

const ALL_HOURS: u64 = (1 << 24) - 1;

impl Calendar {
    pub(super) fn parse(text: &str) -> Result<Calendar, String> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let [minute, hour, day, month, weekday] = fields[..] else {
            let count = fields.len();
            return Err(format!("it has {count} fields, not five: minute hour day month weekday"));
        };
        let weekdays = WEEKDAY.parse(weekday)?;
        let calendar = Calendar {
            minutes: MINUTE.parse(minute)?,
            hours: HOUR.parse(hour)?,
            days: DAY.parse(day)?,
            months: MONTH.parse(month)?,
            weekdays: (weekdays | weekdays >> 7) & 0x7f,
            is_either_day: day != "*" && weekday != "*",
        };
        if calendar.is_never() {
            return Err("it never fires: none of its months has such a day".into());
        }
        Ok(calendar)
    }

    /// Any weekday comes in any month; a day of the month may not.
    fn is_never(&self) -> bool {
        const LENGTHS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let comes =
            |(at, length)| has(self.months, at as u32 + 1) && lowest_from(self.days, 1) <= Some(length);
        !self.is_either_day && !LENGTHS.into_iter().enumerate().any(comes)
    }

    pub(super) fn has_every_hour(&self) -> bool {
        self.hours == ALL_HOURS
    }

    /// The first minute that is named, `from` included.
    pub(super) fn first_from(&self, from: DateTime) -> Option<DateTime> {
        let today = self.has_day(from.date()).then(|| self.time_from(from.time())).flatten();
        match today {
            Some(time) => Some(from.date().to_datetime(time)),
            None => {
                Some(self.day_from(from.date().tomorrow().ok()?)?.to_datetime(self.time_from(Time::MIN)?))
            }
        }
    }

    /// The last minute that is named, that of `until` included.
    pub(super) fn last_until(&self, until: DateTime) -> Option<DateTime> {
        let today = self.has_day(until.date()).then(|| self.time_until(until.time())).flatten();
        match today {
            Some(time) => Some(until.date().to_datetime(time)),
            None => {
                Some(self.day_until(until.date().yesterday().ok()?)?.to_datetime(self.time_until(Time::MAX)?))
            }
        }
    }

    fn time_from(&self, from: Time) -> Option<Time> {
        let (hour, minute) = (from.hour() as u32, from.minute() as u32);
        if has(self.hours, hour)
            && let Some(minute) = lowest_from(self.minutes, minute)
        {
            return time(hour, minute);
        }
        time(lowest_from(self.hours, hour + 1)?, lowest_from(self.minutes, 0)?)
    }

    fn time_until(&self, until: Time) -> Option<Time> {
        let (hour, minute) = (until.hour() as u32, until.minute() as u32);
        if has(self.hours, hour)
            && let Some(minute) = highest_to(self.minutes, minute)
        {
            return time(hour, minute);
        }
        time(highest_to(self.hours, hour.checked_sub(1)?)?, highest_to(self.minutes, 59)?)
    }

    fn day_from(&self, from: Date) -> Option<Date> {
        let months =
            std::iter::successors(Some(from.first_of_month()), |month| month.checked_add(1.month()).ok());
        let first_day = |month: Date| if month < from { from.day() } else { 1 };
        months
            .take(MONTHS_APART)
            .find_map(|month| day(month, lowest_from(self.days_of(month), first_day(month) as u32)?))
    }

    fn day_until(&self, until: Date) -> Option<Date> {
        let months =
            std::iter::successors(Some(until.first_of_month()), |month| month.checked_sub(1.month()).ok());
        let last_day = |month: Date| if month == until.first_of_month() { until.day() } else { 31 };
        months
            .take(MONTHS_APART)
            .find_map(|month| day(month, highest_to(self.days_of(month), last_day(month) as u32)?))
    }

    fn has_day(&self, date: Date) -> bool {
        has(self.days_of(date.first_of_month()), date.day() as u32)
    }

    /// Of the month that begins with `first`.
    fn days_of(&self, first: Date) -> u64 {
        if !has(self.months, first.month() as u32) {
            return 0;
        }
        let offset = first.weekday().to_sunday_zero_offset() as u32;
        let is_named = |day: &u32| {
            let (by_month, by_week) = (has(self.days, *day), has(self.weekdays, (offset + day - 1) % 7));
            if self.is_either_day { by_month || by_week } else { by_month && by_week }
        };
        (1..=first.days_in_month() as u32).filter(is_named).fold(0, |set, day| set | 1 << day)
    }
}

fn time(hour: u32, minute: u32) -> Option<Time> {
    Time::new(hour as i8, minute as i8, 0, 0).ok()
}

fn day(month: Date, day: u32) -> Option<Date> {
    Date::new(month.year(), month.month(), day as i8).ok()
}

fn has(set: u64, number: u32) -> bool {
    set >> number & 1 == 1
}

fn lowest_from(set: u64, number: u32) -> Option<u32> {
    let rest = set & u64::MAX << number;
    (rest != 0).then(|| rest.trailing_zeros())
}

fn highest_to(set: u64, number: u32) -> Option<u32> {
    let rest = set & u64::MAX >> (63 - number);
    (rest != 0).then(|| 63 - rest.leading_zeros())
}
