//! Holds a reply back until the test says so. Keeps time out of tests that need a run in the middle.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// How often a held reply looks whether its site is closing.
const LOOK: Duration = Duration::from_millis(20);

/// Closed at first; once open it stays open. Clones are the same gate.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<(Mutex<State>, Condvar)>);

#[derive(Debug, Default)]
struct State {
    open: bool,
    waiting: usize,
}

impl Gate {
    pub fn new() -> Self {
        Gate::default()
    }

    /// Lets everybody through who waits or comes later.
    pub fn open(&self) {
        self.0.0.lock().unwrap().open = true;
        self.0.1.notify_all();
    }

    /// How many replies are held right now: above 0 says that the run has come this far.
    pub fn waiting(&self) -> usize {
        self.0.0.lock().unwrap().waiting
    }

    /// Returns when the gate is open, or when `give_up` says so.
    pub(super) fn pass(&self, give_up: impl Fn() -> bool) {
        let (state, opened) = &*self.0;
        let mut state = state.lock().unwrap();
        state.waiting += 1;
        while !state.open && !give_up() {
            state = opened.wait_timeout(state, LOOK).unwrap().0;
        }
        state.waiting -= 1;
    }
}
