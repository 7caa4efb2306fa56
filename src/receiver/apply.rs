//! Checked documents into the store, in the caller's transaction: all of a
//! file or nothing. Here are the checks that need the store; those between
//! documents are in `across`.

use super::across::taken::{defined_by, field_of, identity, prefix_field, prefix_of, prefix_taken, taken};
use super::clients;
use crate::definition::document::Definition;
use crate::definition::{Document, Problem, Source};
use crate::error::Error;
use crate::store::Tx;
use crate::store::source_files::Kind;

/// Why nothing was stored.
#[derive(Debug)]
pub enum Refused {
    Problems(Vec<Problem>),
    Store(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Store(error)
    }
}

/// What is different now, for people.
#[derive(Debug, Default)]
pub struct Applied {
    pub changed: Vec<String>,
}

/// `origin` is the file; what it defined before and does not now is forgotten.
pub fn apply(tx: &Tx<'_>, documents: &[Document], origin: Option<&str>) -> Result<Applied, Refused> {
    // Before the checks: what the file no longer defines is in nobody's way.
    // Where they fail, the caller's transaction undoes it.
    if let Some(file) = origin {
        forget_rest(tx, file, documents)?;
    }
    let mut problems = repeated(documents);
    for document in documents {
        check_against_store(tx, document, origin, &mut problems)?;
    }
    if !problems.is_empty() {
        return Err(Refused::Problems(problems));
    }
    let mut applied = Applied::default();
    for document in documents {
        match put(tx, document, origin)? {
            Ok(Some(what)) => applied.changed.push(what),
            Ok(None) => {}
            Err(message) => problems.push(problem(document, "table", message)),
        }
    }
    problems.extend(clients::put_clients(tx, documents, origin, &mut applied)?);
    if problems.is_empty() { Ok(applied) } else { Err(Refused::Problems(problems)) }
}

/// Whatever the file defined that is not among these documents.
pub fn forget_rest(tx: &Tx<'_>, file: &str, documents: &[Document]) -> Result<(), Error> {
    for kind in Kind::ALL {
        let kept: Vec<&str> =
            documents.iter().map(identity).filter(|(k, _)| *k == kind).map(|(_, key)| key).collect();
        tx.forget_rest_of_file(file, kind, &kept)?;
    }
    Ok(())
}

/// Documents of one file that stand in each other's way.
pub fn repeated(documents: &[Document]) -> Vec<Problem> {
    let found = taken(&[("", documents)]);
    found.into_iter().map(|found| problem(found.document, &found.field.to_string(), found.message)).collect()
}

pub(super) fn check_against_store(
    tx: &Tx<'_>,
    document: &Document,
    origin: Option<&str>,
    problems: &mut Vec<Problem>,
) -> Result<(), Error> {
    let (kind, key) = identity(document);
    if let Some(file) = tx.file_of(kind, key)?
        && origin != Some(file.as_str())
    {
        problems.push(problem(document, field_of(kind), defined_by(key, &file)));
    }
    if let Some(prefix) = prefix_of(document)
        && let Some(owner) = tx.owner_of_prefix(prefix, kind, key)?
    {
        problems.push(problem(document, prefix_field(kind), prefix_taken(&owner, prefix)));
    }
    if let Definition::Source(source) = &document.definition {
        problems.extend(moved_table(tx, source)?.map(|message| problem(document, "table", message)));
    }
    Ok(())
}

/// Rows of before would belong to nobody.
fn moved_table(tx: &Tx<'_>, source: &Source) -> Result<Option<String>, Error> {
    match tx.source(&source.name)? {
        Some(row) if row.table_name != source.table && tx.has_rows(&row.table_name, &source.name)? => {
            Ok(Some(format!(
                "the rows of `{0}` are in `{1}`; keep that table, give the source another name, \
                 or run `hermes delete {0}` first",
                source.name, row.table_name
            )))
        }
        _ => Ok(None),
    }
}

/// What changed, in words; `Err` of the inner result is the table's problem.
pub(super) fn put(
    tx: &Tx<'_>,
    document: &Document,
    origin: Option<&str>,
) -> Result<Result<Option<String>, String>, Error> {
    let text = document.text.as_str();
    let changed = match &document.definition {
        Definition::Source(source) => {
            match tx.ensure_table(source) {
                Ok(Ok(())) => {}
                Ok(Err(problem)) => return Ok(Err(problem)),
                // What SQLite refuses (a name that an index has, a view) is this
                // document's problem and stops no other.
                Err(error) if !error.may_pass() => {
                    return Ok(Err(format!("SQLite refuses the table `{}`: {error}", source.table)));
                }
                Err(error) => return Err(error),
            }
            let is_new = tx.source(&source.name)?.is_none_or(|row| row.is_removed());
            let verb = if is_new { "added" } else { "updated" };
            tx.put_source(source, document, origin)?.then(|| format!("source {} {verb}", source.name))
        }
        // With its sources, once these are there.
        Definition::Client(_) => None,
        Definition::Provider(provider) => {
            tx.put_provider(provider, text, origin)?;
            Some(format!("provider {} set", provider.domain))
        }
        Definition::Deployment(deployment) => {
            tx.put_deployment(deployment, origin)?;
            Some(format!("deployment {} set", deployment.name))
        }
        Definition::Handler(handler) => {
            tx.put_handler(handler, origin)?;
            Some(format!("handler {} set", handler.name))
        }
    };
    Ok(Ok(changed))
}

pub(super) fn problem(document: &Document, field: &str, message: String) -> Problem {
    Problem { line: document.line, column: 1, field: field.to_owned(), message }
}
