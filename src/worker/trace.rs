//! What a run asks and is answered, kept for a person who looks on. Secrets are
//! masked as it is written down; nothing here decides anything.

use std::time::Duration;

use super::extract::keys::Keys;
use super::http::{Answer, Credential, Request};
use super::secrets::Secrets;
use crate::definition::{Provider, Source};

#[derive(Debug, Default)]
pub(super) struct Trace {
    /// The run is to end after so many.
    pub(super) most_pages: u32,
    pub(super) asked: Vec<Asked>,
    pub(super) keys: Keys,
    pub(super) provider: Option<Provider>,
    /// Of the run, once it is over.
    pub(super) secrets: Secrets,
}

/// One request and how it was answered.
#[derive(Debug)]
pub struct Asked {
    /// The method and the url.
    pub request: String,
    /// Headers that hold a credential, by name.
    pub credentials: Vec<String>,
    /// Of a POST.
    pub body_bytes: Option<usize>,
    /// Where redirects led.
    pub answered_by: Option<String>,
    pub redirects: usize,
    /// `None`: there was no answer.
    pub status: Option<u16>,
    pub content_type: Option<String>,
    pub bytes: u64,
    pub took: Duration,
    pub headers: Vec<(String, String)>,
}

impl Trace {
    pub(super) fn begin(&mut self, source: &mut Source) {
        self.keys = Keys::new(source);
        if let Some(pagination) = &mut source.pagination {
            pagination.max_pages = pagination.max_pages.min(self.most_pages);
        }
    }

    pub(super) fn note(
        &mut self,
        request: &Request,
        answer: Option<&Answer>,
        took: Duration,
        redirects: usize,
        secrets: &Secrets,
    ) {
        let masked = |(name, value): &(String, String)| (name.clone(), secrets.mask(value));
        let in_header = |credential: &Credential| match credential {
            Credential::Header(name, _) => Some(name.clone()),
            Credential::Query(..) => None,
        };
        let elsewhere = answer.filter(|_| redirects > 0).map(|answer| secrets.mask(answer.url.as_str()));
        self.asked.push(Asked {
            request: secrets.mask(&request.line()),
            credentials: request.credentials.iter().filter_map(in_header).collect(),
            body_bytes: request.body.as_ref().map(|body| body.text().len()),
            answered_by: elsewhere,
            redirects,
            status: answer.map(|answer| answer.status),
            content_type: answer.and_then(|answer| Some(secrets.mask(answer.content_type.as_ref()?))),
            bytes: answer.map_or(0, |answer| answer.bytes),
            took,
            headers: answer.map_or_else(Vec::new, |answer| answer.of_note().iter().map(masked).collect()),
        });
    }
}
