//! `hermes try FILE`: fetches as a run would and shows what would be stored. The
//! run is the worker's own, in a store in memory: no file is made or changed.

mod given;
mod layout;
mod quota;
mod shown;
mod tried;

use std::path::PathBuf;
use std::sync::Arc;

use argh::{ArgsInfo, FromArgs};

use self::given::Given;
use self::tried::Tried;
use super::{Files, print_json, print_text};
use crate::clock::{Clock, SystemClock};
use crate::definition::{Source, nearest};
use crate::error::{Error, ExitCode, Result};
use crate::store::Store;
use crate::store::fetchlogs::NewJob;
use crate::store::plan::Heads;
use crate::viewer::table::terminal_width;
use crate::worker::try_job;

/// All of them are held in memory.
const MOST_PAGES: u32 = 100;
const MOST_ROWS: u32 = 1_000;

/// Fetch the sources of a file and show what would be stored; stores nothing.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "try")]
pub(super) struct Try {
    /// a YAML file, or - for standard input
    #[argh(positional)]
    file: PathBuf,
    /// how many pages to fetch (1)
    #[argh(option, default = "1")]
    pages: u32,
    /// how many rows to show (10)
    #[argh(option, default = "10")]
    rows: u32,
    /// only this source, where the file has several
    #[argh(option)]
    source: Option<String>,
    /// all of it, as JSON; an array where there are several sources
    #[argh(switch)]
    json: bool,
}

pub(super) fn trial(files: &Files, options: &Try) -> Result<ExitCode> {
    check_bounds(options)?;
    // What a log would say is shown.
    log::set_max_level(log::LevelFilter::Off);
    let Given { mut store, sources, problems } = given::read(files, &options.file)?;
    if !problems.is_empty() {
        print_text(&format!("{}\n", problems.join("\n")));
        return Ok(ExitCode::BadInput);
    }
    let sources = chosen(sources, options)?;
    let mut all = Vec::new();
    for source in &sources {
        let (after, tried) = try_source(store, source, options)?;
        store = after;
        all.push(tried);
    }
    show(&all, options.json);
    let works = all.iter().all(|tried| tried.problems.is_empty());
    Ok(if works { ExitCode::Done } else { ExitCode::Failed })
}

fn check_bounds(options: &Try) -> Result<()> {
    let bad = |option: &str, value: u32, least: u32, most: u32| {
        Err(Error::Input(format!("--{option}: {value} is not between {least} and {most}")))
    };
    match (options.pages, options.rows) {
        (pages, _) if !(1..=MOST_PAGES).contains(&pages) => bad("pages", pages, 1, MOST_PAGES),
        (_, rows) if rows > MOST_ROWS => bad("rows", rows, 0, MOST_ROWS),
        _ => Ok(()),
    }
}

fn chosen(sources: Vec<Source>, options: &Try) -> Result<Vec<Source>> {
    let file = options.file.display();
    if sources.is_empty() {
        return Err(Error::Input(format!("{file} has no source to try")));
    }
    let Some(name) = &options.source else { return Ok(sources) };
    if let Some(one) = sources.iter().find(|source| source.name == *name) {
        return Ok(vec![one.clone()]);
    }
    let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
    Err(Error::Input(match nearest(name, names.iter().copied()) {
        Some(meant) => format!("{file} has no source `{name}`; did you mean `{meant}`?"),
        None => format!("{file} has no source `{name}`; it has: {}", names.join(", ")),
    }))
}

fn show(all: &[Tried], as_json: bool) {
    match all {
        [one] if as_json => print_json(&shown::json(one)),
        several if as_json => print_json(&several.iter().map(shown::json).collect()),
        all => {
            let texts: Vec<String> = all.iter().map(|tried| shown::text(tried, terminal_width())).collect();
            print_text(&texts.join("\n"));
        }
    }
}

fn try_source(mut store: Store, source: &Source, options: &Try) -> Result<(Store, Tried)> {
    let now = SystemClock.now();
    let plan = store.load_plan(&mut Heads::new())?;
    let planned = plan.into_iter().find(|planned| planned.name == source.name && !planned.entries.is_empty());
    let planned = planned.ok_or_else(|| Error::Failed(format!("{} cannot be planned", source.name)))?;
    let new = NewJob { is_asked: true, ..planned.job_now(now) };
    let job = store.write(now, |tx| tx.claim_now(&new))?;
    let job = job.ok_or_else(|| Error::Failed(format!("{} cannot be run", source.name)))?;
    let (store, trial) = try_job(store, Arc::new(SystemClock), job, options.pages)?;
    let tried = Tried::new(&store, source, &planned, trial, options.rows, now)?;
    Ok((store, tried))
}
