//! Times as APIs write them, into the one spelling that is stored:
//! `2026-11-15T23:41:53.000Z`. Nothing here reads a clock.

use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::fmt::temporal::{DateTimePrinter, Pieces};
use jiff::fmt::{rfc2822, temporal::PiecesOffset};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::number::{full, parse_number};
use crate::definition::mapping::TimeFormat;
use crate::worker::quote::quote;

/// Always three digits: text of one length sorts as time does.
const STORED: DateTimePrinter = DateTimePrinter::new().precision(Some(3));

/// `zone` is for times that do not say theirs.
pub(super) fn timestamp(text: &str, format: &TimeFormat, zone: &TimeZone) -> Result<String, String> {
    let text = full(text, "a timestamp")?;
    if let (TimeFormat::Guess, Some(stored)) = (format, as_stored(text)) {
        return Ok(stored);
    }
    let found = match format {
        TimeFormat::Guess => guess(text, zone),
        TimeFormat::UnixSeconds => epoch(text, 1e3),
        TimeFormat::UnixMillis => epoch(text, 1.0),
        TimeFormat::Pattern(pattern) => by_pattern(text, pattern, zone),
    };
    match found {
        // Text with another number of digits would not sort among the others.
        Some(found) if found >= YEAR_ZERO => Ok(STORED.timestamp_to_string(&found)),
        _ => Err(refusal(text, format)),
    }
}

/// What most APIs write is what is stored, or all but its milliseconds: that
/// is seen at a glance, where reading and printing takes thousands of steps.
fn as_stored(text: &str) -> Option<String> {
    const FORM: &[u8; 19] = b"0000-00-00T00:00:00";
    let bytes = text.as_bytes();
    let millis = match (bytes.len(), bytes.get(19)) {
        (20, Some(b'Z')) => ".000Z",
        (24, Some(b'.')) if bytes[20..23].iter().all(u8::is_ascii_digit) && bytes[23] == b'Z' => &text[19..],
        _ => return None,
    };
    let fits = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    if !bytes.iter().zip(FORM).all(fits) {
        return None;
    }
    let number =
        |at: usize| bytes[at..at + 2].iter().fold(0, |number, digit| number * 10 + i16::from(digit - b'0'));
    let (year, month, day) = (number(0) * 100 + number(2), number(5), number(8));
    // The last year is not all there; what else is odd is not for a glance.
    let is_time = year < 9999 && number(11) < 24 && number(14) < 60 && number(17) < 60;
    let is_date = Date::new(year, month as i8, day as i8).is_ok();
    (is_time && is_date).then(|| [&text[..19], millis].concat())
}

const YEAR_ZERO: Timestamp = Timestamp::constant(-62_167_219_200, 0);

fn guess(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    if let Some(number) = parse_number(text) {
        return compact_date(text, zone).or_else(|| epoch(text, scale(number)));
    }
    match Pieces::parse(text) {
        Ok(pieces) => from_pieces(&pieces, zone),
        Err(_) => rfc2822::parse(text).ok().map(|zoned| zoned.timestamp()),
    }
}

/// ISO 8601, whole or in part: a time without a zone is in the field's, a
/// date without a time its midnight.
fn from_pieces(pieces: &Pieces<'_>, zone: &TimeZone) -> Option<Timestamp> {
    let civil = DateTime::from_parts(pieces.date(), pieces.time().unwrap_or_default());
    match pieces.offset() {
        Some(PiecesOffset::Zulu) => in_zone(civil, &TimeZone::UTC),
        Some(_) => pieces.to_numeric_offset()?.to_timestamp(civil).ok(),
        None => match pieces.to_time_zone().ok()? {
            Some(own) => in_zone(civil, &own),
            None => in_zone(civil, zone),
        },
    }
}

fn in_zone(civil: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    zone.to_timestamp(civil).ok()
}

/// `20261115` is a day. As an epoch it would be one of August 1970, which no
/// API measures.
fn compact_date(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let looks_so = text.len() == 8 && (text.starts_with("19") || text.starts_with("20"));
    if looks_so { from_pieces(&Pieces::parse(text).ok()?, zone) } else { None }
}

/// Milliseconds in one unit of an epoch of this size: in seconds it would be
/// past the year 5138, in milliseconds too.
fn scale(number: f64) -> f64 {
    match number.abs() {
        size if size < 1e11 => 1e3,
        size if size < 1e14 => 1.0,
        _ => 1e-3,
    }
}

/// Milliseconds are all that is kept, and a float holds those of any year exactly.
fn epoch(text: &str, scale: f64) -> Option<Timestamp> {
    let millis = parse_number(text)? * scale;
    // Rounded where the float is inexact (1.001 s), cut where it is finer than a millisecond.
    let millis = if (millis - millis.round()).abs() < 5e-4 { millis.round() } else { millis.floor() };
    if millis.abs() < 1e15 { Timestamp::from_millisecond(millis as i64).ok() } else { None }
}

fn by_pattern(text: &str, pattern: &str, zone: &TimeZone) -> Option<Timestamp> {
    let read = BrokenDownTime::parse(pattern.trim(), text).ok()?;
    if read.offset().is_some() || read.iana_time_zone().is_some() {
        return read.to_zoned().ok().as_ref().map(Zoned::timestamp);
    }
    if let Some(timestamp) = read.timestamp() {
        return Some(timestamp);
    }
    let midnight = || Some(read.to_date().ok()?.to_datetime(jiff::civil::Time::midnight()));
    let has_time = read.hour().is_some() || read.minute().is_some();
    in_zone(if has_time { read.to_datetime().ok()? } else { midnight()? }, zone)
}

fn refusal(text: &str, format: &TimeFormat) -> String {
    let text = quote(text);
    match format {
        TimeFormat::Guess => {
            format!("{text} is no timestamp that is known; `format:` can say how it is written")
        }
        TimeFormat::UnixSeconds => format!("{text} is no time in seconds since 1970"),
        TimeFormat::UnixMillis => format!("{text} is no time in milliseconds since 1970"),
        TimeFormat::Pattern(pattern) => format!("{text} is no timestamp of the form {}", quote(pattern)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bangkok() -> TimeZone {
        TimeZone::fixed(jiff::tz::offset(7))
    }

    fn check(format: &TimeFormat, rows: &[(&str, &str, &str)]) {
        for (why, text, want) in rows {
            let want = (!want.is_empty()).then(|| (*want).to_owned());
            assert_eq!(timestamp(text, format, &bangkok()).ok(), want, "{why}: {text}");
        }
    }

    #[test]
    fn a_glance_sees_what_reading_would_find() {
        for text in [
            "2026-11-15T23:41:53Z",
            "2026-11-15T23:41:53.120Z",
            "2024-02-29T00:00:00Z",
            "2025-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-11-15T24:00:00Z",
            "2026-11-15T23:60:00Z",
            "2026-11-15t23:41:53z",
            "2026-11-15 23:41:53Z",
            "0000-01-01T00:00:00Z",
            "9998-12-31T23:59:59.999Z",
            "9999-12-31T23:59:59Z",
            "2026-11-15T23:41:5éZ",
        ] {
            let read = guess(text, &bangkok()).filter(|found| *found >= YEAR_ZERO);
            let read = read.map(|found| STORED.timestamp_to_string(&found));
            assert!(as_stored(text).is_none_or(|seen| Some(seen) == read), "{text}");
        }
        assert!(
            as_stored("2024-02-29T00:00:00Z").is_some() && as_stored("2026-11-15T23:41:53.120Z").is_some()
        );
    }

    #[test]
    fn a_guess_knows_the_common_spellings() {
        check(
            &TimeFormat::Guess,
            &[
                ("RFC 3339", "2026-11-15T23:41:53Z", "2026-11-15T23:41:53.000Z"),
                ("an offset", "2026-11-15T23:41:53+02:00", "2026-11-15T21:41:53.000Z"),
                ("an offset without a colon", "2026-11-15T23:41:53-0130", "2026-11-16T01:11:53.000Z"),
                ("no zone", "2026-11-15T23:41:53", "2026-11-15T16:41:53.000Z"),
                ("a zone of its own", "2026-11-15T23:41:53[UTC]", "2026-11-15T23:41:53.000Z"),
                ("a blank for the T", "2026-11-15 23:41:53", "2026-11-15T16:41:53.000Z"),
                ("no seconds", "2026-11-15 23:41", "2026-11-15T16:41:00.000Z"),
                ("no seconds, with a zone", "2026-11-15T23:41Z", "2026-11-15T23:41:00.000Z"),
                ("only a date", "2026-11-15", "2026-11-14T17:00:00.000Z"),
                ("a compact date", "20261115", "2026-11-14T17:00:00.000Z"),
                ("a fraction", "2026-11-15T23:41:53.5Z", "2026-11-15T23:41:53.500Z"),
                (
                    "a fraction that is too fine is cut",
                    "2026-11-15T23:41:53.123987Z",
                    "2026-11-15T23:41:53.123Z",
                ),
                ("before 1970, cut the same way", "1969-12-31T23:59:59.123987Z", "1969-12-31T23:59:59.123Z"),
                ("RFC 2822", "Sun, 15 Nov 2026 23:41:53 +0000", "2026-11-15T23:41:53.000Z"),
                ("RFC 2822 of a web server", "Sun, 15 Nov 2026 23:41:53 GMT", "2026-11-15T23:41:53.000Z"),
                ("blanks around it", " 2026-11-15T23:41:53Z \n", "2026-11-15T23:41:53.000Z"),
                ("seconds", "1794786113", "2026-11-15T23:41:53.000Z"),
                ("seconds with a fraction", "1794786113.25", "2026-11-15T23:41:53.250Z"),
                ("an inexact fraction", "1794786113.001", "2026-11-15T23:41:53.001Z"),
                ("milliseconds", "1794786113007", "2026-11-15T23:41:53.007Z"),
                ("microseconds", "1794786113007999", "2026-11-15T23:41:53.007Z"),
                ("a float that is integral", "1.794786113e9", "2026-11-15T23:41:53.000Z"),
                ("the epoch", "0", "1970-01-01T00:00:00.000Z"),
                ("before it", "-1", "1969-12-31T23:59:59.000Z"),
                ("the first year", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
                ("no such day", "2026-02-30", ""),
                ("no such hour", "2026-02-03T25:00:00Z", ""),
                ("words", "yesterday", ""),
                ("nanoseconds are past all years", "1794786113007999000", ""),
                ("more than a number can hold", "1e999", ""),
                ("before the year 0", "-000001-01-01T00:00:00Z", ""),
                ("the American way needs a format", "11/15/2026", ""),
                ("nothing", " ", ""),
            ],
        );
    }

    #[test]
    fn an_epoch_has_the_unit_that_was_given() {
        check(
            &TimeFormat::UnixSeconds,
            &[
                ("seconds", "1794786113", "2026-11-15T23:41:53.000Z"),
                ("long ago", "20261115", "1970-08-23T12:05:15.000Z"),
                ("not by its size", "1794786113007", ""),
                ("text", "2026-11-15", ""),
            ],
        );
        check(
            &TimeFormat::UnixMillis,
            &[
                ("milliseconds", " 1794786113007 ", "2026-11-15T23:41:53.007Z"),
                ("not by its size", "1794786113", "1970-01-21T18:33:06.113Z"),
            ],
        );
    }

    #[test]
    fn a_pattern_says_how_it_is_written() {
        for (why, pattern, text, want) in [
            ("no zone", "%Y-%m-%d %H:%M:%S", "2026-11-15 23:41:53", "2026-11-15T16:41:53.000Z"),
            ("no seconds", "%d.%m.%Y %H:%M", "15.11.2026 23:41", "2026-11-15T16:41:00.000Z"),
            ("only an hour", "%Y-%m-%d %H", "2026-11-15 23", "2026-11-15T16:00:00.000Z"),
            ("only a date", "%m/%d/%y", "11/15/26", "2026-11-14T17:00:00.000Z"),
            ("blanks around it", "%Y-%m-%d", "2026-11-15 ", "2026-11-14T17:00:00.000Z"),
            ("an offset", "%Y-%m-%dT%H:%M:%S%z", "2026-11-15T23:41:53+0000", "2026-11-15T23:41:53.000Z"),
            ("a zone", "%Y-%m-%d %H:%M %Q", "2026-11-15 23:41 UTC", "2026-11-15T23:41:00.000Z"),
            ("an epoch", "%s", "1794786113", "2026-11-15T23:41:53.000Z"),
            ("a fraction", "%Y-%m-%d %H:%M:%S%.f", "2026-11-15 23:41:53.25", "2026-11-15T16:41:53.250Z"),
            ("twelve hours", "%Y-%m-%d %I:%M %p", "2026-11-15 11:41 PM", "2026-11-15T16:41:00.000Z"),
            ("a number", "%Y%m%d", "20261115", "2026-11-14T17:00:00.000Z"),
            ("another form", "%Y-%m-%d", "15.11.2026", ""),
            ("more than the form", "%Y-%m-%d", "2026-11-15 23:41", ""),
            ("no date", "%H:%M", "23:41", ""),
        ] {
            check(&TimeFormat::Pattern(pattern.into()), &[(why, text, want)]);
        }
    }

    #[test]
    fn a_time_that_a_zone_skips_is_after_the_gap() {
        let zone = TimeZone::get("Europe/Berlin").expect("a zone");
        let found = timestamp("2026-03-29 02:30:00", &TimeFormat::Guess, &zone);
        assert_eq!(found.as_deref(), Ok("2026-03-29T01:30:00.000Z"));
    }
}
