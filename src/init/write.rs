//! The document as text, with its comments. Keeps out what is in it: that was
//! decided before.

mod fields;
mod provider;

use super::fields::Field;
use super::identity::Identity;
use super::limits::Limits;
use super::paging::{self, Counted, Limit, Paging};
use super::secret::{Auth, Pair};
use super::shape::{Layout, Shape};
use super::tree::Json;
use super::yaml;
use crate::definition::Path;
use crate::definition::mapping::Format;
use crate::definition::source::Method;

/// Everything that was found, decided and named.
#[derive(Debug)]
pub(super) struct Draft {
    /// Lines above the document.
    pub(super) head: Vec<String>,
    pub(super) name: String,
    pub(super) table: String,
    pub(super) schedule: String,
    pub(super) url: String,
    pub(super) method: Method,
    pub(super) headers: Vec<Pair>,
    pub(super) params: Vec<Pair>,
    pub(super) body: Option<Json>,
    pub(super) format: Format,
    pub(super) shape: Shape,
    pub(super) records: usize,
    pub(super) error_path: Option<Vec<String>>,
    pub(super) fields: Vec<Field>,
    pub(super) left_out: Vec<String>,
    pub(super) outside: Vec<String>,
    pub(super) identity: Identity,
    pub(super) paging: paging::Found,
    pub(super) provider: Option<Provider>,
}

#[derive(Debug)]
pub(super) struct Provider {
    pub(super) domain: String,
    pub(super) limits: Limits,
    pub(super) auth: Option<Auth>,
}

/// Dotted, as in a document; not yet quoted for YAML.
pub(super) fn path(keys: &[String]) -> String {
    Path(keys.to_vec()).to_string()
}

/// Where comments begin, unless a line is longer.
const COMMENTS: usize = 40;

struct Text(String);

/// Beyond this a comment stands above its line, and is broken.
const WIDTH: usize = 120;

impl Text {
    fn line(&mut self, line: &str, comment: Option<&str>) {
        let comment = comment.map(yaml::comment);
        let width = |comment: &String| line.chars().count().max(COMMENTS) + comment.chars().count() + 3;
        match comment {
            Some(comment) if width(&comment) <= WIDTH => {
                self.0.push_str(&format!("{line:<COMMENTS$} # {comment}"));
            }
            Some(comment) => {
                let indent = line.len() - line.trim_start().len();
                self.comment(&line[..indent], &comment);
                self.0.push_str(line);
            }
            None => self.0.push_str(line),
        }
        self.0.push('\n');
    }

    /// A line of a list, which stays one line.
    fn item(&mut self, line: &str, comment: Option<&str>) {
        let comment = comment.map(|comment| format!(" # {}", yaml::comment(comment)));
        self.0.push_str(&format!("{line}{}\n", comment.unwrap_or_default()));
    }

    fn comment(&mut self, indent: &str, comment: &str) {
        let mut line = format!("{indent}#");
        for word in yaml::comment(comment).split(' ') {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.0.push_str(&line);
                self.0.push('\n');
                line = format!("{indent}#  ");
            }
            line.push(' ');
            line.push_str(word);
        }
        self.0.push_str(&line);
        self.0.push('\n');
    }
}

pub(super) fn document(draft: &Draft) -> String {
    let mut text = Text(String::new());
    for line in &draft.head {
        text.comment("", line);
    }
    request(&mut text, draft);
    response(&mut text, draft);
    identity(&mut text, &draft.identity);
    pagination(&mut text, &draft.paging);
    if let Some(provider) = &draft.provider {
        provider::document(&mut text, provider);
    }
    text.0
}

fn request(text: &mut Text, draft: &Draft) {
    text.line(&format!("name: {}", yaml::text(&draft.name)), None);
    text.line(&format!("url: {}", yaml::url(&draft.url)), None);
    if draft.method == Method::Post {
        text.line("method: POST", None);
    }
    pairs(text, "headers", &draft.headers, yaml::text);
    pairs(text, "params", &draft.params, yaml::param);
    if let Some(body) = &draft.body {
        text.line(&format!("body: {}", yaml::json(body)), None);
    }
    text.line(&format!("table: {}", draft.table), Some("made from the fields below"));
    text.line(
        &format!("schedule: {}", yaml::text(&draft.schedule)),
        Some("or hourly, interval:15m, \"*/15 * * * *\""),
    );
}

/// A map, unless a name comes twice.
fn pairs(text: &mut Text, key: &str, pairs: &[Pair], value: fn(&str) -> String) {
    if pairs.is_empty() {
        return;
    }
    text.line(&format!("{key}:"), None);
    let twice = |pair: &Pair| pairs.iter().filter(|other| other.name == pair.name).count() > 1;
    let is_list = pairs.iter().any(twice);
    for pair in pairs {
        let shown = if pair.shown.contains("${") { yaml::quoted(&pair.shown) } else { value(&pair.shown) };
        let name = yaml::text(&pair.name);
        match is_list {
            true => text.line(&format!("  - {{ name: {name}, value: {shown} }}"), None),
            false => text.line(&format!("  {name}: {shown}"), None),
        }
    }
}

fn response(text: &mut Text, draft: &Draft) {
    text.line("response:", None);
    for note in &draft.shape.notes {
        text.comment("  ", note);
    }
    let count = match draft.records {
        1 => "1 record in this answer".to_owned(),
        count => format!("{count} records in this answer"),
    };
    match draft.format {
        Format::Json => layout(text, &draft.shape, &count),
        Format::Ndjson => text.line("  format: ndjson", Some(&format!("a record a line; {count}"))),
        Format::Csv => {
            text.line("  format: csv", Some(&format!("columns are named by the first line; {count}")))
        }
    }
    if let Some(error) = &draft.error_path {
        text.line(&format!("  errorPath: {}", yaml::text(&path(error))), Some("empty where all is well"));
    }
    if !draft.outside.is_empty() {
        let example = yaml::text(&format!("$.{}", draft.outside[0]));
        let names = some(&draft.outside);
        text.comment(
            "  ",
            &format!("outside the records, for a field such as {{ source: {example} }}: {names}"),
        );
    }
    text.line("  fields:", None);
    fields::lines(text, &draft.fields);
    if !draft.left_out.is_empty() {
        text.comment("    ", &format!("left out: {}", some(&draft.left_out)));
    }
}

fn some(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}

fn layout(text: &mut Text, shape: &Shape, count: &str) {
    let data = format!(
        "  dataPath: {}",
        if shape.path.is_empty() { ".".to_owned() } else { yaml::text(&path(&shape.path)) }
    );
    match &shape.layout {
        Layout::List => text.line(&data, Some(count)),
        Layout::One => text.line(&data, Some("one object is one record")),
        Layout::Map => {
            text.line(&data, Some(count));
            text.line("  records: map", Some("an object keyed by $key"));
        }
        Layout::Columns(names) => {
            text.line(&data, Some(count));
            text.line("  records: columns", Some("rows, under a list of their names"));
            text.line(&format!("  columnsPath: {}", yaml::text(&path(names))), None);
        }
    }
}

fn identity(text: &mut Text, identity: &Identity) {
    if identity.targets.is_empty() {
        if let Some(note) = &identity.note {
            text.comment("", &format!("unique: {note}"));
        }
        return;
    }
    text.line(&format!("unique: [{}]", identity.targets.join(", ")), identity.note.as_deref());
}

fn pagination(text: &mut Text, found: &paging::Found) {
    let Some(paging) = &found.paging else {
        if let Some(note) = &found.note {
            text.comment("", &format!("pagination: {note}"));
        }
        return;
    };
    let way = match paging {
        Paging::Link => "link: {}".to_owned(),
        Paging::NextUrl(keys) => format!("nextUrl: {{ path: {} }}", yaml::text(&path(keys))),
        Paging::Cursor { param, path: keys, limit } => {
            let keys = yaml::text(&path(keys));
            format!("cursor: {{ param: {}, nextCursorPath: {keys}{} }}", yaml::text(param), size(limit))
        }
        Paging::Page(counted) => format!("page: {}", numbers(counted, true)),
        Paging::Offset(counted) => format!("offset: {}", numbers(counted, counted.start != 0)),
    };
    let link = matches!(paging, Paging::Link).then_some("by the header Link, rel=next");
    text.line("pagination:", None);
    text.line(&format!("  {way}"), found.note.as_deref().or(link));
}

fn numbers(counted: &Counted, with_start: bool) -> String {
    let mut parts = vec![format!("param: {}", yaml::text(&counted.param))];
    if with_start {
        parts.push(format!("start: {}", counted.start));
    }
    let mut line = parts.join(", ") + &size(&counted.limit);
    for (key, keys) in [("hasMorePath", &counted.has_more), ("totalPath", &counted.total)] {
        if let Some(keys) = keys {
            line.push_str(&format!(", {key}: {}", yaml::text(&path(keys))));
        }
    }
    format!("{{ {line} }}")
}

fn size(limit: &Option<Limit>) -> String {
    let Some(limit) = limit else { return String::new() };
    let param = limit.param.as_ref().map(|param| format!(", limitParam: {}", yaml::text(param)));
    format!("{}, limit: {}", param.unwrap_or_default(), limit.value)
}
