//! Values as YAML: quoted where they would be read as something else. Pure.

use super::tree::Json;

/// Text in a block or in a `{ … }`.
pub(super) fn text(value: &str) -> String {
    if is_plain(value) {
        return value.to_owned();
    }
    if value.contains('"') && !value.contains('\'') && !value.contains(char::is_control) {
        return format!("'{value}'");
    }
    quoted(value)
}

/// Text in double quotes, whatever is in it.
pub(super) fn quoted(value: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() || matches!(control, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

/// A word that no reader of YAML takes for a number, a boolean or a date.
fn is_plain(value: &str) -> bool {
    const WORDS: [&str; 10] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"];
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/' | ' ' | '$');
    let starts = value.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
    starts
        && !value.ends_with(' ')
        && value.chars().all(allowed)
        && !WORDS.contains(&value.to_ascii_lowercase().as_str())
}

/// A url stands bare unless something in it means something to YAML.
pub(super) fn url(value: &str) -> String {
    let allowed = |c: char| c.is_ascii_graphic() && !matches!(c, '#' | '"' | '\'' | '{' | '}' | '\\');
    if value.chars().all(allowed) && !value.ends_with(':') { value.to_owned() } else { quoted(value) }
}

/// A parameter's value: a number stays one where it is written the same way.
pub(super) fn param(value: &str) -> String {
    let is_same = |number: f64| number.is_finite() && number.abs() < 1e15 && number.to_string() == value;
    if value.parse().is_ok_and(is_same) { value.to_owned() } else { text(value) }
}

/// JSON is YAML; on one line.
pub(super) fn json(value: &Json) -> String {
    match value {
        Json::Null | Json::Huge => "null".to_owned(),
        Json::Boolean(value) => value.to_string(),
        Json::Integer(value) => value.to_string(),
        Json::Real(value) => format!("{value:?}"),
        Json::Text(text) => quoted(text),
        Json::List(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        Json::Map(members) => {
            let member = |(key, value): &(String, Json)| format!("{}: {}", quoted(key), json(value));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Foreign text in a comment: one line.
pub(super) fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let texts = [
            "plain",
            "a.b",
            "a b",
            "true",
            "No",
            "12",
            "1.5",
            "",
            " a",
            "a ",
            "\"1. open\"",
            "it's",
            "a: b",
            "#x",
            "- a",
            "2026-11-15",
            "@Value",
            "$limit",
            "ชื่อ",
            "a\nb\t\\",
            "'\"",
            "\u{1b}[31m",
            "*a",
            "&a",
            "!a",
            "%a",
            "~",
            "{",
            "a,b",
            "0x1f",
            "1e3",
            "NaN",
            ".inf",
            "é",
            "?",
            "null",
            "\u{85}",
            "\u{2028}",
            "on",
            "${env:A}",
        ];
        for value in texts {
            for written in [text(value), quoted(value)] {
                let document = format!("k: {written}\nf: {{ v: {written}, w: 1 }}\n{written}: 1\n");
                let read: serde_yaml::Value = serde_yaml::from_str(&document).expect(&document);
                assert_eq!(read["k"].as_str(), Some(value), "{document}");
                assert_eq!(read["f"]["v"].as_str(), Some(value), "{document}");
                assert_eq!(read[value].as_i64(), Some(1), "{document}");
            }
        }
    }

    #[test]
    fn json_and_urls_are_read_again() {
        let json_text = r#"{"a":[1,-2.5,1e300,null,true,"x: # \"y\""],"b":{},"c":[]}"#;
        let tree: Json = serde_json::from_str(json_text).expect("JSON");
        let read: serde_json::Value = serde_yaml::from_str(&json(&tree)).expect("YAML");
        assert_eq!(read, serde_json::from_str::<serde_json::Value>(json_text).expect("JSON"));
        for value in ["https://a.example/x?y=1&z=[2]", "https://a.example/'a'", "https://a.example/x:"] {
            let read: serde_yaml::Value = serde_yaml::from_str(&format!("url: {}", url(value))).expect(value);
            assert_eq!(read["url"].as_str(), Some(value));
        }
        for (value, want) in [
            ("20", "20"),
            ("-3", "-3"),
            ("52.52", "52.52"),
            ("020", "\"020\""),
            ("1.0", "\"1.0\""),
            ("1e3", "\"1e3\""),
        ] {
            assert_eq!(param(value), want);
        }
    }
}
