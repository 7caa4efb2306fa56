//! A queue of fixed size between threads. It knows nothing of jobs.
//!
//! It never grows, never drops and never makes the pusher wait: full is an
//! answer, and the item comes back with it.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub struct Ring<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    slots: Box<[Option<T>]>,
    head: usize,
    len: usize,
    /// At most the slots; fewer after the ring was made smaller.
    capacity: usize,
    /// Takers with a higher number end as soon as they come for an item.
    takers: usize,
    /// Numbers of the takers that have not ended.
    present: BTreeSet<usize>,
    is_closed: bool,
}

/// Why an item was not taken, and the item.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused<T> {
    Full(T),
    Closed(T),
}

impl<T> Ring<T> {
    /// Allocates once; `capacity` is at least 1.
    pub fn new(capacity: usize) -> Ring<T> {
        let capacity = capacity.max(1);
        let state = State {
            slots: slots(capacity),
            head: 0,
            len: 0,
            capacity,
            takers: 0,
            present: BTreeSet::new(),
            is_closed: false,
        };
        Ring { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Keeps what it holds, also where that is more than it will take again.
    pub fn set_capacity(&self, capacity: usize) {
        let mut state = self.lock();
        state.capacity = capacity.max(1);
        if state.capacity > state.slots.len() {
            let (mut larger, len) = (slots(state.capacity), state.len);
            for place in larger.iter_mut().take(len) {
                *place = state.take();
            }
            (state.slots, state.head, state.len) = (larger, 0, len);
        }
    }

    /// The numbers, from 1, of the takers that have to be started. One too many
    /// ends by itself, after the item that it is at.
    pub fn set_takers(&self, takers: usize) -> Vec<usize> {
        let mut state = self.lock();
        state.takers = takers;
        let new: Vec<usize> = (1..=takers).filter(|number| !state.present.contains(number)).collect();
        state.present.extend(&new);
        drop(state);
        self.changed.notify_all();
        new
    }

    /// Never waits: the scheduler keeps its own pace, and a job not taken now is
    /// still due at the next tick.
    pub fn push(&self, item: T) -> Result<(), Refused<T>> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(Refused::Closed(item));
        }
        if state.len >= state.capacity {
            return Err(Refused::Full(item));
        }
        let at = (state.head + state.len) % state.slots.len();
        state.slots[at] = Some(item);
        state.len += 1;
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Waits for the oldest item. `None` once the taker is one too many, or the
    /// ring is closed, whatever it still holds: what was not begun is begun
    /// again after the restart.
    pub fn pop(&self, taker: usize) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.is_closed || taker > state.takers {
                state.present.remove(&taker);
                return None;
            }
            if state.len > 0 {
                return state.take();
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes every waiter.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    pub fn len(&self) -> usize {
        self.lock().len
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn room(&self) -> usize {
        let state = self.lock();
        state.capacity.saturating_sub(state.len)
    }

    /// No code of ours can panic while it holds the lock; if it could, the
    /// state would still be whole between any two statements.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    /// The oldest.
    fn take(&mut self) -> Option<T> {
        let head = self.head;
        self.head = (head + 1) % self.slots.len();
        self.len -= 1;
        self.slots[head].take()
    }
}

fn slots<T>(capacity: usize) -> Box<[Option<T>]> {
    (0..capacity).map(|_| None).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    use super::*;

    /// With one taker, which is the test itself.
    fn ring<T>(capacity: usize) -> Ring<T> {
        let ring = Ring::new(capacity);
        assert_eq!(ring.set_takers(1), [1]);
        ring
    }

    #[test]
    fn items_come_out_in_the_order_they_went_in() {
        let ring = ring(3);
        let mut out = Vec::new();
        for item in 0..10 {
            ring.push(item).expect("room");
            if item % 2 == 1 {
                out.extend([ring.pop(1), ring.pop(1)]);
            }
        }
        assert_eq!(out, (0..10).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_full_ring_gives_the_item_back() {
        let ring = ring(2);
        assert_eq!((ring.push(1), ring.push(2)), (Ok(()), Ok(())));
        assert_eq!((ring.push(3), ring.room()), (Err(Refused::Full(3)), 0));
        assert_eq!((ring.pop(1), ring.room()), (Some(1), 1));
        assert_eq!(ring.push(3), Ok(()));
    }

    #[test]
    fn closing_wakes_every_waiter_and_refuses_what_comes_after() {
        let ring = Arc::new(Ring::<u8>::new(1));
        let (done, woken) = mpsc::channel();
        for number in ring.set_takers(3) {
            let (ring, done) = (Arc::clone(&ring), done.clone());
            std::thread::spawn(move || done.send(ring.pop(number)));
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
        for number in ring.set_takers(3) {
            let (ring, taken) = (Arc::clone(&ring), taken.clone());
            std::thread::spawn(move || {
                while let Some(item) = ring.pop(number) {
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

    #[test]
    fn a_ring_made_larger_or_smaller_keeps_what_it_holds() {
        let ring = ring(3);
        ring.push(0).expect("room");
        assert_eq!(ring.pop(1), Some(0));
        (1..=3).for_each(|item| ring.push(item).expect("room"));
        ring.set_capacity(5);
        assert_eq!((ring.push(4), ring.push(5), ring.push(6)), (Ok(()), Ok(()), Err(Refused::Full(6))));
        ring.set_capacity(1);
        assert_eq!((ring.room(), ring.push(6)), (0, Err(Refused::Full(6))));
        let out: Vec<_> = (0..5).map(|_| ring.pop(1)).collect();
        assert_eq!(out, [1, 2, 3, 4, 5].map(Some));
        assert_eq!((ring.push(6), ring.push(7)), (Ok(()), Err(Refused::Full(7))));
    }

    #[test]
    fn a_taker_too_many_ends_and_may_come_back() {
        let ring = Ring::<u8>::new(1);
        assert_eq!(ring.set_takers(2), [1, 2]);
        assert_eq!(ring.set_takers(1), [0; 0]);
        assert_eq!(ring.pop(2), None);
        assert_eq!(ring.set_takers(2), [2]);
    }
}
