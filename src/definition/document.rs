//! A file of `sources.d`: its documents, each checked. Keeps out where the
//! text came from.

use super::{Deployment, Handler, Problem, Provider, Source};

/// One checked document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub definition: Definition,
    /// The document as YAML, placeholders kept, comments gone: what the store holds.
    pub text: String,
    /// Where it begins in its file, from 1.
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Definition {
    Source(Box<Source>),
    Provider(Provider),
    Deployment(Deployment),
    Handler(Handler),
}

/// Every good document and every problem of a text, at once.
#[derive(Debug, Default)]
pub struct Reading {
    pub documents: Vec<Document>,
    pub problems: Vec<Problem>,
}

pub const MAX_FILE_BYTES: u64 = 1 << 20;

pub fn read(_text: &str) -> Reading {
    Reading::default()
}
