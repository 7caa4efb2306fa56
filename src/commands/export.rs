//! `hermes export TABLE|NAME`: all rows, oldest first, as CSV or NDJSON, however
//! many there are and however slowly they are taken.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use argh::{ArgsInfo, FromArgValue, FromArgs};

use super::new_file::{NewFile, cannot_write, refuse_database, resolved};
use super::since::since;
use super::{Files, print_text};
use crate::clock::{Clock, SystemClock};
use crate::error::{Error, ExitCode, Result};
use crate::store::Store;
use crate::store::export::Selection;
use crate::viewer::export::{Encoder, Format};
use crate::viewer::values::kinds;

/// All rows of a data table or a source, oldest first. A table wins over a
/// source of its name. CSV has a header, and NULL empty; NDJSON keeps the types.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    subcommand,
    name = "export",
    example = "hermes export air -o air.csv
hermes export air --since 1d --format ndjson | jq .value"
)]
pub(super) struct Export {
    /// a data table, or a source
    #[argh(positional)]
    table: String,
    /// csv or ndjson (csv, unless FILE ends in .ndjson or .jsonl)
    #[argh(option)]
    format: Option<Spelled>,
    /// stored since then: 2026-11-15, 2026-11-15T23:41:53Z, or 6h ago
    #[argh(option, arg_name = "time")]
    since: Option<String>,
    /// to a file, which has its name only once it is whole
    #[argh(option, short = 'o', arg_name = "file")]
    output: Option<PathBuf>,
}

#[derive(FromArgValue, Debug, Clone, Copy)]
enum Spelled {
    Csv,
    Ndjson,
}

pub(super) fn export(files: &Files, options: &Export) -> Result<ExitCode> {
    let since = since(options.since.as_deref(), SystemClock.now())?;
    let store = files.read()?;
    let (table, source_name) = table_and_source(&store, &options.table)?;
    let selection = match &table {
        Some(table) => store.select_rows(table, source_name, since)?,
        // Its first run is still to come.
        None => Selection::default(),
    };
    let kinds = kinds(&store, table.as_deref().unwrap_or_default(), &selection.columns)?;
    let output = options.output.as_deref().filter(|path| *path != Path::new("-"));
    let for_terminal = output.is_none() && io::stdout().is_terminal();
    let encoder =
        Encoder { format: options.format(), columns: selection.columns.clone(), kinds, for_terminal };
    match output {
        None => to_stdout(&store, selection, &encoder)?,
        Some(path) => to_file(files, &store, selection, &encoder, path)?,
    }
    Ok(ExitCode::Done)
}

impl Export {
    fn format(&self) -> Format {
        let ending = self.output.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
        match (self.format, ending) {
            (Some(Spelled::Ndjson), _) | (None, Some("ndjson" | "jsonl")) => Format::Ndjson,
            _ => Format::Csv,
        }
    }
}

/// A table wins over a source of its name, as the rows of the source are among
/// its own. No table: the source has none yet.
fn table_and_source<'a>(store: &Store, name: &'a str) -> Result<(Option<String>, Option<&'a str>)> {
    if let Some(table) = store.data_table(name)? {
        return Ok((Some(table), None));
    }
    match store.source(name)? {
        Some(row) => Ok((store.data_table(&row.table_name)?, Some(name))),
        None => Err(Error::Input(format!(
            "there is no data table and no source `{name}`; `hermes list` names them all"
        ))),
    }
}

/// A reader that has seen enough (`| head`) is no failure.
fn to_stdout(store: &Store, selection: Selection, encoder: &Encoder) -> Result<()> {
    let mut out = io::stdout().lock();
    match write_all(store, selection, encoder, &mut out) {
        Err(Stopped::Writing(cause)) if cause.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map(|_| ()).map_err(|stopped| stopped.named(Path::new("standard output"))),
    }
}

fn to_file(files: &Files, store: &Store, selection: Selection, encoder: &Encoder, path: &Path) -> Result<()> {
    let target = resolved(path)?;
    refuse_database(&target, &files.db)?;
    let rows = match target.metadata() {
        Ok(found) if found.is_dir() => {
            return Err(Error::Input(format!("{} is a folder: name a file in it", path.display())));
        }
        // A device or a pipe is written to, not replaced.
        Ok(found) if !found.is_file() => {
            let mut file = OpenOptions::new().write(true).open(&target).map_err(cannot_write(path))?;
            write_all(store, selection, encoder, &mut file).map_err(|stopped| stopped.named(path))?
        }
        _ => {
            let mut new = NewFile::create(&target)?;
            let file: &mut File = &mut new.file;
            let rows = write_all(store, selection, encoder, file).map_err(|stopped| stopped.named(path))?;
            new.finish()?;
            rows
        }
    };
    print_text(&format!("{}: {rows} rows\n", path.display()));
    Ok(())
}

/// What ended an export before its end.
enum Stopped {
    Reading(Error),
    Writing(io::Error),
}

impl Stopped {
    fn named(self, path: &Path) -> Error {
        match self {
            Stopped::Reading(error) => error,
            Stopped::Writing(cause) => cannot_write(path)(cause),
        }
    }
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        Stopped::Reading(error)
    }
}

impl From<io::Error> for Stopped {
    fn from(cause: io::Error) -> Stopped {
        Stopped::Writing(cause)
    }
}

/// Each batch is read whole before it is written: the reader of a pipe may take
/// its time, the database is not kept waiting.
fn write_all(
    store: &Store,
    mut selection: Selection,
    encoder: &Encoder,
    out: &mut impl Write,
) -> std::result::Result<u64, Stopped> {
    let mut batch = encoder.batch();
    batch.header()?;
    let mut rows = 0;
    loop {
        let more =
            store.next_rows(&mut selection, |values| batch.row(values).map_err(Error::io("encoding")))?;
        rows += batch.rows;
        out.write_all(&batch.into_bytes()?)?;
        if !more {
            out.flush()?;
            return Ok(rows);
        }
        batch = encoder.batch();
    }
}
