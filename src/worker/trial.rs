//! A job that is only tried: the very run of any job, in a store that nobody
//! keeps, with a trace of what was asked. What is made of it is the caller's.

use std::sync::Arc;

use tokio::sync::mpsc::unbounded_channel;

use super::secrets::Secrets;
use super::trace::{Asked, Trace};
use super::{Shared, Worker};
use crate::clock::Clock;
use crate::definition::Provider;
use crate::dispatch::{Job, Rings};
use crate::error::Result;
use crate::store::Store;
use crate::store::fetchlogs::JobStatus;

#[derive(Debug)]
pub struct Trial {
    pub asked: Vec<Asked>,
    pub status: JobStatus,
    /// A limit of its provider stopped it: not a failure.
    pub is_limited: bool,
    pub provider: Option<Provider>,
    /// Fields that no record has, each with words for people; `true`: it has a default.
    pub lacking: Vec<(bool, String)>,
    secrets: Secrets,
}

impl Trial {
    /// A site may send back what it was sent.
    pub fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }
}

/// At most so many pages. The rows are in the store that comes back.
pub fn try_job(store: Store, clock: Arc<dyn Clock>, job: Job, most_pages: u32) -> Result<(Store, Trial)> {
    // Nobody listens: there is no scheduler.
    let (reports, _) = unbounded_channel();
    let shared = Shared::new(store.path().to_owned(), clock, reports, Arc::new(Rings::default()));
    let mut worker = Worker::new(store, Arc::new(shared));
    worker.trace = Some(Trace { most_pages, ..Trace::default() });
    worker.work(job.clone());
    let Worker { store, trace, .. } = worker;
    let Trace { asked, keys, provider, secrets, .. } = trace.unwrap_or_default();
    let lacking = keys.lacking().into_iter().map(|(has_default, words)| (has_default, secrets.mask(&words)));
    let lacking = lacking.collect();
    let status = store.job_status(&job)?.unwrap_or_default();
    let is_limited = store.open_job(&job.source_name)?.is_some_and(|(open, _)| open.not_before.is_some());
    Ok((store, Trial { asked, status, is_limited, provider, lacking, secrets }))
}
