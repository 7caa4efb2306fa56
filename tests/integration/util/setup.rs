//! A source against a site, and rows as text: what most tests of fetching begin and end with. Nothing
//! here runs anything.

use super::{Hermes, Site};
use rusqlite::types::Value;

/// An installation with this document, in which `SITE` stands for the site's host and port.
pub fn hermes_with(site: &Site, yaml: &str) -> Hermes {
    let hermes = Hermes::new();
    hermes.write_source("source.yaml", &yaml.replace("SITE", &site.authority()));
    hermes
}

/// A source `things`: `id` and `title` of the records under `data`, and whatever `more` says.
pub fn things(more: &str) -> String {
    format!(
        "name: things\nurl: http://SITE/things\ntable: things\n\
         response: {{ dataPath: data, fields: {{ id: id, title: title }} }}\n{more}"
    )
}

/// Every row as `1 2.5 'text' null`, which tells a number from its text.
#[track_caller]
pub fn lines(hermes: &Hermes, sql: &str) -> Vec<String> {
    let line = |row: Vec<Value>| row.iter().map(shown).collect::<Vec<_>>().join(" ");
    hermes.rows(sql).into_iter().map(line).collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => format!("'{text}'"),
        Value::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}
