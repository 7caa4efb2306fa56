//! What people write becomes what the store holds: files of `sources.d`, and
//! the documents that `hermes add` and `update` are given. It starts nothing:
//! the scheduler notices that the generation has moved on.

pub mod across;
pub mod apply;
mod clients;
pub mod diff;
pub mod folder;
pub mod scratch;
pub mod watch;

use std::path::Path;

use jiff::Timestamp;
use log::{info, warn};

use self::apply::{Applied, Refused, apply};
use self::diff::{Change, diff};
use self::folder::{File, scan};
use crate::definition::{Clients, Problem, document};
use crate::error::Result;
use crate::order;
use crate::store::Store;

/// Brings the store up to what the folder holds now. A file with a problem
/// changes nothing: what it defined before goes on.
pub fn rescan(store: &mut Store, folder: &Path, now: Timestamp) -> Result<()> {
    let files = scan(folder)?;
    let known = store.source_files()?;
    let clients_before = store.clients()?;
    let mut written = Vec::new();
    for change in diff(&known, &files) {
        match change {
            Change::Removed(file) => remove(store, &file, now)?,
            Change::Written(at) => written.push(&files[at]),
        }
    }
    // Sources come after the clients that they are made from.
    order::by_number(&mut written, |file| i64::from(!has_clients(file)));
    for (file, problems) in receive_all(store, written, now)? {
        let before = known.iter().find(|row| row.file == file.name);
        set_aside(store, file, &problems, before.and_then(|row| row.error.as_deref()), now)?;
    }
    clients::gone(store, &clients_before)?.iter().for_each(|line| warn!("{line}"));
    Ok(())
}

fn has_clients(file: &File) -> bool {
    file.text.as_ref().is_ok_and(|text| !Clients::of_text(text).is_empty())
}

type Bad<'a> = (&'a File, Vec<Problem>);

/// What is refused is tried again for as long as others are not: a name may
/// have moved to a file that comes before the one that had it, and a source may
/// come before its client.
fn receive_all<'a>(store: &mut Store, files: Vec<&'a File>, now: Timestamp) -> Result<Vec<Bad<'a>>> {
    let mut left = files;
    loop {
        let mut bad = Vec::new();
        for &file in &left {
            bad.extend(receive(store, file, now)?.map(|problems| (file, problems)));
        }
        if bad.is_empty() || bad.len() == left.len() {
            return Ok(bad);
        }
        left = bad.into_iter().map(|(file, _)| file).collect();
    }
}

/// The problems of a file that is refused.
fn receive(store: &mut Store, file: &File, now: Timestamp) -> Result<Option<Vec<Problem>>> {
    match read_and_apply(store, file, now) {
        Ok(applied) => {
            applied.changed.iter().for_each(|what| info!("{}: {what}", file.name));
            Ok(None)
        }
        Err(Refused::Store(error)) => Err(error),
        Err(Refused::Problems(problems)) => Ok(Some(problems)),
    }
}

fn set_aside(
    store: &mut Store,
    file: &File,
    problems: &[Problem],
    error_before: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let lines: Vec<String> = problems.iter().map(|problem| format!("{}:{problem}", file.name)).collect();
    let error = lines.join("\n");
    // Once: a bad file is read again with every change of another.
    if error_before != Some(error.as_str()) {
        lines.iter().for_each(|line| warn!("{line}"));
    }
    store.write(now, |tx| tx.put_file(&file.name, &file.hash, Some(&error)))
}

fn read_and_apply(store: &mut Store, file: &File, now: Timestamp) -> std::result::Result<Applied, Refused> {
    let text = file.text.as_ref().map_err(|message| unreadable(message))?;
    let reading = document::read_with(text, &store.clients()?);
    if !reading.problems.is_empty() {
        return Err(Refused::Problems(reading.problems));
    }
    store.write(now, |tx| {
        let applied = apply(tx, &reading.documents, Some(&file.name))?;
        tx.put_file(&file.name, &file.hash, None)?;
        Ok(applied)
    })
}

fn unreadable(message: &str) -> Refused {
    let problem = Problem { line: 1, column: 1, field: String::new(), message: message.to_owned() };
    Refused::Problems(vec![problem])
}

fn remove(store: &mut Store, file: &str, now: Timestamp) -> Result<()> {
    store.write(now, |tx| {
        apply::forget_rest(tx, file, &[])?;
        tx.forget_file(file)
    })?;
    info!("{file} is gone: what it defined stops, its rows stay");
    Ok(())
}
