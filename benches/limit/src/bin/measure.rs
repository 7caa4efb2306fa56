//! Runs a program to its end and prints what it cost, as JSON. A parent this
//! small matters: the peak of a process begins with the memory of whoever
//! started it, and an interpreter would be most of it.
//!
//!   measure PROGRAM ARGUMENT…

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let program = args.next().expect("a program");
    let start = Instant::now();
    let status = Command::new(&program).args(args).stdin(Stdio::null()).stdout(Stdio::null()).status();
    let wall = start.elapsed().as_secs_f64();
    match status {
        Ok(status) if status.success() => {}
        other => {
            eprintln!("{}: {other:?}", program.display());
            return ExitCode::FAILURE;
        }
    }
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the usage of the only child");
    // `write_bytes` of /proc/PID/io in blocks of 512: what the process made the disk write.
    println!(
        r#"{{"wall":{wall},"user":{},"system":{},"peak":{},"written":{}}}"#,
        used.user_time().num_microseconds() as f64 / 1e6,
        used.system_time().num_microseconds() as f64 / 1e6,
        used.max_rss() * 1024,
        used.block_writes() * 512,
    );
    ExitCode::SUCCESS
}
