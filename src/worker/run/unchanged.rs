//! Whether an answer is the one of the last run, by the site's word (304) or by
//! its bytes: then there is nothing to read. Only where a run is one answer: of
//! several pages, the first may stay the same while others change.

use super::{Run, Stopped};
use crate::definition::Paging;
use crate::definition::source::Method;
use crate::store::content_hash;
use crate::store::last_answers::LastAnswer;
use crate::worker::http::{Answer, Request};

const NOT_MODIFIED: u16 = 304;

/// A longer one is not kept.
const MAX_VALIDATOR: usize = 512;

/// Of the first page of a run.
#[derive(Debug)]
pub(super) struct Condition {
    /// Hash of what is asked and of how the answer is read.
    request: String,
    /// The last answer to this very request, where it can stand for the next one.
    known: Option<LastAnswer>,
}

impl Run<'_> {
    /// Nothing is known where a person asks, or where the rows are gone: then all
    /// of it is read again. `None` past the first page.
    pub(super) fn condition(&self, request: &Request) -> Result<Option<Condition>, Stopped> {
        if self.progress.pages > 0 {
            return Ok(None);
        }
        let headers: String =
            request.headers.iter().map(|(name, value)| format!("{name}: {value} ")).collect();
        let asked = format!("{} {} ", self.definition, request.url) + &headers;
        let body = request.body.as_ref().map_or("", |body| body.text());
        let request = content_hash(self.secrets.mask(&(asked + body)).as_bytes());
        let (store, name) = (&self.worker.store, &self.source.name);
        let mut known = store.last_answer(name)?.filter(|known| known.request == request);
        if self.job.is_asked || known.is_some() && !store.has_rows(&self.source.table, name)? {
            known = None;
        }
        Ok(Some(Condition { request, known }))
    }

    /// What the next run is to know of this answer, and the number of its records
    /// where it is the one of the last run.
    pub(super) fn settle(&self, condition: Condition, answer: &Answer) -> (LastAnswer, Option<u64>) {
        let Condition { request, known } = condition;
        if let Some(known) = known.clone().filter(|_| answer.status == NOT_MODIFIED) {
            return (known, Some(0));
        }
        // Nor one that repeats a secret.
        let is_kept = |text: &String| text.len() <= MAX_VALIDATOR && !self.secrets.appear_in(text);
        let kept = |validator: &Option<String>| validator.clone().filter(is_kept);
        let fresh = LastAnswer {
            request,
            etag: kept(&answer.etag),
            last_modified: kept(&answer.last_modified),
            body: content_hash(&self.worker.body),
            records: 0,
        };
        // Where the next page stands in a header, the body does not tell.
        let is_link = self.source.pagination.as_ref().is_some_and(|paged| paged.paging == Paging::Link);
        let same = known.filter(|known| known.body == fresh.body && !(is_link && answer.link.is_some()));
        let records = same.map(|known| known.records);
        (LastAnswer { records: records.unwrap_or_default(), ..fresh }, records)
    }
}

impl Condition {
    /// Unless the document has conditions of its own.
    pub(super) fn add_to(&self, request: &mut Request) {
        let is_own = |(name, _): &(String, String)| name.to_ascii_lowercase().starts_with("if-");
        let Some(known) = &self.known else { return };
        if request.method != Method::Get || request.headers.iter().any(is_own) {
            return;
        }
        let conditions = [("If-None-Match", &known.etag), ("If-Modified-Since", &known.last_modified)];
        for (name, value) in conditions {
            request.headers.extend(value.clone().map(|value| (name.to_owned(), value)));
        }
    }

    /// Only what was asked for: a 304 out of the blue is no answer.
    pub(super) fn is_met_by(&self, answer: &Answer) -> bool {
        let asked = |known: &LastAnswer| known.etag.is_some() || known.last_modified.is_some();
        answer.status == NOT_MODIFIED && self.known.as_ref().is_some_and(asked)
    }
}
