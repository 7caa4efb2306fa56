//! `hermes delete NAME`: definition, state and rows, after a run of it has
//! ended. No row can come after: a page is stored only while its job is there.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use argh::{ArgsInfo, FromArgs};

use super::{Files, add, known, print_text};
use crate::definition::Clients;
use crate::error::{Error, ExitCode, Result};
use crate::lock;
use crate::store::source_definitions::SourceRow;

/// A run that is cut ends in well under a second; a daemon that is stopped in
/// the debugger must not hold this up for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// Remove a source with its state and its rows.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "delete", example = "hermes delete air --keep-data")]
pub(super) struct Delete {
    #[argh(positional)]
    name: String,
    /// keep the rows
    #[argh(switch)]
    keep_data: bool,
    /// remove the file that defines it as well
    #[argh(switch)]
    with_file: bool,
}

pub(super) fn delete(files: &Files, options: &Delete) -> Result<ExitCode> {
    let name = &options.name;
    let row = known(files, files.read()?.source(name)?, name)?;
    let file = file_to_remove(files, &row, options.with_file)?;
    if let Some(path) = &file {
        std::fs::remove_file(path).map_err(Error::io(format!("cannot remove {}", path.display())))?;
    }
    files.change(|tx| tx.set_status(name, "removed"))?;
    await_run(files, name)?;
    let rows = files.change(|tx| tx.forget_source(&row, options.keep_data))?;
    let kept = if options.keep_data { "; its rows stay" } else { "" };
    print_text(&format!("{name} deleted with {rows} rows{kept}\n"));
    Ok(ExitCode::Done)
}

/// A file that stays would bring the source back.
fn file_to_remove(files: &Files, row: &SourceRow, with_file: bool) -> Result<Option<PathBuf>> {
    let Some(origin) = row.origin.as_ref().filter(|_| !row.is_removed()) else { return Ok(None) };
    let path = files.sources.join(origin);
    if !path.exists() {
        return Ok(None);
    }
    if !with_file {
        return Err(Error::Input(format!(
            "{} is defined by {}: remove that file, or give --with-file",
            row.name,
            path.display()
        )));
    }
    only_document(&path, &files.clients()?)?;
    Ok(Some(path))
}

fn only_document(path: &Path, clients: &Clients) -> Result<()> {
    match add::read(path, clients) {
        Ok(documents) if documents.len() > 1 => Err(Error::Input(format!(
            "{} holds {} documents: take the one out of it by hand",
            path.display(),
            documents.len()
        ))),
        _ => Ok(()),
    }
}

fn await_run(files: &Files, name: &str) -> Result<()> {
    let store = files.read()?;
    let begun = Instant::now();
    while lock::is_held(&files.db) && store.is_running(name)? && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
