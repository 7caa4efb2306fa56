//! `hermes status [NAME]`: how things are, and which files are bad.

use std::collections::BTreeMap;

use super::{Files, print_json, print_listing, print_text, unknown};
use crate::clock::{Clock, SystemClock};
use crate::error::{ExitCode, Result};
use crate::store::Store;
use crate::viewer::listing::Listing;
use crate::viewer::sources;

pub(super) fn status(files: &Files, name: Option<&str>, as_json: bool) -> Result<ExitCode> {
    let store = files.read()?;
    let listing = sources::list(&store, SystemClock.now())?;
    if let Some(name) = name {
        return one(files, &listing, name, as_json);
    }
    if !as_json {
        print_text(&summary(&listing));
    }
    let code = print_listing(&listing, &sources::GLANCE, as_json)?;
    if !as_json {
        print_text(&bad_files(&store)?);
    }
    Ok(code)
}

fn one(files: &Files, listing: &Listing, name: &str, as_json: bool) -> Result<ExitCode> {
    let row = listing.rows.iter().find(|row| row[0] == name);
    let row = row.ok_or_else(|| unknown(files, name))?;
    if as_json {
        print_json(&listing.object(row));
    } else {
        print_text(&listing.to_lines(row));
    }
    Ok(ExitCode::Done)
}

/// "3 sources: 2 idle, 1 running".
fn summary(listing: &Listing) -> String {
    let mut states: BTreeMap<&str, usize> = BTreeMap::new();
    for state in listing.rows.iter().filter_map(|row| row[2].as_str()) {
        *states.entry(state).or_default() += 1;
    }
    let counts: Vec<String> = states.iter().map(|(state, count)| format!("{count} {state}")).collect();
    format!("{} sources: {}\n\n", listing.rows.len(), counts.join(", "))
}

fn bad_files(store: &Store) -> Result<String> {
    let lines: Vec<String> = store.source_files()?.into_iter().filter_map(|row| row.error).collect();
    if lines.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("\nproblems in files (what they defined before goes on):\n{}\n", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_summary_counts_states() {
        let mut listing = Listing::new(&sources::COLUMNS);
        for state in ["idle", "running", "idle"] {
            let mut row = vec![Value::Null; sources::COLUMNS.len()];
            row[2] = json!(state);
            listing.rows.push(row);
        }
        assert_eq!(summary(&listing), "3 sources: 2 idle, 1 running\n\n");
    }
}
