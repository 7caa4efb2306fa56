//! Log lines: one where something changes, on standard error. Only Hermes' own:
//! the libraries below it would log urls and headers, and so secrets.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
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
    let under_journald = std::env::var("JOURNAL_STREAM").is_ok_and(|stream| is_standard_error(&stream));
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

/// The variable is inherited by whatever a service starts, also where that
/// writes elsewhere: the stream is journald's only if it is the one named there.
fn is_standard_error(stream: &str) -> bool {
    let about = io::stderr().as_fd().try_clone_to_owned().and_then(|file| File::from(file).metadata());
    about.is_ok_and(|about| is_named(stream, about.dev(), about.ino()))
}

/// `DEVICE:INODE`, in decimal.
fn is_named(stream: &str, device: u64, inode: u64) -> bool {
    let parts = stream.split_once(':').map(|(device, inode)| (device.parse(), inode.parse()));
    parts == Some((Ok(device), Ok(inode)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_journalds_only_where_both_numbers_are_right() {
        for (stream, want) in [
            ("8:21", true),
            ("8:22", false),
            ("9:21", false),
            ("821", false),
            ("", false),
            (":", false),
            ("8:", false),
            ("8:21:0", false),
            ("8:99999999999999999999999", false),
        ] {
            assert_eq!(is_named(stream, 8, 21), want, "{stream}");
        }
    }
}
