//! The glance as lines, each no wider than the terminal and all of them few,
//! however many sources there are. Pure: the time is passed in.

use jiff::Timestamp;

use super::{Filling, Glance, Growth, Wrong};
use crate::store::fetchlogs::JobStatus;
use crate::store::rate_limiter_state::Left;
use crate::viewer::amount::{between, bytes, count, cut, length, of};
use crate::viewer::table::clean;

/// Of each kind; the rest is counted.
const MOST: usize = 5;

/// The widest label and a blank.
const LABEL: usize = 9;

/// A longer name takes the place of what is said of it.
const LONGEST_NAME: usize = 24;

/// Before an error.
const WHY: &str = ": ";

/// What the labels are painted in, for a terminal that shows colours.
const COLOURS: [(&str, &str); 2] = [("running", "\x1b[32m"), ("wrong", "\x1b[31m")];

/// Labelled lines, and how many of a kind are not among them.
struct Part {
    label: &'static str,
    lines: Vec<(String, String)>,
    more: usize,
}

impl Glance {
    pub fn to_text(&self, now: Timestamp, width: Option<u16>, is_coloured: bool) -> String {
        let width = width.map_or(usize::MAX, usize::from);
        let mut text = format!("{}\n\n", cut(&self.summary(), width));
        for part in self.parts(now) {
            text.push_str(&part.to_text(width, is_coloured));
        }
        text
    }

    /// "3 sources: 2 idle, 1 running".
    fn summary(&self) -> String {
        let state = |(state, n): (&&str, &usize)| format!("{} {state}", count(*n as u64));
        let states: Vec<String> = self.states.iter().map(state).collect();
        format!("{}: {}", of(self.states.values().sum::<usize>() as u64, "source"), states.join(", "))
    }

    fn parts(&self, now: Timestamp) -> Vec<Part> {
        let next = |(name, at): &(String, Timestamp)| (name.clone(), format!("in {}", between(now, *at)));
        let mut disk = part("disk", &self.growth.filling, filling);
        disk.lines.insert(0, (String::new(), disk_line(&self.growth)));
        vec![
            part("running", &self.running, |one| running(one, now)),
            part("wrong", &self.wrong, |one| wrong(one, now)),
            part("next", &self.next, next),
            disk,
            part("requests", &self.limits, |(domain, one)| (domain.clone(), left(one, now))),
        ]
    }
}

fn part<T>(label: &'static str, all: &[T], line: impl Fn(&T) -> (String, String)) -> Part {
    let lines: Vec<_> = all.iter().take(MOST).map(line).collect();
    Part { label, more: all.len() - lines.len(), lines }
}

impl Part {
    fn to_text(&self, width: usize, is_coloured: bool) -> String {
        let longest = self.lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let longest = longest.min(LONGEST_NAME);
        let said = |(name, what): &(String, String)| match name.as_str() {
            "" => what.clone(),
            name => format!("{:longest$}  {what}", cut(name, LONGEST_NAME)),
        };
        // What does not fit beside its name stands below.
        let broken = |line: String| match line.split_once(WHY) {
            Some((what, why)) if LABEL + line.chars().count() > width => {
                vec![what.to_owned(), format!("  {why}")]
            }
            _ => vec![line],
        };
        let more = (self.more > 0).then(|| format!("and {} more", count(self.more as u64)));
        let mut text = String::new();
        for (at, line) in self.lines.iter().map(said).flat_map(broken).chain(more).enumerate() {
            let label = if at == 0 { self.label } else { "" };
            let line = cut(&format!("{label:LABEL$}{}", clean(&line)), width);
            text.push_str(&if is_coloured { coloured(label, &line) } else { line });
            text.push('\n');
        }
        text
    }
}

fn coloured(label: &str, line: &str) -> String {
    match COLOURS.iter().find(|(of, _)| *of == label) {
        Some((_, colour)) if line.starts_with(label) => {
            format!("{colour}{label}\x1b[0m{}", &line[label.len()..])
        }
        _ => line.to_owned(),
    }
}

fn running((name, job): &(String, JobStatus), now: Timestamp) -> (String, String) {
    let records = match job.total {
        Some(total) => format!("{} of {}", count(job.records), of(total, "record")),
        None => of(job.records, "record"),
    };
    let (pages, new) = (of(job.pages.into(), "page"), count(job.inserted));
    let length = job.started_at.map(|at| format!(", {}", between(at, now))).unwrap_or_default();
    (name.clone(), format!("{pages}, {records}, {new} new, {}{length}", bytes(job.bytes)))
}

fn wrong(wrong: &Wrong, now: Timestamp) -> (String, String) {
    let since = wrong.since.map(|at| format!(" for {}", between(at, now))).unwrap_or_default();
    let again = wrong.next_retry_at.map(|at| format!(", again in {}", between(now, at)));
    (wrong.name.clone(), format!("{}{since}{}{WHY}{}", wrong.state, again.unwrap_or_default(), wrong.error))
}

fn disk_line(growth: &Growth) -> String {
    let disk = &growth.disk;
    let free = disk.free_bytes.map(|free| format!(", {} free", bytes(free))).unwrap_or_default();
    let grown = match (growth.bytes_a_day(), growth.days_until_full()) {
        (None, _) => String::new(),
        (Some(0), _) => ", does not grow".to_owned(),
        (Some(grown), None) => format!(", {} more a day", bytes(grown)),
        (Some(grown), Some(days)) => {
            format!(", {} more a day: full in {}", bytes(grown), length(days.saturating_mul(86_400)))
        }
    };
    format!("{}{free}{grown}, WAL {}", bytes(disk.database_bytes), bytes(disk.wal_bytes))
}

fn filling(one: &Filling) -> (String, String) {
    let (rows, limit) = (count(one.rows), count(one.limit));
    let when = length((one.days * 86_400.0) as u64);
    (one.name.clone(), format!("{rows} of {limit} rows that are kept, all of them in {when}"))
}

fn left(left: &Left, now: Timestamp) -> String {
    let (some, of) = (count(left.left.into()), count(left.limit.requests.into()));
    let resets = left.resets_at.map(|at| format!(", all again in {}", between(now, at)));
    format!("{some} of {of} left per {}{}", length(left.limit.per.as_secs()), resets.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::definition::provider::RequestLimit;
    use crate::store::disk::Disk;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn glance() -> Glance {
        let mut job = JobStatus::default();
        (job.pages, job.records, job.total, job.inserted) = (3, 300, Some(6_700), 299);
        (job.bytes, job.started_at) = (45_249, Some(at("2026-01-01T11:59:48Z")));
        let limit = |requests, per| RequestLimit { requests, per: Duration::from_secs(per) };
        let left = [
            Left { limit: limit(60, 60), left: 48, resets_at: Some(at("2026-01-01T12:00:23Z")) },
            Left { limit: limit(2_000, 3_600), left: 2_000, resets_at: None },
        ];
        let disk = Disk {
            database_bytes: 1_200_000,
            wal_bytes: 40_960,
            free_bytes: Some(12_300_000_000),
            used_bytes: 1_000_000,
            rows: 10_000,
        };
        let filling = Filling { name: "news".into(), rows: 9_000, limit: 10_000, days: 3.5 };
        let failed = |name: &str, error: &str| Wrong {
            name: name.into(),
            state: "backoff",
            since: Some(at("2026-01-01T09:55:00Z")),
            next_retry_at: Some(at("2026-01-01T12:02:00Z")),
            error: error.into(),
        };
        Glance {
            states: [("idle", 9_997), ("backoff", 2), ("running", 1)].into(),
            running: vec![("air".into(), job)],
            wrong: vec![
                failed("a", "answered 404: check the url"),
                failed("long", &"it \x1b[31mbroke ".repeat(9)),
            ],
            next: (0..9_997).map(|n| (format!("source-{n}"), at("2026-01-01T12:41:00Z"))).collect(),
            growth: Growth { disk, rows_a_day: Some(120.0), filling: vec![filling] },
            limits: left.map(|left| ("api.openaq.org".to_owned(), left)).to_vec(),
            files: Vec::new(),
        }
    }

    const WANT: &str = "\
10,000 sources: 2 backoff, 9,997 idle, 1 running

running  air  3 pages, 300 of 6,700 records, 299 new, 45.2 kB, 12s
wrong    a     backoff for 2h 5m, again in 2m: answered 404: check the url
         long  backoff for 2h 5m, again in 2m
           it  [31mbroke it  [31mbroke it  [31mbroke it  [31mbroke it  [31mbrok…
next     source-0  in 41m
         source-1  in 41m
         source-2  in 41m
         source-3  in 41m
         source-4  in 41m
         and 9,992 more
disk     1.2 MB, 12.3 GB free, 12.0 kB more a day
           full in 2,808 years, WAL 41.0 kB
         news  9,000 of 10,000 rows that are kept, all of them in 3d 12h
requests api.openaq.org  48 of 60 left per 1m, all again in 23s
         api.openaq.org  2,000 of 2,000 left per 1h
";

    #[test]
    fn it_is_short_and_fits_eighty_columns_however_many_sources_there_are() {
        let text = glance().to_text(at("2026-01-01T12:00:00Z"), Some(80), false);
        assert_eq!(text, WANT);
        assert!(text.lines().all(|line| line.chars().count() <= 80));
    }

    #[test]
    fn elsewhere_nothing_is_cut_off() {
        let text = glance().to_text(at("2026-01-01T12:00:00Z"), None, false);
        assert!(text.contains(": full in 2,808 years, WAL 41.0 kB\n"), "{text}");
        assert!(text.contains("again in 2m: answered 404: check the url\n"), "{text}");
    }

    #[test]
    fn colours_are_on_labels_and_take_no_room() {
        let text = glance().to_text(at("2026-01-01T12:00:00Z"), Some(80), true);
        assert!(
            text.contains("\n\x1b[32mrunning\x1b[0m  air  ") && text.contains("\n\x1b[31mwrong\x1b[0m    a ")
        );
        assert_eq!(
            text.replace("\x1b[32m", "").replace("\x1b[0m", "").replace("\x1b[31mwrong", "wrong"),
            WANT
        );
    }
}
