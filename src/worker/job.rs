//! A job from the ring to its record: takes the definition as it is now, runs
//! it, and writes down how it ended. The run itself is `run`'s.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use log::{info, warn};

use super::Worker;
use super::cut::{Cut, Why};
use super::run::refusal::document;
use super::run::{Held, Run, Stopped, failed};
use super::secrets::Secrets;
use crate::clock;
use crate::definition::{RetryState, Source};
use crate::dispatch::{Cutter, Job, Outcome, Report};
use crate::error::Result;
use crate::store::Tx;
use crate::store::fetchlogs::{Dropped, Failed, Progress, Wait};

/// Longer messages say no more.
const MAX_MESSAGE: usize = 500;

/// A database that is full or locked is asked again; nothing else can be done
/// with an outcome than to record it.
const TRY_AGAIN: Duration = Duration::from_secs(1);

impl Worker {
    /// The job is in the store before the scheduler is told.
    pub(super) fn work(&mut self, job: Job) {
        let outcome = self.run_job(&job).unwrap_or_else(|error| {
            warn!("{}: {error}", job.source_name);
            // The job is as it was, and is offered again at once.
            std::thread::sleep(TRY_AGAIN);
            Outcome::Nothing
        });
        // What one run took must not stay in memory for ever.
        self.body.clear();
        self.body.shrink_to(1 << 20);
        self.held = Held::default();
        let _ = self.shared.reports.send(Report::Ended { job, outcome });
    }

    fn run_job(&mut self, job: &Job) -> Result<Outcome> {
        let run = self.cut.reset();
        // Before it begins: from there on, nothing may fail without being recorded.
        let had_failed = self.store.retry_state(&job.source_name)?.filter(|_| job.counts());
        let is_first =
            self.store.completed_slot(&job.source_name, &job.deployment, &job.deployment)?.is_none();
        let Some(Taken { mut source, definition, origin }) = self.take_up(job)? else {
            return Ok(Outcome::Nothing);
        };
        self.trace.iter_mut().for_each(|trace| trace.begin(&mut source));
        let started = Instant::now();
        let cutter = Arc::new(RunCutter { cut: Arc::clone(&self.cut), run });
        let deadline = started + source.execution.timeout;
        let _ = self.shared.reports.send(Report::Started { job: job.clone(), deadline, cutter });
        let mut progress = Progress::default();
        let mut secrets = Secrets::default();
        secrets.set_document(document("source", &source.name, origin.as_deref()));

        let ended = {
            let (secrets, progress) = (&mut secrets, &mut progress);
            let mut run = Run {
                worker: self,
                job,
                source: &source,
                definition: &definition,
                provider: None,
                secrets,
                started,
                progress,
                newest: None,
                held_since: None,
            };
            catch_unwind(AssertUnwindSafe(|| run.fetch())).unwrap_or_else(|panic| Err(panicked(&panic)))
        };
        progress.duration = started.elapsed();
        self.shared.counters.count(matches!(
            ended,
            Err(Stopped::Failed { .. } | Stopped::Locked(_) | Stopped::Cut(Why::Deadline))
        ));
        let outcome = match ended {
            Ok(()) => {
                self.succeeded(job, &source, &progress, had_failed, is_first)?;
                Outcome::Completed
            }
            Err(stopped) => self.record(job, &source, &progress, &secrets, stopped)?,
        };
        self.trace.iter_mut().for_each(|trace| trace.secrets = std::mem::take(&mut secrets));
        Ok(outcome)
    }

    /// The definition as it is now: an update reaches a queued job. `None`
    /// where there is nothing to run, and that is recorded.
    fn take_up(&mut self, job: &Job) -> Result<Option<Taken>> {
        let row = self.store.source(&job.source_name)?.filter(|row| !row.is_removed());
        if row.as_ref().is_some_and(|row| row.status == "paused") && !job.is_asked {
            // Still queued: it waits until its source is resumed.
            return Ok(None);
        }
        let taken = match row {
            None => Err("its source is gone".to_owned()),
            Some(row) => {
                let clients = self.store.client_of(&row)?;
                let definition = row.content_hash(&clients);
                row.source(&clients).map(|source| Taken { source, definition, origin: row.origin })
            }
        };
        let taken = match taken {
            Ok(taken) => taken,
            Err(why) => {
                self.insist(|tx| tx.drop_job(job, Dropped::Discarded, &why))?;
                return Ok(None);
            }
        };
        // The table is made anew where someone dropped it.
        let source = &taken.source;
        let problem = match self.insist(|tx| Ok((tx.start_job(job)?, tx.ensure_table(source)?))) {
            Ok((false, _)) => return Ok(None),
            Ok((true, Ok(()))) => return Ok(Some(taken)),
            Ok((true, Err(problem))) => problem,
            Err(error) => format!("its table `{}` cannot be made: {error}", source.table),
        };
        self.record(job, source, &Progress::default(), &Secrets::default(), failed(problem))?;
        Ok(None)
    }

    fn succeeded(
        &mut self,
        job: &Job,
        source: &Source,
        progress: &Progress,
        had_failed: Option<RetryState>,
        is_first: bool,
    ) -> Result<()> {
        let Progress { pages, records, inserted, .. } = progress;
        if let Some(state) = had_failed {
            info!("{}: recovered after {} failures", job.source_name, state.retry_count);
        } else if is_first {
            info!("{}: first run: {inserted} new rows of {records} records, pages: {pages}", job.source_name);
        }
        // Rows grow old without new ones beside them; more than are kept they become only by new ones.
        if progress.inserted > 0 || source.retention.days.is_some() {
            self.store.apply_retention(source, self.shared.clock.now())?;
        }
        Ok(())
    }

    /// What counts is in the store when this returns.
    fn record(
        &mut self,
        job: &Job,
        source: &Source,
        progress: &Progress,
        secrets: &Secrets,
        stopped: Stopped,
    ) -> Result<Outcome> {
        let (message, asked) = match stopped {
            Stopped::Failed { message, asked } => (message, asked),
            Stopped::Locked(message) => (message, None),
            Stopped::Cut(Why::Deadline) => {
                let timeout = source.execution.timeout.as_secs();
                (format!("not done within its timeout of {timeout}s; the pages stored stay"), None)
            }
            Stopped::RateLimited { until, resume } => {
                return self.give_back(job, Wait::RateLimit { until, resume });
            }
            Stopped::Cut(Why::Stop) => return self.give_back(job, Wait::Turn),
            Stopped::Offline { message } => {
                self.give_back(job, Wait::Network(secrets.mask(&message)))?;
                return Ok(Outcome::Offline);
            }
            Stopped::Cut(Why::Cancelled) | Stopped::NotOurs => {
                let why = "its source was removed during the run";
                self.insist(|tx| tx.drop_job(job, Dropped::Cancelled, why))?;
                return Ok(Outcome::Nothing);
            }
        };
        let message: String = secrets.mask(&message).chars().take(MAX_MESSAGE).collect();
        let state =
            self.insist(|tx| tx.fail_job(job, Failed::Failed, &source.execution, asked, progress, &message))?;
        if let Some(state) = state {
            tell(source, &state, &message);
        }
        Ok(if state.is_some() { Outcome::Failed } else { Outcome::Nothing })
    }

    fn give_back(&mut self, job: &Job, wait: Wait) -> Result<Outcome> {
        self.insist(|tx| tx.release_job(job, &wait))?;
        Ok(Outcome::Nothing)
    }

    /// Until it is recorded, or Hermes stops.
    fn insist<T>(&mut self, body: impl Fn(&Tx<'_>) -> Result<T>) -> Result<T> {
        let mut told = false;
        loop {
            match self.store.write(self.shared.clock.now(), &body) {
                Err(error) if error.may_pass() && self.cut.reason() != Some(Why::Stop) => {
                    if !std::mem::replace(&mut told, true) {
                        warn!("cannot record an outcome yet: {error}");
                    }
                    std::thread::sleep(TRY_AGAIN);
                }
                other => return other,
            }
        }
    }
}

/// A definition as a run begins with it.
struct Taken {
    source: Source,
    /// Its hash.
    definition: String,
    /// Its file.
    origin: Option<String>,
}

/// A line where the state of a source changes, not one per attempt.
fn tell(source: &Source, state: &RetryState, message: &str) {
    let again = clock::to_text(source.execution.runs_again_at(state));
    if source.execution.is_exhausted(state) {
        warn!("{}: failed {} times, not tried before {again}: {message}", source.name, state.retry_count);
    } else if state.retry_count == 1 {
        warn!("{}: failed, tried again at {again}: {message}", source.name);
    }
}

fn panicked(panic: &Box<dyn std::any::Any + Send>) -> Stopped {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    failed(format!("a defect of Hermes (please report it): {}", text.unwrap_or("panic")))
}

/// Cuts this run and no later one of the same worker.
#[derive(Debug)]
struct RunCutter {
    cut: Arc<Cut>,
    run: u64,
}

impl Cutter for RunCutter {
    fn cut(&self, why: Why) {
        self.cut.cut_run(self.run, why);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use jiff::Timestamp;

    use super::super::Shared;
    use super::*;
    use crate::clock::Clock;
    use crate::definition::document::{self, Definition};
    use crate::definition::window::Window;
    use crate::dispatch::Rings;
    use crate::store::Store;
    use crate::store::fetchlogs::NewJob;
    use crate::store::testing::{at, store};

    const NOW: &str = "2026-01-01T10:00:00Z";

    /// Panics when it is asked for the second time: once a run has begun.
    #[derive(Default)]
    struct BrokenClock {
        asked: AtomicU32,
    }

    impl Clock for BrokenClock {
        fn now(&self) -> Timestamp {
            assert_ne!(self.asked.fetch_add(1, Ordering::Relaxed), 1, "the clock is broken");
            at(NOW)
        }
    }

    fn claimed(store: &mut Store) -> Job {
        let text = "name: a\nurl: hermes:vitals\ntable: t\nresponse: { fields: { time: time } }";
        let reading = document::read(text);
        let document = &reading.documents[0];
        let Definition::Source(source) = &document.definition else { unreachable!("it is a source") };
        let new = NewJob {
            key: "k".into(),
            source_name: "a".into(),
            deployment: "a".into(),
            handler: "default".into(),
            slot: at(NOW),
            window: Window { from: at(NOW), to: at(NOW) },
            is_asked: false,
        };
        let claimed = store.write(at(NOW), |tx| {
            tx.put_source(source, document, None)?;
            tx.claim_jobs(&[new])
        });
        claimed.expect("a store").remove(0)
    }

    #[test]
    fn a_panic_is_a_failed_run_and_the_worker_goes_on() {
        let mut store = store();
        let job = claimed(&mut store);
        let (reports, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let clock = Arc::new(BrokenClock::default());
        let shared = Shared::new("memory".into(), clock, reports, Arc::new(Rings::default()));
        let mut worker = Worker::new(store, Arc::new(shared));
        worker.work(job.clone());
        let status = worker.store.job_status(&job).expect("a store").expect("the job");
        assert_eq!(status.status, "failed");
        assert!(status.message.is_some_and(|message| message.contains("the clock is broken")));
        let retry = worker.store.retry_state("a").expect("a store");
        assert_eq!(retry.map(|retry| retry.retry_count), Some(1));
        assert!(matches!(heard.try_recv(), Ok(Report::Started { .. })));
        assert!(matches!(heard.try_recv(), Ok(Report::Ended { outcome: Outcome::Failed, .. })));
        let failed = worker.store.failed_job("a").expect("a store").expect("the job");
        let again = worker.store.write(at(NOW), |tx| tx.claim_retry(&failed)).expect("a store");
        worker.work(again.expect("a retry"));
        assert_eq!(worker.store.job_status(&job).expect("a store").expect("the job").status, "completed");
    }
}
