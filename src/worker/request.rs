//! From a source and a page to the request that asks for it. Secrets are filled
//! in here, in memory, and nowhere else.

use std::time::Instant;

use url::Url;

use super::http::{Body, Credential, Request};
use super::paginate::Ask;
use super::secrets::Secrets;
use crate::definition::Source;

/// What stays the same from page to page of a run.
#[derive(Debug)]
pub(super) struct Requests {
    url: Url,
    params: Vec<(String, String)>,
    headers: Vec<(String, String)>,
    body: Option<String>,
}

impl Requests {
    /// `Err` says which secret is missing, or what the filled-in url lacks, and in which document.
    pub(super) fn new(source: &Source, secrets: &mut Secrets) -> Result<Requests, String> {
        Requests::filled(source, secrets).map_err(|problem| secrets.naming_document(&problem))
    }

    fn filled(source: &Source, secrets: &mut Secrets) -> Result<Requests, String> {
        let url = secrets.fill(&source.url)?;
        let url = Url::parse(&url).map_err(|error| format!("the url is not one once filled in: {error}"))?;
        let body = source.body.as_ref().map(|body| secrets.fill_json(body)).transpose()?;
        Ok(Requests {
            url,
            params: fill(&source.params, secrets)?,
            headers: fill(&source.headers, secrets)?,
            body: body.map(|body| body.to_string()),
        })
    }

    pub(super) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// `before` is where the last answer came from: a next url may be relative to it.
    pub(super) fn page(
        &self,
        source: &Source,
        ask: &Ask,
        before: Option<&Url>,
        credentials: Vec<Credential>,
        deadline: Instant,
    ) -> Result<Request, String> {
        Ok(Request {
            method: source.method,
            url: self.page_url(ask, before)?,
            headers: self.headers.clone(),
            credentials,
            body: self.body.clone().map(Body::Json),
            max_bytes: source.response.max_bytes,
            deadline,
            home: self.url.origin(),
        })
    }

    /// A parameter of the page takes the place of one of the same name.
    fn page_url(&self, ask: &Ask, before: Option<&Url>) -> Result<Url, String> {
        if let Some(next) = &ask.url {
            return before
                .unwrap_or(&self.url)
                .join(next)
                .map_err(|error| format!("the next page's url is not one: {error}"));
        }
        let mut url = self.url.clone();
        let own = self.params.iter().filter(|(name, _)| !ask.params.iter().any(|(asked, _)| asked == name));
        let all: Vec<_> = own.chain(&ask.params).collect();
        if !all.is_empty() {
            url.query_pairs_mut().extend_pairs(all);
        }
        Ok(url)
    }
}

fn fill(
    pairs: &[(String, crate::definition::Template)],
    secrets: &mut Secrets,
) -> Result<Vec<(String, String)>, String> {
    pairs.iter().map(|(name, value)| Ok((name.clone(), secrets.fill(value)?))).collect()
}
