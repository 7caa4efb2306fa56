//! A file of `sources.d`: its documents, each checked. Keeps out where the
//! text came from.

use serde_yaml::Value;

use super::check::{check, client::of_some_keys};
use super::client::{self, Filled};
use super::place;
use super::problem::{At, FieldPath, Finding, MAX_PROBLEMS, Step};
use super::{Client, Clients, Deployment, Handler, Problem, Provider, Source, yaml};
use crate::order;

/// One checked document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub definition: Definition,
    /// The document as YAML, placeholders kept, comments gone: what the store holds.
    pub text: String,
    /// The same as a source in full, where it is made from a client.
    pub filled: Option<String>,
    /// Where it begins in its file, from 1.
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Definition {
    Source(Box<Source>),
    Client(Client),
    Provider(Provider),
    Deployment(Deployment),
    Handler(Handler),
}

/// Every good document and every problem of a text, at once.
#[derive(Debug, Default)]
pub struct Reading {
    pub documents: Vec<Document>,
    /// In the order of the text.
    pub problems: Vec<Problem>,
    /// The names in documents that have a problem.
    pub flawed: Vec<String>,
    /// Something could not be read at all: what it names is not known.
    pub is_partial: bool,
    filled_bytes: usize,
}

pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// Of the sources of one text once they are filled in: many short ones may have a long client.
const MAX_FILLED_BYTES: usize = 16 << 20;

/// `kind` is `source` unless given; documents without anything in them are
/// passed over. A break in the syntax ends the reading there, as what follows
/// it cannot be told apart.
pub fn read(text: &str) -> Reading {
    read_with(text, &Clients::default())
}

/// The same, for sources that may be made from these clients as well as from
/// those of the text itself, which win.
pub fn read_with(text: &str, clients: &Clients) -> Reading {
    let mut reading = Reading::default();
    if text.len() as u64 > MAX_FILE_BYTES {
        reading.report((1, 1), "the file is larger than 1 MiB; divide it");
        return reading;
    }
    let (sound, broken) = yaml::sound_documents(text);
    let clients = &clients.and(&Clients::of_text(text));
    let begins = if sound == 0 { Vec::new() } else { place::of_documents(text, sound) };
    for (nth, document) in serde_yaml::Deserializer::from_str(text).take(begins.len()).enumerate() {
        reading.take(text, clients, nth, begins[nth].unwrap_or((1, 1)), document);
    }
    if let Some((place, message)) = broken {
        reading.report(place, &message);
    }
    reading.sort(most_problems(text));
    reading
}

/// The line and column of a field in a document of this text. What a source has
/// from its client is told where it names the client.
pub fn place_of(text: &str, document: &Document, path: &FieldPath) -> (usize, usize) {
    let begin = (document.line, 1);
    let nth = place::begins(text).position(|place| place.is_some_and(|(line, _)| line == document.line));
    let at = if is_own(document, path) { At::Value } else { At::Client };
    nth.and_then(|nth| place::of_field(text, nth, path, at)).unwrap_or(begin)
}

fn is_own(document: &Document, path: &FieldPath) -> bool {
    let own = || serde_yaml::from_str::<Value>(&document.text).ok();
    match path.0.first() {
        Some(Step::Key(key)) if document.filled.is_some() => own().is_some_and(|own| own.get(key).is_some()),
        _ => true,
    }
}

pub(super) fn as_yaml(value: &Value) -> String {
    serde_yaml::to_string(value).expect("what was read as YAML can be written as YAML")
}

impl Reading {
    /// Of a file without a text.
    pub fn unreadable(why: &str) -> Reading {
        let mut reading = Reading::default();
        reading.report((1, 1), why);
        reading
    }

    fn take(
        &mut self,
        text: &str,
        clients: &Clients,
        nth: usize,
        begin: place::Place,
        document: serde_yaml::Deserializer<'_>,
    ) {
        let (value, mut findings) = match yaml::unfold(document) {
            Ok((Value::Null, _)) => return,
            Ok(unfolded) => unfolded,
            Err((place, message)) => return self.report(place.unwrap_or(begin), &message),
        };
        match definition_of(&value, clients) {
            Ok((definition, filled)) if findings.is_empty() => self.keep(definition, &value, filled, begin),
            Ok(_) => {}
            Err(more) => findings.extend(more),
        }
        if !findings.is_empty() {
            self.flawed.extend(value.get("name").and_then(Value::as_str).map(str::to_owned));
        }
        for finding in findings {
            self.locate(text, nth, begin, finding);
        }
    }

    fn keep(&mut self, definition: Definition, value: &Value, filled: Option<Filled>, begin: place::Place) {
        #[cfg(test)]
        super::written::schema::assert_describes(value);
        let text = as_yaml(value);
        // What is stored has to be readable again.
        if text.len() as u64 > MAX_FILE_BYTES {
            return self.report(
                begin,
                "the document is larger than 1 MiB when its aliases are written out; divide it",
            );
        }
        let filled = filled.map(|filled| as_yaml(&filled.document));
        self.filled_bytes += filled.as_ref().map_or(0, String::len);
        if self.filled_bytes > MAX_FILLED_BYTES {
            return self.report(
                begin,
                "the sources up to here are larger than 16 MiB when filled in; divide the file",
            );
        }
        self.documents.push(Document { definition, text, filled, line: begin.0 });
    }

    fn locate(&mut self, text: &str, nth: usize, begin: place::Place, finding: Finding) {
        // Past the limit a look at the text is not worth its time.
        if self.problems.len() > most_problems(text) {
            return;
        }
        let (line, column) = place::of_field(text, nth, &finding.path, finding.at).unwrap_or(begin);
        let field = finding.path.to_string();
        self.problems.push(Problem { line, column, field, message: finding.message });
    }

    fn report(&mut self, (line, column): place::Place, message: &str) {
        let problem = Problem { line, column, field: String::new(), message: message.to_owned() };
        self.problems.push(problem);
        self.is_partial = true;
    }

    fn sort(&mut self, most: usize) {
        order::by_number(&mut self.problems, Problem::place);
        if self.problems.len() > most {
            self.problems.truncate(most);
            let last = self.problems.last().map_or((1, 1), |problem| (problem.line, problem.column));
            self.report(last, "there are more problems; mend these first");
        }
    }
}

/// A source that cannot be filled in is still told what is wrong with its own keys.
fn definition_of(value: &Value, clients: &Clients) -> Result<(Definition, Option<Filled>), Vec<Finding>> {
    match clients.fill(value) {
        Ok(None) => Ok((check(value)?, None)),
        Ok(Some(filled)) => match check(&filled.document) {
            Ok(definition) => Ok((definition, Some(filled))),
            Err(findings) => {
                Err(findings.into_iter().map(|f| client::of_the_client(f, value, &filled)).collect())
            }
        },
        Err(mut findings) => {
            findings.extend(value.as_mapping().map(of_some_keys).unwrap_or_default());
            Err(findings)
        }
    }
}

/// Each place costs one reading of the text, so a large text has fewer.
pub fn most_problems(text: &str) -> usize {
    const READ_AGAIN_BYTES: usize = 4 << 20;
    (READ_AGAIN_BYTES / text.len().max(1)).clamp(10, MAX_PROBLEMS)
}

#[cfg(test)]
mod tests;
