//! Names of sources, tables and columns, made from what an API calls things.
//! Pure; nothing here looks at values.

use crate::definition::name::{MAX_NAME, is_own_column, is_own_table};

/// Objects that only hold what a record is about: their name says nothing.
const WRAPPERS: [&str; 7] = ["properties", "attributes", "_source", "node", "fields", "resource", "snippet"];

pub(super) fn is_wrapper(key: &str) -> bool {
    WRAPPERS.contains(&key)
}

/// Words that SQL would want in quotes each time they are used.
const RESERVED: [&str; 40] = [
    "add",
    "all",
    "alter",
    "and",
    "as",
    "between",
    "case",
    "check",
    "collate",
    "column",
    "commit",
    "create",
    "default",
    "delete",
    "distinct",
    "drop",
    "else",
    "except",
    "exists",
    "foreign",
    "from",
    "group",
    "having",
    "in",
    "index",
    "insert",
    "into",
    "is",
    "join",
    "limit",
    "not",
    "null",
    "on",
    "or",
    "order",
    "primary",
    "references",
    "select",
    "set",
    "table",
];
const RESERVED_TOO: [&str; 9] =
    ["then", "to", "transaction", "union", "unique", "update", "using", "values", "where"];

/// Whatever they stand in, there is seldom more than one of each.
const PLACES: [&str; 5] = ["latitude", "longitude", "lat", "lon", "lng"];

pub(super) fn is_place(column: &str) -> bool {
    PLACES.contains(&column) || column == "altitude"
}

/// The column for a path: `pm25.value` is `pm25_value`, `properties.mag` is `mag`.
pub(super) fn column(path: &[String], taken: &[String]) -> String {
    let inner = match path {
        [wrapper, rest @ ..] if is_wrapper(wrapper) && !rest.is_empty() => rest,
        whole => whole,
    };
    let place = inner.last().filter(|key| PLACES.contains(&key.as_str()) && !taken.contains(key));
    let inner = place.map_or(inner, std::slice::from_ref);
    let words: Vec<String> = inner.iter().map(|key| snake(key)).filter(|word| !word.is_empty()).collect();
    let name = match words.join("_") {
        name if name.is_empty() => "value".to_owned(),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("n{name}"),
        name => name,
    };
    distinct(&allowed(name), taken, |name| name.to_ascii_lowercase())
}

fn allowed(name: String) -> String {
    match name.as_str() {
        "created_at" => "created".to_owned(),
        "source_name" => "source".to_owned(),
        own if is_own_column(own) => format!("their_{own}"),
        word if RESERVED.contains(&word) || RESERVED_TOO.contains(&word) => format!("{word}_"),
        _ => cut(name, MAX_NAME - 4),
    }
}

fn distinct(name: &str, taken: &[String], fold: impl Fn(&str) -> String) -> String {
    let is_free = |name: &str| !taken.iter().any(|known| fold(known) == fold(name));
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| is_free(name)).unwrap_or_default()
}

fn cut(mut name: String, most: usize) -> String {
    name.truncate(most);
    name.trim_end_matches('_').to_owned()
}

/// `stationID` is `station_id`, `1. open` is `open`, `@Value` is `value`.
pub(super) fn snake(key: &str) -> String {
    let key = without_number(key);
    let letters: Vec<char> = key.chars().collect();
    let mut name = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let begins_word = letter.is_ascii_uppercase()
            && (before.is_some_and(|c| c.is_ascii_lowercase())
                || before.is_some_and(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
                    && after.is_some_and(|c| c.is_ascii_lowercase()));
        if (begins_word || !letter.is_ascii_alphanumeric()) && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        if letter.is_ascii_alphanumeric() {
            name.push(letter.to_ascii_lowercase());
        }
    }
    name.trim_end_matches('_').to_owned()
}

/// `1. open` is numbered for people.
fn without_number(key: &str) -> &str {
    let rest = key.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(". ").map(str::trim) {
        Some(word) if rest.len() < key.len() && !word.is_empty() => word,
        _ => key,
    }
}

/// The word of a host that people know it by: `openaq` of `api.openaq.org`.
/// None for an address.
pub(super) fn site(host: &str) -> Option<String> {
    const GENERIC: [&str; 7] = ["co", "com", "org", "net", "gov", "ac", "edu"];
    if host.parse::<std::net::Ipv4Addr>().is_ok() || host.starts_with('[') || host == "localhost" {
        return None;
    }
    let mut labels: Vec<&str> = host.split('.').collect();
    if labels.len() > 1 {
        labels.pop();
    }
    if labels.len() > 1 && labels.last().is_some_and(|label| GENERIC.contains(label)) {
        labels.pop();
    }
    labels.last().map(|label| snake(label)).filter(|label| !label.is_empty())
}

/// Of a source: the site's word and the last of the path that says something.
pub(super) fn source(host: &str, path: &str) -> String {
    let word = path.rsplit('/').map(stem).find(|word| says_something(word));
    let parts: Vec<String> = site(host).into_iter().chain(word).collect();
    let name = if parts.is_empty() { "source".to_owned() } else { parts.join("-") };
    cut(name.replace('_', "-"), MAX_NAME).trim_matches('-').to_owned()
}

fn stem(segment: &str) -> String {
    const ENDINGS: [&str; 7] = [".json", ".geojson", ".csv", ".ndjson", ".jsonl", ".php", ".aspx"];
    let lower = segment.to_ascii_lowercase();
    let kept = ENDINGS.iter().find_map(|ending| lower.strip_suffix(ending)).map_or(segment.len(), str::len);
    snake(segment.get(..kept).unwrap_or(segment))
}

/// Not a version, an id, or a word that every API has.
fn says_something(word: &str) -> bool {
    const EVERYWHERE: [&str; 7] = ["api", "rest", "json", "csv", "data", "query", "index"];
    let version = word.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_id = word.chars().filter(char::is_ascii_digit).count() * 2 >= word.len();
    !version && !is_id && !EVERYWHERE.contains(&word)
}

pub(super) fn table(source: &str) -> String {
    let name = source.replace('-', "_");
    match name.as_str() {
        own if is_own_table(own) => format!("{own}_rows"),
        digits if digits.starts_with(|c: char| c.is_ascii_digit()) => format!("t{digits}"),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_identifiers_of_their_own() {
        let taken = ["title".to_owned()];
        for (path, want) in [
            (vec!["id"], "id"),
            (vec!["stationID"], "station_id"),
            (vec!["AQILast", "PM25", "value"], "aqi_last_pm25_value"),
            (vec!["pm2.5"], "pm2_5"),
            (vec!["pm003Count"], "pm003_count"),
            (vec!["H2O"], "h2o"),
            (vec!["coordinates", "latitude"], "latitude"),
            (vec!["1. open"], "open"),
            (vec!["@MeasurementDateGMT"], "measurement_date_gmt"),
            (vec!["properties", "mag"], "mag"),
            (vec!["properties"], "properties"),
            (vec!["created_at"], "created"),
            (vec!["rowid"], "their_rowid"),
            (vec!["from"], "from_"),
            (vec!["Title"], "title_2"),
            (vec!["24h"], "n24h"),
            (vec!["ชื่อ"], "value"),
        ] {
            let path: Vec<String> = path.into_iter().map(str::to_owned).collect();
            assert_eq!(column(&path, &taken), want, "{path:?}");
        }
        assert!(column(&["x".repeat(200)], &taken).len() <= 64);
    }

    #[test]
    fn a_source_is_named_after_its_site_and_what_it_asks_for() {
        for (host, path, want) in [
            ("api.openaq.org", "/v3/locations/8118/latest", "openaq-latest"),
            ("api.github.com", "/repos/rust-lang/rust/issues", "github-issues"),
            ("earthquake.usgs.gov", "/earthquakes/feed/v1.0/summary/all_day.geojson", "usgs-all-day"),
            ("data.example.co.uk", "/", "example"),
            ("127.0.0.1", "/v1/sensors", "sensors"),
            ("127.0.0.1", "/api/v1/", "source"),
            ("localhost", "/2026", "source"),
        ] {
            assert_eq!(source(host, path), want, "{host}{path}");
        }
        assert_eq!(table("retries"), "retries_rows");
        assert_eq!(table("openaq-latest"), "openaq_latest");
        assert_eq!(site("localhost"), None);
    }
}
