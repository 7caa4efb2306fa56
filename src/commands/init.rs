//! `hermes init URL`, `hermes init 'curl …'`: writes a document from one answer
//! of an API. Asks the web once; touches no database.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use argh::{ArgsInfo, FromArgs};
use jiff::tz::TimeZone;

use super::{Files, print_text};
use crate::clock::{Clock, SystemClock};
use crate::definition::document::{self, Definition};
use crate::definition::provider::provider_of;
use crate::definition::{Provider, Schedule, name};
use crate::error::{Error, ExitCode, Result};
use crate::init::curl::{self, Wanted};
use crate::init::secret::Asked;
use crate::init::{self, Wishes, secret, words};
use crate::receiver::folder;
use crate::worker::secrets::Secrets;

/// Write a source document from a live answer of a url, or of a curl command as copied from a browser:
/// records, key, types, times, pagination. Its options stand before `curl`.
#[derive(FromArgs, ArgsInfo, Debug, Default)]
#[argh(subcommand, name = "init")]
pub(super) struct Init {
    /// the url, or a curl command as one word or as it is
    #[argh(positional, greedy)]
    request: Vec<String>,
    /// of the source (from the url)
    #[argh(option)]
    name: Option<String>,
    /// that the rows go to (as the name)
    #[argh(option)]
    table: Option<String>,
    /// daily, hourly, interval:15m or cron (daily)
    #[argh(option)]
    schedule: Option<String>,
    /// the file to write (standard output)
    #[argh(option, short = 'o')]
    output: Option<PathBuf>,
    /// overwrite it
    #[argh(switch)]
    force: bool,
}

pub(super) fn init(files: &Files, options: Init) -> Result<ExitCode> {
    let (options, wanted) = options.read()?;
    if let Some(path) = options.output.as_deref().filter(|path| path.exists() && !options.force) {
        return Err(Error::Input(format!("{} is there already; --force overwrites it", path.display())));
    }
    let wishes = options.wishes(&wanted)?;
    let mut secrets = Secrets::default();
    let asked = secret::of(wanted, &wishes.name, &mut secrets).map_err(Error::Input)?;
    let failed = |message: String| Error::Failed(secrets.mask(&message));
    let place = place(&asked);
    let (answer, body) = init::ask(&asked, &secrets, SystemClock.now())
        .map_err(|message| failed(format!("{place}: {message}")))?;
    let known = options.known_provider(&files.sources, asked.url.host_str().unwrap_or_default());
    let (variables, echoed) = (asked.variables.clone(), asked.long_secrets());
    let provider = known.as_ref().map(|(_, provider)| provider);
    let text = init::document(wishes, asked, &answer, &body, provider)
        .map_err(|message| failed(format!("{place}: {message}")))?;
    // The answer may repeat what it was sent: its keys become names of fields.
    if echoed.appear_in(&text) {
        return Err(Error::Failed(format!("{place}: the answer repeats the secret that it was asked with")));
    }
    options.write(&text)?;
    if let Some(path) = &options.output {
        let guesses = text.matches("# guessed").count();
        eprintln!("hermes: wrote {}; lines that are guessed: {guesses}", path.display());
    }
    tell(&text, &variables, known.as_ref().map(|(file, _)| file.as_str()));
    Ok(ExitCode::Done)
}

impl Init {
    /// Options may also follow the url; what follows `curl` is curl's.
    fn read(mut self) -> Result<(Init, Wanted)> {
        let words = std::mem::take(&mut self.request);
        let (first, rest) =
            words.split_first().ok_or_else(|| Error::Input("give a url or a curl command".into()))?;
        if first == "curl" {
            return Ok((self, curl::parse(rest).map_err(Error::Input)?));
        }
        let options = self.and(rest)?;
        let words = words::split(first.strip_prefix("curl").unwrap_or_default()).map_err(Error::Input)?;
        let is_curl = first.starts_with("curl") && first[4..].starts_with(char::is_whitespace);
        let wanted = if is_curl { curl::parse(&words) } else { curl::of_url(first) };
        Ok((options, wanted.map_err(Error::Input)?))
    }

    fn and(self, rest: &[String]) -> Result<Init> {
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        let more = Init::from_args(&["hermes", "init"], &rest)
            .map_err(|exit| Error::Input(format!("{}\nTry: hermes init --help", exit.output.trim_end())))?;
        if let Some(word) = more.request.first() {
            return Err(Error::Input(format!("`{word}` follows the url; put a curl command in quotes")));
        }
        Ok(Init {
            request: Vec::new(),
            name: more.name.or(self.name),
            table: more.table.or(self.table),
            schedule: more.schedule.or(self.schedule),
            output: more.output.or(self.output),
            force: more.force || self.force,
        })
    }

    fn wishes(&self, wanted: &Wanted) -> Result<Wishes> {
        let wishes =
            Wishes::new(wanted, self.name.as_deref(), self.table.as_deref(), self.schedule.as_deref());
        if !name::is_name(&wishes.name) {
            return Err(Error::Input("--name: letters a-z, digits, - and _, at most 64".into()));
        }
        Schedule::parse(&wishes.schedule, &TimeZone::UTC)
            .map_err(|message| Error::Input(format!("--schedule: {message}")))?;
        if !name::is_identifier(&wishes.table) || name::is_own_table(&wishes.table) {
            return Err(Error::Input(
                "--table: letters, digits and _, no digit first, and no table of Hermes".into(),
            ));
        }
        Ok(wishes)
    }

    /// One that a file of the watched folder has for this host, with the file's
    /// name. Not the file that is about to be overwritten.
    fn known_provider(&self, folder: &Path, host: &str) -> Option<(String, Provider)> {
        let own = self.output.as_ref().and_then(|path| path.canonicalize().ok());
        let mut found: Vec<(String, Provider)> = Vec::new();
        for file in folder::scan(folder).unwrap_or_default() {
            let is_own = own.is_some() && folder.join(&file.name).canonicalize().ok() == own;
            let Some(text) = file.text.ok().filter(|_| !is_own) else { continue };
            for document in document::read(&text).documents {
                if let Definition::Provider(provider) = document.definition {
                    found.push((file.name.clone(), provider));
                }
            }
        }
        let all: Vec<Provider> = found.iter().map(|(_, provider)| provider.clone()).collect();
        let best = provider_of(&all, host)?;
        found.into_iter().find(|(_, provider)| provider == best)
    }

    /// Never over a file that was not there a moment ago, unless it is wanted.
    fn write(&self, text: &str) -> Result<()> {
        let Some(path) = &self.output else {
            print_text(text);
            return Ok(());
        };
        let fail = |cause| Error::Io { what: format!("cannot write {}", path.display()), cause };
        if self.force {
            return fs::write(path, text).map_err(fail);
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(fail)?;
        file.write_all(text.as_bytes()).map_err(fail)
    }
}

fn place(asked: &Asked) -> String {
    let host = asked.url.host_str().unwrap_or_default();
    asked.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// On standard error: the document alone is on standard output.
fn tell(text: &str, variables: &[(String, String)], provider: Option<&str>) {
    for (name, what) in variables.iter().filter(|(name, _)| text.contains(&format!("${{env:{name}}}"))) {
        eprintln!("hermes: set {name} to the value of {what}, for the hermes process");
    }
    if let Some(file) = provider {
        eprintln!("hermes: the provider of this domain is in {file} already");
    }
}
