//! Where a run stopped for a rate window, so that the next one goes on there:
//! a quota smaller than the pages would else be spent on the first ones for ever.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::paginate::Place;
use crate::store::fetchlogs::Progress;
use crate::store::value::Value;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Resume {
    /// Of what was asked: another definition begins at its first page.
    of: String,
    pub(super) place: Place,
    pages: u32,
    records: u64,
    inserted: u64,
    bytes: u64,
    /// The newest value of the `incremental` field so far.
    newest: Option<Json>,
}

impl Resume {
    /// `of` is the definition, by its hash.
    pub(super) fn new(of: &str, place: Place, progress: &Progress, newest: Option<&Value<'_>>) -> Resume {
        let Progress { pages, records, inserted, bytes, .. } = *progress;
        let newest = newest.map(to_json);
        Resume { of: of.to_owned(), place, pages, records, inserted, bytes, newest }
    }

    /// `None` where it is of another definition.
    pub(super) fn read(text: &str, of: &str) -> Option<Resume> {
        serde_json::from_str(text).ok().filter(|resume: &Resume| resume.of == of)
    }

    pub(super) fn progress(&self) -> Progress {
        let Resume { pages, records, inserted, bytes, .. } = *self;
        Progress { pages, records, inserted, bytes, ..Progress::default() }
    }

    pub(super) fn newest(&self) -> Option<Value<'static>> {
        match self.newest.as_ref()? {
            Json::String(text) => Some(Value::Text(text.clone().into())),
            number => number.as_i64().map(Value::Integer).or(number.as_f64().map(Value::Real)),
        }
    }
}

fn to_json(value: &Value<'_>) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Integer(number) => (*number).into(),
        Value::Real(number) => (*number).into(),
        Value::Text(text) => text.as_ref().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        serde_json::from_str(r#"{"next":{"Cursor":"c"},"pages":2,"records":4}"#).expect("a place")
    }

    #[test]
    fn a_stopped_run_is_written_and_read_again() {
        let progress = Progress { pages: 2, records: 4, inserted: 3, bytes: 99, ..Progress::default() };
        for newest in [
            None,
            Some(Value::Integer(i64::MAX)),
            Some(Value::Real(0.5)),
            Some(Value::Text("2026-01-05T00:00:00.000Z".into())),
        ] {
            let resume = Resume::new("one", place(), &progress, newest.as_ref());
            let text = serde_json::to_string(&resume).expect("JSON");
            let read = Resume::read(&text, "one").expect("of the same definition");
            assert_eq!((read.progress(), read.newest()), (progress, newest));
            assert!(Resume::read(&text, "another").is_none());
        }
        assert!(Resume::read("{", "one").is_none());
    }
}
