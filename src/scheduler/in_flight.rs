//! The in-flight index: one entry a source, from the ring to the end of the
//! run. The store has the same facts; this is what can be cut.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::dispatch::{CutWhy, Cutter, Job};

#[derive(Debug, Default)]
pub(super) struct InFlight {
    by_source: HashMap<String, Flight>,
}

#[derive(Debug)]
struct Flight {
    job: Job,
    /// `None` while it waits in the ring.
    run: Option<Run>,
}

#[derive(Debug)]
struct Run {
    deadline: Instant,
    cutter: Arc<dyn Cutter>,
}

/// The worker ends its run itself at the deadline; this is for a run that does not.
const GRACE: Duration = Duration::from_secs(1);

impl InFlight {
    pub(super) fn queued(&mut self, job: Job) {
        self.by_source.insert(job.source_name.clone(), Flight { job, run: None });
    }

    pub(super) fn started(&mut self, job: Job, deadline: Instant, cutter: Arc<dyn Cutter>) {
        let run = Some(Run { deadline, cutter });
        self.by_source.insert(job.source_name.clone(), Flight { job, run });
    }

    pub(super) fn ended(&mut self, job: &Job) {
        if self.has(job) {
            self.by_source.remove(&job.source_name);
        }
    }

    pub(super) fn has(&self, job: &Job) -> bool {
        self.by_source.get(&job.source_name).is_some_and(|flight| flight.job.id == job.id)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_source.is_empty()
    }

    pub(super) fn cut_where(&self, why: CutWhy, source_matches: impl Fn(&str) -> bool) {
        for (source_name, flight) in &self.by_source {
            if let Some(run) = &flight.run
                && source_matches(source_name)
            {
                run.cutter.cut(why);
            }
        }
    }

    pub(super) fn cut_overdue(&self, now: Instant) {
        let overdue = self.runs().filter(|run| now >= run.deadline + GRACE);
        overdue.for_each(|run| run.cutter.cut(CutWhy::Deadline));
    }

    pub(super) fn next_deadline(&self) -> Option<Instant> {
        self.runs().map(|run| run.deadline + GRACE).min()
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.by_source.values().filter_map(|flight| flight.run.as_ref())
    }
}
