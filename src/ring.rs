//! A queue of fixed size between threads. It knows nothing of jobs.
//!
//! It never grows, never drops and never makes the pusher wait: full is an
//! answer, and the item comes back with it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub struct Ring<T> {
    state: Mutex<State<T>>,
    pushed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    slots: Box<[Option<T>]>,
    head: usize,
    len: usize,
    is_closed: bool,
}

/// Why an item was not taken, and the item.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused<T> {
    Full(T),
    Closed(T),
}

impl<T> Ring<T> {
    /// The only allocation; `capacity` is at least 1.
    pub fn new(capacity: usize) -> Ring<T> {
        let slots = (0..capacity.max(1)).map(|_| None).collect();
        Ring { state: Mutex::new(State { slots, head: 0, len: 0, is_closed: false }), pushed: Condvar::new() }
    }

    /// Never waits: the scheduler keeps its own pace, and a job not taken now is
    /// still due at the next tick.
    pub fn push(&self, item: T) -> Result<(), Refused<T>> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(Refused::Closed(item));
        }
        if state.len == state.slots.len() {
            return Err(Refused::Full(item));
        }
        let at = (state.head + state.len) % state.slots.len();
        state.slots[at] = Some(item);
        state.len += 1;
        drop(state);
        self.pushed.notify_one();
        Ok(())
    }

    /// Waits for the oldest item; `None` once the ring is closed, whatever it
    /// still holds: what was not begun is begun again after the restart.
    pub fn pop(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if state.len > 0 {
                let head = state.head;
                state.head = (head + 1) % state.slots.len();
                state.len -= 1;
                return state.slots[head].take();
            }
            state = self.pushed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes every waiter.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.pushed.notify_all();
    }

    pub fn len(&self) -> usize {
        self.lock().len
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn room(&self) -> usize {
        let state = self.lock();
        state.slots.len() - state.len
    }

    /// No code of ours can panic while it holds the lock; if it could, the
    /// state would still be whole between any two statements.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    use super::*;

    #[test]
    fn items_come_out_in_the_order_they_went_in() {
        let ring = Ring::new(3);
        let mut out = Vec::new();
        for item in 0..10 {
            ring.push(item).expect("room");
            if item % 2 == 1 {
                out.extend([ring.pop(), ring.pop()]);
            }
        }
        assert_eq!(out, (0..10).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_full_ring_gives_the_item_back() {
        let ring = Ring::new(2);
        assert_eq!((ring.push(1), ring.push(2)), (Ok(()), Ok(())));
        assert_eq!((ring.push(3), ring.room()), (Err(Refused::Full(3)), 0));
        assert_eq!((ring.pop(), ring.room()), (Some(1), 1));
        assert_eq!(ring.push(3), Ok(()));
    }

    #[test]
    fn closing_wakes_every_waiter_and_refuses_what_comes_after() {
        let ring = Arc::new(Ring::<u8>::new(1));
        let (done, woken) = mpsc::channel();
        for _ in 0..3 {
            let (ring, done) = (Arc::clone(&ring), done.clone());
            std::thread::spawn(move || done.send(ring.pop()));
        }
        ring.close();
        for _ in 0..3 {
            assert_eq!(woken.recv_timeout(Duration::from_secs(10)), Ok(None));
        }
        assert_eq!(ring.push(1), Err(Refused::Closed(1)));
    }

    #[test]
    fn every_item_is_taken_once_by_one_of_several_takers() {
        let ring = Arc::new(Ring::new(4));
        let (taken, items) = mpsc::channel();
        for _ in 0..3 {
            let (ring, taken) = (Arc::clone(&ring), taken.clone());
            std::thread::spawn(move || {
                while let Some(item) = ring.pop() {
                    taken.send(item).expect("the test listens");
                }
            });
        }
        let mut offered = 0u32;
        while offered < 1_000 {
            match ring.push(offered) {
                Ok(()) => offered += 1,
                Err(_) => std::thread::yield_now(),
            }
        }
        let mut all: Vec<u32> =
            (0..1_000).map(|_| items.recv_timeout(Duration::from_secs(10)).expect("an item")).collect();
        ring.close();
        all.sort_unstable();
        assert_eq!(all, (0..1_000).collect::<Vec<_>>());
    }
}
