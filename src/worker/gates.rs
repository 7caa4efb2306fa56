//! How many requests may be under way to a domain at once. Knows nothing of
//! requests: a place is taken and given back.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::cut::{Cut, Why};

#[derive(Debug, Default)]
pub(super) struct Gates {
    taken: Mutex<HashMap<String, u32>>,
}

/// A place; given back as it goes.
#[derive(Debug)]
pub(super) struct Place<'a> {
    gates: &'a Gates,
    domain: String,
}

/// Requests take longer than this: looking again is cheap beside them.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

impl Gates {
    /// Waits for a place until the deadline, or a cut.
    pub(super) fn enter(
        &self,
        domain: &str,
        most: u32,
        deadline: Instant,
        cut: &Cut,
    ) -> Result<Place<'_>, Why> {
        loop {
            if self.try_enter(domain, most) {
                return Ok(Place { gates: self, domain: domain.to_owned() });
            }
            if Instant::now() >= deadline {
                return Err(Why::Deadline);
            }
            cut.wait(LOOK_AGAIN)?;
        }
    }

    fn try_enter(&self, domain: &str, most: u32) -> bool {
        let mut taken = self.lock();
        let count = taken.entry(domain.to_owned()).or_default();
        let free = *count < most;
        *count += u32::from(free);
        free
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut taken = self.gates.lock();
        if let Some(count) = taken.get_mut(&self.domain) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.domain);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_has_as_many_places_as_its_provider_allows() {
        let (gates, cut) = (Gates::default(), Cut::default());
        let past = Instant::now();
        let first = gates.enter("a.example", 1, past, &cut).expect("a place");
        assert_eq!(gates.enter("a.example", 1, past, &cut).err(), Some(Why::Deadline));
        let _other = gates.enter("b.example", 1, past, &cut).expect("a place of another domain");
        drop(first);
        gates.enter("a.example", 1, past, &cut).expect("the place that was given back");
    }

    #[test]
    fn a_cut_ends_the_wait() {
        let (gates, cut) = (Gates::default(), Cut::default());
        let far = Instant::now() + Duration::from_secs(60);
        let _first = gates.enter("a.example", 1, far, &cut).expect("a place");
        cut.cut(Why::Cancelled);
        assert_eq!(gates.enter("a.example", 1, far, &cut).err(), Some(Why::Cancelled));
    }
}
