//! Options as they are typed, and what they mean where they stand in for a
//! setting. Help texts are written here and nowhere else.

use std::path::PathBuf;

use argh::FromArgs;

use super::logs::Logs;
use super::run::Run;
use super::status::Status;
use crate::clock::earliest_plausible;
use crate::daemon;
use crate::definition::units::parse_duration;
use crate::error::{Error, Result};
use crate::scheduler::Settings;

/// Fetches HTTP APIs on schedule, page by page, and keeps the rows in SQLite.
/// Without a command it runs: drop YAML files into the folder of --sources.
#[derive(FromArgs, Debug)]
pub(super) struct Options {
    /// the database file; HERMES_DB, or data.sqlite
    #[argh(option)]
    db: Option<PathBuf>,
    /// the watched folder of YAML files; HERMES_SOURCES, or sources.d
    #[argh(option)]
    sources: Option<PathBuf>,
    /// threads that fetch (2)
    #[argh(option, default = "2")]
    workers: usize,
    /// jobs that may wait for a thread (8)
    #[argh(option, default = "8")]
    queue: usize,
    /// longest sleep of the scheduler (30s)
    #[argh(option, default = "String::from(\"30s\")")]
    max_sleep: String,
    /// jobs started by one look of the scheduler (50)
    #[argh(option, default = "50")]
    batch_size: usize,
    /// wait while another hermes runs on the database, and take over when it is gone
    #[argh(switch)]
    standby: bool,
    /// run what is due, then end; exit code 1 if a run failed
    #[argh(switch)]
    once: bool,
    /// listen on no port; nothing listens yet in this version
    #[argh(switch)]
    #[allow(dead_code)]
    no_listen: bool,
    /// print the version
    #[argh(switch)]
    pub(super) version: bool,
    #[argh(subcommand)]
    pub(super) command: Option<Subcommand>,
}

impl Options {
    pub(super) fn db(&self) -> PathBuf {
        or_variable(&self.db, "HERMES_DB", "data.sqlite")
    }

    pub(super) fn sources(&self) -> PathBuf {
        or_variable(&self.sources, "HERMES_SOURCES", "sources.d")
    }

    pub(super) fn daemon(&self, db: PathBuf, sources: PathBuf) -> Result<daemon::Config> {
        let bad = |option: &str, message: &str| Error::Input(format!("--{option}: {message}"));
        let within = |option: &str, value: usize, most: usize| match value {
            value if (1..=most).contains(&value) => Ok(value),
            _ => Err(bad(option, &format!("{value} is not between 1 and {most}"))),
        };
        let max_sleep = parse_duration(&self.max_sleep).map_err(|message| bad("max-sleep", &message))?;
        if max_sleep.is_zero() {
            return Err(bad("max-sleep", "0 would never sleep; 30s does"));
        }
        Ok(daemon::Config {
            db,
            sources,
            workers: within("workers", self.workers, 64)?,
            queue: within("queue", self.queue, 1_024)?,
            settings: Settings {
                batch_size: within("batch-size", self.batch_size, 10_000)?,
                max_sleep,
                earliest: earliest_plausible(),
            },
            standby: self.standby,
            once: self.once,
        })
    }
}

fn or_variable(option: &Option<PathBuf>, variable: &str, default: &str) -> PathBuf {
    let given = option.clone().or_else(|| std::env::var_os(variable).map(PathBuf::from));
    given.unwrap_or_else(|| PathBuf::from(default))
}

#[derive(FromArgs, Debug)]
#[argh(subcommand)]
pub(super) enum Subcommand {
    Add(Add),
    Update(Update),
    Delete(Delete),
    Pause(Pause),
    Resume(Resume),
    Reset(Reset),
    Run(Run),
    Gaps(Gaps),
    Ready(Ready),
    Queue(Queue),
    Check(Check),
    Preview(Preview),
    List(List),
    Get(Get),
    Status(Status),
    Logs(Logs),
    Data(Data),
}

/// Add the documents of files to the database.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "add")]
pub(super) struct Add {
    /// YAML files
    #[argh(positional)]
    pub(super) files: Vec<PathBuf>,
}

/// Overwrite sources by the documents of files.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "update")]
pub(super) struct Update {
    /// YAML files
    #[argh(positional)]
    pub(super) files: Vec<PathBuf>,
}

/// Remove a source with its state and its rows.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "delete")]
pub(super) struct Delete {
    #[argh(positional)]
    pub(super) name: String,
    /// keep the rows
    #[argh(switch)]
    pub(super) keep_data: bool,
    /// remove the file that defines it as well
    #[argh(switch)]
    pub(super) with_file: bool,
}

/// Stop running a source; a run under way ends by itself.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "pause")]
pub(super) struct Pause {
    #[argh(positional)]
    pub(super) name: String,
}

/// Run a paused source again.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "resume")]
pub(super) struct Resume {
    #[argh(positional)]
    pub(super) name: String,
}

/// Forget the failures of a source and make it due now.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "reset")]
pub(super) struct Reset {
    #[argh(positional)]
    pub(super) name: String,
}

/// Windows of time that no completed job covers.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "gaps")]
pub(super) struct Gaps {
    #[argh(positional)]
    pub(super) name: Option<String>,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

/// What would run now, or at a time, and what would not; changes nothing.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "ready")]
pub(super) struct Ready {
    /// the time, 2026-11-15T23:41:53Z
    #[argh(option)]
    pub(super) at: Option<String>,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

/// Claim what is ready, for a daemon to run, and say what was claimed.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "queue")]
pub(super) struct Queue {
    /// the time, 2026-11-15T23:41:53Z
    #[argh(option)]
    pub(super) at: Option<String>,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

/// Validate files and folders; problems as file:line:col.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "check")]
pub(super) struct Check {
    /// YAML files, or folders of them
    #[argh(positional)]
    pub(super) paths: Vec<PathBuf>,
}

/// When a schedule fires next: "*/15 * * * *", daily, interval:15m.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "preview")]
pub(super) struct Preview {
    #[argh(positional)]
    pub(super) schedule: String,
    /// of cron, such as Europe/Berlin (UTC)
    #[argh(option)]
    pub(super) timezone: Option<String>,
    /// after this time: 2026-11-15T23:41, in the time zone unless it ends in Z (now)
    #[argh(option)]
    pub(super) from: Option<String>,
    /// how many (10)
    #[argh(option, default = "10")]
    pub(super) count: usize,
    /// an array of times in UTC
    #[argh(switch)]
    pub(super) json: bool,
}

/// Every source with its state.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "list")]
pub(super) struct List {
    /// all columns, as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

/// The definition of a source.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "get")]
pub(super) struct Get {
    #[argh(positional)]
    pub(super) name: String,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}

/// Rows of a source, newest first.
#[derive(FromArgs, Debug)]
#[argh(subcommand, name = "data")]
pub(super) struct Data {
    #[argh(positional)]
    pub(super) name: String,
    /// how many (20)
    #[argh(option, default = "20")]
    pub(super) limit: u32,
    /// as JSON
    #[argh(switch)]
    pub(super) json: bool,
}
