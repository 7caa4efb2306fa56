//! Text into numbers, never by guessing. Keeps out JSON: a number of JSON and
//! text of a number are the same here.

use crate::worker::quote::quote;

/// Only digits, signs, a point and an exponent: Rust would take `inf` and
/// `nan` too, which no column can hold.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    if is_plain { text.parse().ok() } else { None }
}

pub(super) fn real(text: &str) -> Result<f64, String> {
    let text = full(text, "a number")?;
    match parse_number(text) {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => Err(format!("{} is too large for a number", quote(text))),
        None => Err(format!("{} is no number", quote(text))),
    }
}

/// Integral floats too; what would lose a fraction or digits is refused.
pub(super) fn integer(text: &str) -> Result<i64, String> {
    let text = full(text, "an integer")?;
    if let Ok(number) = without_zero_fraction(text).parse() {
        return Ok(number);
    }
    match parse_number(text) {
        Some(number) if number.fract() != 0.0 => {
            Err(format!("{} is no integer: it has a fraction", quote(text)))
        }
        Some(number) if is_sure(number, text) => Ok(number as i64),
        Some(_) => Err(format!("{} does not fit an integer of 64 bits", quote(text))),
        None => Err(format!("{} is no integer", quote(text))),
    }
}

/// Above 2^53 a float no longer says which integer was written, unless it was
/// written as a float.
fn is_sure(number: f64, text: &str) -> bool {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let fits = (-LIMIT..LIMIT).contains(&number);
    number.abs() <= 9_007_199_254_740_992.0 || (fits && text.contains(['e', 'E']))
}

pub(super) fn boolean(text: &str) -> Result<i64, String> {
    let text = full(text, "a boolean")?;
    let is = |words: [&str; 2]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match parse_number(text) {
        Some(1.0) => Ok(1),
        Some(0.0) => Ok(0),
        None if is(["true", "yes"]) => Ok(1),
        None if is(["false", "no"]) => Ok(0),
        _ => Err(format!("{} is no boolean; true, false, yes, no, 1 and 0 are", quote(text))),
    }
}

/// The text without blanks around it. An empty one is refused with the way
/// out: it is the commonest spelling of "none".
pub(super) fn full<'a>(text: &'a str, want: &str) -> Result<&'a str, String> {
    match text.trim() {
        "" => Err(format!("the text is empty, not {want}; `nulls: [\"\"]` makes it null")),
        text => Ok(text),
    }
}

/// `12.00` is `12`, exactly, however long.
fn without_zero_fraction(text: &str) -> &str {
    match text.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => whole,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_integral_and_fit() {
        for (text, want) in [
            ("12", Some(12)),
            (" -7 ", Some(-7)),
            ("+7", Some(7)),
            ("12.00", Some(12)),
            ("1e3", Some(1_000)),
            ("-0", Some(0)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775807.0", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("-9223372036854775809", None),
            ("9223372036854775806.5", None),
            ("1.5e18", Some(1_500_000_000_000_000_000)),
            ("1e19", None),
            ("1e999", None),
            ("1.5", None),
            ("abc", None),
            ("0x10", None),
            ("1,000", None),
            ("", None),
            (".", None),
            ("-", None),
        ] {
            assert_eq!(integer(text).ok(), want, "{text}");
        }
    }

    #[test]
    fn reals_are_finite() {
        for (text, want) in [
            ("1.5", Some(1.5)),
            (" 1.5 ", Some(1.5)),
            ("-1e3", Some(-1_000.0)),
            (".5", Some(0.5)),
            ("7", Some(7.0)),
            ("NaN", None),
            ("inf", None),
            ("-Infinity", None),
            ("1e999", None),
            ("1,5", None),
            ("12 µg", None),
            ("e", None),
            ("", None),
        ] {
            assert_eq!(real(text).ok(), want, "{text}");
        }
    }

    #[test]
    fn booleans_are_a_few_words() {
        for (text, want) in [
            ("true", Some(1)),
            ("FALSE", Some(0)),
            ("Yes", Some(1)),
            ("no", Some(0)),
            ("1", Some(1)),
            ("0", Some(0)),
            ("1.0", Some(1)),
            ("2", None),
            ("on", None),
            ("", None),
        ] {
            assert_eq!(boolean(text).ok(), want, "{text}");
        }
    }

    #[test]
    fn an_empty_text_is_refused_with_the_way_out() {
        for message in [real("").err(), integer(" ").err(), boolean("").err()] {
            let message = message.expect("an error");
            assert!(message.contains(r#"`nulls: [""]`"#), "{message}");
        }
    }
}
