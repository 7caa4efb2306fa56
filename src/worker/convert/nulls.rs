//! The values of an API that mean "none": `-999`, an empty text. Keeps out
//! the one that JSON has for it.

use super::number::parse_number;

#[derive(Debug, Clone, Default)]
pub(super) struct Nulls(Vec<Sentinel>);

#[derive(Debug, Clone)]
struct Sentinel {
    /// Without blanks around it.
    text: String,
    /// Where it is a number, or text of one.
    number: Option<Number>,
}

/// Integers apart, so that long ids are not rounded into each other.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Integer(i64),
    Real(f64),
}

impl Nulls {
    pub(super) fn new(values: &[serde_json::Value]) -> Nulls {
        let texts = values.iter().map(|value| match value {
            serde_json::Value::String(text) => text.trim().to_owned(),
            other => other.to_string(),
        });
        Nulls(texts.map(|text| Sentinel { number: number(&text), text }).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Equal as trimmed text, or as numbers: an API that writes `-999` today
    /// writes `"-999.0"` tomorrow.
    pub(super) fn contain(&self, text: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        let text = text.trim();
        let number = number(text);
        self.0.iter().any(|sentinel| sentinel.text == text || (number.is_some() && sentinel.number == number))
    }
}

fn number(text: &str) -> Option<Number> {
    if let Ok(integer) = text.parse() {
        return Some(Number::Integer(integer));
    }
    let real = parse_number(text)?;
    let is_exact = real.fract() == 0.0 && real.abs() < 9_007_199_254_740_992.0;
    Some(if is_exact { Number::Integer(real as i64) } else { Number::Real(real) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_sentinel_matches_as_text_or_as_a_number() {
        for (why, sentinel, text, want) in [
            ("equal text", json!("-"), "-", true),
            ("blanks around it", json!(" n/a"), "n/a ", true),
            ("empty", json!(""), "  ", true),
            ("empty is not zero", json!(""), "0", false),
            ("a number and its text", json!(-999), "-999", true),
            ("text of a number and another spelling", json!("-1"), "-1.0", true),
            ("a float", json!(-999.0), "-999", true),
            ("another number", json!(-999), "-99", false),
            ("a fraction", json!(0.5), "5e-1", true),
            ("long ids are not rounded", json!(9007199254740993_i64), "9007199254740992", false),
            ("case counts", json!("NA"), "na", false),
            ("a boolean is its word", json!(false), "false", true),
            ("a boolean is no number", json!(false), "0", false),
            ("an empty list", json!([]), "[]", true),
            ("NaN is text", json!("NaN"), "NaN", true),
        ] {
            assert_eq!(Nulls::new(&[sentinel]).contain(text), want, "{why}");
        }
    }
}
