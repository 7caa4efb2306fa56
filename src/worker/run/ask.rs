//! Asking for a page: when the limits allow it, with credentials, and what an
//! answer that is none says.

use std::time::{Duration, Instant};

use jiff::SignedDuration;
use url::Url;

use super::unchanged::Condition;
use super::{Head, Run, Stopped, failed, refusal};
use crate::definition::provider::Auth;
use crate::store::history::QUOTE;
use crate::worker::http::{Answer, Failure, Kind};
use crate::worker::paginate::Pages;
use crate::worker::quote::shorten;
use crate::worker::request::Requests;
use crate::worker::{auth, vitals};

/// Of an error's body: what is looked at, and what is shown of it.
const QUOTED_BYTES: usize = 4096;
const QUOTED_CHARS: usize = 160;

const NO_CONTENT: u16 = 204;

impl Run<'_> {
    /// The body of the next page, and what stands around it.
    pub(super) fn ask(
        &mut self,
        requests: &Requests,
        pages: &Pages,
        before: Option<&Url>,
    ) -> Result<Head, Stopped> {
        if self.source.url.to_string() == vitals::URL {
            let now = self.worker.shared.clock.now();
            self.worker.body = vitals::answer(&self.worker.shared, &self.worker.store, now)?;
            return Ok(Head::default());
        }
        let asked = Instant::now();
        let (mut answer, mut condition) = self.ask_web(requests, pages, before)?;
        if answer.status == 401 && self.forget_token() {
            (answer, condition) = self.ask_web(requests, pages, before)?;
        }
        let is_met = condition.as_ref().is_some_and(|condition| condition.is_met_by(&answer));
        if !(200..300).contains(&answer.status) && !is_met {
            return Err(self.refused(&answer));
        }
        let took = asked.elapsed();
        let settled = condition.map(|condition| self.settle(condition, &answer));
        let (kept, unchanged) = settled.map_or((None, None), |(kept, unchanged)| (Some(kept), unchanged));
        let is_nothing = answer.status == NO_CONTENT;
        Ok(Head { link: answer.link, url: Some(answer.url), is_nothing, took, answer: kept, unchanged })
    }

    fn ask_web(
        &mut self,
        requests: &Requests,
        pages: &Pages,
        before: Option<&Url>,
    ) -> Result<(Answer, Option<Condition>), Stopped> {
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
        let credentials = auth::credentials(self.provider.as_ref(), &mut asking);
        let credentials = credentials.map_err(|failure| self.naming_provider(failure))?;
        let mut request =
            requests.page(self.source, &pages.ask(), before, credentials, deadline).map_err(failed)?;
        let condition = self.condition(&request)?;
        condition.iter().for_each(|condition| condition.add_to(&mut request));
        // Last: what could not be asked for would spend the quota for nothing.
        self.await_rate_window()?;
        let worker = &mut *self.worker;
        let gated = self.provider.as_ref().and_then(|p| Some((p.domain.as_str(), p.concurrency?)));
        let place = gated
            .map(|(domain, most)| worker.shared.gates.enter(domain, most, deadline, &worker.cut))
            .transpose()
            .map_err(Stopped::Cut)?;
        let asked = Instant::now();
        let answer = worker.client.ask(&request, self.secrets, now, &mut worker.body);
        drop(place);
        if let Some(trace) = &mut worker.trace {
            let redirects = worker.client.redirected_to().len();
            trace.note(&request, answer.as_ref().ok(), asked.elapsed(), redirects, self.secrets);
        }
        self.count_redirects()?;
        Ok((answer?, condition))
    }

    /// They are made already: a window that is full now holds up the next page.
    fn count_redirects(&mut self) -> Result<(), Stopped> {
        let Some(provider) = &self.provider else { return Ok(()) };
        let worker = &mut *self.worker;
        let ours = worker.client.redirected_to().iter().filter(|host| provider.serves(host)).count();
        for _ in 0..ours {
            worker.store.consume_request(provider, worker.shared.clock.now())?;
        }
        Ok(())
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
        match &self.provider {
            Some(provider) if matches!(provider.auth, Some(Auth::OAuth2 { .. })) => {
                self.worker.shared.tokens.forget(&provider.domain);
                true
            }
            _ => false,
        }
    }

    /// Whose document has to be mended.
    fn naming_provider(&self, failure: Failure) -> Failure {
        let Some(provider) = self.provider.as_ref().filter(|_| failure.kind == Kind::Credentials) else {
            return failure;
        };
        let origin = self.worker.store.provider_origin(&provider.domain).unwrap_or_default();
        let document = refusal::document("provider", &provider.domain, origin.as_deref());
        Failure { message: format!("{} ({document})", failure.message), ..failure }
    }

    fn refused(&self, answer: &Answer) -> Stopped {
        let said = self.said();
        let hint = refusal::hint(answer.status, answer.is_home, self.source, self.provider.as_ref());
        let quote = if said.is_empty() { String::new() } else { format!("{QUOTE}{said}") };
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
}
