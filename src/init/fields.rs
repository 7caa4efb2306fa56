//! The fields of the records: nested objects flattened as far as it helps,
//! each with a column's name. Which type each has is in `types`.

use super::names;
use super::shape::Record;
use super::times;
use super::tree::Json;
use super::types::{self, Kind, Typed};
use crate::definition::Path;

/// Deeper objects, and those with more members, are kept as JSON.
const MAX_DEPTH: usize = 3;
const MAX_MEMBERS: usize = 12;

/// Of one record; the others are named in a comment.
const MAX_FIELDS: usize = 100;

/// More are not even looked at.
const MAX_LEAVES: usize = 300;

/// Of one object, in all records together: more are no names but data.
const MAX_KEYS: usize = 500;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum From {
    Record(Vec<String>),
    /// A date and a time.
    Joined(Vec<String>, Vec<String>),
    /// Outside the records.
    Root(Vec<String>),
    /// The key of a map's record.
    Key,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) from: From,
    pub(super) target: String,
    pub(super) typed: Typed,
    /// In every record, never null.
    pub(super) is_always: bool,
}

impl Field {
    /// As one text, for telling records apart; `None` where it is null.
    pub(super) fn value(&self, record: &Record<'_>) -> Option<String> {
        let at = |path: &Vec<String>| record.value.at(path).filter(|value| **value != Json::Null);
        match &self.from {
            From::Record(path) => at(path).map(|value| format!("{value:?}")),
            From::Joined(date, time) => Some(format!("{:?} {:?}", at(date)?, at(time)?)),
            From::Key => record.key.map(str::to_owned),
            From::Root(_) => Some(String::new()),
        }
    }
}

/// What a key holds, in all records together.
#[derive(Debug, Default)]
struct Node<'a> {
    key: String,
    children: Vec<Node<'a>>,
    values: Vec<&'a Json>,
}

#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) fields: Vec<Field>,
    /// Paths that did not become fields.
    pub(super) left_out: Vec<String>,
}

/// `is_flat`: a cell of a row is one value, whatever it holds.
pub(super) fn find(records: &[Record<'_>], root: &Json, outside: &[Vec<String>], is_flat: bool) -> Found {
    let mut top = Node::default();
    for record in records {
        top.take(&record.value);
    }
    let mut leaves = Vec::new();
    if is_flat {
        for node in top.children.iter().take(MAX_LEAVES) {
            leaves.push(Leaf { path: vec![node.key.clone()], values: node.values.clone() });
        }
    } else {
        top.flatten(&mut Vec::new(), &mut leaves);
    }
    leaves.retain(|leaf| !leaf.says_nothing());
    let times: Vec<Option<usize>> = (0..leaves.len()).map(|at| time_beside(&leaves, at)).collect();
    let mut found = Found::default();
    if let Some(key) = records.first().and_then(|record| record.key) {
        let keys: Vec<Json> =
            records.iter().filter_map(|record| record.key).map(|key| Json::Text(key.to_owned())).collect();
        let keys: Vec<&Json> = keys.iter().collect();
        let name = if times::is_day(key) { "date" } else { "key" };
        found.add(From::Key, &[name.to_owned()], &keys, keys.len());
    }
    for path in outside {
        let value = root.at(path).into_iter().collect::<Vec<_>>();
        let last = path[path.len() - 1..].to_vec();
        found.add(From::Root(path.clone()), &last, &value, 1);
    }
    for (at, leaf) in leaves.iter().enumerate() {
        match times[at] {
            Some(time) => found.join(leaf, &leaves[time], records.len()),
            None if times.contains(&Some(at)) => {}
            None => found.add(From::Record(leaf.path.clone()), &leaf.path, &leaf.values, records.len()),
        }
    }
    found.widen();
    if is_flat {
        // No path leads into a cell.
        found
            .fields
            .iter_mut()
            .filter(|field| field.typed.kind == Some(Kind::Json))
            .for_each(|field| field.typed.note = None);
    }
    found
}

struct Leaf<'a> {
    path: Vec<String>,
    values: Vec<&'a Json>,
}

impl Leaf<'_> {
    /// What every record of GeoJSON says, and its key says already.
    fn says_nothing(&self) -> bool {
        let word = if self.path.len() == 1 { "Feature" } else { "Point" };
        self.path.last().is_some_and(|key| key == "type")
            && self.values.iter().all(|value| value.text() == Some(word))
    }
}

impl<'a> Node<'a> {
    fn take(&mut self, value: &'a Json) {
        self.values.push(value);
        for (key, inner) in value.members() {
            match self.children.iter().position(|child| child.key == *key) {
                Some(at) => self.children[at].take(inner),
                None if self.children.len() < MAX_KEYS => {
                    let mut child = Node { key: key.clone(), ..Node::default() };
                    child.take(inner);
                    self.children.push(child);
                }
                None => {}
            }
        }
    }

    fn flatten(&self, path: &mut Vec<String>, leaves: &mut Vec<Leaf<'a>>) {
        if leaves.len() >= MAX_LEAVES {
            return;
        }
        if !path.is_empty() && !self.is_taken_apart(path.len()) {
            return self.leaf(path, leaves);
        }
        for child in &self.children {
            path.push(child.key.clone());
            child.flatten(path, leaves);
            path.pop();
        }
    }

    fn is_taken_apart(&self, depth: usize) -> bool {
        let is_wrapper = depth == 1 && names::is_wrapper(&self.key);
        let is_aside = self.key.starts_with('_') || self.key == "links";
        let fits = depth < MAX_DEPTH && self.children.len() <= MAX_MEMBERS && !is_aside;
        let only_objects = self.values.iter().all(|value| matches!(value, Json::Map(_) | Json::Null));
        !self.children.is_empty() && only_objects && (is_wrapper || fits)
    }

    /// The coordinates of a point are two or three numbers, each a field.
    fn leaf(&self, path: &[String], leaves: &mut Vec<Leaf<'a>>) {
        let Some(parts) = self.point() else {
            return leaves.push(Leaf { path: path.to_vec(), values: self.values.clone() });
        };
        for part in 0..parts {
            let number = part.to_string();
            let values = self.values.iter().filter_map(|value| value.get(&number)).collect();
            let path = path.iter().cloned().chain([number]).collect();
            leaves.push(Leaf { path, values });
        }
    }

    fn point(&self) -> Option<usize> {
        let length = self.values.first()?.items().len();
        let numbers = |value: &&Json| {
            let is_number = |item: &Json| matches!(item, Json::Integer(_) | Json::Real(_));
            value.items().len() == length && value.items().iter().all(is_number)
        };
        let is_point = self.key == "coordinates" && (2..=3).contains(&length);
        (is_point && self.values.iter().all(numbers)).then_some(length)
    }
}

/// The leaf that has the time to this leaf's date.
fn time_beside(leaves: &[Leaf<'_>], at: usize) -> Option<usize> {
    let date = &leaves[at];
    let (key, parent) = date.path.split_last()?;
    let wanted = key.to_ascii_lowercase().strip_suffix("date").map(|stem| format!("{stem}time"))?;
    let is_it = |leaf: &Leaf<'_>| {
        leaf.path.split_last().is_some_and(|(key, own)| own == parent && key.eq_ignore_ascii_case(&wanted))
    };
    let time = leaves.iter().position(is_it)?;
    let all = |leaf: &Leaf<'_>, is: fn(&str) -> bool| {
        let mut said = leaf.values.iter().filter(|value| ***value != Json::Null).peekable();
        said.peek().is_some() && said.all(|value| value.text().is_some_and(|text| is(text.trim())))
    };
    (all(date, times::is_day) && all(&leaves[time], times::is_time_of_day)).then_some(time)
}

impl Found {
    /// Whole numbers among fractions: the next answer would be refused for one.
    fn widen(&mut self) {
        let wide: Vec<bool> = self.fields.iter().map(|field| field.may_be_real(&self.fields)).collect();
        for (field, _) in self.fields.iter_mut().zip(wide).filter(|(_, wide)| *wide) {
            field.typed.kind = Some(Kind::Real);
            field.typed.note.get_or_insert_with(|| "guessed: whole only in this answer".to_owned());
        }
    }

    fn add(&mut self, from: From, path: &[String], values: &[&Json], records: usize) {
        let name = point_name(path).unwrap_or_else(|| path.to_vec());
        let key = name.last().map(String::as_str).unwrap_or_default();
        let mut typed = types::of(key, values);
        if let Some((member, _)) = values.iter().find_map(|value| value.members().first()) {
            let shown = super::write::path(&[path, std::slice::from_ref(member)].concat());
            typed.note = Some(format!("an object, with {shown} and so on"));
        }
        self.push(from, path, &name, typed, values, records);
    }

    fn join(&mut self, date: &Leaf<'_>, time: &Leaf<'_>, records: usize) {
        let both: Vec<Json> = date
            .values
            .iter()
            .zip(&time.values)
            .filter_map(|(date, time)| {
                Some(Json::Text(format!("{} {}", date.text()?.trim(), time.text()?.trim())))
            })
            .collect();
        let values: Vec<&Json> = both.iter().collect();
        let from = From::Joined(date.path.clone(), time.path.clone());
        let typed = types::of("time", &values);
        self.push(from, &date.path, &time.path, typed, &values, records);
    }

    /// A key that no path can name is left out.
    fn push(
        &mut self,
        from: From,
        path: &[String],
        name: &[String],
        typed: Typed,
        values: &[&Json],
        records: usize,
    ) {
        let shown = super::write::path(path);
        let is_sound = Path::parse(&shown).is_ok_and(|read| read.0 == path)
            && shown != "$key"
            && !shown.starts_with("$.");
        let is_printable = !shown.contains(char::is_control);
        if self.fields.len() >= MAX_FIELDS || !is_sound || !is_printable {
            return self.left_out.push(shown);
        }
        let taken: Vec<String> = self.fields.iter().map(|field| field.target.clone()).collect();
        let present =
            values.iter().filter(|value| ***value != Json::Null && value.text() != Some("")).count();
        let field = Field {
            from,
            target: names::column(name, &taken),
            typed,
            is_always: present == records && records > 0,
        };
        self.fields.push(field);
    }
}

fn point_name(path: &[String]) -> Option<Vec<String>> {
    let [.., key, part] = path else { return None };
    let at = part.parse::<usize>().ok().filter(|_| key == "coordinates")?;
    ["longitude", "latitude", "altitude"].get(at).map(|name| vec![(*name).to_owned()])
}

impl Field {
    fn path(&self) -> &[String] {
        if let From::Record(path) = &self.from { path } else { &[] }
    }

    /// The key itself, and whether a fraction may turn up under it in another answer.
    fn may_be_real(&self, all: &[Field]) -> bool {
        let Some((key, parent)) = self.path().split_last() else { return false };
        let is_real = |other: &Field| {
            let own = other.path().split_last();
            other.typed.kind == Some(Kind::Real)
                && own.is_some_and(|(name, place)| place == parent || name == key)
        };
        self.typed.kind == Some(Kind::Integer)
            && !types::names_a_count(key)
            && (types::names_a_measure(key) || all.iter().any(is_real))
    }

    /// Of the record itself, not of something in it.
    pub(super) fn is_outer(&self) -> bool {
        match self.path() {
            [_] => true,
            [parent, _] => names::is_wrapper(parent) || parent == "parameter" || parent == "location",
            _ => false,
        }
    }

    pub(super) fn is_time(&self) -> bool {
        matches!(self.typed.kind, Some(Kind::Timestamp { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::init::shape::{self, Layout, Shape};

    fn lines(text: &str, is_flat: bool) -> Vec<String> {
        let tree: Json = serde_json::from_str(text).expect(text);
        let shape = Shape { path: Vec::new(), layout: Layout::List, notes: Vec::new() };
        let found = find(&shape::records(&tree, &shape), &tree, &[], is_flat);
        found.fields.iter().map(|field| format!("{} {:?}", field.target, field.typed.kind)).collect()
    }

    #[test]
    fn objects_are_taken_apart_as_far_as_it_helps() {
        let many = (0..13).map(|n| format!("\"k{n}\":1")).collect::<Vec<_>>().join(",");
        for (why, text, want) in [
            ("an object", r#"[{"a":{"b":1}}]"#.to_owned(), vec!["a_b Some(Integer)"]),
            ("too deep", r#"[{"a":{"b":{"c":{"d":1}}}}]"#.to_owned(), vec!["a_b_c Some(Json)"]),
            ("too many members", format!(r#"[{{"a":{{{many}}}}}]"#), vec!["a Some(Json)"]),
            ("a list", r#"[{"a":[{"b":1}]}]"#.to_owned(), vec!["a Some(Json)"]),
            ("an object once, text then", r#"[{"a":{"b":1}},{"a":"x"}]"#.to_owned(), vec!["a None"]),
            ("null once", r#"[{"a":{"b":1}},{"a":null}]"#.to_owned(), vec!["a_b Some(Integer)"]),
            (
                "a point",
                r#"[{"coordinates":[1,2.5]}]"#.to_owned(),
                vec!["longitude Some(Real)", "latitude Some(Real)"],
            ),
            (
                "fractions beside it",
                r#"[{"high":11,"n":1.5}]"#.to_owned(),
                vec!["high Some(Real)", "n Some(Real)"],
            ),
            ("a later key", r#"[{"a":1},{"b":"x"}]"#.to_owned(), vec!["a Some(Integer)", "b Some(Text)"]),
        ] {
            assert_eq!(lines(&text, false), want, "{why}");
        }
    }

    #[test]
    fn a_cell_of_a_row_stays_one_value() {
        assert_eq!(
            lines(r#"[{"a":{"b":1},"coordinates":[1,2]}]"#, true),
            ["a Some(Json)", "coordinates Some(Json)"]
        );
    }
}
