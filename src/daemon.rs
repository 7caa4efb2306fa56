//! The appliance: one loop that sleeps until something is due or something
//! happened. It ties the parts together and decides nothing itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use log::{info, warn};
use notify::RecommendedWatcher;
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout};

use crate::clock::{Clock, SystemClock};
use crate::definition::Handler;
use crate::definition::source::DEFAULT_HANDLER;
use crate::dispatch::{Job, Outcome, Report, Rings};
use crate::error::{Error, ExitCode, Result};
use crate::lock::Lock;
use crate::receiver;
use crate::receiver::watch::{Seen, watch};
use crate::scheduler::{Scheduler, Settings, Ticked};
use crate::store::Store;
use crate::supervisor::{self, Watchdog};
use crate::worker::{Pool, Shared};

#[derive(Debug)]
pub struct Config {
    pub db: PathBuf,
    pub sources: PathBuf,
    pub workers: usize,
    pub queue: usize,
    pub settings: Settings,
    /// Wait for another daemon to end instead of refusing.
    pub standby: bool,
    /// Run what is due, then end.
    pub once: bool,
}

/// Editors write a file in several steps: one look after the last of them.
const SETTLE: Duration = Duration::from_millis(200);

/// However often a file is written, it is looked at after this.
const SETTLE_AT_MOST: Duration = Duration::from_secs(1);

/// SIGTERM to exit takes at most ten seconds; the rest is for the store.
const STOP_WITHIN: Duration = Duration::from_secs(8);

/// At the stop, for a lock of another program; what is not recorded then counts
/// as interrupted at the next start.
const LAST_WAIT: Duration = Duration::from_millis(500);

/// A full disk or a lock of another program: the next look at it.
const TRY_AGAIN: Duration = Duration::from_secs(5);

/// During a run that a person watches.
const LOOK_UP: Duration = Duration::from_millis(100);

pub fn run(config: Config) -> Result<ExitCode> {
    new_runtime()?.block_on(async {
        let mut daemon = Daemon::start(config)?;
        let result = daemon.serve().await;
        daemon.stop()?;
        result
    })
}

fn new_runtime() -> Result<Runtime> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().enable_io().build().map_err(Error::io("cannot start the event loop"))
}

/// One job that is claimed already, in this thread's time, where no daemon runs.
/// Asks `is_to_stop` every so often: then the job is given back in order.
pub fn run_job(db: &Path, job: &Job, mut is_to_stop: impl FnMut() -> bool) -> Result<()> {
    let runtime = new_runtime()?;
    let _lock = Lock::acquire(db)?;
    let (tell, mut reports) = unbounded_channel();
    let rings = Arc::new(Rings::default());
    let shared = Arc::new(Shared::new(db.to_owned(), Arc::new(SystemClock), tell, Arc::clone(&rings)));
    let handler = Handler { name: job.handler.clone(), capacity: 1, workers: 1 };
    let ring = rings.set(&handler);
    let mut pool = Pool::default();
    pool.set(&shared, &ring, &handler)?;
    ring.push(job.clone()).map_err(|_| Error::Failed("the ring refused its first job".into()))?;
    loop {
        match runtime.block_on(async { timeout(LOOK_UP, reports.recv()).await }) {
            Ok(None | Some(Report::Ended { .. })) => break,
            Ok(Some(Report::Started { .. })) => {}
            Err(_) if is_to_stop() => break,
            Err(_) => {}
        }
    }
    rings.close();
    pool.stop(STOP_WITHIN);
    Ok(())
}

struct Daemon {
    config: Config,
    clock: Arc<dyn Clock>,
    scheduler: Scheduler,
    rings: Arc<Rings>,
    shared: Arc<Shared>,
    pool: Pool,
    reports: UnboundedReceiver<Report>,
    seen: UnboundedReceiver<Seen>,
    /// When to look at the folder, and the latest moment to which that may be put off.
    rescan: Option<(Instant, Instant)>,
    any_failed: bool,
    in_trouble: bool,
    signals: Signals,
    watchdog: Watchdog,
    /// The service manager waits to hear that a SIGHUP has had its effect.
    is_reloading: bool,
    _watcher: RecommendedWatcher,
    _lock: Lock,
}

impl Daemon {
    fn start(config: Config) -> Result<Daemon> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        make_folder(&config)?;
        let mut watchdog = Watchdog::from_env(std::time::Instant::now());
        let lock = acquire(&config, &mut watchdog)?;
        // Not before: who stands by is ended by them. Not later: a slow machine takes seconds for what follows.
        let signals = Signals::listen().map_err(Error::io("cannot listen for signals"))?;
        let mut store = Store::open(&config.db)?;
        // Watched before it is read: what is written in between is seen.
        let (tell, seen) = unbounded_channel();
        let watcher = watch(&config.sources, lock.path(), tell)?;
        receiver::rescan(&mut store, &config.sources, clock.now())?;
        let (tell, reports) = unbounded_channel();
        let rings = Arc::new(Rings::default());
        let shared = Shared::new(config.db.clone(), Arc::clone(&clock), tell, Arc::clone(&rings));
        info!("watching {}, storing into {}", config.sources.display(), config.db.display());
        Ok(Daemon {
            scheduler: Scheduler::new(store, config.settings),
            config,
            clock,
            rings,
            shared: Arc::new(shared),
            pool: Pool::default(),
            reports,
            seen,
            rescan: None,
            any_failed: false,
            in_trouble: false,
            signals,
            watchdog,
            is_reloading: false,
            _watcher: watcher,
            _lock: lock,
        })
    }

    /// Until a signal, or with `--once` until nothing is left to do.
    async fn serve(&mut self) -> Result<ExitCode> {
        supervisor::ready();
        loop {
            let ticked = self.tick()?;
            self.watchdog.turned(std::time::Instant::now());
            if self.config.once && !ticked.is_busy && !self.in_trouble {
                return Ok(if self.any_failed { ExitCode::Failed } else { ExitCode::Done });
            }
            tokio::select! {
                () = sleep_until(self.wake_at(ticked)) => {}
                Some(report) = self.reports.recv() => self.hear(report)?,
                Some(seen) = self.seen.recv() => self.see(seen),
                _ = heard(&mut self.signals.hang_up) => self.reload(),
                _ = heard(&mut self.signals.terminate) => return Ok(ExitCode::Done),
                _ = heard(&mut self.signals.interrupt) => return Ok(ExitCode::Done),
            }
            self.take_what_else_came()?;
            self.rescan_if_settled()?;
        }
    }

    /// One step: what is due is dispatched. A database in trouble is waited for.
    fn tick(&mut self) -> Result<Ticked> {
        let ticked = self.scheduler.tick(self.clock.now(), &*self.rings).and_then(|ticked| {
            // A handler that is new has no ring yet; with it there is room.
            let any_new = ticked.has_reloaded && self.set_handlers()?;
            Ok(if any_new { Ticked { sleep: Duration::ZERO, is_busy: true, ..ticked } } else { ticked })
        });
        match ticked {
            Err(error) if error.may_pass() => {
                if !std::mem::replace(&mut self.in_trouble, true) {
                    warn!("waiting for the database: {error}");
                }
                Ok(Ticked { sleep: TRY_AGAIN, is_busy: true, has_reloaded: false })
            }
            other => {
                self.in_trouble = false;
                other
            }
        }
    }

    /// Rings and threads as the documents have them now. A handler that no
    /// document describes has the default size. True where a thread started.
    fn set_handlers(&mut self) -> Result<bool> {
        let mut wanted = self.scheduler.store().handlers()?;
        let default = Handler {
            name: DEFAULT_HANDLER.into(),
            capacity: self.config.queue,
            workers: self.config.workers,
        };
        let undescribed = |name: &str| Handler { name: name.to_owned(), capacity: 8, workers: 1 };
        for handler in std::iter::once(default).chain(self.scheduler.handlers_in_use().map(undescribed)) {
            if !wanted.iter().any(|described| described.name == handler.name) {
                wanted.push(handler);
            }
        }
        self.rings.retain(|name| wanted.iter().any(|handler| handler.name == name));
        let mut any_new = false;
        for handler in &wanted {
            any_new |= self.pool.set(&self.shared, &self.rings.set(handler), handler)?;
        }
        Ok(any_new)
    }

    fn wake_at(&self, ticked: Ticked) -> Instant {
        let wake_at = Instant::now() + ticked.sleep;
        let settled = self.rescan.map(|(settled, _)| settled);
        let watched = self.watchdog.turn_by().map(Instant::from_std);
        [settled, watched].into_iter().flatten().fold(wake_at, Instant::min)
    }

    fn hear(&mut self, report: Report) -> Result<()> {
        self.any_failed |= matches!(report, Report::Ended { outcome: Outcome::Failed, .. });
        match self.scheduler.hear(report) {
            Err(error) if error.may_pass() => {
                // What could not be read now is read with everything else.
                warn!("waiting for the database: {error}");
                self.scheduler.reload_at_next_tick();
                Ok(())
            }
            other => other,
        }
    }

    fn see(&mut self, seen: Seen) {
        if seen == Seen::Folder {
            self.rescan_soon();
        }
        // A poke has done its work by waking the loop.
    }

    /// One tick for all that has happened.
    fn take_what_else_came(&mut self) -> Result<()> {
        while let Ok(report) = self.reports.try_recv() {
            self.hear(report)?;
        }
        while let Ok(seen) = self.seen.try_recv() {
            self.see(seen);
        }
        Ok(())
    }

    /// As [`Daemon::rescan_soon`], for a service manager that waits for it.
    fn reload(&mut self) {
        self.is_reloading = true;
        supervisor::reloading();
        self.rescan_soon();
    }

    fn rescan_soon(&mut self) {
        let now = Instant::now();
        let latest = self.rescan.map_or(now + SETTLE_AT_MOST, |(_, latest)| latest);
        self.rescan = Some(((now + SETTLE).min(latest), latest));
    }

    fn rescan_if_settled(&mut self) -> Result<()> {
        if self.rescan.is_none_or(|(settled, _)| Instant::now() < settled) {
            return Ok(());
        }
        self.rescan = None;
        self.rescan_now()?;
        if self.is_reloading && self.rescan.is_none() {
            self.is_reloading = false;
            supervisor::ready();
        }
        Ok(())
    }

    fn rescan_now(&mut self) -> Result<()> {
        match receiver::rescan(self.scheduler.store(), &self.config.sources, self.clock.now()) {
            Err(error @ (Error::Io { .. } | Error::Failed(_))) => {
                warn!("{error}; what was read before goes on");
                Ok(())
            }
            Err(error) if error.may_pass() => {
                self.rescan_soon();
                Ok(())
            }
            other => other,
        }
    }

    /// In order: no new job, runs cut and given back, the store last.
    fn stop(self) -> Result<()> {
        supervisor::stopping();
        self.rings.close();
        let all_ended = self.pool.stop(STOP_WITHIN);
        let is_recovered = self.scheduler.is_recovered();
        let mut store = self.scheduler.into_store();
        store.wait_for_locks(LAST_WAIT)?;
        if is_recovered {
            store.release_running(self.clock.now())?;
        }
        if !all_ended {
            warn!("a run did not end in time; its job runs again at the next start");
        }
        info!("stopped");
        Ok(())
    }
}

struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Signals> {
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }
}

async fn heard(signal: &mut Signal) {
    signal.recv().await;
}

/// A standby is up, and is told to be, while it waits.
fn acquire(config: &Config, watchdog: &mut Watchdog) -> Result<Lock> {
    if !config.standby {
        return Lock::acquire(&config.db);
    }
    let mut waited = false;
    let lock = Lock::wait(&config.db, || {
        waited = true;
        watchdog.stand_by();
    })?;
    if waited {
        watchdog.take_over(std::time::Instant::now());
    }
    Ok(lock)
}

/// The whole installation is one command: the folder may not be there yet.
fn make_folder(config: &Config) -> Result<()> {
    let fail = Error::io(format!("cannot make the folder {}", config.sources.display()));
    std::fs::create_dir_all(&config.sources).map_err(fail)
}
