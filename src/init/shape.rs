//! Finds the records of an answer: which list, which map, which rows under
//! which columns. Keeps out what a record holds.

use std::borrow::Cow;

use super::paging;
use super::tree::Json;
use crate::order;

/// Deeper than any API puts its records.
const MAX_DEPTH: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Layout {
    List,
    Map,
    /// With the path to the names.
    Columns(Vec<String>),
    One,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) path: Vec<String>,
    pub(super) layout: Layout,
    /// Other places that could have been meant, and what an answer holds that
    /// records cannot be made of.
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Record<'a> {
    pub(super) key: Option<&'a str>,
    pub(super) value: Cow<'a, Json>,
}

/// `Err` says why there are no records to learn from.
pub(super) fn find(tree: &Json) -> Result<Shape, String> {
    let mut places = Vec::new();
    look(tree, &mut Vec::new(), &mut places);
    order::by_number(&mut places, |place| -place.rank());
    let mut places = places.into_iter();
    let Some(best) = places.next() else { return one(tree) };
    let mut notes = Vec::new();
    if best.is_detail(tree) {
        let note = format!("guessed: one record, in which `{}` is a list", super::write::path(&best.path));
        return one(tree).map(|shape| Shape { path: Vec::new(), notes: vec![note], ..shape });
    }
    if best.layout == Layout::Map
        && !tree.at(&best.path).is_some_and(|map| map.members().iter().all(|(key, _)| is_id(key)))
    {
        notes.push("guessed: that these are records, each by its key".to_owned());
    }
    let others: Vec<String> = places
        .filter(|place| place.count > 1 && !place.path.starts_with(&best.path))
        .take(3)
        .map(|place| format!("`{}` ({} records)", super::write::path(&place.path), place.count))
        .collect();
    if !others.is_empty() {
        notes.push(format!("guessed: the answer has records at {} as well", others.join(", ")));
    }
    Ok(Shape { path: best.path, layout: best.layout, notes })
}

struct Place {
    path: Vec<String>,
    layout: Layout,
    count: usize,
}

impl Place {
    /// A name that says "records" first, then the larger, then the outer one.
    fn rank(&self) -> i64 {
        let outer = MAX_DEPTH.saturating_sub(self.path.len()) as i64;
        let is_listed = i64::from(self.layout != Layout::Map);
        is_listed << 62 | i64::from(self.is_named()) << 61 | (self.count as i64) << 16 | outer
    }

    fn is_named(&self) -> bool {
        const NAMES: [&str; 14] = [
            "data",
            "results",
            "items",
            "records",
            "hits",
            "features",
            "value",
            "values",
            "rows",
            "entries",
            "observations",
            "list",
            "articles",
            "result",
        ];
        let name = self.path.iter().rev().find(|key| key.parse::<usize>().is_err());
        name.is_none_or(|name| NAMES.contains(&name.to_ascii_lowercase().as_str()))
    }

    /// A short list among much else is a part of the one record that the answer is.
    fn is_detail(&self, tree: &Json) -> bool {
        let is_short = self.layout == Layout::List && !self.is_named() && self.count <= 2;
        is_short && told_outside(tree, &self.path) >= MUCH
    }
}

/// Of values that an answer tells outside its list.
const LITTLE: usize = 3;
const MUCH: usize = 6;

fn told_outside(tree: &Json, path: &[String]) -> usize {
    let told = paging::facts(tree, path);
    told.iter().filter(|fact| !paging::is_about_the_answer(&fact.path)).count()
}

/// Into objects, and into lists of one, in which some APIs wrap rows with columns.
fn look(value: &Json, path: &mut Vec<String>, places: &mut Vec<Place>) {
    let mut add = |layout, count| places.push(Place { path: path.clone(), layout, count });
    match value {
        Json::List(items) if is_records(items) => add(Layout::List, items.len()),
        Json::Map(members) if is_keyed(members) => return add(Layout::Map, members.len()),
        _ => {}
    }
    if path.len() >= MAX_DEPTH {
        return;
    }
    for (key, inner) in value.members() {
        if let Some(columns) = names_beside(value, inner) {
            let columns = path.iter().cloned().chain([columns]).collect();
            let path = path.iter().cloned().chain([key.clone()]).collect();
            places.push(Place { path, layout: Layout::Columns(columns), count: inner.items().len() });
            continue;
        }
        path.push(key.clone());
        look(inner, path, places);
        path.pop();
    }
    if let [only @ Json::Map(_)] = value.items() {
        let mut inside = Vec::new();
        path.push("0".to_owned());
        look(only, path, &mut inside);
        path.pop();
        if let Some(rows) = inside.into_iter().find(|place| matches!(place.layout, Layout::Columns(_))) {
            places.retain(|place| !rows.path.starts_with(&place.path));
            places.push(rows);
        }
    }
}

fn is_records(items: &[Json]) -> bool {
    items.iter().any(Json::is_map) && items.iter().all(|item| matches!(item, Json::Map(_) | Json::Null))
}

/// An object of objects that are alike. Few have to be keyed by what nobody
/// would choose as a name. A look at some of them does: there may be very many.
fn is_keyed(members: &[(String, Json)]) -> bool {
    let Some((first_key, first)) = members.first() else { return false };
    let keys = |value: &Json| value.members().len().min(20);
    let alike = |other: &Json| {
        let shared = first.members().iter().take(20).filter(|(key, _)| other.get(key).is_some()).count();
        shared > 0 && shared * 2 >= keys(first).max(keys(other))
    };
    members.iter().all(|(_, value)| value.is_map())
        && members.iter().take(100).all(|(_, value)| alike(value))
        && (members.len() > 2 || is_id(first_key))
}

fn is_id(key: &str) -> bool {
    key.chars().filter(char::is_ascii_digit).count() * 2 > key.len()
}

/// The key of a list of names beside a list of rows: as many as the first row
/// has cells, or said to be names.
fn names_beside(parent: &Json, rows: &Json) -> Option<String> {
    const NAMES: [&str; 7] = ["fields", "columns", "header", "headers", "names", "keys", "column_names"];
    let width = rows.items().first().filter(|row| matches!(row, Json::List(_)))?.items().len();
    let are_names = |key: &str, names: &[Json]| {
        let is_name = |name: &Json| name.text().is_some_and(|name| !name.is_empty());
        let is_row = |row: &Json| matches!(row, Json::List(cells) if cells.len() <= names.len());
        let fits = names.len() == width || NAMES.contains(&key);
        !names.is_empty() && fits && names.iter().all(is_name) && rows.items().iter().all(is_row)
    };
    parent.members().iter().find(|(key, names)| are_names(key, names.items())).map(|(key, _)| key.clone())
}

/// One object, where there is no list of any.
fn one(tree: &Json) -> Result<Shape, String> {
    let Json::Map(members) = tree else { return Err(no_records(tree)) };
    let empty = members.iter().find(|(key, value)| is_empty_list(value) && is_plural(key));
    if let Some((key, _)) = empty.filter(|_| told_outside(tree, &[]) < LITTLE) {
        return Err(format!(
            "the answer has no records now: `{key}` is an empty list; ask for what has some"
        ));
    }
    if members.is_empty() {
        return Err("the answer is an empty object: there is nothing to learn from it".into());
    }
    let path = only_inside(tree);
    let notes = side_by_side(tree.at(&path).unwrap_or(tree)).into_iter().collect();
    Ok(Shape { path, layout: Layout::One, notes })
}

fn is_empty_list(value: &Json) -> bool {
    matches!(value, Json::List(items) if items.is_empty())
}

fn is_plural(key: &str) -> bool {
    key.ends_with('s') && !key.to_ascii_lowercase().contains("error") || key == "data" || key == "value"
}

/// `{"data": {…}}` is about what is in it.
fn only_inside(tree: &Json) -> Vec<String> {
    const NAMES: [&str; 4] = ["data", "result", "response", "results"];
    match tree.members() {
        [(key, inner)] if inner.is_map() => vec![key.clone()],
        members => {
            let named = members.iter().find(|(key, inner)| NAMES.contains(&key.as_str()) && inner.is_map());
            named.map(|(key, _)| vec![key.clone()]).unwrap_or_default()
        }
    }
}

/// Lists of one length beside each other are columns without rows, which a
/// document cannot describe.
fn side_by_side(value: &Json) -> Option<String> {
    let lists = |value: &Json| {
        let scalars = |items: &[Json]| items.len() > 1 && items.iter().all(Json::is_scalar);
        let all = value.members().iter().map(|(_, inner)| inner.items()).filter(|items| scalars(items));
        let lengths: Vec<usize> = all.map(<[Json]>::len).collect();
        (lengths.len() > 1 && lengths.iter().all(|length| *length == lengths[0])).then(|| lengths[0])
    };
    let inner = value.members().iter().find_map(|(key, inner)| Some((key.as_str(), lists(inner)?)));
    let (whose, length) = lists(value).map(|length| ("the answer", length)).or(inner)?;
    Some(format!(
        "{whose} has its columns side by side, {length} values each. Records are not made of these yet: \
         each list is one value here, as JSON, which json_each of SQLite takes apart"
    ))
}

fn no_records(tree: &Json) -> String {
    match tree {
        Json::List(items) if items.is_empty() => "the answer has no records now: it is an empty list; \
             ask for what has some"
            .into(),
        Json::List(items) if items.iter().all(Json::is_scalar) => {
            "the answer is a list of bare values; records are objects".into()
        }
        Json::List(_) => "the answer is a list of lists without the names of their columns; records are \
             objects, or rows beside a list of names"
            .into(),
        _ => "the answer is a bare value; records are objects".into(),
    }
}

pub(super) fn records<'a>(tree: &'a Json, shape: &Shape) -> Vec<Record<'a>> {
    let Some(found) = tree.at(&shape.path) else { return Vec::new() };
    let plain = |value: &'a Json| Record { key: None, value: Cow::Borrowed(value) };
    match &shape.layout {
        Layout::List => found.items().iter().filter(|item| item.is_map()).map(plain).collect(),
        Layout::One => vec![plain(found)],
        Layout::Map => {
            let keyed =
                |(key, value): &'a (String, Json)| Record { key: Some(key), value: Cow::Borrowed(value) };
            found.members().iter().map(keyed).collect()
        }
        Layout::Columns(names) => {
            let names: Vec<&str> =
                tree.at(names).map(Json::items).unwrap_or_default().iter().filter_map(Json::text).collect();
            let named = |row: &Json| {
                let cells =
                    names.iter().zip(row.items()).map(|(name, cell)| ((*name).to_owned(), cell.clone()));
                Record { key: None, value: Cow::Owned(Json::Map(cells.collect())) }
            };
            found.items().iter().map(named).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<(String, Layout), String> {
        let tree: Json = serde_json::from_str(text).expect(text);
        find(&tree).map(|shape| (shape.path.join("."), shape.layout))
    }

    #[test]
    fn records_are_found_wherever_they_are() {
        let columns = |path: &str| Layout::Columns(path.split('.').map(str::to_owned).collect());
        for (text, path, layout) in [
            (r#"[{"a":1},{"a":2}]"#, "", Layout::List),
            (r#"{"meta":{"found":2},"results":[{"a":1}]}"#, "results", Layout::List),
            (r#"{"hits":{"total":{"value":9},"hits":[{"_id":"1"}]}}"#, "hits.hits", Layout::List),
            (r#"{"included":[{"a":1},{"a":2}],"data":[{"a":1}]}"#, "data", Layout::List),
            (r#"{"a":[{"x":1}],"b":[{"x":1},{"x":2}]}"#, "b", Layout::List),
            (
                r#"{"Meta Data":{"1. a":"x"},"Series":{"2026-01-02":{"o":1},"2026-01-01":{"o":2}}}"#,
                "Series",
                Layout::Map,
            ),
            (r#"{"a1":{"x":1},"b2":{"x":2},"c3":{"x":3}}"#, "", Layout::Map),
            (r#"{"fields":["a","b"],"data":[[1,2],[3,null]]}"#, "data", columns("fields")),
            (
                r#"{"results":[{"series":[{"columns":["time","v"],"values":[["t",1]]}]}]}"#,
                "results.0.series.0.values",
                columns("results.0.series.0.columns"),
            ),
            (r#"{"a":1,"b":{"c":2}}"#, "", Layout::One),
            (r#"{"tags":["x","y"],"box":[[1,2],[3,4]],"a":1}"#, "box", columns("tags")),
            (r#"{"tags":["x"],"box":[[1,2],[3,4]],"a":1}"#, "", Layout::One),
            (r#"{"name":"x","dt":1,"temp":2.5,"alerts":[]}"#, "", Layout::One),
            (
                r#"{"weather":[{"id":800}],"main":{"t":1,"h":2,"q":3},"wind":{"v":1,"deg":2},"dt":1}"#,
                "",
                Layout::One,
            ),
            (r#"{"data":{"a":1}}"#, "data", Layout::One),
            (r#"{"ok":true,"result":{"a":1}}"#, "result", Layout::One),
            (r#"{"base":"EUR","rates":{"USD":1.1,"GBP":0.9}}"#, "", Layout::One),
        ] {
            assert_eq!(found(text), Ok((path.to_owned(), layout)), "{text}");
        }
    }

    #[test]
    fn what_has_no_records_says_why() {
        for text in ["[]", "[1,2]", "[[1,2],[3,4]]", "7", "{}", r#"{"results":[]}"#] {
            assert!(found(text).is_err(), "{text}");
        }
    }
}
