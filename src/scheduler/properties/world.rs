//! A world around the real scheduler: a clock that jumps, a ring, workers whose
//! runs end at random, a process that is killed. It watches what must always
//! hold; what it deliberately lacks is a network.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

use super::super::offline::Offline;
use super::super::{Scheduler, Settings, Ticked};
use super::random::{Random, documents};
use crate::definition::document::{self, Definition};
use crate::definition::due::Decision;
use crate::definition::window::Window;
use crate::definition::{Execution, RetryState};
use crate::dispatch::{CutWhy, Cutter, Dispatch, Job, Outcome, Report};
use crate::ring::Refused;
use crate::store::Store;
use crate::store::fetchlogs::{Failed, Progress, Wait};
use crate::store::testing::{at, store};

pub(super) struct World {
    pub(super) random: Random,
    scheduler: Option<Scheduler>,
    pub(super) now: Timestamp,
    ring: Ring,
    running: Vec<Job>,
    workers: usize,
    is_offline_until: Option<Timestamp>,
    /// How often the clock went back.
    backs: usize,
    /// By key: `backs` when it was first offered.
    claimed: HashMap<String, usize>,
    /// By key: `backs` when that was claimed.
    pub(super) completed: HashMap<String, usize>,
    /// By source and deployment.
    pub(super) last: HashMap<(String, String), Last>,
    /// By source: its failures, and `backs` at the latest.
    retries: HashMap<String, (RetryState, usize)>,
}

/// The latest completed job.
pub(super) struct Last {
    pub(super) slot: Timestamp,
    pub(super) at: Timestamp,
    window: Window,
    backs: usize,
}

struct Ring {
    capacity: usize,
    jobs: RefCell<VecDeque<Job>>,
}

impl Dispatch for Ring {
    fn room(&self, _handler: &str) -> usize {
        self.capacity - self.jobs.borrow().len()
    }

    fn offer(&self, job: Job) -> Result<(), Refused<Job>> {
        self.jobs.borrow_mut().push_back(job);
        Ok(())
    }
}

#[derive(Debug)]
struct NoCutter;

impl Cutter for NoCutter {
    fn cut(&self, _why: CutWhy) {}
}

impl World {
    pub(super) fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        let now = at("2026-01-01T10:00:30.250Z");
        let store = store_with(&documents(&mut random), now);
        let (capacity, workers) = (random.between(1, 4) as usize, random.between(1, 3) as usize);
        World {
            random,
            scheduler: Some(Scheduler::new(store, settings())),
            now,
            ring: Ring { capacity, jobs: RefCell::default() },
            running: Vec::new(),
            workers,
            is_offline_until: None,
            backs: 0,
            claimed: HashMap::new(),
            completed: HashMap::new(),
            last: HashMap::new(),
            retries: HashMap::new(),
        }
    }

    pub(super) fn scheduler(&mut self) -> &mut Scheduler {
        self.scheduler.as_mut().expect("only a restart takes it, and gives one back")
    }

    fn store(&mut self) -> &mut Store {
        self.scheduler().store()
    }

    /// Something happens.
    pub(super) fn step(&mut self) {
        match self.random.below(100) {
            0..45 => {
                let ticked = self.tick();
                self.pass(ticked.sleep);
            }
            45..70 => drop(self.start_next()),
            70..92 => self.end_any(),
            92..95 => self.pass(Duration::from_secs(60)),
            95..97 => self.jump(),
            97 => self.kill(),
            98 => self.stop(),
            _ => {
                let seconds = self.random.below(3 * 3_600);
                self.pass(Duration::from_secs(seconds));
            }
        }
    }

    /// Usually until the scheduler wants to be woken, sometimes earlier.
    fn pass(&mut self, most: Duration) {
        let millis = most.as_millis() as u64;
        let passed = if self.random.one_in(3) { self.random.below(millis + 1) } else { millis };
        self.now += SignedDuration::from_millis(passed as i64);
    }

    fn jump(&mut self) {
        // Which is monotonic.
        self.is_offline_until = None;
        let far = if self.random.one_in(4) { 400 * 86_400 } else { 2 * 86_400 };
        let by = SignedDuration::from_secs(self.random.below(far) as i64);
        if self.random.one_in(2) {
            self.now += by;
        } else {
            self.now = (self.now - by).max(settings().earliest);
            self.backs += 1;
        }
    }

    pub(super) fn tick(&mut self) -> Ticked {
        if self.is_offline_until.is_none_or(|until| until <= self.now) {
            self.is_offline_until = None;
            self.scheduler().offline = Offline::default();
        }
        let before = self.ring.jobs.borrow().len();
        let now = self.now;
        let scheduler = self.scheduler.as_mut().expect("a scheduler");
        let ticked = scheduler.tick(now, &self.ring).expect("a tick");
        let offered: Vec<Job> = self.ring.jobs.borrow().iter().skip(before).cloned().collect();
        offered.iter().for_each(|job| self.check_offered(job));
        ticked
    }

    /// No run before its retry, unless the clock went back since.
    fn check_offered(&mut self, job: &Job) {
        self.claimed.entry(job.key.clone()).or_insert(self.backs);
        let execution = self.execution(&job.source_name);
        if let Some((state, backs)) = self.retries.get(&job.source_name) {
            let runs_again_at = execution.runs_again_at(state);
            assert!(
                self.now >= runs_again_at || *backs < self.backs,
                "{} runs at {}, {runs_again_at} would be its time",
                job.key,
                self.now
            );
        }
    }

    /// False where none waits or no worker is free.
    pub(super) fn start_next(&mut self) -> bool {
        if self.running.len() >= self.workers {
            return false;
        }
        let Some(job) = self.ring.jobs.borrow_mut().pop_front() else { return false };
        let now = self.now;
        let started = self.store().write(now, |tx| tx.start_job(&job)).expect("a store");
        assert!(started, "{} was offered, but is not there to be run", job.key);
        let other = self.running.iter().find(|other| other.source_name == job.source_name);
        assert!(other.is_none(), "{} starts while {other:?} runs", job.key);
        let deadline = Instant::now() + Duration::from_secs(3_600);
        let report = Report::Started { job: job.clone(), deadline, cutter: Arc::new(NoCutter) };
        self.scheduler().hear(report).expect("a store");
        self.running.push(job);
        true
    }

    fn end_any(&mut self) {
        if self.running.is_empty() {
            return;
        }
        let at = self.random.below(self.running.len() as u64) as usize;
        let job = self.running.swap_remove(at);
        match self.random.below(10) {
            0..2 => self.fail(job),
            2 => {
                let until = self.now + SignedDuration::from_secs(self.random.below(3_600) as i64);
                self.release(job, Wait::RateLimit { until, resume: None }, Outcome::Nothing);
            }
            3 if self.random.one_in(2) => {
                self.is_offline_until = Some(self.now + SignedDuration::from_secs(30));
                self.release(job, Wait::Network("offline".into()), Outcome::Offline);
            }
            _ => self.complete(job),
        }
    }

    pub(super) fn complete_all(&mut self) {
        while let Some(job) = self.running.pop() {
            self.complete(job);
        }
    }

    fn complete(&mut self, job: Job) {
        let now = self.now;
        let done = self.store().write(now, |tx| tx.complete_job(&job, &Progress::default(), None));
        done.expect("a store");
        self.retries.remove(&job.source_name);
        self.check_completed(&job);
        self.hear_end(job, Outcome::Completed);
    }

    /// A key completes once, unless the clock went back by more than the 100
    /// rows that are kept. A window begins where the one before it ended; where
    /// that is later than its own end, which takes a clock that went back, it is
    /// empty.
    fn check_completed(&mut self, job: &Job) {
        let backs = self.claimed.remove(&job.key).expect("it was offered");
        if let Some(before) = self.completed.insert(job.key.clone(), backs) {
            assert!(before < backs, "{} completes again", job.key);
        }
        let name = (job.source_name.clone(), job.deployment.clone());
        let this = Last { slot: job.slot, at: self.now, window: job.window, backs };
        if let Some(before) = self.last.insert(name, this) {
            assert_eq!(job.window.from, before.window.to.min(job.window.to), "{} leaves a gap", job.key);
            let is_forward = before.window.to < job.window.to;
            assert!(is_forward || before.backs < backs, "{} covers nothing new", job.key);
        }
    }

    fn fail(&mut self, job: Job) {
        let now = self.now;
        let asked = self.random.one_in(3).then(|| Duration::from_secs(self.random.below(3 * 3_600)));
        let execution = self.execution(&job.source_name);
        let failed = self.store().write(now, |tx| {
            tx.fail_job(&job, Failed::Failed, &execution, asked, &Progress::default(), "failed")
        });
        assert!(failed.expect("a store").is_some(), "{} was taken away", job.key);
        self.see_failure(&job.source_name);
        self.hear_end(job, Outcome::Failed);
    }

    fn see_failure(&mut self, name: &str) {
        let execution = self.execution(name);
        let state = self.store().retry_state(name).expect("a store").expect("a failure");
        assert!(state.retry_count <= execution.max_retries, "{name}: {state:?} is over its budget");
        self.retries.insert(name.to_owned(), (state, self.backs));
    }

    fn release(&mut self, job: Job, wait: Wait, outcome: Outcome) {
        let now = self.now;
        let released = self.store().write(now, |tx| tx.release_job(&job, &wait));
        assert!(released.expect("a store"), "{} was taken away", job.key);
        self.hear_end(job, outcome);
    }

    fn hear_end(&mut self, job: Job, outcome: Outcome) {
        self.scheduler().hear(Report::Ended { job, outcome }).expect("a store");
    }

    /// The process is gone, and starts again.
    fn kill(&mut self) {
        let now = self.now;
        self.restart(|store| assert!(store.recover(now).is_ok()));
        let interrupted: Vec<Job> = self.running.drain(..).collect();
        self.tick();
        interrupted.iter().for_each(|job| self.see_failure(&job.source_name));
    }

    fn stop(&mut self) {
        let now = self.now;
        self.restart(|store| store.release_running(now).expect("a store"));
        self.running.clear();
    }

    fn restart(&mut self, leave: impl FnOnce(&mut Store)) {
        let mut ended = self.scheduler.take().expect("a scheduler");
        // A cache by content: reading every definition again would only take time.
        let heads = std::mem::take(&mut ended.heads);
        let mut store = ended.into_store();
        leave(&mut store);
        self.ring.jobs.borrow_mut().clear();
        self.scheduler = Some(Scheduler { heads, ..Scheduler::new(store, settings()) });
    }

    /// Kept of a source: 100 rows, and the newest success of each deployment.
    pub(super) fn check_bounds(&mut self) {
        let bounds: Vec<(String, usize)> = self
            .scheduler()
            .plan
            .iter()
            .map(|planned| (planned.name.clone(), 100 + planned.entries.len()))
            .collect();
        for (name, bound) in bounds {
            let rows = self.store().logs(&["key"], Some(&name), 10_000).expect("a store").len();
            assert!(rows <= bound, "{name} has {rows} rows in fetchlogs");
        }
    }

    pub(super) fn is_anything_due(&mut self) -> bool {
        let now = self.now;
        self.scheduler().plan.iter().any(|planned| matches!(planned.decide(now), Decision::Due { .. }))
    }

    fn execution(&mut self, name: &str) -> Execution {
        let plan = &self.scheduler().plan;
        let planned = plan.iter().find(|planned| planned.name == name).expect("the source");
        planned.head.as_ref().expect("a good definition").execution
    }
}

fn settings() -> Settings {
    Settings { batch_size: 3, max_sleep: Duration::from_secs(30), earliest: at("2025-06-01T00:00:00Z") }
}

fn store_with(documents: &[String], now: Timestamp) -> Store {
    let mut store = store();
    let put = store.write(now, |tx| {
        for text in documents {
            let reading = document::read(text);
            assert_eq!(reading.problems, [], "{text}");
            let document = &reading.documents[0];
            match &document.definition {
                Definition::Source(source) => drop(tx.put_source(source, document, None)?),
                Definition::Deployment(deployment) => tx.put_deployment(deployment, None)?,
                _ => unreachable!("there are no other documents"),
            }
        }
        Ok::<_, crate::error::Error>(())
    });
    put.expect("a store");
    // Its default is the real clock's.
    store.execute_for_test("UPDATE deployments SET created_at = '2026-01-01T10:00:30.250Z'");
    store
}
