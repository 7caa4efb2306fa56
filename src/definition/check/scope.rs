//! Where in a document the rules are, and how they report. A part that cannot
//! be had is `None`, and there is a finding for it; the rules go on.

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::tz::TimeZone;

pub(super) use crate::definition::problem::shorten;
use crate::definition::problem::{At, FieldPath, Finding, MAX_PROBLEMS};
use crate::definition::written::{Given, Span, What};
use crate::definition::{Path, Schedule, Template, name, units};

#[derive(Clone)]
pub(super) struct Scope<'a> {
    path: FieldPath,
    findings: &'a RefCell<Vec<Finding>>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(findings: &'a RefCell<Vec<Finding>>) -> Scope<'a> {
        Scope { path: FieldPath::default(), findings }
    }

    pub(super) fn key(&self, key: &str) -> Scope<'a> {
        Scope { path: self.path.key(key), findings: self.findings }
    }

    pub(super) fn item(&self, index: usize) -> Scope<'a> {
        Scope { path: self.path.item(index), findings: self.findings }
    }

    /// Of a value inside this one.
    pub(super) fn at(&self, inside: &FieldPath) -> Scope<'a> {
        let steps = self.path.0.iter().chain(&inside.0).cloned().collect();
        Scope { path: FieldPath(steps), findings: self.findings }
    }

    pub(super) fn wrong(&self, message: impl Into<String>) {
        self.find(At::Value, message.into());
    }

    pub(super) fn wrong_key(&self, message: impl Into<String>) {
        self.find(At::Key, message.into());
    }

    fn find(&self, at: At, message: String) {
        let mut findings = self.findings.borrow_mut();
        // One more than are shown, so that it is known that there are more.
        if findings.len() <= MAX_PROBLEMS {
            findings.push(Finding { path: self.path.clone(), at, message });
        }
    }

    /// The value of a key; `None` where it is absent or, with a finding, wrong.
    pub(super) fn good<T>(&self, key: &str, given: Given<T>) -> Option<T> {
        match given {
            Given::Absent => None,
            Given::Good(value) => Some(value),
            Given::Bad(message) => {
                self.key(key).wrong(format!("`{key}` is {message}"));
                None
            }
        }
    }

    /// The same for a key that has to be there.
    pub(super) fn needed<T: What>(&self, key: &str, given: Given<T>) -> Option<T> {
        if !given.is_given() {
            self.key(key).wrong(format!("`{key}` is missing: {}", T::WHAT));
        }
        self.good(key, given)
    }

    /// The items of a list that are right in themselves, with their numbers.
    pub(super) fn items<T: What>(&self, items: Vec<Given<T>>) -> Vec<(usize, T)> {
        let read = |(index, given)| match given {
            Given::Good(item) => Some((index, item)),
            Given::Absent => self.not_an_item::<T>(index, &format!("{}, not nothing", T::WHAT)),
            Given::Bad(message) => self.not_an_item::<T>(index, &message),
        };
        items.into_iter().enumerate().filter_map(read).collect()
    }

    fn not_an_item<T>(&self, index: usize, message: &str) -> Option<(usize, T)> {
        self.item(index).wrong(format!("an item here is {message}"));
        None
    }

    /// What a rule makes of a value, or its message at the key.
    pub(super) fn ruled<T, U>(
        &self,
        key: &str,
        value: Option<T>,
        rule: impl FnOnce(T) -> Result<U, String>,
    ) -> Option<U> {
        let result = rule(value?);
        result.map_err(|message| self.key(key).wrong(message)).ok()
    }

    pub(super) fn name(&self, key: &str, given: Given<String>) -> Option<String> {
        self.good(key, given).and_then(|text| self.key(key).checked_name(text))
    }

    /// This value as a name.
    pub(super) fn checked_name(&self, text: String) -> Option<String> {
        if !name::is_name(&text) {
            self.wrong(format!("`{}` is no name: a-z, 0-9, - and _, at most 64", shorten(&text)));
            return None;
        }
        Some(text)
    }

    pub(super) fn needed_name(&self, key: &str, given: Given<String>) -> Option<String> {
        if !given.is_given() {
            self.key(key).wrong(format!("`{key}` is missing: a-z, 0-9, - and _, at most 64"));
        }
        self.name(key, given)
    }

    pub(super) fn number<T: TryFrom<i64>>(
        &self,
        key: &str,
        given: Given<i64>,
        range: RangeInclusive<i64>,
    ) -> Option<T> {
        let number = self.good(key, given);
        let (from, to) = (*range.start(), *range.end());
        let message = match to {
            i64::MAX => format!("`{key}` is at least {from}"),
            _ => format!("`{key}` is between {from} and {to}"),
        };
        self.ruled(key, number, |number| match T::try_from(number) {
            Ok(fits) if range.contains(&number) => Ok(fits),
            _ => Err(format!("{message}, not {number}")),
        })
    }

    pub(super) fn duration(
        &self,
        key: &str,
        given: Given<Span>,
        (from, to): (&str, &str),
    ) -> Option<Duration> {
        let span = self.good(key, given);
        self.ruled(key, span, |span| {
            let text = span.0.into_text();
            let duration = units::parse_duration(&text)?;
            let bound = |text| units::parse_duration(text).expect("a bound of ours is a duration");
            if (bound(from)..=bound(to)).contains(&duration) {
                return Ok(duration);
            }
            Err(format!("`{key}` is between {from} and {to}, not {text}"))
        })
    }

    /// One of a few words.
    pub(super) fn word<T: Clone>(&self, key: &str, given: Given<String>, words: &[(&str, T)]) -> Option<T> {
        let text = self.good(key, given);
        self.ruled(key, text, |text| {
            let found = words.iter().find(|(word, _)| *word == text);
            let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
            found
                .map(|(_, value)| value.clone())
                .ok_or_else(|| format!("`{key}` is one of {}, not `{}`", known(), shorten(&text)))
        })
    }

    pub(super) fn path(&self, key: &str, given: Given<String>) -> Option<Path> {
        let text = self.good(key, given);
        self.ruled(key, text, |text| Path::parse(&text))
    }

    /// A path to something inside the answer: the answer as a whole is no flag,
    /// number or message.
    pub(super) fn inner_path(&self, key: &str, given: Given<String>) -> Option<Path> {
        let path = self.path(key, given);
        self.ruled(key, path, |path| match path.is_root() {
            false => Ok(path),
            true => Err(format!("`{key}` is a path into the answer such as meta.next, not the whole of it")),
        })
    }

    pub(super) fn template(&self, key: &str, text: Option<String>) -> Option<Template> {
        self.ruled(key, text, |text| Template::parse(&text))
    }

    /// A template that has to be there and to hold something.
    pub(super) fn needed_template(&self, key: &str, given: Given<String>) -> Option<Template> {
        let text = self.needed(key, given);
        let text = self.ruled(key, text, |text| filled(key, text));
        self.template(key, text)
    }

    /// Text that has to hold something where it is given.
    pub(super) fn filled(&self, key: &str, given: Given<String>) -> Option<String> {
        let text = self.good(key, given);
        self.ruled(key, text, |text| filled(key, text))
    }

    /// Without a zone, in UTC.
    pub(super) fn schedule(&self, given: Given<String>, zone: Option<&TimeZone>) -> Option<Schedule> {
        let text = self.good("schedule", given);
        self.ruled("schedule", text, |text| Schedule::parse(&text, zone.unwrap_or(&TimeZone::UTC)))
    }

    pub(super) fn timezone(&self, given: Given<String>) -> Option<TimeZone> {
        let text = self.good("timezone", given);
        self.ruled("timezone", text, |text| units::parse_zone(&text))
    }
}

fn filled(key: &str, text: String) -> Result<String, String> {
    if text.trim().is_empty() { Err(format!("`{key}` is empty")) } else { Ok(text) }
}
