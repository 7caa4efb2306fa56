//! The command line: options as typed (`Options`), then what they mean. A
//! file a subcommand; no rule of fetching is here.

mod about;
mod add;
mod backup;
mod check;
mod completions;
mod data;
mod delete;
mod export;
mod gaps;
mod get;
mod help;
mod init;
mod interrupt;
mod layout;
mod list;
mod logs;
mod man;
mod new_file;
mod options;
mod pause;
mod position;
mod preview;
mod progress;
mod ready;
mod reset;
mod run;
mod schema;
mod since;
mod status;
mod trial;
mod watch;

use std::io::IsTerminal;
use std::path::PathBuf;

use argh::FromArgs;
use serde_json::Value;

use self::options::{Options, Subcommand};
use crate::clock::{Clock, SystemClock};
use crate::daemon;
use crate::definition::{Clients, nearest};
use crate::error::{Error, ExitCode, Result};
use crate::lock;
use crate::store::source_definitions::SourceRow;
use crate::store::{Store, Tx};
use crate::viewer::listing::Listing;
use crate::viewer::table::terminal_width;
use crate::viewer::values::without_controls;

const STDIN: &str = "/dev/stdin";

pub fn main(args: impl Iterator<Item = String>) -> Result<ExitCode> {
    let args: Vec<String> = args.skip(1).collect();
    let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
    // What argh does not know, and everybody types. After -o a dash is standard output.
    let mut before = "";
    for arg in args.iter_mut().take_while(|arg| **arg != "--") {
        let given = *arg;
        match given {
            "-h" => *arg = "--help",
            "-" if !matches!(before, "-o" | "--output") => *arg = STDIN,
            _ => {}
        }
        before = given;
    }
    let options = match Options::from_args(&["hermes"], &args) {
        Ok(options) => options,
        Err(exit) if exit.status.is_ok() => {
            print_text(&help::help(&args));
            return Ok(ExitCode::Done);
        }
        Err(exit) => {
            return Err(Error::Input(format!("{}\n{}", exit.output.trim_end(), help::advice(&args))));
        }
    };
    run(options)
}

fn run(options: Options) -> Result<ExitCode> {
    if options.version {
        let (version, commit, target) =
            (env!("CARGO_PKG_VERSION"), env!("HERMES_COMMIT"), env!("HERMES_TARGET"));
        print_text(&format!(
            "hermes {version} ({commit}, {target}, SQLite {})
",
            rusqlite::version()
        ));
        return Ok(ExitCode::Done);
    }
    let files = Files { db: options.db(), sources: options.sources() };
    match options.command {
        None => daemon::run(options.daemon(files.db, files.sources)?),
        Some(Subcommand::Add(add)) => add::add(&files, &add.files),
        Some(Subcommand::Update(update)) => add::update(&files, &update.files),
        Some(Subcommand::Delete(delete)) => delete::delete(&files, &delete),
        Some(Subcommand::Pause(pause)) => pause::pause(&files, &pause.name),
        Some(Subcommand::Resume(resume)) => pause::resume(&files, &resume.name),
        Some(Subcommand::Reset(reset)) => reset::reset(&files, &reset.name),
        Some(Subcommand::Run(options)) => run::run(&files, &options),
        Some(Subcommand::Gaps(gaps)) => gaps::gaps(&files, gaps.name.as_deref(), gaps.json),
        Some(Subcommand::Ready(ready)) => ready::ready(&files, ready.at.as_deref(), ready.json),
        Some(Subcommand::Queue(queue)) => ready::queue(&files, queue.at.as_deref(), queue.json),
        Some(Subcommand::Check(check)) => check::check(&check),
        Some(Subcommand::Schema(_)) => schema::schema(),
        Some(Subcommand::Init(options)) => init::init(&files, options),
        Some(Subcommand::Try(options)) => trial::trial(&files, &options),
        Some(Subcommand::Preview(options)) => preview::preview(&options),
        Some(Subcommand::List(list)) => list::list(&files, list.json),
        Some(Subcommand::Get(get)) => get::get(&files, &get.name, get.json),
        Some(Subcommand::Status(status)) => status::status(&files, &status),
        Some(Subcommand::Logs(logs)) => logs::logs(&files, &logs),
        Some(Subcommand::Data(data)) => data::data(&files, &data),
        Some(Subcommand::Export(export)) => export::export(&files, &export),
        Some(Subcommand::Backup(backup)) => backup::backup(&files, &backup),
        Some(Subcommand::Completions(options)) => completions::completions(&files, &options),
        Some(Subcommand::Man(_)) => man::man(),
    }
}

/// Where a command works.
#[derive(Debug)]
struct Files {
    db: PathBuf,
    sources: PathBuf,
}

impl Files {
    fn read(&self) -> Result<Store> {
        Store::open_read_only(&self.db)
    }

    /// Changes something that is there, and wakes a daemon to see it. A database
    /// that is not there holds nothing to change, and is not made.
    fn change<T, E: From<Error>>(
        &self,
        body: impl FnOnce(&Tx<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        drop(self.open()?);
        self.create_or_change(body)
    }

    /// Of the database, which may still be to come.
    fn clients(&self) -> Result<Clients> {
        match self.read() {
            Ok(store) => store.clients(),
            Err(Error::Input(_)) => Ok(Clients::default()),
            Err(error) => Err(error),
        }
    }

    /// To write to what is there already.
    fn open(&self) -> Result<Store> {
        drop(self.read()?);
        Store::open(&self.db)
    }

    fn create_or_change<T, E: From<Error>>(
        &self,
        body: impl FnOnce(&Tx<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut store = Store::open(&self.db)?;
        let value = store.write(SystemClock.now(), body)?;
        drop(store);
        lock::poke(&self.db);
        Ok(value)
    }
}

fn known(files: &Files, row: Option<SourceRow>, name: &str) -> Result<SourceRow> {
    row.ok_or_else(|| unknown(files, name))
}

fn unknown(files: &Files, name: &str) -> Error {
    let names = files.read().and_then(|store| store.source_names()).unwrap_or_default();
    Error::Input(match nearest(name, names.iter().map(String::as_str)) {
        Some(meant) => format!("there is no source `{name}`; did you mean `{meant}`?"),
        None => format!("there is no source `{name}`; `hermes list` names them all"),
    })
}

/// For a person who wants colours where they can be seen.
fn shows_colours() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stdout().is_terminal() && !is_dumb && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty())
}

fn print_listing(listing: &Listing, glance: &[&str], as_json: bool) -> Result<ExitCode> {
    if as_json {
        print_json(&listing.to_json());
    } else {
        print_text(&listing.only(glance).to_table(terminal_width()));
    }
    Ok(ExitCode::Done)
}

fn print_json(value: &Value) {
    print_text(&without_controls(&format!("{value:#}\n")));
}

/// A reader that has seen enough (`| head`) is no failure.
fn print_text(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
