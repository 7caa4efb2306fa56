//! Short texts that stand for something measured: durations (`90s`, `15m`,
//! `6h`, `1d`), sizes (`16MiB`) and time zones. Keeps out where they are used.

use std::time::Duration;

use jiff::tz::TimeZone;

use super::problem::shorten;

/// A bare number is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(not_a_duration(text)),
    };
    let number: u64 = number.parse().map_err(|_| not_a_duration(text))?;
    // A century: longer is a slip, and would overflow sums of times.
    match number.checked_mul(seconds).filter(|total| *total <= 100 * 366 * 86_400) {
        Some(total) => Ok(Duration::from_secs(total)),
        None => Err(format!("`{text}` is longer than a century")),
    }
}

/// A bare number is bytes.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit.trim() {
        "" | "B" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return Err(format!("`{text}` is no size; 512KiB and 16MiB are")),
    };
    number
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(1 << shift))
        .ok_or_else(|| format!("`{text}` is no size; 512KiB and 16MiB are"))
}

/// By its IANA name. UTC is known without a database of time zones.
pub fn parse_zone(name: &str) -> Result<TimeZone, String> {
    if name.eq_ignore_ascii_case("UTC") {
        return Ok(TimeZone::UTC);
    }
    let named = TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some());
    named.ok_or_else(|| {
        format!("`{}` is no time zone of this machine; UTC and Europe/Berlin are such names", shorten(name))
    })
}

fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

fn not_a_duration(text: &str) -> String {
    format!("`{text}` is no duration; 90s, 15m, 6h and 1d are")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_or_are_seconds() {
        for (text, want) in [("90", 90), ("90s", 90), ("15m", 900), ("6h", 21_600), ("1d", 86_400)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs(want)), "{text}");
        }
        for text in ["", "m", "-1s", "1.5h", "1w", "1 h", "99999999999999999999s", "40000d"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_binary_units() {
        for (text, want) in [("1024", 1_024), ("512KiB", 512 << 10), ("16MiB", 16 << 20), ("1GiB", 1 << 30)] {
            assert_eq!(parse_bytes(text), Ok(want), "{text}");
        }
        for text in ["", "MiB", "16MB", "-1", "99999999999GiB"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn zones_have_names_in_any_case() {
        for (text, want) in [("UTC", "UTC"), ("utc", "UTC"), ("europe/berlin", "Europe/Berlin")] {
            assert_eq!(parse_zone(text).as_ref().map(TimeZone::iana_name), Ok(Some(want)), "{text}");
        }
        for text in ["", "Mars", "+01:00", "../etc/passwd", "CET-1CEST", "Etc/Unknown"] {
            assert!(parse_zone(text).is_err(), "{text}");
        }
    }
}
