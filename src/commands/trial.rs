//! `hermes try FILE`: fetches as a run would and shows what would be stored. The
//! run is the worker's own, in a store in memory: no file is made or changed.

mod given;
mod layout;
mod quota;
mod shown;

use std::path::PathBuf;
use std::sync::Arc;

use argh::{ArgsInfo, FromArgs};
use jiff::Timestamp;
use rusqlite::types::Value as Sql;
use serde_json::Value;

use self::given::Given;
use self::quota::Quota;
use super::{Files, print_json, print_text};
use crate::clock::{Clock, SystemClock};
use crate::definition::{Field, FieldType, Schedule, Source, Status, nearest};
use crate::error::{Error, ExitCode, Result};
use crate::store::Store;
use crate::store::data_table::create_sql;
use crate::store::fetchlogs::NewJob;
use crate::store::plan::{Heads, PlannedSource};
use crate::viewer::table::terminal_width;
use crate::viewer::values::{Kind, to_json};
use crate::worker::{Asked, Trial, try_job};

/// All of them are held in memory.
const MOST_PAGES: u32 = 100;
const MOST_ROWS: u32 = 1_000;

const SLOTS: usize = 3;

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

/// How a source fared.
#[derive(Debug)]
struct Tried {
    name: String,
    asked: Vec<Asked>,
    pages: u32,
    records: u64,
    /// `None`: it is not known.
    has_more: Option<bool>,
    columns: Vec<Column>,
    rows: Vec<Vec<Value>>,
    create_table: String,
    schedules: Vec<(String, Vec<Timestamp>)>,
    quota: Quota,
    problems: Vec<String>,
    warnings: Vec<String>,
}

#[derive(Debug)]
struct Column {
    name: String,
    /// As the document says, else as the values are.
    kind: String,
}

pub(super) fn trial(files: &Files, options: &Try) -> Result<ExitCode> {
    check_bounds(options)?;
    // What a log would say is shown.
    log::set_max_level(log::LevelFilter::Off);
    let Given { store, sources, problems } = given::read(files, &options.file)?;
    if !problems.is_empty() {
        print_text(&format!("{}\n", problems.join("\n")));
        return Ok(ExitCode::BadInput);
    }
    let sources = chosen(sources, options)?;
    let mut store = store;
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
    let tried = tried(&store, source, &planned, trial, options.rows, now)?;
    Ok((store, tried))
}

fn tried(
    store: &Store,
    source: &Source,
    planned: &PlannedSource,
    trial: Trial,
    rows: u32,
    now: Timestamp,
) -> Result<Tried> {
    let sample = store.sample(source, rows)?;
    let column = |(field, found): (&Field, Option<String>)| Column {
        name: field.target.clone(),
        kind: field.kind.as_ref().map_or_else(|| found.unwrap_or_else(|| "null".into()), kind_name),
    };
    let columns = source.response.fields.iter().zip(sample.types).map(column).collect();
    let masked = |row: Vec<_>| {
        row.into_iter().map(|value: Sql| mask(&trial, to_json(Kind::Plain, (&value).into()))).collect()
    };
    let rows = sample.rows.into_iter().map(masked).collect();
    let schedules: Vec<&Schedule> = planned.active_entries().map(|entry| &entry.schedule).collect();
    let slots = |schedule: &&Schedule| {
        let next = schedule.slots_after(schedule.first_slot(now)).take(SLOTS);
        (schedule.text.clone(), next.collect::<Vec<_>>())
    };
    let (mut problems, mut warnings) = outcome(&trial);
    let has_more = has_more(&trial);
    let requests = trial.asked.iter().map(|asked| 1 + asked.redirects as u64).sum();
    let quota = Quota::new(
        &schedules,
        now,
        requests,
        has_more != Some(false),
        trial.provider.as_ref(),
        &mut warnings,
    );
    if source.status == Status::Paused {
        warnings.push("its status is paused: it runs once that is active".to_owned());
    }
    for (has_default, words) in &trial.lacking {
        if *has_default { &mut warnings } else { &mut problems }.push(words.clone());
    }
    Ok(Tried {
        name: source.name.clone(),
        pages: trial.status.pages,
        records: trial.status.records,
        has_more,
        columns,
        rows,
        create_table: create_sql(source),
        schedules: schedules.iter().map(slots).collect(),
        quota,
        problems,
        warnings,
        asked: trial.asked,
    })
}

fn has_more(trial: &Trial) -> Option<bool> {
    match trial.status.status.as_str() {
        // Only pages that were left out are a reason to say something of a run that is done.
        "completed" => Some(trial.status.message.is_some()),
        _ => None,
    }
}

/// What went wrong, and what is only worth knowing.
fn outcome(trial: &Trial) -> (Vec<String>, Vec<String>) {
    let status = &trial.status;
    let message = status.message.clone();
    match status.status.as_str() {
        "completed" if status.records == 0 => {
            (Vec::new(), vec!["the answer has no records: nothing is to be seen of the fields".to_owned()])
        }
        "completed" => (Vec::new(), Vec::new()),
        // The limit that stopped it is Hermes' own, and the pages before it are good.
        "queued" if status.waits() && status.pages > 0 => (Vec::new(), message.into_iter().collect()),
        _ => (vec![message.unwrap_or_else(|| format!("the run is {}", status.status))], Vec::new()),
    }
}

/// Secrets that a site sent back among its values.
fn mask(trial: &Trial, value: Value) -> Value {
    match &value {
        Value::String(text) => Value::String(trial.mask(text)),
        Value::Number(number) if trial.mask(&number.to_string()) != number.to_string() => {
            Value::String("***".to_owned())
        }
        _ => value,
    }
}

fn kind_name(kind: &FieldType) -> String {
    let name = match kind {
        FieldType::Text => "text",
        FieldType::Integer => "integer",
        FieldType::Real => "real",
        FieldType::Boolean => "boolean",
        FieldType::Timestamp { .. } => "timestamp",
        FieldType::Json => "json",
    };
    name.to_owned()
}
