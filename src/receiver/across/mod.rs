//! What is wrong between documents, of one file or of many: names and prefixes
//! that are taken (`taken`, which the store holds to as well), what a document
//! names and nobody defines (`missing`), columns of two types (`columns`).
//! Pure: the documents in, what was found out.

pub mod columns;
pub mod missing;
pub mod taken;

use crate::definition::problem::FieldPath;
use crate::definition::{Document, document::Reading};

/// A file of a set, as it was read.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// As people are told it.
    pub name: &'a str,
    pub reading: &'a Reading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Problem,
    /// It works, and is probably not what was meant.
    Warning,
}

#[derive(Debug)]
pub struct Found<'a> {
    /// Its number in the set.
    pub file: usize,
    pub document: &'a Document,
    pub field: FieldPath,
    pub severity: Severity,
    pub message: String,
}

/// All of it. A set is whole where nothing can stand elsewhere.
pub fn across<'a>(files: &[File<'a>], is_whole: bool) -> Vec<Found<'a>> {
    let documents: Vec<(&str, &[Document])> =
        files.iter().map(|file| (file.name, file.reading.documents.as_slice())).collect();
    let mut found = taken::taken(&documents);
    found.extend(columns::columns(&documents));
    found.extend(missing::missing(files, is_whole));
    found
}

#[cfg(test)]
mod tests;
