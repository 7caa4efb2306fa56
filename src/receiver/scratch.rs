//! Documents into a store that is only there to try them: nobody else's are in
//! the way, and of two by one name the later one counts.

use super::apply::{problem, put};
use crate::definition::document::Definition;
use crate::definition::{Document, Problem};
use crate::store::Tx;

/// What SQLite refuses is the document's problem.
pub fn lay_out(tx: &Tx<'_>, documents: &[Document], origin: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for document in documents {
        let put = match &document.definition {
            Definition::Client(client) => tx.put_client(client, &document.text, Some(origin)).map(Ok),
            _ => put(tx, document, Some(origin)).map(|put| put.map(|_| ())),
        };
        match put {
            Ok(Ok(())) => {}
            Ok(Err(message)) => problems.push(problem(document, "table", message)),
            Err(error) => problems.push(problem(document, "", error.to_string())),
        }
    }
    problems
}
