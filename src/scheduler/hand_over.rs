//! From what is due to the rings: as far as limits and room allow, claimed in
//! one transaction, handed over in order.

use std::time::Instant;

use jiff::{SignedDuration, Timestamp};

use super::offers::{self, Offer};
use super::{Scheduler, position};
use crate::definition::provider::provider_of;
use crate::dispatch::{Dispatch, Job};
use crate::error::Result;
use crate::store::Tx;

/// Between two attempts at a key that is taken.
const LOST_CLAIM_PAUSE: SignedDuration = SignedDuration::from_secs(1);

impl Scheduler {
    /// rate limit (a peek) → room in the ring → claim → hand over. False where
    /// something is due that found no room: it is offered again when a worker
    /// reports. What is held back stays due, but for what a rate limit holds.
    pub(super) fn dispatch(
        &mut self,
        now: Timestamp,
        due: Vec<Offer>,
        wake_at: &mut Option<Timestamp>,
        dispatch: &dyn Dispatch,
    ) -> Result<bool> {
        let mut chosen: Vec<Offer> = Vec::new();
        let mut all_fit = true;
        for offer in due {
            let waiting = chosen.iter().filter(|other| other.handler == offer.handler).count();
            if chosen.len() >= self.settings.batch_size {
                offers::wake(wake_at, now);
                break;
            }
            // Asked first because it is cheap; a job needs both.
            if waiting >= dispatch.room(&offer.handler) {
                all_fit = false;
            } else if let Some(until) = self.rate_limited_until(&offer, now)? {
                self.agenda.wait(offer.place, until);
            } else if let Err(pause) = self.offline.lets(&offer, Instant::now()) {
                offers::wake(wake_at, now.checked_add(pause).unwrap_or(now));
            } else {
                chosen.push(offer);
            }
        }
        if !chosen.is_empty() {
            self.claim_and_hand_over(now, chosen, wake_at, dispatch)?;
        }
        Ok(all_fit)
    }

    fn claim_and_hand_over(
        &mut self,
        now: Timestamp,
        chosen: Vec<Offer>,
        wake_at: &mut Option<Timestamp>,
        dispatch: &dyn Dispatch,
    ) -> Result<()> {
        let (jobs, lost) = self.claim(now, chosen)?;
        for offer in lost {
            self.see_who_was_first(now, &offer)?;
            offers::wake(wake_at, now + LOST_CLAIM_PAUSE);
        }
        for job in jobs {
            self.hand_over(job, dispatch);
        }
        Ok(())
    }

    /// One transaction for all of them; what someone else has claimed is theirs.
    fn claim(&mut self, now: Timestamp, chosen: Vec<Offer>) -> Result<(Vec<Job>, Vec<Offer>)> {
        self.store.write(now, |tx| {
            let (mut jobs, mut lost) = (Vec::with_capacity(chosen.len()), Vec::new());
            for offer in chosen {
                match claim(tx, &offer)? {
                    Some(job) => jobs.push(job),
                    None => lost.push(offer),
                }
            }
            Ok((jobs, lost))
        })
    }

    /// Another process, or this one before the clock was set back.
    fn see_who_was_first(&mut self, now: Timestamp, offer: &Offer) -> Result<()> {
        self.refresh(offer.place)?;
        if let offers::Work::New(new) = &offer.work {
            self.plan[offer.place].pass_over(&new.deployment, new.slot);
        }
        self.plan[offer.place].forget_future(now, self.set_back_at);
        Ok(())
    }

    fn hand_over(&mut self, job: Job, dispatch: &dyn Dispatch) {
        let place = position(&self.plan, &job.source_name).expect("the plan offered it");
        self.plan[place].state.open_job = Some((job.clone(), false));
        // There was room, and only this thread pushes; were it refused all the
        // same, it would be offered again, for it is not in flight.
        if dispatch.offer(job.clone()).is_ok() {
            self.in_flight.queued(job);
            self.agenda.forget(place);
        }
    }

    fn rate_limited_until(&self, offer: &Offer, now: Timestamp) -> Result<Option<Timestamp>> {
        match provider_of(&self.providers, &offer.host) {
            Some(provider) => self.store.rate_limited_until(provider, now),
            None => Ok(None),
        }
    }
}

/// `None` where someone else has it.
fn claim(tx: &Tx<'_>, offer: &Offer) -> Result<Option<Job>> {
    match &offer.work {
        offers::Work::Queued(job) => Ok(Some(job.clone())),
        offers::Work::Retry(failed) => tx.claim_retry(failed),
        offers::Work::New(new) => Ok(tx.claim_jobs(std::slice::from_ref(new))?.pop()),
    }
}
