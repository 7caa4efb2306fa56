//! What a trial found, for people and for scripts. Decides nothing.

use serde_json::{Value, json};

use super::layout::table;
use super::quota;
use super::tried::{Column, SLOTS, Tried};
use crate::clock::to_text;
use crate::order;
use crate::viewer::amount::{bytes, count, of};
use crate::worker::Asked;
use crate::worker::http::is_quota;

pub(super) fn text(tried: &Tried, width: Option<u16>) -> String {
    let mut text = String::new();
    let mut line = |label: &str, words: &str| text.push_str(&labelled(label, words));
    line("source", &tried.name);
    for asked in &tried.asked {
        told(asked).into_iter().for_each(|(label, words)| line(label, &words));
    }
    if let Some(words) = records(tried) {
        line("records", &words);
    }
    if !tried.rows.is_empty() {
        text.push_str(&format!("\n{}", rows(tried, width)));
    }
    text.push_str(&format!("\n{};\n\n", tried.create_table));
    let mut line = |label: &str, words: &str| text.push_str(&labelled(label, words));
    for (schedule, slots) in &tried.schedules {
        let slots: Vec<String> = slots.iter().map(|slot| to_text(*slot)).collect();
        line("schedule", &format!("{schedule}: {}", slots.join(", ")));
    }
    if !tried.asked.is_empty() {
        line("requests", &tried.quota.words());
    }
    tried.warnings.iter().for_each(|words| line("warning", words));
    tried.problems.iter().for_each(|words| line("problem", words));
    text
}

/// On one line, without what a terminal would obey.
fn labelled(label: &str, words: &str) -> String {
    let plain: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("{label:<10}{plain}\n")
}

/// A request and its answer.
fn told(asked: &Asked) -> Vec<(&'static str, String)> {
    let mut request = asked.request.clone();
    asked.credentials.iter().for_each(|name| request.push_str(&format!(", {name}: ***")));
    asked.body_bytes.iter().for_each(|size| request.push_str(&format!(", body of {}", bytes(*size as u64))));
    let mut lines = vec![("request", request)];
    lines.extend(asked.answered_by.clone().map(|url| ("redirected", url)));
    let took = asked.took.as_millis();
    lines.push((
        "answer",
        match asked.status {
            None => format!("none, after {took} ms"),
            Some(status) => {
                let kind = asked.content_type.as_ref().map(|kind| format!(", {kind}")).unwrap_or_default();
                format!("{status}{kind}, {} in {took} ms", bytes(asked.bytes))
            }
        },
    ));
    let (quotas, caching): (Vec<_>, Vec<_>) = asked.headers.iter().partition(|(name, _)| is_quota(name));
    for (label, headers) in [("caching", caching), ("quotas", quotas)] {
        let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        if !headers.is_empty() {
            lines.push((label, headers.join("; ")));
        }
    }
    lines
}

fn records(tried: &Tried) -> Option<String> {
    let more = match tried.has_more {
        Some(true) => "; there are more pages",
        Some(false) => "; that is all",
        None => "",
    };
    let pages = of(tried.pages.into(), "page");
    (tried.pages > 0).then(|| format!("{} on {pages}{more}", of(tried.records, "record")))
}

fn rows(tried: &Tried, width: Option<u16>) -> String {
    let heads: Vec<String> =
        tried.columns.iter().map(|column| format!("{}\n{}", column.name, column.kind)).collect();
    let (mut text, left_out) = table(&heads, &tried.rows, width);
    let more = tried.records.saturating_sub(tried.rows.len() as u64);
    if more > 0 {
        text.push_str(&format!("and {} more\n", count(more)));
    }
    if left_out > 0 {
        text.push_str(&format!("{} more: no room here, --json has all\n", of(left_out as u64, "column")));
    }
    text
}

pub(super) fn json(tried: &Tried) -> Value {
    let names = || tried.columns.iter().map(|column| column.name.clone());
    let object = |row: &Vec<Value>| order::object(names().zip(row.iter().cloned()));
    let column = |column: &Column| json!({ "name": column.name, "type": column.kind });
    let mut slots: Vec<_> = tried.schedules.iter().flat_map(|(_, slots)| slots).collect();
    order::by_time(&mut slots, |slot| Some(**slot));
    json!({
        "source": tried.name,
        "requests": tried.asked.iter().map(request).collect::<Vec<_>>(),
        "pages": tried.pages,
        "records": tried.records,
        "has_more": tried.has_more,
        "columns": tried.columns.iter().map(column).collect::<Vec<_>>(),
        "rows": tried.rows.iter().map(object).collect::<Vec<_>>(),
        "create_table": tried.create_table,
        "schedules": tried.schedules.iter().map(|(schedule, _)| schedule).collect::<Vec<_>>(),
        "next_slots": slots.into_iter().take(SLOTS).map(|slot| to_text(*slot)).collect::<Vec<_>>(),
        "requests_per_day": tried.quota.per_day,
        "is_at_least": tried.quota.is_at_least,
        "limits": tried.quota.limits.iter().map(quota::words).collect::<Vec<_>>(),
        "warnings": tried.warnings,
        "problems": tried.problems,
    })
}

fn request(asked: &Asked) -> Value {
    let headers = asked.headers.iter().map(|(name, value)| (name.clone(), json!(value)));
    json!({
        "request": asked.request,
        "credentials": asked.credentials,
        "redirected_to": asked.answered_by,
        "status": asked.status,
        "content_type": asked.content_type,
        "bytes": asked.bytes,
        "duration_ms": asked.took.as_millis() as u64,
        "headers": order::object(headers),
    })
}
