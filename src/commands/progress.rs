//! How far a run is, while a person waits for it: one line that is drawn over
//! and over on a terminal, a line now and then elsewhere. On standard error:
//! the result is on standard output. It only shows what it is given.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use terminal_size::terminal_size_of;

use crate::logging;
use crate::store::fetchlogs::JobStatus;
use crate::viewer::amount::{bytes, count, cut, length, of};

/// Where nobody watches, a run says so often that it is alive.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Over this, eyes see no difference.
const DRAW_EVERY: Duration = Duration::from_millis(100);

/// Shorter, a bar says less than its percentage.
const SHORTEST_BAR: usize = 10;
const LONGEST_BAR: usize = 40;

#[derive(Debug)]
pub(super) struct Progress {
    name: String,
    began: Instant,
    is_drawn: bool,
    shown: Option<Instant>,
}

impl Progress {
    pub(super) fn new(name: String) -> Progress {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_drawn = stderr().is_terminal() && !is_dumb;
        logging::clear_line_first(is_drawn);
        Progress { name, began: Instant::now(), is_drawn, shown: None }
    }

    /// As often as it is told, seen as often as it is of use.
    pub(super) fn show(&mut self, status: &JobStatus) {
        let every = if self.is_drawn { DRAW_EVERY } else { LINE_EVERY };
        let last = self.shown.or((!self.is_drawn).then_some(self.began));
        if last.is_some_and(|last| last.elapsed() < every) {
            return;
        }
        self.shown = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs();
        if self.is_drawn {
            let width = terminal_size_of(stderr()).map_or(80, |(width, _)| usize::from(width.0));
            // One column less: a full line would move some terminals on to the next.
            write(&format!("\r{}\x1b[K", bar(&self.name, status, seconds, width.saturating_sub(1))));
        } else {
            write(&format!("{}: {}\n", self.name, facts(status, seconds)));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_drawn {
            logging::clear_line_first(false);
            write("\r\x1b[K");
        }
    }
}

/// A terminal that is gone is no failure of the run.
fn write(text: &str) {
    let _ = stderr().lock().write_all(text.as_bytes());
}

fn bar(name: &str, status: &JobStatus, seconds: u64, width: usize) -> String {
    let facts = facts(status, seconds);
    let room = width.saturating_sub(name.chars().count() + facts.chars().count() + "  [] 100%  ".len());
    match status.total.filter(|total| *total > 0 && room >= SHORTEST_BAR) {
        Some(total) => {
            let (done, length) = (status.records.min(total), room.min(LONGEST_BAR));
            let full = (done as f64 / total as f64 * length as f64) as usize;
            let (full, empty) = ("#".repeat(full), "-".repeat(length - full));
            format!("{name}  [{full}{empty}] {:3}%  {facts}", done.saturating_mul(100) / total)
        }
        None => cut(&format!("{name}  {facts}"), width),
    }
}

fn facts(status: &JobStatus, seconds: u64) -> String {
    if status.status == "queued" {
        return format!("waits for its turn, {}", length(seconds));
    }
    let records = match status.total {
        Some(total) => format!("{} of {}", count(status.records), of(total, "record")),
        None => of(status.records, "record"),
    };
    let pages = of(status.pages.into(), "page");
    let (new, rate) = (count(status.inserted), count(status.records / seconds.max(1)));
    let (bytes, length) = (bytes(status.bytes), length(seconds));
    format!("{pages}, {records}, {new} new, {rate}/s, {bytes}, {length}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(total: Option<u64>) -> JobStatus {
        let mut status = JobStatus::default();
        (status.status, status.pages, status.records) = ("running".into(), 3, 1_500);
        (status.inserted, status.bytes, status.total) = (1_400, 45_249, total);
        status
    }

    #[test]
    fn a_bar_is_as_wide_as_the_terminal_has_room() {
        let facts = "3 pages, 1,500 of 6,000 records, 1,400 new, 300/s, 45.2 kB, 5s";
        for (why, total, width, want) in [
            (
                "wide",
                Some(6_000),
                120,
                format!("a  [##########------------------------------]  25%  {facts}"),
            ),
            ("narrower", Some(6_000), 88, format!("a  [###-----------]  25%  {facts}")),
            ("no room for a bar", Some(6_000), 79, format!("a  {facts}")),
            ("no room for the line", Some(6_000), 30, "a  3 pages, 1,500 of 6,000 re…".to_owned()),
            ("no total", None, 120, "a  3 pages, 1,500 records, 1,400 new, 300/s, 45.2 kB, 5s".to_owned()),
            ("a total of nothing", Some(0), 20, "a  3 pages, 1,500 o…".to_owned()),
        ] {
            let bar = bar("a", &status(total), 5, width);
            assert_eq!(bar, want, "{why}");
            assert!(bar.chars().count() <= width, "{why}");
        }
    }

    #[test]
    fn more_records_than_the_total_are_all_of_it() {
        assert!(bar("a", &status(Some(100)), 5, 120).contains("##] 100%  3 pages, 1,500 of 100 records"));
    }
}
