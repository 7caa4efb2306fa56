//! Waiting for a named thing, with a deadline. No bare sleeps in tests: a sleep is too long on every
//! machine but the one on which it is too short.

use super::program::patience;
use std::thread;
use std::time::{Duration, Instant};

/// How long any wait may take. Generous, since only a failing test takes it in full.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// Between two looks.
const POLL: Duration = Duration::from_millis(20);

/// Waits until `holds` holds; panics with the name of what was awaited.
#[track_caller]
pub fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(DEADLINE, what, holds);
}

/// As [`until`], with a deadline of its own.
#[track_caller]
pub fn until_within(deadline: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    if poll(deadline, || holds().then_some(())).is_none() {
        panic!("waited {deadline:?} in vain for: {what}");
    }
}

/// Waits until `find` finds something, and gives it back.
#[track_caller]
pub fn until_some<T>(what: &str, find: impl FnMut() -> Option<T>) -> T {
    match poll(DEADLINE, find) {
        Some(found) => found,
        None => panic!("waited {DEADLINE:?} in vain for: {what}"),
    }
}

/// Looks at least once, and once more after the deadline, so that a slow machine is not a failure.
pub fn poll<T>(deadline: Duration, mut find: impl FnMut() -> Option<T>) -> Option<T> {
    let (start, deadline) = (Instant::now(), deadline * patience());
    loop {
        let last = start.elapsed() >= deadline;
        if let Some(found) = find() {
            return Some(found);
        }
        if last {
            return None;
        }
        thread::sleep(POLL);
    }
}
