//! Sizes, lengths of time and numbers as people read them. Pure.

use jiff::Timestamp;

/// `812 B`, `45.2 kB`, `12.3 GB`: decimal, as disks are sold.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let (mut size, mut unit) = (bytes as f64 / 1_000.0, 0);
    while size >= 999.95 && unit + 1 < UNITS.len() {
        (size, unit) = (size / 1_000.0, unit + 1);
    }
    format!("{size:.1} {}", UNITS[unit])
}

/// `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Its two largest units: `45s`, `3m 20s`, `2h 5m`, `3d 4h`; days alone from ten on, years from two on.
pub fn length(seconds: u64) -> String {
    let two = |large: u64, unit: &str, small: u64, rest: &str| match small {
        0 => format!("{large}{unit}"),
        _ => format!("{large}{unit} {small}{rest}"),
    };
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    match days {
        0 if minutes == 0 => format!("{seconds}s"),
        0 if hours == 0 => two(minutes, "m", seconds % 60, "s"),
        0 => two(hours, "h", minutes % 60, "m"),
        1..10 => two(days, "d", hours % 24, "h"),
        10..730 => format!("{days}d"),
        _ => format!("{} years", count(days / 365)),
    }
}

/// From one moment to a later one; nothing where it is not later.
pub fn between(from: Timestamp, to: Timestamp) -> String {
    length(u64::try_from(to.duration_since(from).as_secs()).unwrap_or(0))
}

/// `1 page`, `2 pages`.
pub fn of(number: u64, one: &str) -> String {
    format!("{} {one}{}", count(number), if number == 1 { "" } else { "s" })
}

/// As many letters at most, the last one an ellipsis where some are left out.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    if most == 0 { kept } else { kept + "…" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short_and_round() {
        for (number, want) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (45_249, "45.2 kB"),
            (999_999, "1.0 MB"),
            (12_340_000_000, "12.3 GB"),
            (u64::MAX, "18446.7 PB"),
        ] {
            assert_eq!(bytes(number), want);
        }
        for (number, want) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")] {
            assert_eq!(count(number), want);
        }
        for (seconds, want) in [
            (0, "0s"),
            (60, "1m"),
            (200, "3m 20s"),
            (7_500, "2h 5m"),
            (86_400, "1d"),
            (270_000, "3d 3h"),
            (10_000_000, "115d"),
            (864_000_000, "27 years"),
        ] {
            assert_eq!(length(seconds), want);
        }
        assert_eq!((cut("abcd", 4).as_str(), cut("abcde", 4).as_str()), ("abcd", "abc…"));
    }
}
