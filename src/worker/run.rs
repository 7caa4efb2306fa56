//! One attempt at a job: page after page, each asked for, read and stored
//! before the next. How it ended is a value; recording it is `job`'s.

mod ask;
mod held;
mod page;
mod read;
pub(super) mod refusal;
mod unchanged;

use std::time::{Duration, Instant};

use jiff::Timestamp;
use url::Url;

use super::Worker;
use super::cut::Why;
use super::extract::Plan;
use super::http::{Failure, Kind};
use super::moments::Moments;
use super::paginate::Pages;
use super::request::Requests;
use super::resume::Resume;
use super::secrets::Secrets;
use crate::definition::{Provider, Source};
use crate::dispatch::Job;
use crate::error::Error;
use crate::store::fetchlogs::Progress;
use crate::store::last_answers::LastAnswer;
use crate::store::value::Value;

pub(super) use self::held::Held;

/// How a run ended without success.
#[derive(Debug)]
pub(super) enum Stopped {
    /// Counts against the budget of the source.
    Failed {
        message: String,
        asked: Option<Duration>,
    },
    /// The local limit: not a failure. The pages so far are kept.
    RateLimited {
        until: Timestamp,
        resume: Option<String>,
    },
    /// This machine has no network: not a failure of the source.
    Offline {
        message: String,
    },
    Cut(Why),
    /// The database is held by another program, or full.
    Locked(String),
    /// The job was cancelled or deleted under it.
    NotOurs,
}

/// What stands around the body of an answer.
#[derive(Debug, Default)]
struct Head {
    link: Option<String>,
    /// Where the answer came from.
    url: Option<Url>,
    /// The site says that there is nothing: no records, not a broken answer.
    is_nothing: bool,
    /// From the request to the last byte.
    took: Duration,
    /// Of the first page: what the next run is to know of it.
    answer: Option<LastAnswer>,
    /// It is the answer of the last run, with so many records: not to be read again.
    unchanged: Option<u64>,
}

pub(super) struct Run<'a> {
    pub(super) worker: &'a mut Worker,
    pub(super) job: &'a Job,
    pub(super) source: &'a Source,
    /// Its hash: of another definition, nothing that was kept counts.
    pub(super) definition: &'a str,
    /// Of the url once it is filled in.
    pub(super) provider: Option<Provider>,
    pub(super) secrets: &'a mut Secrets,
    pub(super) started: Instant,
    pub(super) progress: &'a mut Progress,
    /// The newest value of the `incremental` field so far.
    pub(super) newest: Option<Value<'static>>,
    /// Of the first page that waits to be stored with others.
    pub(super) held_since: Option<Instant>,
}

impl Run<'_> {
    /// Ends well only with success recorded: in the transaction of the last page.
    /// What was fetched before things went wrong is kept.
    pub(super) fn fetch(&mut self) -> Result<(), Stopped> {
        match self.fetch_pages() {
            Err(Stopped::NotOurs | Stopped::Cut(Why::Cancelled)) => Err(Stopped::NotOurs),
            Err(stopped) => self.store_held().and(Err(stopped)),
            Ok(()) => Ok(()),
        }
    }

    fn fetch_pages(&mut self) -> Result<(), Stopped> {
        self.set_moments()?;
        let requests = Requests::new(self.source, self.secrets).map_err(failed)?;
        self.provider = self.worker.store.provider_of(requests.host())?;
        self.worker.trace.iter_mut().for_each(|trace| trace.provider = self.provider.clone());
        let plan = Plan::new(self.source);
        let mut pages = Pages::new(self.source.pagination.as_ref());
        self.go_on(&mut pages);
        let mut before = None;
        loop {
            let head = match self.ask(&requests, &pages, before.as_ref()) {
                Err(Stopped::RateLimited { until, .. }) => {
                    let resume = self.resume(&pages, before.as_ref());
                    return Err(Stopped::RateLimited { until, resume });
                }
                head => head?,
            };
            let Worker { trace, body, .. } = &mut *self.worker;
            trace.iter_mut().for_each(|trace| trace.keys.look(self.source, body));
            if self.store_page(&plan, &mut pages, &head)? {
                return Ok(());
            }
            before = head.url;
        }
    }

    fn set_moments(&mut self) -> Result<(), Stopped> {
        let since = match &self.source.incremental {
            None => None,
            Some(incremental) => {
                let field = &self.source.response.fields[incremental.field].target;
                let newest = self.worker.store.newest_value(&self.source.name, field)?;
                newest.or_else(|| Some(incremental.initial.clone()))
            }
        };
        self.secrets.set_moments(Moments::new(self.job, self.source, since));
        Ok(())
    }

    /// Where the last run stopped for a rate window, if it did.
    fn go_on(&mut self, pages: &mut Pages) {
        let resume = self.job.resume.as_deref().and_then(|text| Resume::read(text, self.definition));
        if let Some(resume) = resume {
            *self.progress = resume.progress();
            self.newest = resume.newest();
            pages.go_on_at(resume.place);
        }
    }

    /// Not where it would keep a secret: a next url may have one in it. Where
    /// no page came since the last stop, the url is that one's, and whole.
    fn resume(&self, pages: &Pages, before: Option<&Url>) -> Option<String> {
        let absolute = |url: &str| before.map_or_else(|| Url::parse(url), |before| before.join(url)).ok();
        let place = pages.place(|url| absolute(url).map(String::from))?;
        let resume = Resume::new(self.definition, place, self.progress, self.newest.as_ref());
        let text = serde_json::to_string(&resume).ok()?;
        (!self.secrets.appear_in(&text)).then_some(text)
    }

    fn deadline(&self) -> Instant {
        self.started + self.source.execution.timeout
    }
}

pub(super) fn failed(message: String) -> Stopped {
    Stopped::Failed { message, asked: None }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Stopped {
        match failure.kind {
            Kind::Cut(why) => Stopped::Cut(why),
            Kind::Offline => Stopped::Offline { message: failure.message },
            _ => failed(failure.message),
        }
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        let message = format!("cannot be stored: {error}");
        if error.may_pass() { Stopped::Locked(message) } else { failed(message) }
    }
}
