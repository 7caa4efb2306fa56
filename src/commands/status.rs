//! `hermes status [NAME]`: how things are, and which files are bad.

use std::time::{Duration, Instant};

use argh::{ArgsInfo, FromArgs};

use super::watch::watch;
use super::{Files, print_json, print_text, shows_colours, unknown};
use crate::clock::{Clock, SystemClock};
use crate::definition::units::parse_duration;
use crate::error::{Error, ExitCode, Result};
use crate::store::Store;
use crate::viewer::amount::count;
use crate::viewer::glance::{Glance, Growth};
use crate::viewer::sources::{self, Sources};
use crate::viewer::table::terminal_width;

/// How all sources are, or one of them; bad files of the watched folder.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "status")]
pub(super) struct Status {
    #[argh(positional)]
    name: Option<String>,
    /// only the glance, without the table of sources
    #[argh(switch)]
    summary: bool,
    /// show it again and again, in place, until Ctrl-C
    #[argh(switch)]
    watch: bool,
    /// how often with --watch (2s)
    #[argh(option, default = "String::from(\"2s\")")]
    every: String,
    /// all columns of the sources, as JSON; with --summary the glance
    #[argh(switch)]
    json: bool,
}

/// Rows of the table; `hermes list` has no bound.
const MOST_ROWS: usize = 50;

/// Growth is of days, and costs a walk through all jobs.
const GROWTH_EVERY: Duration = Duration::from_secs(60);

pub(super) fn status(files: &Files, options: &Status) -> Result<ExitCode> {
    if options.watch {
        return watched(files, options);
    }
    let store = files.read()?;
    let sources = Sources::read(&store, SystemClock.now())?;
    match &options.name {
        None if options.json && options.summary => {
            let growth = Growth::read(&store, &sources)?;
            print_json(&Glance::read(&store, &sources, growth)?.to_json());
        }
        None if options.json => print_json(&sources.listing(&store, usize::MAX)?.to_json()),
        Some(name) if options.json => {
            let listing = sources.only(&store, name)?;
            print_json(&listing.object(listing.rows.first().ok_or_else(|| unknown(files, name))?));
        }
        _ => print_text(&text(files, &store, &sources, options, || Growth::read(&store, &sources))?),
    }
    Ok(ExitCode::Done)
}

/// Read anew each time: the database may be another by now, and a reader that
/// may not write its folder sees no change.
fn watched(files: &Files, options: &Status) -> Result<ExitCode> {
    if options.json {
        return Err(Error::Input("--watch shows no JSON; leave one of them out".into()));
    }
    let every =
        parse_duration(&options.every).map_err(|message| Error::Input(format!("--every: {message}")))?;
    let mut kept: Option<(Instant, Growth)> = None;
    watch(every, || {
        let store = files.read()?;
        let sources = Sources::read(&store, SystemClock.now())?;
        text(files, &store, &sources, options, || {
            if kept.as_ref().is_none_or(|(at, _)| at.elapsed() >= GROWTH_EVERY) {
                kept = Some((Instant::now(), Growth::read(&store, &sources)?));
            }
            let (_, growth) = kept.as_ref().expect("it was just set");
            Ok(Growth { disk: store.disk()?, ..growth.clone() })
        })
    })
}

fn text(
    files: &Files,
    store: &Store,
    sources: &Sources,
    options: &Status,
    growth: impl FnOnce() -> Result<Growth>,
) -> Result<String> {
    if let Some(name) = &options.name {
        let listing = sources.only(store, name)?;
        return Ok(listing.to_lines(listing.rows.first().ok_or_else(|| unknown(files, name))?));
    }
    let glance = Glance::read(store, sources, growth()?)?;
    let mut text = glance.to_text(sources.now, terminal_width(), shows_colours());
    if !options.summary {
        text.push('\n');
        text.push_str(&table(store, sources)?);
    }
    text.push_str(&bad_files(&glance.files));
    Ok(text)
}

fn table(store: &Store, sources: &Sources) -> Result<String> {
    let listing = sources.listing(store, MOST_ROWS)?;
    let mut text = listing.only(&sources::GLANCE).to_table(terminal_width());
    let more = sources.all.len() - listing.rows.len();
    if more > 0 {
        text.push_str(&format!("and {} more: `hermes list` shows them all\n", count(more as u64)));
    }
    Ok(text)
}

fn bad_files(problems: &[String]) -> String {
    match problems {
        [] => String::new(),
        problems => {
            format!("\nproblems in files (what they defined before goes on):\n{}\n", problems.join("\n"))
        }
    }
}
