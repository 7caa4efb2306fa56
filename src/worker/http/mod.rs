//! Asks one question of the web and brings back the whole answer, or the
//! reason why there is none. Keeps out pages, retries and what an answer means:
//! a 500 is an answer here.

mod agent;
mod body;
mod failure;
mod headers;
mod redirect;
mod request;
#[cfg(test)]
mod tests;

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use ureq::http::{self, HeaderMap, Response};
use ureq::{Agent, AsSendBody};
use url::Url;

use super::cut::Cut;
use super::secrets::Secrets;
use redirect::Hop;

pub use failure::{Failure, Kind};
pub use headers::{is_quota, retry_after};
pub use request::{Body, Credential, Request};

/// A connection that takes longer is one that will not come about.
const CONNECT: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// All `Link` headers as one.
    pub link: Option<String>,
    pub retry_after: Option<Duration>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub content_type: Option<String>,
    /// All of them, for who wants to know more.
    pub headers: HeaderMap,
    /// After decompression.
    pub bytes: u64,
    /// Where the redirects ended; without our credentials.
    pub url: Url,
    /// The answer came from the source's origin. If not, it had no
    /// credentials: worth a hint where the status is 401.
    pub is_home: bool,
}

impl Answer {
    /// What it says of caching and of quotas, as it says it.
    pub fn of_note(&self) -> Vec<(String, String)> {
        headers::of_note(&self.headers)
    }
}

/// One per worker. Connections stay open from page to page, until a cut.
#[derive(Debug)]
pub struct Client {
    cut: Arc<Cut>,
    has_roots: bool,
    /// Hosts that redirects of the latest question led to.
    redirected_to: Vec<String>,
}

impl Client {
    pub fn new(cut: Arc<Cut>) -> Client {
        Client { cut, has_roots: false, redirected_to: Vec::new() }
    }

    /// Each was a request of its own, whatever came of it.
    pub fn redirected_to(&self) -> &[String] {
        &self.redirected_to
    }

    /// The body is complete when this is `Ok`, and empty when it is not. `now`
    /// is for a `Retry-After` that is a date.
    pub fn ask(
        &mut self,
        request: &Request,
        secrets: &Secrets,
        now: Timestamp,
        body: &mut Vec<u8>,
    ) -> Result<Answer, Failure> {
        let answer = self.follow(request, secrets, now, body);
        answer.map_err(|failure| {
            body.clear();
            Failure { message: secrets.mask(&failure.message), ..failure }
        })
    }

    fn follow(
        &mut self,
        request: &Request,
        secrets: &Secrets,
        now: Timestamp,
        body: &mut Vec<u8>,
    ) -> Result<Answer, Failure> {
        self.redirected_to.clear();
        let mut trail = Vec::new();
        let mut hop = Hop::new(request.method, request.url.clone(), request.body.is_some());
        loop {
            hop.check(&request.home, secrets)?;
            let response = self.send(request, &hop)?;
            let Some(location) = location(&response) else {
                return self.receive(request, hop, response, now, body);
            };
            trail.push(hop);
            hop = redirect::follow(&trail, response.status().as_u16(), &location)?;
            self.redirected_to.extend(hop.url.host_str().map(str::to_owned));
        }
    }

    fn send(&mut self, request: &Request, hop: &Hop) -> Result<Response<ureq::Body>, Failure> {
        let agent = self.agent(&hop.url)?;
        let left = request.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(failure::deadline(&failure::place(&hop.url)));
        }
        let response = match request::body(request, hop) {
            Some(body) => run(&agent, request::outgoing(request, hop, body), left, &hop.url),
            None => run(&agent, request::outgoing(request, hop, ()), left, &hop.url),
        };
        match response {
            Err(ureq::Error::Io(error)) if error.kind() == ErrorKind::UnexpectedEof && !self.is_cut() => {
                Err(failure::no_head(&hop.url))
            }
            response => self.settle(request, hop, response),
        }
    }

    fn is_cut(&self) -> bool {
        self.cut.reason().is_some()
    }

    fn receive(
        &self,
        request: &Request,
        hop: Hop,
        mut response: Response<ureq::Body>,
        now: Timestamp,
        body: &mut Vec<u8>,
    ) -> Result<Answer, Failure> {
        let status = response.status().as_u16();
        // These have no body, whatever their headers say.
        if matches!(status, 204 | 304) {
            body.clear();
        } else {
            match body::read(response.body_mut().as_reader(), request.max_bytes, body) {
                Err(body::Broken::TooLarge) => return Err(too_large(request, &hop)),
                Err(body::Broken::Read(error)) => self.settle(request, &hop, Err(error.into()))?,
                Ok(()) => self.settle(request, &hop, Ok(()))?,
            }
        }
        Ok(answer(request, hop, response.headers(), status, body.len() as u64, now))
    }

    /// A body without a length looks complete when its connection is shut
    /// down, so a success counts only if nothing was cut meanwhile; and an
    /// error that a cut or the deadline brought about is named by its cause.
    fn settle<T>(&self, request: &Request, hop: &Hop, result: Result<T, ureq::Error>) -> Result<T, Failure> {
        if let Some(why) = self.cut.reason() {
            return Err(Failure::cut(why, &hop.url));
        }
        result.map_err(|error| match error {
            ureq::Error::Timeout(_) if Instant::now() >= request.deadline => {
                failure::deadline(&failure::place(&hop.url))
            }
            error => Failure::of(&error, &hop.url),
        })
    }

    /// The roots of trust are a few hundred kilobytes: an agent that never
    /// meets https goes without.
    fn agent(&mut self, url: &Url) -> Result<Agent, Failure> {
        let cut = |why| Failure::cut(why, url);
        let enough = self.has_roots || url.scheme() != "https";
        if let Some(agent) = self.cut.agent().map_err(cut)?.filter(|_| enough) {
            return Ok(agent);
        }
        let with_roots = self.has_roots || !enough;
        let agent = agent::build(with_roots).map_err(|message| {
            Failure::new(Kind::Tls, format!("no secure connection to {}: {message}", failure::place(url)))
        })?;
        self.has_roots = with_roots;
        self.cut.install(agent.clone()).map_err(cut)?;
        Ok(agent)
    }
}

fn run(
    agent: &Agent,
    outgoing: Result<http::Request<impl AsSendBody>, http::Error>,
    left: Duration,
    url: &Url,
) -> Result<Response<ureq::Body>, ureq::Error> {
    let config = agent.configure_request(outgoing?).timeout_global(Some(left));
    let config = config.timeout_connect(Some(left.min(CONNECT))).timeout_resolve(Some(left.min(CONNECT)));
    let config = if agent::is_loopback(url) { config.proxy(None) } else { config };
    agent.run(config.build())
}

fn location(response: &Response<ureq::Body>) -> Option<String> {
    let location = response.headers().get("location")?;
    redirect::is_redirect(response.status().as_u16())
        .then(|| String::from_utf8_lossy(location.as_bytes()).into_owned())
}

fn too_large(request: &Request, hop: &Hop) -> Failure {
    let (size, place) = (body::size(request.max_bytes), failure::place(&hop.url));
    Failure::new(Kind::TooLarge, format!("answer of {place} is larger than {size} (response.maxBytes)"))
}

fn answer(
    request: &Request,
    hop: Hop,
    headers: &HeaderMap,
    status: u16,
    bytes: u64,
    now: Timestamp,
) -> Answer {
    let text = |name| headers::text(headers, name).map(str::to_owned);
    Answer {
        status,
        link: headers::joined(headers, "link"),
        retry_after: retry_after(status, headers, now),
        etag: text("etag"),
        last_modified: text("last-modified"),
        content_type: text("content-type"),
        headers: headers.clone(),
        bytes,
        is_home: hop.is_home(&request.home),
        url: hop.url,
    }
}
