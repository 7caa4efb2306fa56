//! Options as they are typed, and what they mean where they stand in for a
//! setting. Those of a command stand in its own file; their help texts are the
//! text of `help`, the man page and the completions, and written nowhere else.

use std::path::PathBuf;

use argh::{ArgsInfo, FromArgs};

use super::add::{Add, Update};
use super::backup::Backup;
use super::check::Check;
use super::completions::Completions;
use super::data::Data;
use super::delete::Delete;
use super::export::Export;
use super::gaps::Gaps;
use super::get::Get;
use super::list::List;
use super::logs::Logs;
use super::man::Man;
use super::pause::{Pause, Resume};
use super::preview::Preview;
use super::ready::{Queue, Ready};
use super::reset::Reset;
use super::run::Run;
use super::schema::Schema;
use super::status::Status;
use super::trial::Try;
use crate::clock::earliest_plausible;
use crate::daemon;
use crate::definition::units::parse_duration;
use crate::error::{Error, Result};
use crate::scheduler::Settings;

/// Fetches HTTP APIs on schedule, page by page, and keeps the rows in SQLite.
/// Without a command it runs: drop YAML files into the folder of --sources.
#[derive(FromArgs, ArgsInfo, Debug)]
pub(super) struct Options {
    /// the database file; HERMES_DB, or data.sqlite
    #[argh(option, arg_name = "file")]
    db: Option<PathBuf>,
    /// the watched folder of YAML files; HERMES_SOURCES, or sources.d
    #[argh(option, arg_name = "folder")]
    sources: Option<PathBuf>,
    /// threads that fetch (2)
    #[argh(option, arg_name = "n", default = "2")]
    workers: usize,
    /// jobs that may wait for a thread (8)
    #[argh(option, arg_name = "n", default = "8")]
    queue: usize,
    /// longest sleep of the scheduler (30s)
    #[argh(option, arg_name = "duration", default = "String::from(\"30s\")")]
    max_sleep: String,
    /// jobs started by one look of the scheduler (50)
    #[argh(option, arg_name = "n", default = "50")]
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

#[derive(FromArgs, ArgsInfo, Debug)]
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
    Init(super::init::Init),
    Check(Check),
    Schema(Schema),
    Try(Try),
    Preview(Preview),
    List(List),
    Get(Get),
    Status(Status),
    Logs(Logs),
    Data(Data),
    Export(Export),
    Backup(Backup),
    Completions(Completions),
    Man(Man),
}
