//! Which page is asked for next, and when there is none. Pure: what was
//! answered goes in, what to ask comes out. Keeps out how a request is made.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::extract::PageFacts;
use super::link;
use crate::definition::pagination::{Counted, Limit};
use crate::definition::{Pagination, Paging};

/// The pages of one run.
#[derive(Debug)]
pub struct Pages {
    pagination: Option<Pagination>,
    next: Next,
    /// Answered so far.
    pages: u32,
    records: u64,
    /// Of the page before.
    digest: Option<u128>,
    /// Hashes of all cursors and URLs of this run; at most one a page, and pages have a bound.
    seen: HashSet<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Next {
    /// The source's own url, as it is.
    First,
    /// The number of a page, or of a record.
    Number(u64),
    Cursor(String),
    Url(String),
}

/// How far a run has come.
#[derive(Debug, Serialize, Deserialize)]
pub struct Place {
    next: Next,
    pages: u32,
    records: u64,
}

/// What makes a request one for the next page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Added to the source's own params, in place of those of the same name.
    pub params: Vec<(String, String)>,
    /// In place of the source's url with all its params; may be relative to
    /// the one that was asked before.
    pub url: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    More,
    Done,
    /// There would be more, but the run has had its share.
    MaxPages,
}

impl Pages {
    pub fn new(pagination: Option<&Pagination>) -> Pages {
        let next = match pagination.map(|pagination| &pagination.paging) {
            Some(Paging::Page(counted) | Paging::Offset(counted)) => Next::Number(counted.start),
            _ => Next::First,
        };
        let pagination = pagination.cloned();
        Pages { pagination, next, pages: 0, records: 0, digest: None, seen: HashSet::new() }
    }

    /// `absolute` makes a url of the next page one of its own. `None` at the first page.
    pub fn place(&self, absolute: impl FnOnce(&str) -> Option<String>) -> Option<Place> {
        let next = match &self.next {
            _ if self.pages == 0 => return None,
            Next::Url(url) => Next::Url(absolute(url)?),
            next => next.clone(),
        };
        Some(Place { next, pages: self.pages, records: self.records })
    }

    pub fn go_on_at(&mut self, place: Place) {
        (self.next, self.pages, self.records) = (place.next, place.pages, place.records);
    }

    pub fn ask(&self) -> Ask {
        if let Next::Url(url) = &self.next {
            return Ask { params: Vec::new(), url: Some(url.clone()) };
        }
        let Some(pagination) = &self.pagination else { return Ask::default() };
        let (param, limit) = match &pagination.paging {
            Paging::Page(counted) | Paging::Offset(counted) => (counted.param.as_str(), &counted.limit),
            Paging::Cursor { param, limit, .. } => (param.as_str(), limit),
            Paging::Link | Paging::NextUrl { .. } => ("", &None),
        };
        let place = match &self.next {
            Next::Number(number) => Some((param.to_owned(), number.to_string())),
            Next::Cursor(cursor) => Some((param.to_owned(), cursor.clone())),
            Next::First | Next::Url(_) => None,
        };
        Ask { params: place.into_iter().chain(limit_param(limit)).collect(), url: None }
    }

    /// What follows from the answer to what was asked. An error where the API
    /// answers every request with the same page: it would for ever.
    pub fn after(&mut self, facts: &PageFacts, link_header: Option<&str>) -> Result<Step, String> {
        let Some(pagination) = self.pagination.clone() else { return Ok(Step::Done) };
        self.pages = self.pages.saturating_add(1);
        self.records = self.records.saturating_add(size(facts));
        self.check_progress(facts)?;
        let next = self.next_place(&pagination.paging, facts, link_header);
        Ok(match next {
            Some(_) if self.pages >= pagination.max_pages => Step::MaxPages,
            Some(next) => {
                self.next = next;
                Step::More
            }
            None => Step::Done,
        })
    }

    fn check_progress(&mut self, facts: &PageFacts) -> Result<(), String> {
        let before = self.digest.replace(facts.digest);
        if facts.records > 0 && before == Some(facts.digest) {
            let page = self.pages;
            return Err(format!(
                "page {page} is the same as page {}: the API does not heed what `pagination` asks it for",
                page - 1
            ));
        }
        Ok(())
    }

    fn next_place(&mut self, paging: &Paging, facts: &PageFacts, link_header: Option<&str>) -> Option<Next> {
        if facts.has_more == Some(false) || size(facts) == 0 {
            return None;
        }
        match paging {
            Paging::Page(counted) => {
                let is_more = goes_on(counted, facts, self.records);
                is_more.then(|| Next::Number(self.number().saturating_add(1)))
            }
            Paging::Offset(counted) => {
                let offset = self.number();
                // Whether the first record is 0 or 1; a start further on only makes one request more.
                let passed = offset - counted.start.min(1);
                let is_more = goes_on(counted, facts, passed.saturating_add(size(facts)));
                is_more.then(|| Next::Number(offset.saturating_add(advance(counted, facts))))
            }
            Paging::Cursor { .. } => self.unseen(facts.cursor.as_deref()).map(Next::Cursor),
            Paging::NextUrl { .. } => self.unseen(facts.next_url.as_deref()).map(Next::Url),
            Paging::Link => self.unseen(link_header.and_then(link::next_target)).map(Next::Url),
        }
    }

    fn number(&self) -> u64 {
        match self.next {
            Next::Number(number) => number,
            Next::First | Next::Cursor(_) | Next::Url(_) => 0,
        }
    }

    /// A place where this run has been before is the end of it.
    fn unseen(&mut self, place: Option<&str>) -> Option<String> {
        let place = place.filter(|place| !place.is_empty())?;
        let mut hasher = DefaultHasher::new();
        place.hash(&mut hasher);
        self.seen.insert(hasher.finish()).then(|| place.to_owned())
    }
}

fn limit_param(limit: &Option<Limit>) -> Option<(String, String)> {
    let limit = limit.as_ref()?;
    Some((limit.param.clone()?, limit.value.to_string()))
}

/// Nulls among the records fill a page too: it is not short for them.
fn size(facts: &PageFacts) -> u64 {
    facts.records.saturating_add(facts.skipped)
}

/// A short page is the last one, unless the answer itself says otherwise.
fn goes_on(counted: &Counted, facts: &PageFacts, so_far: u64) -> bool {
    let is_short = counted.limit.as_ref().is_some_and(|limit| size(facts) < limit.value);
    match facts.total {
        Some(total) => so_far < total,
        None => !is_short || facts.has_more == Some(true),
    }
}

/// By the limit where the page was full, else by what it had: an API may
/// grant less than it is asked for.
fn advance(counted: &Counted, facts: &PageFacts) -> u64 {
    let full = counted.limit.as_ref().map(|limit| limit.value).filter(|limit| *limit <= size(facts));
    full.unwrap_or(size(facts))
}

#[cfg(test)]
mod tests;
