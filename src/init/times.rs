//! Times among texts and numbers, and how they are written. Each way is tried
//! with the very code that will read them. Pure.

use std::borrow::Cow;

use jiff::tz::TimeZone;

use super::names;
use super::types::{Kind, Typed};
use crate::definition::mapping::TimeFormat;
use crate::definition::{self, FieldType, Origin};
use crate::worker::convert::Converter;

/// By its words: `time`, `created_at`, `lastSeen`, `dateUpdated`.
pub(super) fn names_a_time(key: &str) -> bool {
    const WORDS: [&str; 19] = [
        "time",
        "timestamp",
        "date",
        "datetime",
        "at",
        "ts",
        "epoch",
        "created",
        "updated",
        "modified",
        "published",
        "seen",
        "dt",
        "expires",
        "on",
        "since",
        "sunrise",
        "sunset",
        "until",
    ];
    let name = names::snake(key);
    name.split('_').any(|word| WORDS.contains(&word) || word.ends_with("time") || word.ends_with("date"))
}

pub(super) fn names_utc(key: &str) -> bool {
    names::snake(key).split('_').any(|word| ["gmt", "utc"].contains(&word))
}

pub(super) fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-' && reads(&[text], Some("%Y-%m-%d"))
}

pub(super) fn is_time_of_day(text: &str) -> bool {
    let digits = |byte: u8| byte.is_ascii_digit() || byte == b':';
    matches!(text.len(), 5 | 8) && text.as_bytes()[2] == b':' && text.bytes().all(digits)
}

/// The first way to write times that reads all of them.
pub(super) fn time(texts: &[&str]) -> Option<Typed> {
    const WAYS: [&str; 10] = [
        "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%d %H:%M",
        "%Y-%m-%d",
        "%Y%m%d",
        "%Y/%m/%d %H:%M:%S",
        "%Y/%m/%d",
        "%d.%m.%Y %H:%M:%S",
        "%d.%m.%Y %H:%M",
        "%d.%m.%Y",
        "%Y%m%dT%H%M%S",
    ];
    let length = texts[0].trim().len();
    let may_be = texts.iter().all(|text| text.len() < 60 && text.bytes().any(|byte| byte.is_ascii_digit()));
    if !may_be {
        return None;
    }
    if let Some(format) =
        WAYS.into_iter().find(|format| reads(texts, Some(format)) && is_long_enough(format, length))
    {
        let is_sure = !format.contains("%H");
        return Some(Typed::plain(Kind::Timestamp { format: Some(format), is_sure }));
    }
    let is_number = |text: &&str| text.trim().parse::<f64>().is_ok();
    if texts.iter().any(is_number) || texts.iter().any(|text| !has_date(text)) {
        return slashes(texts);
    }
    if reads(texts, None) {
        let is_sure = texts.iter().all(|text| has_zone(text));
        return Some(Typed::plain(Kind::Timestamp { format: None, is_sure }));
    }
    slashes(texts)
}

/// A pattern also reads shorter numbers than it writes.
fn is_long_enough(format: &str, length: usize) -> bool {
    match format {
        "%Y%m%d" => length == 8,
        _ => length >= 8,
    }
}

/// Days and months that cannot be told apart are not guessed.
fn slashes(texts: &[&str]) -> Option<Typed> {
    let pairs = [
        ("%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M:%S"),
        ("%m/%d/%Y %H:%M", "%d/%m/%Y %H:%M"),
        ("%m/%d/%Y", "%d/%m/%Y"),
    ];
    let found =
        pairs.into_iter().map(|(us, eu)| ((us, reads(texts, Some(us))), (eu, reads(texts, Some(eu)))));
    for ((us, is_us), (eu, is_eu)) in found {
        let format = match (is_us, is_eu) {
            (true, false) => us,
            (false, true) => eu,
            (true, true) => {
                let note = format!("a time, {us} or {eu}: say which by `type: timestamp` and `format`");
                return Some(Typed { kind: Some(Kind::Text), note: Some(note), nulls: Vec::new() });
            }
            (false, false) => continue,
        };
        return Some(Typed::plain(Kind::Timestamp { format: Some(format), is_sure: !format.contains("%H") }));
    }
    None
}

fn has_date(text: &str) -> bool {
    text.trim().len() >= 8
}

/// `Z`, an offset after the time, or a name as in RFC 2822.
fn has_zone(text: &str) -> bool {
    let text = text.trim();
    let time = text.get(10..).unwrap_or_default();
    text.ends_with('Z')
        || text.ends_with("GMT")
        || text.ends_with("UTC")
        || time.contains(['+', '-', '['])
        || !text.contains(':')
}

fn reads(texts: &[&str], format: Option<&str>) -> bool {
    let format = format.map_or(TimeFormat::Guess, |pattern| TimeFormat::Pattern(pattern.to_owned()));
    let converter = Converter::new(&definition::Field {
        origin: Origin::Key,
        target: String::new(),
        kind: Some(FieldType::Timestamp { format, zone: TimeZone::UTC }),
        default: None,
        nulls: Vec::new(),
    });
    texts.iter().all(|text| converter.text(Cow::Borrowed(text)).is_ok())
}
