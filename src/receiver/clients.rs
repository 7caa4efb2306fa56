//! What a change of a client means for the sources that are made from it: their
//! tables and rows follow. It changes no document.

use super::apply::{Applied, check_against_store, problem, put};
use crate::definition::document::Definition;
use crate::definition::{Clients, Document, Problem};
use crate::error::Error;
use crate::store::source_definitions::SourceRow;
use crate::store::{Store, Tx};

/// The clients among these documents, with the sources in the store that are
/// made from them. A source that does not fit its client any more says so and
/// waits; what its rows or another's jobs stand against is the client's problem.
pub(super) fn put_clients(
    tx: &Tx<'_>,
    documents: &[Document],
    origin: Option<&str>,
    applied: &mut Applied,
) -> Result<Vec<Problem>, Error> {
    let given = documents.iter().map(|document| Clients::of_text(&document.text));
    let clients = given.fold(tx.clients()?, |all, own| all.and(&own));
    let mut problems = Vec::new();
    for document in documents {
        let Definition::Client(client) = &document.definition else { continue };
        applied.changed.push(format!("client {} set", client.name));
        for row in tx.sources_of_client(&client.name)? {
            match refit(tx, &row, &clients)? {
                Ok(what) => applied.changed.extend(what),
                Err((field, message)) => problems.push(problem(document, &field, message)),
            }
        }
        // After its sources: what these were before is still to be seen there.
        tx.put_client(client, &document.text, origin)?;
    }
    Ok(problems)
}

type Refitted = Result<Option<String>, (String, String)>;

fn refit(tx: &Tx<'_>, row: &SourceRow, clients: &Clients) -> Result<Refitted, Error> {
    let document = match row.document(clients) {
        Ok(document) => document,
        Err(why) => return Ok(Ok(Some(format!("source {} cannot run with this client: {why}", row.name)))),
    };
    let origin = row.origin.as_deref();
    let mut problems = Vec::new();
    check_against_store(tx, &document, origin, &mut problems)?;
    if let Some(first) = problems.pop() {
        return Ok(Err((first.field, format!("source {}: {}", row.name, first.message))));
    }
    let put = put(tx, &document, origin)?;
    Ok(put.map_err(|message| ("table".to_owned(), format!("source {}: {message}", row.name))))
}

/// The sources that stop as their client was there before and is not now: a line a client.
pub(super) fn gone(store: &Store, before: &Clients) -> Result<Vec<String>, Error> {
    let now = store.clients()?;
    let mut lines = Vec::new();
    for name in before.names().filter(|name| now.text(name).is_none()) {
        let rows = store.sources_of_client(name)?;
        if !rows.is_empty() {
            let sources: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            lines.push(format!("client {name} is gone: {} cannot run until it is back", sources.join(", ")));
        }
    }
    Ok(lines)
}
