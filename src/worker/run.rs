//! One attempt at a job: page after page, each asked for, read and stored
//! before the next. How it ended is a value; recording it is `job`'s.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use log::warn;
use url::Url;

use super::cut::{Cut, Why};
use super::extract::{PageFacts, Plan, ReadError, Row};
use super::http::{Answer, Failure, Kind};
use super::moments::Moments;
use super::paginate::{Pages, Step};
use super::quote::shorten;
use super::request::Requests;
use super::resume::Resume;
use super::secrets::Secrets;
use super::{Worker, auth, vitals};
use crate::definition::{Provider, Source};
use crate::dispatch::Job;
use crate::error::Error;
use crate::store::fetchlogs::Progress;
use crate::store::page::{Completed, PageEnd, Stored};
use crate::store::value::Value;

/// Of an error's body: what is looked at, and what is shown of it.
const QUOTED_BYTES: usize = 4096;
const QUOTED_CHARS: usize = 160;

/// Records between two looks at the clock: a look costs about as much as a
/// small record does.
const CHECK_TIME_EVERY: u64 = 64;

/// Between two tries to begin a page's transaction, beside SQLite's own.
const LOCKED_PAUSE: Duration = Duration::from_millis(200);

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
}

const NO_CONTENT: u16 = 204;

pub(super) struct Run<'a> {
    pub(super) worker: &'a mut Worker,
    pub(super) job: &'a Job,
    pub(super) source: &'a Source,
    pub(super) provider: Option<Provider>,
    pub(super) secrets: &'a mut Secrets,
    pub(super) started: Instant,
    pub(super) progress: &'a mut Progress,
    /// The newest value of the `incremental` field so far.
    pub(super) newest: Option<Value<'static>>,
}

impl Run<'_> {
    /// Ends well only with success recorded: in the transaction of the last page.
    pub(super) fn fetch(&mut self) -> Result<(), Stopped> {
        self.set_moments()?;
        let requests = Requests::new(self.source, self.secrets).map_err(failed)?;
        if self.provider.is_none() {
            self.provider = self.worker.store.provider_of(requests.host())?;
        }
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
        let resume = self.job.resume.as_deref().and_then(|text| Resume::read(text, self.source));
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
        let resume = Resume::new(self.source, place, self.progress, self.newest.as_ref());
        let text = serde_json::to_string(&resume).ok()?;
        (!self.secrets.appear_in(&text)).then_some(text)
    }

    fn deadline(&self) -> Instant {
        self.started + self.source.execution.timeout
    }

    /// The body of the next page, and what stands around it.
    fn ask(&mut self, requests: &Requests, pages: &Pages, before: Option<&Url>) -> Result<Head, Stopped> {
        if self.source.url.to_string() == vitals::URL {
            let now = self.worker.shared.clock.now();
            self.worker.body = vitals::answer(&self.worker.shared, &self.worker.store, now)?;
            return Ok(Head::default());
        }
        let mut answer = self.ask_web(requests, pages, before)?;
        if answer.status == 401 && self.forget_token() {
            answer = self.ask_web(requests, pages, before)?;
        }
        if !(200..300).contains(&answer.status) {
            return Err(self.refused(&answer));
        }
        let is_nothing = answer.status == NO_CONTENT;
        Ok(Head { link: answer.link, url: Some(answer.url), is_nothing })
    }

    fn ask_web(
        &mut self,
        requests: &Requests,
        pages: &Pages,
        before: Option<&Url>,
    ) -> Result<Answer, Stopped> {
        self.await_rate_window()?;
        let deadline = self.deadline();
        let now = self.worker.shared.clock.now();
        let worker = &mut *self.worker;
        let mut asking = auth::Asking {
            client: &mut worker.client,
            secrets: self.secrets,
            tokens: &worker.shared.tokens,
            deadline,
            now,
        };
        let credentials = auth::credentials(self.provider.as_ref(), &mut asking)?;
        let request =
            requests.page(self.source, &pages.ask(), before, credentials, deadline).map_err(failed)?;
        let gated = self.provider.as_ref().and_then(|p| Some((p.domain.as_str(), p.concurrency?)));
        let _place = gated
            .map(|(domain, most)| worker.shared.gates.enter(domain, most, deadline, &worker.cut))
            .transpose()
            .map_err(Stopped::Cut)?;
        Ok(worker.client.ask(&request, self.secrets, now, &mut worker.body)?)
    }

    /// Each request is counted before it is made. Waits for the window where
    /// that fits the deadline.
    fn await_rate_window(&mut self) -> Result<(), Stopped> {
        let Some(provider) = &self.provider else { return Ok(()) };
        loop {
            let now = self.worker.shared.clock.now();
            let Some(until) = self.worker.store.consume_request(provider, now)? else { return Ok(()) };
            let wait = until.duration_since(now).max(SignedDuration::from_millis(10));
            let wait = Duration::try_from(wait).expect("at least ten milliseconds");
            if Instant::now() + wait >= self.deadline() {
                return Err(Stopped::RateLimited { until, resume: None });
            }
            self.worker.cut.wait(wait).map_err(Stopped::Cut)?;
        }
    }

    /// A token that the API no longer takes; true where there was one to forget.
    fn forget_token(&self) -> bool {
        use crate::definition::provider::Auth;
        match &self.provider {
            Some(provider) if matches!(provider.auth, Some(Auth::OAuth2 { .. })) => {
                self.worker.shared.tokens.forget(&provider.domain);
                true
            }
            _ => false,
        }
    }

    fn refused(&self, answer: &Answer) -> Stopped {
        let said = self.said();
        let hint = match answer.status {
            401 | 403 if !answer.is_home => {
                ": it was redirected to another origin, where credentials do not follow"
            }
            401 | 403 => ": the credentials are missing or refused; see the provider's auth",
            404 | 410 => ": check the url",
            429 => ": too many requests; give its provider a limit",
            500.. => ": the server's trouble",
            _ => "",
        };
        let quote = if said.is_empty() { String::new() } else { format!("; it says: {said}") };
        Stopped::Failed {
            message: format!("answered {}{hint}{quote}", answer.status),
            asked: answer.retry_after,
        }
    }

    /// How the body of an error begins, in a line. Cut down before anything is
    /// made of it: it may be as large as any page.
    fn said(&self) -> String {
        let body = &self.worker.body;
        let begin = String::from_utf8_lossy(&body[..body.len().min(QUOTED_BYTES)]);
        let words = begin.trim_end_matches('\u{fffd}').split_whitespace();
        let mut line = words.fold(String::new(), |line, word| line + " " + word);
        if body.len() > QUOTED_BYTES {
            line.push('…');
        }
        shorten(&self.secrets.mask(&line), QUOTED_CHARS)
    }

    /// True where the run is complete with this page. A lock that another
    /// program holds is waited for until the deadline: it is not the source's.
    fn store_page(&mut self, plan: &Plan, pages: &mut Pages, head: &Head) -> Result<bool, Stopped> {
        loop {
            let mut has_begun = false;
            match self.try_store_page(plan, pages, head, &mut has_begun) {
                Err(Stopped::Locked(_)) if !has_begun && Instant::now() < self.deadline() => {
                    self.worker.cut.wait(LOCKED_PAUSE).map_err(Stopped::Cut)?;
                }
                result => return result,
            }
        }
    }

    /// One transaction.
    fn try_store_page(
        &mut self,
        plan: &Plan,
        pages: &mut Pages,
        head: &Head,
        has_begun: &mut bool,
    ) -> Result<bool, Stopped> {
        let number = self.progress.pages + 1;
        let worker = &mut *self.worker;
        let body = &worker.body;
        let mut progress = *self.progress;
        let incremental = self.source.incremental.as_ref().map(|incremental| incremental.field);
        let newest = &mut self.newest;
        let (started, table) = (self.started, &self.source.table);
        let (deadline, cut) = (started + self.source.execution.timeout, &worker.cut);
        let now = worker.shared.clock.now();
        let written = worker.store.write_page(now, self.job, self.source, |insert| {
            *has_begun = true;
            let mut sink = |row: Row<'_>| {
                if row.number.is_multiple_of(CHECK_TIME_EVERY) {
                    check_time(cut, deadline)?;
                }
                let is_new = insert(&row.key, row.values).map_err(|error| refused_row(row.number, error))?;
                progress.inserted += u64::from(is_new);
                if let Some(value) = incremental.map(|field| &row.values[field])
                    && value.is_after(newest.as_ref().unwrap_or(&Value::Null))
                {
                    *newest = Some(value.clone().into_owned());
                }
                Ok(())
            };
            let facts = match head.is_nothing {
                true => PageFacts::default(),
                false => plan.read(body, &mut sink).map_err(|error| unreadable(number, error))?,
            };
            check_error(&facts)?;
            progress = Progress {
                pages: number,
                records: progress.records + facts.records,
                bytes: progress.bytes + body.len() as u64,
                duration: started.elapsed(),
                ..progress
            };
            let warning = match pages.after(&facts, head.link.as_deref()).map_err(failed)? {
                Step::More => return Ok(PageEnd { progress, completed: None }),
                Step::Done => None,
                Step::MaxPages => {
                    Some(format!("stopped at maxPages ({number}); there are more pages for `{table}`"))
                }
            };
            let field = incremental.map(|field| self.source.response.fields[field].target.clone());
            let completed = Completed { warning, newest: field.zip(newest.clone()) };
            Ok::<_, Stopped>(PageEnd { progress, completed: Some(completed) })
        });
        let (end, stored) = written?;
        if stored == Stored::NotOurs {
            return Err(Stopped::NotOurs);
        }
        *self.progress = end.progress;
        if let Some(warning) = end.completed.as_ref().and_then(|completed| completed.warning.as_ref()) {
            warn!("{}: {warning}", self.source.name);
        }
        Ok(end.completed.is_some())
    }
}

/// For each row: a page may have a million, and nobody else can store meanwhile.
fn check_time(cut: &Cut, deadline: Instant) -> Result<(), Stopped> {
    let late = || (Instant::now() >= deadline).then_some(Why::Deadline);
    cut.reason().or_else(late).map_or(Ok(()), |why| Err(Stopped::Cut(why)))
}

fn check_error(facts: &PageFacts) -> Result<(), Stopped> {
    match &facts.error {
        Some(error) => Err(failed(format!("the answer is an error: {error}"))),
        None => Ok(()),
    }
}

/// A constraint of the table: SQLite's words name the column.
fn refused_row(number: u64, error: Error) -> Stopped {
    if error.may_pass() { Stopped::from(error) } else { failed(format!("record {number}: {error}")) }
}

fn unreadable(page: u32, error: ReadError<Stopped>) -> Stopped {
    match error {
        ReadError::Sink(Stopped::Failed { message, asked }) => {
            Stopped::Failed { message: format!("page {page}, {message}"), asked }
        }
        ReadError::Sink(stopped) => stopped,
        ReadError::Answer(message) => failed(format!("page {page}: {message}")),
        ReadError::Record { number, field, message } => {
            failed(format!("page {page}, record {number}, {field}: {message}"))
        }
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
