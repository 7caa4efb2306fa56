//! Log lines: one where something changes, on standard error. Only Hermes' own:
//! the libraries below it would log urls and headers, and so secrets.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use env_logger::{Builder, Env, TimestampPrecision};
use log::LevelFilter;

/// A progress bar stands in the line: it is drawn again after what is logged.
static CLEAR_LINE_FIRST: AtomicBool = AtomicBool::new(false);

pub fn clear_line_first(is_to: bool) {
    CLEAR_LINE_FIRST.store(is_to, Ordering::Relaxed);
}

/// `RUST_LOG` chooses the level. journald stamps its lines itself.
pub fn start() {
    let under_journald = std::env::var_os("JOURNAL_STREAM").is_some();
    Builder::new()
        .filter_level(LevelFilter::Info)
        .parse_env(Env::default())
        .format_timestamp(Some(TimestampPrecision::Seconds))
        .format(move |out, record| {
            if !record.target().starts_with("hermes") {
                return Ok(());
            }
            if CLEAR_LINE_FIRST.load(Ordering::Relaxed) {
                // Not through `out`, which takes control sequences away where it shows no colours.
                std::io::stderr().write_all(b"\r\x1b[K")?;
            }
            if !under_journald {
                write!(out, "{} ", out.timestamp_seconds())?;
            }
            writeln!(out, "{} {}", record.level(), record.args())
        })
        .init();
}
