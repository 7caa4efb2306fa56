//! Ends what a worker is doing, from another thread, at once: the request in
//! flight, or the wait for a rate window. One per worker, shared with whoever
//! may have to interrupt it. Keeps out when and why that is decided.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ureq::Agent;

pub use crate::dispatch::CutWhy as Why;

/// Holds the agent itself and not a copy: an agent that was shut down can then
/// never be taken for a working one, and one that is made too late never starts.
#[derive(Debug, Default)]
pub struct Cut {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    run: u64,
    reason: Option<Why>,
    agent: Option<Agent>,
}

impl Cut {
    /// At a run's start. The number says which run a later [`Cut::cut_run`] is
    /// meant for. A stop is not forgotten: it is meant for every run.
    pub fn reset(&self) -> u64 {
        let mut state = self.lock();
        state.run += 1;
        state.reason = state.reason.filter(|why| *why == Why::Stop);
        state.run
    }

    /// Whatever the worker is at.
    pub fn cut(&self, why: Why) {
        let state = self.lock();
        self.end(state, why);
    }

    /// Only that run: by the time of the call the worker may be at its next
    /// one, which has done nothing wrong. Says whether it was.
    pub fn cut_run(&self, run: u64, why: Why) -> bool {
        let state = self.lock();
        let current = state.run == run;
        if current {
            self.end(state, why);
        }
        current
    }

    pub fn reason(&self) -> Option<Why> {
        self.lock().reason
    }

    /// Sleeps, unless it is cut before or meanwhile.
    pub fn wait(&self, length: Duration) -> Result<(), Why> {
        let began = Instant::now();
        let mut state = self.lock();
        loop {
            if let Some(why) = state.reason {
                return Err(why);
            }
            let left = length.saturating_sub(began.elapsed());
            if left.is_zero() {
                return Ok(());
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The agent with its open connections, if there is one since the last cut.
    pub(super) fn agent(&self) -> Result<Option<Agent>, Why> {
        let state = self.lock();
        state.reason.map_or_else(|| Ok(state.agent.clone()), Err)
    }

    /// From here on, a cut reaches this agent; a cut that came first refuses it.
    pub(super) fn install(&self, agent: Agent) -> Result<(), Why> {
        let mut state = self.lock();
        if let Some(why) = state.reason {
            return Err(why);
        }
        state.agent = Some(agent);
        Ok(())
    }

    /// The first reason stays, except that a stop outlives the run and must
    /// not hide behind another. The agent's sockets are closed under the lock:
    /// whoever sees the reason finds the request already ended.
    fn end(&self, mut state: MutexGuard<'_, State>, why: Why) {
        if state.reason.is_none() || why == Why::Stop {
            state.reason = Some(why);
        }
        if let Some(agent) = state.agent.take() {
            agent.shutdown();
        }
        self.changed.notify_all();
    }

    /// A panic of the worker (it catches them and goes on) leaves this state
    /// whole: each change is a single assignment.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::thread;

    use super::*;

    #[test]
    fn a_wait_ends_when_it_is_cut() {
        let cut = Arc::new(Cut::default());
        let (send, receive) = mpsc::channel();
        let waiting = Arc::clone(&cut);
        thread::spawn(move || send.send(waiting.wait(Duration::from_secs(600))));
        cut.cut(Why::Cancelled);
        assert_eq!(receive.recv_timeout(Duration::from_secs(5)), Ok(Err(Why::Cancelled)));
        assert_eq!(cut.wait(Duration::ZERO), Err(Why::Cancelled));
    }

    #[test]
    fn a_wait_that_is_not_cut_is_waited_out() {
        assert_eq!(Cut::default().wait(Duration::from_millis(5)), Ok(()));
    }

    #[test]
    fn after_a_cut_no_agent_is_taken_until_the_next_run() {
        let cut = Cut::default();
        cut.install(Agent::new_with_defaults()).expect("nothing was cut");
        cut.cut(Why::Deadline);
        assert_eq!(cut.agent().map(|agent| agent.is_some()), Err(Why::Deadline));
        assert_eq!(cut.install(Agent::new_with_defaults()), Err(Why::Deadline));
        cut.reset();
        assert_eq!(cut.agent().map(|agent| agent.is_some()), Ok(false));
    }

    #[test]
    fn a_cut_that_comes_late_spares_the_next_run() {
        let cut = Cut::default();
        let first = cut.reset();
        let second = cut.reset();
        assert!(!cut.cut_run(first, Why::Deadline));
        assert_eq!(cut.reason(), None);
        assert!(cut.cut_run(second, Why::Deadline));
        assert_eq!(cut.reason(), Some(Why::Deadline));
    }

    #[test]
    fn a_stop_outlives_the_run_and_any_other_reason() {
        let cut = Cut::default();
        cut.cut(Why::Cancelled);
        cut.cut(Why::Stop);
        cut.cut(Why::Deadline);
        assert_eq!(cut.reason(), Some(Why::Stop));
        cut.reset();
        assert_eq!(cut.reason(), Some(Why::Stop));
    }
}
