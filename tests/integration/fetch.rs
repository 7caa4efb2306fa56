//! One request and what is stored of it. Pages beyond the first are in `pages`, values in `mapping`.

mod outcome;
mod request;
mod secure;
mod stored;

use crate::util::{Hermes, Output};

/// A second run of a source that has run: due at once, whatever its schedule.
#[track_caller]
fn again(hermes: &Hermes) -> Output {
    hermes.command(&["reset", "things"]).done();
    hermes.once()
}

/// What fetchlogs says of the newest run.
#[track_caller]
fn message(hermes: &Hermes) -> String {
    hermes.try_query("SELECT message FROM fetchlogs ORDER BY id DESC LIMIT 1").unwrap_or_default()
}
