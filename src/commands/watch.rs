//! A text that is shown again and again, in place: on a screen of its own, which
//! is gone at the end as if nothing had been. What is shown is the caller's.

use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use terminal_size::terminal_size_of;

use super::interrupt::Interrupt;
use crate::error::{Error, ExitCode, Result};

/// Looking takes a tenth of the time at most, however much there is to look at.
const SHARE: u32 = 10;

/// The alternate screen, without a cursor; and back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// Until Ctrl-C, or until the terminal is gone.
pub(super) fn watch(every: Duration, mut text: impl FnMut() -> Result<String>) -> Result<ExitCode> {
    if terminal_size_of(stdout()).is_none() {
        return Err(Error::Input("--watch needs a terminal; leave it out to look once".into()));
    }
    if every.is_zero() {
        return Err(Error::Input("--every: 0 would never rest; 2s does".into()));
    }
    // What is wrong from the start is said on the screen that stays.
    let mut shown = text()?;
    let interrupt = Interrupt::listen()?;
    let _screen = Screen::enter();
    loop {
        let rows = terminal_size_of(stdout()).map_or(24, |(_, rows)| usize::from(rows.0));
        if write(&frame(&shown, rows)).is_err() {
            return Ok(ExitCode::Done);
        }
        let began = Instant::now();
        if interrupt.within(every) {
            return Ok(ExitCode::Done);
        }
        shown = text()?;
        let took = began.elapsed().saturating_sub(every);
        if interrupt.within((took * SHARE).saturating_sub(every)) {
            return Ok(ExitCode::Done);
        }
    }
}

/// From the top, over what is there: no flicker. As many lines as there is room
/// for, the last without an end, which would move the screen.
fn frame(text: &str, rows: usize) -> String {
    let lines: Vec<String> = text.lines().take(rows).map(|line| format!("{line}\x1b[K")).collect();
    format!("\x1b[H{}\x1b[J", lines.join("\n"))
}

/// However the watching ends.
struct Screen;

impl Screen {
    fn enter() -> Screen {
        let _ = write(ENTER);
        Screen
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = write(LEAVE);
    }
}

fn write(text: &str) -> std::io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
