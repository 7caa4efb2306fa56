//! `hermes reset NAME`: forgets the failures of a source and claims a job for
//! now, which the daemon takes up.

use super::{Files, known, print_text};
use crate::definition::job_key::{Precision, job_key};
use crate::error::{Error, ExitCode, Result};
use crate::store::Tx;
use crate::store::fetchlogs::NewJob;
use crate::store::source_definitions::SourceRow;

pub(super) fn reset(files: &Files, name: &str) -> Result<ExitCode> {
    files.change(|tx| {
        let row = known(tx.source(name)?, name)?;
        if row.is_removed() {
            return Err(Error::Input(format!("{name} is removed: its file has to come back first")));
        }
        tx.forget_retries(name)?;
        if !tx.has_open_job(name)? {
            tx.claim_jobs(&[job_now(tx, &row)?])?;
        }
        tx.move_generation_on()
    })?;
    print_text(&format!("{name} is due now\n"));
    Ok(ExitCode::Done)
}

/// To the second: the slot of this minute may be done already.
fn job_now(tx: &Tx<'_>, row: &SourceRow) -> Result<NewJob> {
    let source = row.source().map_err(|problem| Error::Input(format!("{}: {problem}", row.name)))?;
    Ok(NewJob {
        key: job_key(&row.name, tx.now, Precision::Second, None),
        source_name: row.name.clone(),
        deployment: row.name.clone(),
        handler: source.handler,
        slot: tx.now,
    })
}
