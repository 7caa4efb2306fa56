//! Log lines: one where something changes, on standard error. Only Hermes' own:
//! the libraries below it would log urls and headers, and so secrets.

use std::io::Write;

use env_logger::{Builder, Env, TimestampPrecision};
use log::LevelFilter;

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
            if !under_journald {
                write!(out, "{} ", out.timestamp_seconds())?;
            }
            writeln!(out, "{} {}", record.level(), record.args())
        })
        .init();
}
