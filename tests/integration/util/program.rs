//! Which program the tests drive: the binary of this build, or one for another machine under an emulator.
//!
//! `HERMES_TEST_BINARY` names another binary, `HERMES_TEST_RUNNER` the words before it, separated by
//! blanks: `qemu-aarch64-static -L /usr/aarch64-linux-gnu`. `packaging/test-arm` sets both.

use std::env;
use std::process::Command;

/// An emulated program takes at least ten times the processor's time.
const PATIENCE_WITH_EMULATION: u32 = 10;

/// The words that start Hermes, to stand before its arguments.
pub fn program() -> Vec<String> {
    let mut words = runner();
    let binary = env::var("HERMES_TEST_BINARY").ok().filter(|binary| !binary.is_empty());
    words.push(binary.unwrap_or_else(|| env!("CARGO_BIN_EXE_hermes").to_owned()));
    words
}

/// The same as a command, with nothing set but the program.
pub fn program_command() -> Command {
    let words = program();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}

/// For tests that look at the process: what they see is the emulator.
pub fn is_emulated() -> bool {
    !runner().is_empty()
}

/// What every deadline is multiplied by.
pub(super) fn patience() -> u32 {
    if is_emulated() { PATIENCE_WITH_EMULATION } else { 1 }
}

fn runner() -> Vec<String> {
    let runner = env::var("HERMES_TEST_RUNNER").unwrap_or_default();
    runner.split_whitespace().map(str::to_owned).collect()
}
