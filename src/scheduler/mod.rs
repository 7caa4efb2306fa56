//! The tick: what is due, in which order, as far as there is room. One step at
//! a time: the loop around it, and whatever wakes it, are the daemon's.
//!
//! It holds what decides in memory and reads one row to notice a change; the
//! rule itself is `definition::due`.

mod agenda;
mod hand_over;
mod in_flight;
#[cfg(test)]
mod many;
mod offers;
mod offline;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use jiff::Timestamp;
use log::{info, warn};

use self::agenda::Agenda;
use self::in_flight::InFlight;
use self::offers::{Look, Offer};
use self::offline::Offline;
use crate::definition::Provider;
use crate::dispatch::{CutWhy, Dispatch, Job, Report};
use crate::error::Result;
use crate::store::Store;
use crate::store::plan::{Heads, PlannedSource};

#[derive(Debug)]
pub struct Scheduler {
    store: Store,
    settings: Settings,
    /// Of the plan; a new number means that it has to be read again.
    generation: Option<i64>,
    heads: Heads,
    /// By name.
    plan: Vec<PlannedSource>,
    /// Of the plan.
    agenda: Agenda,
    providers: Vec<Provider>,
    in_flight: InFlight,
    offline: Offline,
    is_clock_set: bool,
    is_recovered: bool,
    /// Of the latest tick.
    ticked_at: Option<Timestamp>,
    /// The first tick, or the first after the clock was last found to have been
    /// set back: what the store has from the future counts as of then.
    set_back_at: Timestamp,
}

#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Jobs a tick.
    pub batch_size: usize,
    /// A wall clock may jump: no sleep is longer.
    pub max_sleep: Duration,
    /// A clock earlier than this is not set: nothing is fetched until it is.
    pub earliest: Timestamp,
}

/// What a tick leaves to the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticked {
    pub sleep: Duration,
    /// Something runs, waits in a ring, or is due and finds no room.
    pub is_busy: bool,
    /// What is configured has changed.
    pub has_reloaded: bool,
}

/// Against spinning, whatever the clock does.
const SHORTEST_SLEEP: Duration = Duration::from_millis(10);

impl Scheduler {
    pub fn new(store: Store, settings: Settings) -> Scheduler {
        Scheduler {
            store,
            settings,
            generation: None,
            heads: Heads::new(),
            plan: Vec::new(),
            agenda: Agenda::default(),
            providers: Vec::new(),
            in_flight: InFlight::default(),
            offline: Offline::default(),
            is_clock_set: true,
            is_recovered: false,
            ticked_at: None,
            set_back_at: Timestamp::MAX,
        }
    }

    pub fn tick(&mut self, now: Timestamp, dispatch: &dyn Dispatch) -> Result<Ticked> {
        if !self.check_clock(now) {
            return Ok(Ticked { sleep: self.settings.max_sleep, is_busy: false, has_reloaded: false });
        }
        self.recover_once(now)?;
        let has_reloaded = self.reload_if_changed()?;
        if self.ticked_at.replace(now).is_none_or(|before| now < before) {
            self.set_back_at = now;
            self.agenda.look_at_all();
        }
        self.in_flight.cut_overdue(Instant::now());
        let mut offers = self.offers(now);
        offers::oldest_first(&mut offers);
        self.offline.order(&mut offers);
        let mut wake_at = None;
        let all_fit = self.dispatch(now, offers, &mut wake_at, dispatch)?;
        let sleep = self.sleep(now, wake_at.into_iter().chain(self.agenda.next()).min());
        Ok(Ticked { sleep, is_busy: !all_fit || !self.in_flight.is_empty(), has_reloaded })
    }

    /// What a worker did is in the store; what is held in memory follows.
    pub fn hear(&mut self, report: Report) -> Result<()> {
        match report {
            Report::Started { job, deadline, cutter } => {
                if let Some(place) = position(&self.plan, &job.source_name) {
                    self.plan[place].state.open_job = Some((job.clone(), true));
                    self.agenda.look_at(place);
                }
                self.in_flight.started(job, deadline, cutter);
                self.cancel_runs_of_gone_sources();
            }
            Report::Ended { job, outcome } => {
                self.in_flight.ended(&job);
                let host = host_of(&self.plan, &job);
                self.offline.hear(host, &job, outcome, Instant::now());
                if let Some(place) = position(&self.plan, &job.source_name) {
                    self.agenda.look_at(place);
                    self.refresh(place)?;
                }
            }
        }
        Ok(())
    }

    pub fn reload_at_next_tick(&mut self) {
        self.generation = None;
    }

    /// Until then, what the store says is running ran in a daemon that is gone.
    pub fn is_recovered(&self) -> bool {
        self.is_recovered
    }

    /// After the last tick: what was queued and not begun stays in the store.
    pub fn into_store(self) -> Store {
        self.store
    }

    /// Of the deployments, and of jobs claimed while these named another.
    pub fn handlers_in_use(&self) -> impl Iterator<Item = &str> {
        self.plan.iter().flat_map(|planned| {
            let open = planned.state.open_job.as_ref().map(|(job, _)| job);
            let jobs = open.into_iter().chain(&planned.state.failed_job).map(|job| job.handler.as_str());
            planned.entries.iter().map(|entry| entry.handler.as_str()).chain(jobs)
        })
    }

    pub fn store(&mut self) -> &mut Store {
        &mut self.store
    }

    /// Says once that the clock is not set, and once that it is.
    fn check_clock(&mut self, now: Timestamp) -> bool {
        let is_set = now >= self.settings.earliest;
        if is_set != std::mem::replace(&mut self.is_clock_set, is_set) {
            match is_set {
                true => info!("the clock is set"),
                false => {
                    warn!("the clock is not set ({now} is before this program was made): nothing is fetched")
                }
            }
        }
        is_set
    }

    /// What ran when Hermes last ended. Not before the clock is set: a failure
    /// is written with its time, and pauses from there.
    fn recover_once(&mut self, now: Timestamp) -> Result<()> {
        if !self.is_recovered {
            let interrupted = self.store.recover(now)?;
            if interrupted > 0 {
                info!(
                    "{interrupted} runs were interrupted when Hermes last ended; each counts as one failure"
                );
            }
            self.is_recovered = true;
        }
        Ok(())
    }

    fn reload_if_changed(&mut self) -> Result<bool> {
        let generation = self.store.generation()?;
        if self.generation == Some(generation) {
            return Ok(false);
        }
        self.plan = self.store.load_plan(&mut self.heads)?;
        self.agenda = Agenda::of(self.plan.len());
        self.providers = self.store.providers()?;
        self.store.record_errors(&self.plan)?;
        self.generation = Some(generation);
        self.cancel_runs_of_gone_sources();
        Ok(true)
    }

    /// Reads again what the end of a job has changed.
    fn refresh(&mut self, place: usize) -> Result<()> {
        let planned = &mut self.plan[place];
        planned.state.open_job = self.store.open_job(&planned.name)?;
        self.store.refresh(planned)
    }

    fn cancel_runs_of_gone_sources(&mut self) {
        let plan = &self.plan;
        self.in_flight.cut_where(CutWhy::Cancelled, |source_name| {
            position(plan, source_name).is_none_or(|at| plan[at].status == "removed")
        });
    }

    /// Every source that is to run now; when to look again at the others goes
    /// on the agenda.
    fn offers(&mut self, now: Timestamp) -> Vec<Offer> {
        let mut offers = Vec::new();
        for place in self.agenda.due(now) {
            match self.look(place, now) {
                Look::Offer(offer) => offers.push(*offer),
                Look::Wait(until) => self.agenda.wait(place, until),
                Look::Nothing => self.agenda.forget(place),
            }
        }
        offers
    }

    fn look(&mut self, place: usize, now: Timestamp) -> Look {
        let planned = &mut self.plan[place];
        planned.forget_future(now, self.set_back_at);
        match &planned.state.open_job {
            Some((job, false)) if !self.in_flight.has(job) => offers::of_queued(place, planned, job, now),
            Some(_) => Look::Nothing,
            None => offers::of_decision(place, planned, planned.decide(now)),
        }
    }

    /// Until the earliest of next slot, next retry, next rate window, next deadline.
    fn sleep(&self, now: Timestamp, wake_at: Option<Timestamp>) -> Duration {
        let until_wake = wake_at.map(|at| Duration::try_from(at.duration_since(now)).unwrap_or_default());
        let until_deadline =
            self.in_flight.next_deadline().map(|at| at.saturating_duration_since(Instant::now()));
        until_wake
            .into_iter()
            .chain(until_deadline)
            .min()
            .unwrap_or(self.settings.max_sleep)
            .clamp(SHORTEST_SLEEP.min(self.settings.max_sleep), self.settings.max_sleep)
    }
}

fn host_of<'a>(plan: &'a [PlannedSource], job: &Job) -> &'a str {
    let head = position(plan, &job.source_name).and_then(|at| plan[at].head.as_ref().ok());
    head.map_or("", |head| head.host.as_str())
}

fn position(plan: &[PlannedSource], source_name: &str) -> Option<usize> {
    plan.binary_search_by(|planned| planned.name.as_str().cmp(source_name)).ok()
}
