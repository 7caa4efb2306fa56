//! The time that a job fetches. Pure: windows of a deployment tile time, each
//! beginning where the last completed one ended.

use jiff::{SignedDuration, Timestamp};

use super::Schedule;
use crate::order;

/// From and including `from`, to and excluding `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub from: Timestamp,
    pub to: Timestamp,
}

impl Window {
    /// Ends at the slot less the temporal offset. A first one is as long as the
    /// schedule's step before that slot; one whose slots were missed reaches
    /// back over all of them, so that an outage leaves no gap.
    pub fn of_slot(
        schedule: &Schedule,
        slot: Timestamp,
        offset_hours: i64,
        covered_to: Option<Timestamp>,
    ) -> Window {
        let offset = SignedDuration::from_hours(offset_hours);
        let less_offset = |time: Timestamp| time.checked_sub(offset).unwrap_or(time);
        let to = less_offset(slot);
        let from = covered_to.unwrap_or_else(|| less_offset(schedule.slot_before(slot)));
        Window { from: from.min(to), to }
    }

    /// In pieces of this length, the last one as long as what is left.
    pub fn slices(self, step: SignedDuration) -> Vec<Window> {
        let mut slices = Vec::new();
        let mut from = self.from;
        while from < self.to && slices.len() < MAX_SLICES {
            let to = from.checked_add(step).map_or(self.to, |to| to.min(self.to));
            slices.push(Window { from, to });
            from = to;
        }
        slices
    }
}

/// Of a back-fill: more is a slip of the step.
pub const MAX_SLICES: usize = 100_000;

/// Intervals that neither touch nor overlap, in order, with one more.
pub fn cover(covered: &[Window], new: Window) -> Vec<Window> {
    if new.from >= new.to {
        return covered.to_vec();
    }
    let (apart, touching): (Vec<Window>, Vec<Window>) =
        covered.iter().partition(|window| window.to < new.from || window.from > new.to);
    let merged = touching
        .iter()
        .fold(new, |all, window| Window { from: all.from.min(window.from), to: all.to.max(window.to) });
    let mut all = apart;
    all.push(merged);
    order::by_time(&mut all, |window| Some(window.from));
    all
}

/// What of `wanted` no interval covers.
pub fn gaps(covered: &[Window], wanted: Window) -> Vec<Window> {
    let mut gaps = Vec::new();
    let mut from = wanted.from;
    for window in covered.iter().filter(|window| window.to > wanted.from && window.from < wanted.to) {
        if window.from > from {
            gaps.push(Window { from, to: window.from });
        }
        from = from.max(window.to);
    }
    if from < wanted.to {
        gaps.push(Window { from, to: wanted.to });
    }
    gaps
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + hour * 3_600).expect("a time")
    }

    fn window(from: i64, to: i64) -> Window {
        Window { from: at(from), to: at(to) }
    }

    fn windows(pairs: &[(i64, i64)]) -> Vec<Window> {
        pairs.iter().map(|&(from, to)| window(from, to)).collect()
    }

    #[test]
    fn a_window_begins_where_the_last_completed_one_ended() {
        let hourly = Schedule::parse("hourly", &TimeZone::UTC).expect("hourly");
        for (why, offset, covered_to, want) in [
            ("the first", 0, None, window(9, 10)),
            ("the next", 0, Some(9), window(9, 10)),
            ("after an outage", 0, Some(2), window(2, 10)),
            ("a day late", 24, None, window(-15, -14)),
            ("a day late, the next", 24, Some(-15), window(-15, -14)),
            ("covered already", 0, Some(11), window(10, 10)),
        ] {
            assert_eq!(Window::of_slot(&hourly, at(10), offset, covered_to.map(at)), want, "{why}");
        }
    }

    #[test]
    fn covered_time_grows_together() {
        let covered = windows(&[(0, 2), (4, 6)]);
        for (why, new, want) in [
            ("apart", (8, 9), vec![(0, 2), (4, 6), (8, 9)]),
            ("touching", (6, 7), vec![(0, 2), (4, 7)]),
            ("filling the gap", (2, 4), vec![(0, 6)]),
            ("over all", (-1, 9), vec![(-1, 9)]),
            ("within", (4, 5), vec![(0, 2), (4, 6)]),
            ("nothing", (3, 3), vec![(0, 2), (4, 6)]),
        ] {
            assert_eq!(cover(&covered, window(new.0, new.1)), windows(&want), "{why}");
        }
    }

    #[test]
    fn gaps_are_what_no_interval_covers() {
        let covered = windows(&[(0, 2), (4, 6)]);
        for (why, wanted, want) in [
            ("between and after", (0, 8), vec![(2, 4), (6, 8)]),
            ("before", (-2, 1), vec![(-2, 0)]),
            ("none", (4, 6), vec![]),
            ("all", (10, 12), vec![(10, 12)]),
        ] {
            assert_eq!(gaps(&covered, window(wanted.0, wanted.1)), windows(&want), "{why}");
        }
    }

    #[test]
    fn slices_tile_a_window() {
        for (why, step, want) in [
            ("the last one is what is left", 2, vec![(0, 2), (2, 4), (4, 5)]),
            ("one is all of it", 5, vec![(0, 5)]),
            ("none is longer than it", 9, vec![(0, 5)]),
        ] {
            assert_eq!(window(0, 5).slices(SignedDuration::from_hours(step)), windows(&want), "{why}");
        }
        assert_eq!(window(0, 5).slices(SignedDuration::MAX), windows(&[(0, 5)]));
        assert_eq!(window(0, 999).slices(SignedDuration::from_secs(1)).len(), MAX_SLICES);
    }
}
