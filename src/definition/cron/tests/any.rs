//! Rules that hold for any expression at any time, tried with many: what the
//! search finds is what a look at every minute finds. The expressions are made
//! together with the sets that they mean, so that the parser is tried as well.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::cron;
use crate::definition::Schedule;

const ZONES: [&str; 7] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
    "Africa/Casablanca",
    "Asia/Kathmandu",
];

/// Xorshift: the same numbers at each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// An item of a field, and what it means.
    fn item(&mut self, first: u64, last: u64) -> (String, Vec<u64>) {
        let (a, b) = (first + self.below(last - first + 1), first + self.below(last - first + 1));
        let (from, to, step) = (a.min(b), a.max(b), 1 + self.below(last.min(20)));
        match self.below(5) {
            0 => (format!("*/{step}"), (first..=last).step_by(step as usize).collect()),
            1 => (format!("{from}-{to}"), (from..=to).collect()),
            2 => (format!("{from}-{to}/{step}"), (from..=to).step_by(step as usize).collect()),
            _ => (a.to_string(), vec![a]),
        }
    }

    /// `None`: any.
    fn field(&mut self, first: u64, last: u64) -> (String, Option<Vec<u64>>) {
        if self.below(3) == 0 {
            return ("*".to_owned(), None);
        }
        let items: Vec<_> = (0..1 + self.below(3)).map(|_| self.item(first, last)).collect();
        let texts: Vec<&str> = items.iter().map(|(text, _)| text.as_str()).collect();
        (texts.join(","), Some(items.iter().flat_map(|(_, set)| set.clone()).collect()))
    }

    /// Often near a jump: those of 2026 and 2027 are in March, April, September, October, November.
    fn time(&mut self, zone: &TimeZone) -> Timestamp {
        let year = SignedDuration::from_hours(24 * 365);
        let start = Timestamp::UNIX_EPOCH + year * 56;
        let any = start + SignedDuration::from_millis(self.below(2 * 365 * 86_400_000) as i64);
        let near = SignedDuration::from_secs(self.below(4 * 3_600) as i64 - 2 * 3_600);
        match zone.following(any).next() {
            Some(jump) if self.below(2) == 0 => jump.timestamp() + near,
            _ => any,
        }
    }
}

struct Meant {
    text: String,
    sets: [Option<Vec<u64>>; 5],
}

impl Meant {
    fn any(dice: &mut Dice) -> Meant {
        let fields = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 6)].map(|(from, to)| dice.field(from, to));
        let text = fields.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ");
        Meant { text, sets: fields.map(|(_, set)| set) }
    }

    fn names(&self, local: DateTime) -> bool {
        let weekday = local.weekday().to_sunday_zero_offset();
        let now = [local.hour(), local.minute(), local.day(), local.month(), weekday].map(|part| part as u64);
        let has = |at: usize, part: u64| self.sets[at].as_ref().is_none_or(|set| set.contains(&part));
        let (by_month, by_week) = (has(2, now[2]), has(4, now[4]));
        let both = self.sets[2].is_some() && self.sets[4].is_some();
        let day = if both { by_month || by_week } else { by_month && by_week };
        has(0, now[1]) && has(1, now[0]) && day && has(3, now[3])
    }

    fn has_every_hour(&self) -> bool {
        self.sets[1].as_ref().is_none_or(|set| (0..24).all(|hour| set.contains(&hour)))
    }

    /// The rule, said of one minute.
    fn fires_at(&self, zone: &TimeZone, minute: Timestamp) -> bool {
        let local = zone.to_datetime(minute);
        if self.has_every_hour() {
            return self.names(local);
        }
        let is_first = zone.to_ambiguous_timestamp(local).earlier().expect("a time") == minute;
        (self.names(local) && is_first) || self.was_skipped_before(zone, minute)
    }

    fn was_skipped_before(&self, zone: &TimeZone, minute: Timestamp) -> bool {
        const MINUTE: SignedDuration = SignedDuration::from_mins(1);
        let mut skipped = zone.to_datetime(minute - MINUTE) + MINUTE;
        while skipped < zone.to_datetime(minute) {
            if self.names(skipped) {
                return true;
            }
            skipped += MINUTE;
        }
        false
    }
}

/// Every minute in `(from, from + length]`.
fn minutes(from: Timestamp, length: SignedDuration) -> impl Iterator<Item = Timestamp> {
    let last = (from + length).as_second().div_euclid(60);
    (from.as_second().div_euclid(60) + 1..=last)
        .map(|minute| Timestamp::from_second(minute * 60).expect("a time"))
}

#[test]
fn the_search_finds_what_a_look_at_every_minute_finds() {
    let mut dice = Dice(0x2026_0101);
    let length = SignedDuration::from_hours(9);
    let mut found = 0;
    for _ in 0..1_500 {
        let zone_name = ZONES[dice.below(ZONES.len() as u64) as usize];
        let zone = TimeZone::get(zone_name).expect("a zone");
        let (meant, from) = (Meant::any(&mut dice), dice.time(&zone));
        let Ok(schedule) = Schedule::parse(&meant.text, &zone) else { continue };
        let want: Vec<_> = minutes(from, length).filter(|minute| meant.fires_at(&zone, *minute)).collect();
        let slots: Vec<_> = schedule.slots_after(from).take_while(|slot| *slot <= from + length).collect();
        assert_eq!(slots, want, "{} in {zone_name} from {from}", meant.text);
        let due = schedule.due_slot(from, from + length);
        assert_eq!(due, want.last().copied(), "{} in {zone_name} from {from}, the latest", meant.text);
        let following = schedule.following_slot(from, from + length);
        assert_eq!(following, want.first().copied(), "{} in {zone_name}, the earliest", meant.text);
        found += want.len();
    }
    assert!(found > 5_000, "only {found} slots were compared");
}

#[test]
fn slots_lie_where_they_are_promised() {
    let mut dice = Dice(0x5EED);
    for _ in 0..5_000 {
        let zone_name = ZONES[dice.below(ZONES.len() as u64) as usize];
        let zone = TimeZone::get(zone_name).expect("a zone");
        let (meant, last) = (Meant::any(&mut dice), dice.time(&zone));
        let Ok(schedule) = Schedule::parse(&meant.text, &zone) else { continue };
        let now = last + SignedDuration::from_secs(dice.below(20 * 365 * 86_400) as i64);
        let (why, next) =
            (format!("{} in {zone_name}, {last} to {now}", meant.text), schedule.next_slot(last));
        assert!(next > last, "{why}");
        assert!(schedule.first_slot(now) <= now, "{why}");
        match schedule.due_slot(last, now) {
            Some(due) => {
                assert!(last < due && due <= now && next <= due, "{why}");
                assert!(schedule.next_slot(due) > now, "{why}: there is one between {due} and now");
                assert_eq!(schedule.first_slot(now), due, "{why}");
            }
            None => assert!(next > now, "{why}: {next} is due"),
        }
    }
}

#[test]
fn the_rarest_slot_is_found_quickly() {
    let started = std::time::Instant::now();
    let (leap_day, from) =
        (cron("59 23 29 2 *", "Africa/Casablanca"), "2096-03-01T00:00:00Z".parse().expect("a time"));
    for _ in 0..100 {
        let next = leap_day.next_after(from).expect("2104");
        assert!(leap_day.latest_at(next - SignedDuration::from_secs(1)).expect("2096") < from);
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
}
