//! When to look at which source, so that a tick looks only at those whose time
//! has come, however many there are. It knows sources by their place in the
//! plan, and nothing of why one waits.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::order;

#[derive(Debug, Default)]
pub(super) struct Agenda {
    /// By place: the entry in `waiting`, if any.
    times: Vec<Option<Timestamp>>,
    waiting: BTreeSet<(Timestamp, usize)>,
    /// To be looked at in every tick until something is found out.
    due: BTreeSet<usize>,
}

impl Agenda {
    /// All of them are to be looked at.
    pub(super) fn of(sources: usize) -> Agenda {
        Agenda { times: vec![None; sources], waiting: BTreeSet::new(), due: order::set(0..sources) }
    }

    pub(super) fn look_at_all(&mut self) {
        *self = Agenda::of(self.times.len());
    }

    pub(super) fn look_at(&mut self, source: usize) {
        self.forget(source);
        self.due.insert(source);
    }

    pub(super) fn wait(&mut self, source: usize, until: Timestamp) {
        self.forget(source);
        self.times[source] = Some(until);
        self.waiting.insert((until, source));
    }

    /// Until something happens to it.
    pub(super) fn forget(&mut self, source: usize) {
        self.due.remove(&source);
        if let Some(until) = self.times[source].take() {
            self.waiting.remove(&(until, source));
        }
    }

    /// Those whose time has come. They stay due until the caller says
    /// otherwise: a tick that fails halfway loses none.
    pub(super) fn due(&mut self, now: Timestamp) -> Vec<usize> {
        while let Some(&(until, source)) = self.waiting.first()
            && until <= now
        {
            self.look_at(source);
        }
        self.due.iter().copied().collect()
    }

    /// When the next one's time comes, beside those that are due.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.waiting.first().map(|(until, _)| *until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("a time")
    }

    #[test]
    fn a_source_is_looked_at_when_its_time_comes_and_until_it_is_dealt_with() {
        let mut agenda = Agenda::of(3);
        assert_eq!(agenda.due(at(0)), [0, 1, 2]);
        agenda.wait(0, at(20));
        agenda.wait(1, at(10));
        agenda.forget(2);
        assert_eq!((agenda.due(at(9)), agenda.next()), (vec![], Some(at(10))));
        assert_eq!((agenda.due(at(10)), agenda.next()), (vec![1], Some(at(20))));
        assert_eq!(agenda.due(at(11)), [1], "nobody has dealt with it");
        agenda.wait(1, at(30));
        agenda.wait(1, at(40));
        agenda.look_at(2);
        assert_eq!(agenda.due(at(30)), [0, 2]);
        agenda.look_at_all();
        assert_eq!((agenda.due(at(0)), agenda.next()), (vec![0, 1, 2], None));
    }
}
