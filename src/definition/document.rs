//! A file of `sources.d`: its documents, each checked. Keeps out where the
//! text came from.

use serde_yaml::Value;

use super::check::check;
use super::place;
use super::problem::{Finding, MAX_PROBLEMS};
use super::{Deployment, Handler, Problem, Provider, Source, yaml};

/// One checked document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub definition: Definition,
    /// The document as YAML, placeholders kept, comments gone: what the store holds.
    pub text: String,
    /// Where it begins in its file, from 1.
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Definition {
    Source(Box<Source>),
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
}

pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// `kind` is `source` unless given; documents without anything in them are
/// passed over. A break in the syntax ends the reading there, as what follows
/// it cannot be told apart.
pub fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    if text.len() as u64 > MAX_FILE_BYTES {
        reading.report((1, 1), "the file is larger than 1 MiB; divide it");
        return reading;
    }
    let (sound, broken) = yaml::sound_documents(text);
    let begins = if sound == 0 { Vec::new() } else { place::of_documents(text, sound) };
    for (nth, document) in serde_yaml::Deserializer::from_str(text).take(begins.len()).enumerate() {
        reading.take(text, nth, begins[nth].unwrap_or((1, 1)), document);
    }
    if let Some((place, message)) = broken {
        reading.report(place, &message);
    }
    reading.sort(most_problems(text));
    reading
}

impl Reading {
    fn take(&mut self, text: &str, nth: usize, begin: place::Place, document: serde_yaml::Deserializer<'_>) {
        let (value, mut findings) = match yaml::unfold(document) {
            Ok((Value::Null, _)) => return,
            Ok(unfolded) => unfolded,
            Err((place, message)) => return self.report(place.unwrap_or(begin), &message),
        };
        match check(&value) {
            Ok(definition) if findings.is_empty() => self.keep(definition, &value, begin),
            Ok(_) => {}
            Err(more) => findings.extend(more),
        }
        for finding in findings {
            self.locate(text, nth, begin, finding);
        }
    }

    fn keep(&mut self, definition: Definition, value: &Value, begin: place::Place) {
        let text = serde_yaml::to_string(value).expect("what was read as YAML can be written as YAML");
        // What is stored has to be readable again.
        if text.len() as u64 > MAX_FILE_BYTES {
            return self.report(
                begin,
                "the document is larger than 1 MiB when its aliases are written out; divide it",
            );
        }
        self.documents.push(Document { definition, text, line: begin.0 });
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
    }

    fn sort(&mut self, most: usize) {
        self.problems.sort_by_key(|problem| (problem.line, problem.column));
        if self.problems.len() > most {
            self.problems.truncate(most);
            let last = self.problems.last().map_or((1, 1), |problem| (problem.line, problem.column));
            self.report(last, "there are more problems; mend these first");
        }
    }
}

/// Each place costs one reading of the text, so a large text has fewer.
fn most_problems(text: &str) -> usize {
    const READ_AGAIN_BYTES: usize = 4 << 20;
    (READ_AGAIN_BYTES / text.len().max(1)).clamp(10, MAX_PROBLEMS)
}

#[cfg(test)]
mod tests;
