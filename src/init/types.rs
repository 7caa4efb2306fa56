//! What type a field's values have in all records together. Which texts are
//! times is in `times`. Pure.

use super::names;
use super::times::{names_a_time, names_utc, time};
use super::tree::Json;
use crate::order;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Integer,
    Real,
    Boolean,
    Json,
    Timestamp {
        format: Option<&'static str>,
        /// The values name their zone, or are counted from 1970.
        is_sure: bool,
    },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Typed {
    /// `None` keeps each value as it is.
    pub(super) kind: Option<Kind>,
    /// Texts and numbers that mean "none".
    pub(super) nulls: Vec<String>,
    pub(super) note: Option<String>,
}

impl Typed {
    pub(super) fn plain(kind: Kind) -> Typed {
        Typed { kind: Some(kind), ..Typed::default() }
    }

    fn untyped(note: &str) -> Typed {
        Typed { note: Some(note.to_owned()), ..Typed::default() }
    }
}

pub(super) fn of(key: &str, values: &[&Json]) -> Typed {
    let values: Vec<&Json> = values.iter().copied().filter(|value| **value != Json::Null).collect();
    let all = |is: fn(&Json) -> bool| values.iter().all(|value| is(value));
    if values.is_empty() {
        return Typed::untyped("null here: its type is not known");
    }
    if all(|value| !value.is_scalar()) {
        return Typed::plain(Kind::Json);
    }
    if all(|value| matches!(value, Json::Boolean(_))) {
        return Typed::plain(Kind::Boolean);
    }
    if all(|value| matches!(value, Json::Integer(_))) {
        let numbers: Vec<i64> = values.iter().filter_map(|value| value.integer()).collect();
        return integers(key, &numbers);
    }
    if all(|value| matches!(value, Json::Integer(_) | Json::Real(_))) {
        let missing = values.iter().filter_map(|value| sentinel(&shown(value))).collect();
        return with_sentinels(Typed::plain(Kind::Real), missing);
    }
    if all(|value| matches!(value, Json::Text(_))) {
        let texts: Vec<&str> = values.iter().filter_map(|value| value.text()).collect();
        return texts_type(key, &texts);
    }
    if values.contains(&&Json::Huge) {
        return Typed::untyped("has integers of more than 64 bits, kept as they are");
    }
    Typed::untyped("mixed: values of several kinds, kept as they are")
}

fn shown(value: &Json) -> String {
    match value {
        Json::Integer(number) => number.to_string(),
        Json::Real(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Things that are counted: a fraction never turns up among them.
pub(super) fn names_a_count(key: &str) -> bool {
    const WORDS: [&str; 41] = [
        "id",
        "ids",
        "count",
        "counts",
        "num",
        "number",
        "no",
        "index",
        "idx",
        "total",
        "size",
        "bytes",
        "year",
        "month",
        "day",
        "hour",
        "minute",
        "week",
        "rank",
        "version",
        "position",
        "votes",
        "points",
        "score",
        "comments",
        "status",
        "code",
        "volume",
        "population",
        "quantity",
        "qty",
        "age",
        "port",
        "level",
        "page",
        "order",
        "pid",
        "aqi",
        "seconds",
        "rating",
        "zip",
    ];
    names::snake(key).split('_').any(|word| WORDS.contains(&word))
}

/// Things that are measured: whole numbers among them are a coincidence.
pub(super) fn names_a_measure(key: &str) -> bool {
    const WORDS: [&str; 26] = [
        "value",
        "price",
        "temperature",
        "temp",
        "humidity",
        "pressure",
        "speed",
        "lat",
        "lon",
        "lng",
        "long",
        "latitude",
        "longitude",
        "altitude",
        "elevation",
        "rate",
        "mag",
        "open",
        "high",
        "low",
        "close",
        "depth",
        "weight",
        "height",
        "distance",
        "pm25",
    ];
    names::snake(key).split('_').any(|word| WORDS.contains(&word))
}

/// Numbers that stand for "not measured" wherever they turn up.
fn sentinel(text: &str) -> Option<String> {
    let whole = text.trim_end_matches(".0");
    ["-999", "-9999", "-99999"].contains(&whole).then(|| whole.to_owned())
}

fn with_sentinels(mut typed: Typed, mut missing: Vec<String>) -> Typed {
    order::by_text(&mut missing, String::clone);
    missing.dedup();
    if !missing.is_empty() {
        typed.note = Some(format!("guessed: {} means none", missing.join(", ")));
        typed.nulls.extend(missing);
    }
    typed
}

fn integers(key: &str, numbers: &[i64]) -> Typed {
    let within = |from: i64, to: i64| numbers.iter().all(|number| (from..to).contains(number));
    // From the year 2000 to 2100.
    let (from, to) = (946_684_800, 4_102_444_800);
    let counted = |format| Typed::plain(Kind::Timestamp { format: Some(format), is_sure: true });
    if names_a_time(key) && within(from, to) {
        return counted("unix");
    }
    if names_a_time(key) && within(from * 1000, to * 1000) {
        return counted("unix_ms");
    }
    if names_a_time(key) && within(19_000_101, 21_000_101) {
        let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        if let Some(day) = time(&texts) {
            return day;
        }
    }
    let missing = numbers.iter().filter_map(|number| sentinel(&number.to_string())).collect();
    with_sentinels(Typed::plain(Kind::Integer), missing)
}

fn texts_type(key: &str, texts: &[&str]) -> Typed {
    const NONE: [&str; 7] = ["", "-", "N/A", "NA", "NaN", "null", "None"];
    let is_none = |text: &str| NONE.contains(&text.trim());
    let said: Vec<&str> = texts.iter().copied().filter(|text| !is_none(text)).collect();
    let mut nulls: Vec<String> = Vec::new();
    for text in texts.iter().filter(|text| is_none(text)) {
        if !nulls.iter().any(|known| known == text) {
            nulls.push((*text).to_owned());
        }
    }
    let known = if said.is_empty() {
        None
    } else {
        time(&said).or_else(|| numbers(key, &said)).or_else(|| booleans(&said))
    };
    match known {
        Some(mut typed) => {
            if let Some(Kind::Timestamp { is_sure, .. }) = &mut typed.kind {
                *is_sure |= names_utc(key);
            }
            nulls.append(&mut typed.nulls);
            Typed { nulls, ..typed }
        }
        None => Typed::plain(Kind::Text),
    }
}

fn booleans(texts: &[&str]) -> Option<Typed> {
    let is = |text: &&str| ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
    texts.iter().all(is).then(|| Typed::plain(Kind::Boolean))
}

/// Numbers written as text; not codes and ids, which only look like them.
fn numbers(key: &str, texts: &[&str]) -> Option<Typed> {
    const CODES: [&str; 12] = [
        "id", "code", "zip", "postcode", "postal", "phone", "fips", "key", "version", "index", "cik", "isin",
    ];
    let name = names::snake(key);
    let is_code = name.split('_').any(|word| CODES.contains(&word));
    if is_code || !texts.iter().all(|text| is_plain_number(text.trim())) {
        return None;
    }
    let fraction = texts.iter().any(|text| text.contains('.'));
    let kind = if fraction { Kind::Real } else { Kind::Integer };
    let missing = texts.iter().filter_map(|text| sentinel(text.trim())).collect();
    Some(with_sentinels(Typed::plain(kind), missing))
}

/// `12`, `-3.5`; not `007`, `+1`, `1e5`, nor more digits than a number holds.
fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && all_digits(fraction) && (whole == "0" || !whole.starts_with('0')) && text.len() < 17
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(key: &str, json: &str) -> Option<Kind> {
        let values: Vec<Json> = serde_json::from_str(json).expect(json);
        of(key, &values.iter().collect::<Vec<_>>()).kind
    }

    #[test]
    fn a_type_is_what_all_values_have() {
        let time = |format, is_sure| Some(Kind::Timestamp { format, is_sure });
        for (key, json, want) in [
            ("a", "[1,2,null]", Some(Kind::Integer)),
            ("a", "[1,2.5]", Some(Kind::Real)),
            ("a", "[true,false]", Some(Kind::Boolean)),
            ("a", r#"["x","y"]"#, Some(Kind::Text)),
            ("a", r#"[[1],[2]]"#, Some(Kind::Json)),
            ("a", r#"[1,"x"]"#, None),
            ("a", "[null]", None),
            ("a", "[18446744073709551615]", None),
            ("aqi", r#"["12","7",""]"#, Some(Kind::Integer)),
            ("aqi", r#"["12.5","-"]"#, Some(Kind::Real)),
            ("zip", r#"["12345"]"#, Some(Kind::Text)),
            ("n", r#"["007"]"#, Some(Kind::Text)),
            ("time", "[1794786113]", time(Some("unix"), true)),
            ("updated", "[1794786113000]", time(Some("unix_ms"), true)),
            ("votes", "[1794786113]", Some(Kind::Integer)),
            ("date", "[20261115]", time(Some("%Y%m%d"), true)),
            ("t", r#"["2026-11-15T23:41:53Z"]"#, time(None, true)),
            ("t", r#"["2026-11-15T23:41"]"#, time(None, false)),
            ("t", r#"["2026-11-15 23:41:53"]"#, time(Some("%Y-%m-%d %H:%M:%S"), false)),
            ("t", r#"["2026-11-15"]"#, time(Some("%Y-%m-%d"), true)),
            ("t", r#"["Sun, 15 Nov 2026 23:41:53 GMT"]"#, time(None, true)),
            ("t", r#"["11/15/2026"]"#, time(Some("%m/%d/%Y"), true)),
            ("t", r#"["10/11/2026"]"#, Some(Kind::Text)),
            ("t", r#"["2026"]"#, Some(Kind::Integer)),
            ("t", r#"["1.2.3"]"#, Some(Kind::Text)),
        ] {
            assert_eq!(kind_of(key, json), want, "{key} {json}");
        }
    }

    #[test]
    fn what_means_none_is_named() {
        let values: Vec<Json> = serde_json::from_str(r#"["1.5", "", "-999", "N/A"]"#).expect("JSON");
        let typed = of("pm25", &values.iter().collect::<Vec<_>>());
        assert_eq!(typed.nulls, ["", "N/A", "-999"]);
        assert_eq!(typed.kind, Some(Kind::Real));
    }
}
