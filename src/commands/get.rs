//! `hermes get NAME`: the definition, with its placeholders. A source that is
//! made from a client is shown filled in, as it runs.

use argh::{ArgsInfo, FromArgs};
use serde_json::{Value, json};

use super::{Files, known, print_json, print_text};
use crate::error::{Error, ExitCode, Result};

/// The definition of a source.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "get")]
pub(super) struct Get {
    #[argh(positional)]
    pub(super) name: String,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

pub(super) fn get(files: &Files, name: &str, as_json: bool) -> Result<ExitCode> {
    let store = files.read()?;
    let row = known(files, store.source(name)?, name)?;
    // Without its client it is shown as it is written.
    let document = row.document(&store.client_of(&row)?).ok();
    let filled = document.and_then(|document| document.filled);
    let definition = filled.as_ref().unwrap_or(&row.definition);
    if !as_json {
        let note = row.client().filter(|_| filled.is_some()).map(|client| format!("# client: {client}\n"));
        print_text(&(note.unwrap_or_default() + definition));
        return Ok(ExitCode::Done);
    }
    let written = parsed(name, &row.definition)?;
    print_json(&json!({
        "name": row.name,
        "definition": parsed(name, definition)?,
        "client": written.get("client"),
        "with": written.get("with"),
        "table_name": row.table_name,
        "schedule": row.schedule,
        "status": row.status,
        "origin": row.origin,
        "hash": row.hash,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "error": row.error,
    }));
    Ok(ExitCode::Done)
}

fn parsed(name: &str, definition: &str) -> Result<Value> {
    serde_yaml::from_str(definition)
        .map_err(|error| Error::Failed(format!("{name}: its definition is no YAML: {error}")))
}
