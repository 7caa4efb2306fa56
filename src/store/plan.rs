//! Everything that decides when sources run, read into memory: what the
//! scheduler keeps and what the viewer shows. It decides nothing.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Store;
use super::deployments::DeploymentRow;
use super::fetchlogs::Job;
use super::source_definitions::SourceRow;
use crate::clock;
use crate::definition::due::{Decision, Situation, Timing, decide, due_slot};
use crate::definition::job_key::{Precision, job_key};
use crate::definition::source::{Retention, Slots};
use crate::definition::window::Window;
use crate::definition::{Clients, Execution, RetryState, Schedule, Source};
use crate::error::Result;
use crate::store::fetchlogs::NewJob;

/// What the scheduler needs of a definition; the rest stays in the database.
#[derive(Debug, Clone)]
pub struct Head {
    pub schedule: Option<Schedule>,
    pub handler: String,
    pub execution: Execution,
    pub retention: Retention,
    slots: Slots,
    /// For its provider; empty where the url has a placeholder in its host.
    pub host: String,
}

/// Heads by name and hash, so that a reload reads only what has changed.
pub type Heads = HashMap<String, (String, std::result::Result<Head, String>)>;

#[derive(Debug)]
pub struct PlannedSource {
    pub name: String,
    /// active, paused, removed
    pub status: String,
    pub table: String,
    pub head: std::result::Result<Head, String>,
    /// What the row says of it so far.
    recorded_error: Option<String>,
    pub entries: Vec<Entry>,
    pub state: State,
}

/// One deployment of a source.
#[derive(Debug, Clone)]
pub struct Entry {
    pub deployment: String,
    pub prefix: String,
    pub schedule: Schedule,
    pub handler: String,
    pub is_active: bool,
    /// Its jobs need the source's name in their keys.
    pub has_several: bool,
    pub slots: Slots,
    pub temporal_offset_hours: i64,
    /// When it was first known: a first run that waits counts from there.
    since: Option<Timestamp>,
    /// The last slot that is done.
    pub last: Option<Timestamp>,
    /// Where its window ended.
    covered_to: Option<Timestamp>,
    /// The last slot whose key was found taken by a job that is over.
    passed_over: Option<Timestamp>,
}

/// What runs have left behind.
#[derive(Debug, Default)]
pub struct State {
    pub retry: Option<RetryState>,
    pub failed_job: Option<Job>,
    /// Queued or running.
    pub open_job: Option<(Job, bool)>,
}

impl Store {
    /// A row that cannot be read is in the plan with its error: it stops no other.
    pub fn load_plan(&self, heads: &mut Heads) -> Result<Vec<PlannedSource>> {
        let rows = self.sources()?;
        // Sorted by name.
        heads.retain(|name, _| rows.binary_search_by(|row| row.name.cmp(name)).is_ok());
        let deployments = self.readable_deployments()?;
        let clients = self.clients()?;
        let mut plan = Vec::with_capacity(rows.len());
        for row in rows {
            plan.push(self.planned(row, &clients, heads, &deployments)?);
        }
        self.add_open_jobs(&mut plan)?;
        Ok(plan)
    }

    fn planned(
        &self,
        row: SourceRow,
        clients: &Clients,
        heads: &mut Heads,
        deployments: &[(DeploymentRow, Schedule)],
    ) -> Result<PlannedSource> {
        let hash = row.content_hash(clients);
        let known = heads.get(&row.name).filter(|(known, _)| *known == hash);
        let head = match known {
            Some((_, head)) => head.clone(),
            None => row.source(clients).map(|source| Head::of(&source)),
        };
        heads.insert(row.name.clone(), (hash, head.clone()));
        let since = clock::from_text(&row.created_at);
        let entries = match &head {
            Ok(head) => entries(&row.name, head, since, deployments),
            Err(_) => Vec::new(),
        };
        let mut planned = PlannedSource {
            name: row.name,
            status: row.status,
            table: row.table_name,
            head,
            recorded_error: row.error,
            entries,
            state: State::default(),
        };
        self.refresh(&mut planned)?;
        Ok(planned)
    }

    /// Reads again what a run changes; the open job is kept as it is.
    pub fn refresh(&self, planned: &mut PlannedSource) -> Result<()> {
        planned.state.retry = self.retry_state(&planned.name)?;
        planned.state.failed_job = match planned.state.retry {
            Some(_) => self.failed_job(&planned.name)?,
            None => None,
        };
        for entry in &mut planned.entries {
            let done = self.completed_slot(&planned.name, &entry.deployment, &entry.prefix)?;
            (entry.last, entry.covered_to) = (done.map(|(slot, _)| slot), done.map(|(_, to)| to));
        }
        // No job tells: rows of before this database knew jobs do. Where one
        // does, rows say nothing: they may be another deployment's, and one that
        // runs often would keep a rare one from ever being due; or a back-fill's.
        if planned.state.retry.is_none()
            && planned.entries.iter().all(|entry| entry.last.is_none())
            && !self.has_backfill(&planned.name)?
        {
            let newest = self.newest_row(&planned.table, &planned.name)?;
            planned.entries.iter_mut().for_each(|entry| entry.last = newest);
        }
        for entry in planned.entries.iter_mut().filter(|entry| entry.slots.startup_waits) {
            entry.last = entry.last.or(entry.since);
        }
        Ok(())
    }

    fn add_open_jobs(&self, plan: &mut [PlannedSource]) -> Result<()> {
        for (job, is_running) in self.open_jobs()? {
            // Sorted by name, as the rows were.
            if let Ok(at) = plan.binary_search_by(|planned| planned.name.cmp(&job.source_name)) {
                let open = &mut plan[at].state.open_job;
                // A running job hides a queued one; the oldest is first.
                if open.is_none() || is_running {
                    *open = Some((job, is_running));
                }
            }
        }
        Ok(())
    }

    /// For people: why a row cannot run. Writes only what is new.
    pub fn record_errors(&self, plan: &[PlannedSource]) -> Result<()> {
        for planned in plan {
            let error = planned.head.as_ref().err();
            if error != planned.recorded_error.as_ref() {
                self.set_source_error(&planned.name, error.map(String::as_str))?;
            }
        }
        self.set_aside_nameless()?;
        for row in self.deployments()? {
            self.set_deployment_error(&row.name, row.schedule().err().as_deref())?;
        }
        Ok(())
    }

    pub(super) fn readable_deployments(&self) -> Result<Vec<(DeploymentRow, Schedule)>> {
        let mut readable = Vec::new();
        for row in self.deployments()? {
            if let Ok(schedule) = row.schedule() {
                readable.push((row, schedule));
            }
        }
        Ok(readable)
    }
}

impl Head {
    fn of(source: &Source) -> Head {
        Head {
            schedule: source.schedule.clone(),
            handler: source.handler.clone(),
            execution: source.execution,
            retention: source.retention,
            slots: source.slots,
            host: source.host().unwrap_or_default(),
        }
    }
}

/// The deployments that name the source, and its own schedule; daily where
/// there is neither.
fn entries(
    name: &str,
    head: &Head,
    since: Option<Timestamp>,
    deployments: &[(DeploymentRow, Schedule)],
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = deployments
        .iter()
        .filter(|(row, _)| row.sources.iter().any(|source| source == name))
        .map(|(row, schedule)| Entry {
            deployment: row.name.clone(),
            prefix: row.prefix.clone(),
            schedule: schedule.clone(),
            handler: row.handler.clone(),
            is_active: row.is_active,
            has_several: row.sources.len() > 1,
            slots: row.slots,
            temporal_offset_hours: row.temporal_offset_hours,
            since: row.created_at,
            last: None,
            covered_to: None,
            passed_over: None,
        })
        .collect();
    let daily = || Schedule::parse(Schedule::DEFAULT, &TimeZone::UTC).expect("the default is a schedule");
    let own = head.schedule.clone().or_else(|| entries.is_empty().then(daily));
    entries.extend(own.map(|schedule| Entry {
        deployment: name.to_owned(),
        prefix: name.to_owned(),
        schedule,
        handler: head.handler.clone(),
        is_active: true,
        has_several: false,
        slots: head.slots,
        temporal_offset_hours: 0,
        since,
        last: None,
        covered_to: None,
        passed_over: None,
    }));
    entries
}

impl Entry {
    fn timing(&self) -> Timing<'_> {
        Timing { schedule: &self.schedule, last: self.last, catch_up_each: self.slots.catch_up_each }
    }

    fn window_of(&self, slot: Timestamp) -> Window {
        Window::of_slot(&self.schedule, slot, self.temporal_offset_hours, self.covered_to)
    }

    /// Where the window of its latest slot ends, if that slot is still to run.
    pub fn behind_to(&self, now: Timestamp) -> Option<Timestamp> {
        let latest = due_slot(now, Timing { catch_up_each: false, ..self.timing() })?;
        Some(self.window_of(latest).to)
    }
}

impl PlannedSource {
    /// What lies in the future was written by a clock that has since been set
    /// back. It counts as of the moment when that happened, however often it is
    /// read again: else a source would be silent until that time.
    pub fn forget_future(&mut self, now: Timestamp, set_back_at: Timestamp) {
        for entry in &mut self.entries {
            if entry.last > Some(now) {
                entry.last = Some(set_back_at);
            }
            entry.last = entry.last.max(entry.passed_over.filter(|slot| *slot <= now));
        }
        if let (Some(retry), Ok(head)) = (&mut self.state.retry, &self.head) {
            *retry = head.execution.without_future(*retry, now, set_back_at);
        }
        if let Some((job, false)) = &mut self.state.open_job
            && job.queued_at > now
            && !job.is_ahead(now)
        {
            job.not_before = None;
        }
    }

    /// One that was claimed ahead of its slot is not, until that comes.
    pub fn has_job_in_flight(&self, now: Timestamp) -> bool {
        self.state.open_job.as_ref().is_some_and(|(job, is_running)| *is_running || !job.is_ahead(now))
    }

    /// The key of this slot is taken by a job that is over: it is as good as done.
    pub fn pass_over(&mut self, deployment: &str, slot: Timestamp) {
        let is_over = self.state.open_job.is_none();
        for entry in self.entries.iter_mut().filter(|entry| is_over && entry.deployment == deployment) {
            entry.passed_over = Some(slot);
        }
    }

    pub fn decide(&self, now: Timestamp) -> Decision {
        let Ok(head) = &self.head else { return Decision::Never };
        let situation = Situation {
            is_active: self.status == "active",
            is_in_flight: self.has_job_in_flight(now),
            execution: &head.execution,
            retry: self.state.retry,
            has_failed_job: self.state.failed_job.is_some(),
        };
        let timings = self.active_entries().map(Entry::timing);
        decide(now, &situation, timings)
    }

    /// When the pause after its failures is over; `None`: it has none.
    pub fn runs_again_at(&self) -> Option<Timestamp> {
        Some(self.head.as_ref().ok()?.execution.runs_again_at(self.state.retry.as_ref()?))
    }

    /// Every deployment whose slot has come, whatever else holds the source back.
    pub fn due_entries(&self, at: Timestamp) -> impl Iterator<Item = (usize, Timestamp)> {
        let timings = self.active_entries().map(Entry::timing);
        timings.enumerate().filter_map(move |(timing, t)| Some((timing, due_slot(at, t)?)))
    }

    pub fn active_entries(&self) -> impl Iterator<Item = &Entry> + Clone {
        self.entries.iter().filter(|entry| entry.is_active)
    }

    /// The job of a slot in a deployment; `timing` is `Decision::Due`'s.
    pub fn new_job(&self, timing: usize, slot: Timestamp) -> NewJob {
        let entry = self.active_entries().nth(timing).expect("`decide` counted the same entries");

        NewJob {
            key: job_key(
                &entry.prefix,
                slot,
                entry.schedule.precision(),
                entry.has_several.then_some(self.name.as_str()),
            ),
            source_name: self.name.clone(),
            deployment: entry.deployment.clone(),
            handler: entry.handler.clone(),
            slot,
            window: entry.window_of(slot),
            is_asked: false,
        }
    }

    /// A run that a person asked for, in its first deployment. To the second:
    /// the slot of this minute may be done already.
    pub fn job_now(&self, now: Timestamp) -> NewJob {
        let slot = Timestamp::from_second(now.as_second()).unwrap_or(now);
        let entry = self.entries.first().expect("a source that can be read has a deployment");
        let source = entry.has_several.then_some(self.name.as_str());
        NewJob {
            key: job_key(&entry.prefix, slot, Precision::Second, source),
            source_name: self.name.clone(),
            deployment: entry.deployment.clone(),
            handler: entry.handler.clone(),
            slot,
            window: entry.window_of(slot),
            is_asked: false,
        }
    }
}
