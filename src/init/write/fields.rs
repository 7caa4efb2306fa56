//! The lines of the fields, their targets one under the other.

use super::super::fields::{Field, From};
use super::super::types::Kind;
use super::super::yaml;
use super::{Text, path};

pub(super) fn lines(text: &mut Text, fields: &[Field]) {
    let sources: Vec<String> = fields.iter().map(source).collect();
    let width =
        sources.iter().map(|source| source.chars().count()).filter(|width| *width <= 32).max().unwrap_or(0);
    for (field, source) in fields.iter().zip(&sources) {
        let source = format!("{source},");
        let line = format!(
            "    - {{ source: {source:<wide$} target: {}{} }}",
            field.target,
            rest(field),
            wide = width + 1
        );
        text.item(&line, note(field).as_deref());
    }
}

fn source(field: &Field) -> String {
    match &field.from {
        From::Record(keys) => yaml::text(&path(keys)),
        From::Joined(date, time) => format!("[{}, {}]", yaml::text(&path(date)), yaml::text(&path(time))),
        From::Root(keys) => yaml::text(&format!("$.{}", path(keys))),
        From::Key => "$key".to_owned(),
    }
}

fn rest(field: &Field) -> String {
    let mut rest = match field.typed.kind {
        None => String::new(),
        Some(Kind::Text) => ", type: text".to_owned(),
        Some(Kind::Integer) => ", type: integer".to_owned(),
        Some(Kind::Real) => ", type: real".to_owned(),
        Some(Kind::Boolean) => ", type: boolean".to_owned(),
        Some(Kind::Json) => ", type: json".to_owned(),
        Some(Kind::Timestamp { format, is_sure }) => {
            let format = format.map(|format| format!(", format: {}", yaml::text(format))).unwrap_or_default();
            format!(", type: timestamp{format}{}", if is_sure { "" } else { ", timezone: UTC" })
        }
    };
    if !field.typed.nulls.is_empty() {
        let nulls: Vec<String> = field.typed.nulls.iter().map(|null| yaml::param(null)).collect();
        rest.push_str(&format!(", nulls: [{}]", nulls.join(", ")));
    }
    rest
}

fn note(field: &Field) -> Option<String> {
    let zone = match field.typed.kind {
        Some(Kind::Timestamp { is_sure: false, .. }) => Some("guessed: UTC, as no zone is named".to_owned()),
        _ => None,
    };
    field.typed.note.clone().or(zone)
}
