//! The rules of a record's fields: where each value comes from, which column
//! it becomes, of which type.

use jiff::Timestamp;
use jiff::fmt::strtime::{self, BrokenDownTime};
use jiff::tz::TimeZone;
use serde_yaml::Value;

use super::request::to_json;
use super::response::{Around, Records};
use super::scope::{Scope, shorten};
use super::source::IDENTIFIER;
use super::unknown;
use crate::definition::mapping::{Format, TimeFormat};
use crate::definition::written::{self, Fields, Given, OneOrMany, Scalar, What, kind_of};
use crate::definition::{Field, FieldType, Origin, Path, name};

/// SQLite's own limit on the columns of a table is 2,000.
const MAX_FIELDS: usize = 1_000;

pub(super) fn check(scope: &Scope<'_>, given: Given<Fields>, around: Around) -> Option<Vec<Field>> {
    let written = scope.needed("fields", given)?;
    let scope = &scope.key("fields");
    let fields: Vec<(Scope<'_>, Option<Field>)> = match written {
        Fields::List(list) => scope
            .items(list)
            .into_iter()
            .map(|(index, field)| {
                let at = scope.item(index);
                let field = check_field(&at, field, around);
                (at.key("target"), field)
            })
            .collect(),
        Fields::Map(map) => map
            .into_iter()
            .map(|(target, source)| {
                let target = target.as_str().unwrap_or_default().to_owned();
                let at = scope.key(&target);
                let field = check_entry(&at, target, source, around);
                (at, field)
            })
            .collect(),
    };
    if fields.is_empty() {
        scope.wrong("`fields` is empty: a source stores at least one field");
    }
    if fields.len() > MAX_FIELDS {
        scope.wrong(format!("`fields` has more than {MAX_FIELDS} fields"));
    }
    refuse_twins(&fields);
    Some(fields.into_iter().filter_map(|(_, field)| field).collect())
}

/// SQLite ignores the case of column names.
fn refuse_twins(fields: &[(Scope<'_>, Option<Field>)]) {
    let mut seen = std::collections::HashSet::new();
    for (at, field) in fields {
        if let Some(field) = field
            && !seen.insert(field.target.to_ascii_lowercase())
        {
            at.wrong(format!("another field has the target `{}` as well", field.target));
        }
    }
}

/// `target: source` of the short form.
fn check_entry(scope: &Scope<'_>, target: String, source: Value, around: Around) -> Option<Field> {
    let target = check_target(target).map_err(|message| scope.wrong_key(message)).ok();
    let found = kind_of(&source);
    let Some(source) = OneOrMany::of(source) else {
        scope.wrong(format!("a source is {}, not {found}", OneOrMany::<String>::WHAT));
        return None;
    };
    let origin = check_source(scope, source, around);
    Some(Field { origin: origin?, target: target?, kind: None, default: None, nulls: Vec::new() })
}

fn check_field(scope: &Scope<'_>, written: written::Field, around: Around) -> Option<Field> {
    unknown(scope, &written.unknown, written::Field::KEYS);
    if written.value.is_given() {
        refuse_with_a_constant(scope, &written);
    }
    let target = scope.needed("target", written.target);
    let target = scope.ruled("target", target, check_target);
    let origin = origin(scope, written.source, written.value, around);
    let kind = kind(scope, written.r#type, written.format, written.timezone);
    let default = scope.good("default", written.default).map(to_json);
    let nulls = nulls(scope, written.nulls);
    Some(Field { origin: origin?, target: target?, kind: kind?, default, nulls })
}

fn check_target(target: String) -> Result<String, String> {
    if !name::is_identifier(&target) {
        return Err(format!("`{}` is no column name: {IDENTIFIER}", shorten(&target)));
    }
    if name::is_own_column(&target) {
        return Err(format!("`{target}` is a column that every table has already; choose another name"));
    }
    Ok(target)
}

fn refuse_with_a_constant(scope: &Scope<'_>, written: &written::Field) {
    for (key, given) in [("default", written.default.is_given()), ("nulls", written.nulls.is_given())] {
        if given {
            scope.key(key).wrong_key(format!("`{key}` goes with `source`; a constant is never missing"));
        }
    }
}

fn origin(
    scope: &Scope<'_>,
    source: Given<OneOrMany<String>>,
    value: Given<Value>,
    around: Around,
) -> Option<Origin> {
    match (source.is_given(), value.is_given()) {
        (true, true) => scope.key("value").wrong_key("a field has `source` or `value`, not both"),
        (false, false) => scope.key("source").wrong("`source` is missing: a path such as author.name"),
        _ => {}
    }
    if let Some(constant) = scope.good("value", value) {
        return Some(Origin::Constant(to_json(constant)));
    }
    let source = scope.good("source", source)?;
    check_source(&scope.key("source"), source, around)
}

fn check_source(scope: &Scope<'_>, source: OneOrMany<String>, around: Around) -> Option<Origin> {
    match source {
        OneOrMany::One(text) => one_source(&text, around).map_err(|message| scope.wrong(message)).ok(),
        OneOrMany::Many(items) => {
            if items.len() < 2 {
                scope.wrong("a list of sources is joined to one text, so it has at least two");
            }
            let paths = scope.items(items).into_iter().map(|(index, text)| {
                record_path(&text, around).map_err(|message| scope.item(index).wrong(message)).ok()
            });
            paths.collect::<Option<_>>().map(Origin::Joined)
        }
    }
}

fn one_source(text: &str, around: Around) -> Result<Origin, String> {
    if text == "$key" {
        return match around.records {
            Records::Map => Ok(Origin::Key),
            _ => Err("`$key` is the key of a record, with `records: map`".into()),
        };
    }
    if let Some(path) = text.strip_prefix("$.") {
        return match around.format {
            Format::Json => Path::parse(path).map(Origin::Root),
            _ => Err("`$.` leads from the root of an answer in JSON; here there are only records".into()),
        };
    }
    record_path(text, around).map(Origin::Record)
}

fn record_path(text: &str, around: Around) -> Result<Path, String> {
    if text.is_empty() {
        return Err("a source is a path such as author.name; `.` is the whole record".into());
    }
    if text == "$key" || text.starts_with("$.") {
        return Err("in a list of sources each is a path within the record".into());
    }
    let path = Path::parse(text)?;
    let has_columns = around.format == Format::Csv || around.records == Records::Columns;
    if has_columns && path.0.len() != 1 {
        return Err(format!(
            "`{}` is no column; one with a dot in its name stands in quotes: '\"a.b\"'",
            shorten(text)
        ));
    }
    Ok(path)
}

/// `None` where something is wrong; `Some(None)` keeps a value as it is.
fn kind(
    scope: &Scope<'_>,
    kind: Given<String>,
    format: Given<String>,
    timezone: Given<String>,
) -> Option<Option<FieldType>> {
    const TYPES: [&str; 6] = ["text", "integer", "real", "boolean", "timestamp", "json"];
    let (kind_given, format_given, zone_given) = (kind.is_given(), format.is_given(), timezone.is_given());
    let word = scope.word("type", kind, &TYPES.map(|word| (word, word)));
    let format = scope.good("format", format);
    let format = scope.ruled("format", format, time_format);
    let zone = scope.timezone(timezone);
    if kind_given && word.is_none() {
        return None;
    }
    if word != Some("timestamp") {
        for (key, given) in [("format", format_given), ("timezone", zone_given)] {
            if given {
                scope.key(key).wrong_key(format!("`{key}` goes with `type: timestamp`"));
            }
        }
    }
    let format = format.unwrap_or(TimeFormat::Guess);
    Some(word.map(|word| field_type(word, format, zone.unwrap_or(TimeZone::UTC))))
}

fn field_type(word: &str, format: TimeFormat, zone: TimeZone) -> FieldType {
    match word {
        "integer" => FieldType::Integer,
        "real" => FieldType::Real,
        "boolean" => FieldType::Boolean,
        "timestamp" => FieldType::Timestamp { format, zone },
        "json" => FieldType::Json,
        _ => FieldType::Text,
    }
}

fn time_format(text: String) -> Result<TimeFormat, String> {
    match text.as_str() {
        "unix" => Ok(TimeFormat::UnixSeconds),
        "unix_ms" => Ok(TimeFormat::UnixMillis),
        _ if reads_dates(&text) => Ok(TimeFormat::Pattern(text)),
        _ => Err(format!(
            "`{}` reads no date; unix, unix_ms and patterns such as %Y-%m-%d %H:%M:%S do",
            shorten(&text)
        )),
    }
}

/// Whether a moment that is written with the pattern can be read with it: some
/// directives can only be written.
fn reads_dates(pattern: &str) -> bool {
    let moment = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
    let Ok(written) = strtime::format(pattern, &moment) else { return false };
    BrokenDownTime::parse(pattern, &written)
        .is_ok_and(|read| read.to_date().is_ok() || read.to_timestamp().is_ok())
}

fn nulls(scope: &Scope<'_>, given: Given<OneOrMany<Scalar>>) -> Vec<serde_json::Value> {
    let written = scope.good("nulls", given);
    let scope = scope.key("nulls");
    match written {
        None => Vec::new(),
        Some(OneOrMany::One(scalar)) => vec![scalar_json(scalar)],
        Some(OneOrMany::Many(items)) => {
            scope.items(items).into_iter().map(|(_, scalar)| scalar_json(scalar)).collect()
        }
    }
}

fn scalar_json(scalar: Scalar) -> serde_json::Value {
    match scalar {
        Scalar::Text(text) => text.into(),
        Scalar::Number(number) => to_json(Value::Number(number)),
        Scalar::Boolean(value) => value.into(),
    }
}
