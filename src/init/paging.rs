//! How the next page is asked for, by what the url and the answer say. What
//! is only usual is taken with a note that says so. Pure.

mod search;
mod words;

use self::search::Search;
use self::words::plain;
use super::shape::{Layout, Shape};
use super::tree::Json;
use crate::worker::link::next_target;

pub(super) use self::words::is_about_the_answer;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Paging {
    Link,
    NextUrl(Vec<String>),
    Cursor { param: String, path: Vec<String>, limit: Option<Limit> },
    Page(Counted),
    Offset(Counted),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) param: String,
    pub(super) start: i64,
    pub(super) limit: Option<Limit>,
    pub(super) has_more: Option<Vec<String>>,
    pub(super) total: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) param: Option<String>,
    pub(super) value: i64,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) paging: Option<Paging>,
    pub(super) note: Option<String>,
}

/// What there is to judge by.
#[derive(Debug)]
pub(super) struct Signs<'a> {
    pub(super) tree: &'a Json,
    pub(super) shape: &'a Shape,
    /// In this answer.
    pub(super) records: usize,
    /// Of the url, decoded.
    pub(super) params: &'a [(String, String)],
    pub(super) link: Option<&'a str>,
    /// Only JSON has anything around its records.
    pub(super) is_json: bool,
    pub(super) is_post: bool,
}

/// A value outside the records.
pub(super) struct Fact<'a> {
    pub(super) path: Vec<String>,
    pub(super) value: &'a Json,
}

impl Fact<'_> {
    fn key(&self) -> String {
        self.path.last().map(|key| plain(key)).unwrap_or_default()
    }

    fn parent(&self) -> String {
        self.path.iter().rev().nth(1).map(|key| plain(key)).unwrap_or_default()
    }
}

pub(super) fn find(signs: &Signs<'_>) -> Found {
    if signs.shape.layout == Layout::One {
        return Found::default();
    }
    let has_outside = signs.is_json && !signs.shape.path.is_empty();
    let facts = if has_outside { facts(signs.tree, &signs.shape.path) } else { Vec::new() };
    if signs.link.and_then(next_target).is_some() {
        return Found { paging: Some(Paging::Link), note: None };
    }
    let search = Search { signs, facts: &facts };
    let found = search.find();
    match &found.paging {
        Some(
            Paging::Cursor { param, .. }
            | Paging::Page(Counted { param, .. })
            | Paging::Offset(Counted { param, .. }),
        ) if signs.is_post && !signs.params.iter().any(|(name, _)| name == param) => {
            let note = "the answer speaks of pages; where they are asked for in the body of a POST, a document cannot";
            Found { paging: None, note: Some(note.to_owned()) }
        }
        _ => found,
    }
}

/// The scalars of an answer that stand outside its records.
/// Where nothing is said to be records, all scalars are.
pub(super) fn facts<'a>(tree: &'a Json, records: &[String]) -> Vec<Fact<'a>> {
    let mut facts = Vec::new();
    collect(tree, records, &mut Vec::new(), &mut facts);
    facts
}

const MAX_DEPTH: usize = 4;
const MAX_FACTS: usize = 200;

fn collect<'a>(value: &'a Json, records: &[String], path: &mut Vec<String>, facts: &mut Vec<Fact<'a>>) {
    if (path == records && !path.is_empty()) || path.len() > MAX_DEPTH || facts.len() >= MAX_FACTS {
        return;
    }
    if value.is_scalar() {
        facts.push(Fact { path: path.clone(), value });
    }
    for (key, inner) in value.members() {
        path.push(key.clone());
        collect(inner, records, path, facts);
        path.pop();
    }
}

impl Paging {
    /// The parameters that it sends itself.
    pub(super) fn params(&self) -> Vec<&str> {
        let (param, limit) = match self {
            Paging::Link | Paging::NextUrl(_) => return Vec::new(),
            Paging::Cursor { param, limit, .. } => (param, limit),
            Paging::Page(counted) | Paging::Offset(counted) => (&counted.param, &counted.limit),
        };
        let limit = limit.as_ref().and_then(|limit| limit.param.as_deref());
        std::iter::once(param.as_str()).chain(limit).collect()
    }
}

#[cfg(test)]
mod tests;
