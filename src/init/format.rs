//! What an answer is written in: JSON, lines of JSON, CSV, or nothing that
//! holds records. The content decides; the server's word for it only helps.

use super::tree::Json;
use crate::definition::mapping::Format;
use crate::worker::extract::delimiter;
use crate::worker::quote::quote;

#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) format: Format,
    /// Of lines and of CSV: a list of objects.
    pub(super) tree: Json,
}

/// `Err` says what it is instead, or how it begins.
pub(super) fn parse(body: &[u8], content_type: Option<&str>) -> Result<Parsed, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the answer is not text in UTF-8".to_owned())?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let said = content_type.unwrap_or_default().to_ascii_lowercase();
    if text.is_empty() {
        return Err("the answer is empty".into());
    }
    if text.starts_with('<') {
        return Err(markup(text));
    }
    match serde_json::from_str(text) {
        Ok(tree) => Ok(Parsed { format: Format::Json, tree }),
        Err(error) if text.starts_with(['{', '[']) => lines(text)
            .ok_or_else(|| format!("the answer is no JSON: {error}; it begins with {}", quote(text))),
        Err(_) => csv(text, said.contains("csv"))
            .ok_or_else(|| format!("the answer is neither JSON nor CSV: it begins with {}", quote(text))),
    }
}

fn markup(text: &str) -> String {
    let begin: String = text.chars().take(200).collect::<String>().to_ascii_lowercase();
    if begin.contains("<html") || begin.contains("<!doctype html") {
        return "the answer is a web page (HTML), not data: look for the address of the API behind it".into();
    }
    format!(
        "the answer is XML; Hermes reads JSON, NDJSON and CSV: is there a parameter such as format=json? \
             It begins with {}",
        quote(text)
    )
}

fn lines(text: &str) -> Option<Parsed> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let records: Result<Vec<Json>, _> = lines.map(serde_json::from_str).collect();
    let records = records.ok().filter(|records| records.iter().all(Json::is_map))?;
    Some(Parsed { format: Format::Ndjson, tree: Json::List(records) })
}

/// A header and at least one line that has as many cells. Without the server's
/// word for it, two columns are the least: any text is one column.
fn csv(text: &str, is_said: bool) -> Option<Parsed> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter(text)).from_reader(text.as_bytes());
    let headers: Vec<String> = reader.headers().ok()?.iter().map(|name| name.trim().to_owned()).collect();
    let named = headers.iter().filter(|name| !name.is_empty()).count();
    if named == 0 || (named < 2 && !is_said) {
        return None;
    }
    let mut records = Vec::new();
    for row in reader.records() {
        let row = row.ok()?;
        let cells = headers.iter().zip(&row).filter(|(name, _)| !name.is_empty());
        records
            .push(Json::Map(cells.map(|(name, cell)| (name.clone(), Json::Text(cell.to_owned()))).collect()));
    }
    Some(Parsed { format: Format::Csv, tree: Json::List(records) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_decides() {
        for (body, said, want) in [
            ("[1]", "text/html", Some(Format::Json)),
            ("{\"a\":1}\n{\"a\":2}\n", "application/json", Some(Format::Ndjson)),
            ("\u{feff}{\"a\":1}", "", Some(Format::Json)),
            ("a,b\n1,2\n", "text/plain", Some(Format::Csv)),
            ("a;b\n1;2\n", "", Some(Format::Csv)),
            ("a\n1\n", "text/csv", Some(Format::Csv)),
            ("a\n1\n", "text/plain", None),
            ("a,b\n1\n", "text/csv", None),
            ("", "application/json", None),
            ("<!DOCTYPE html><html>", "text/html", None),
            ("<?xml version='1.0'?><a/>", "", None),
            ("{\"a\":", "application/json", None),
        ] {
            assert_eq!(parse(body.as_bytes(), Some(said)).ok().map(|parsed| parsed.format), want, "{body}");
        }
        assert!(parse(&[0xff, 0xfe], None).is_err());
        assert!(parse(b"<html>", None).expect_err("a page").contains("HTML"));
    }
}
