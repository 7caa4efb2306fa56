//! `hermes get NAME`: the definition, with its placeholders.

use serde_json::{Value, json};

use super::{Files, known, print_json, print_text};
use crate::error::{Error, ExitCode, Result};

pub(super) fn get(files: &Files, name: &str, as_json: bool) -> Result<ExitCode> {
    let row = known(files.read()?.source(name)?, name)?;
    if !as_json {
        print_text(&row.definition);
        return Ok(ExitCode::Done);
    }
    let definition: Value = serde_yaml::from_str(&row.definition)
        .map_err(|error| Error::Failed(format!("{name}: its definition is no YAML: {error}")))?;
    print_json(&json!({
        "name": row.name,
        "definition": definition,
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
