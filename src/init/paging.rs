//! How the next page is asked for, by what the url and the answer say. What
//! is only usual is taken with a note that says so. Pure.

use super::shape::{Layout, Shape};
use super::tree::Json;
use crate::worker::link::next_target;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Paging {
    Link,
    NextUrl(Vec<String>),
    Cursor { param: String, path: Vec<String>, limit: Option<Limit> },
    Page(Counted),
    Offset(Counted),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) param: String,
    pub(super) start: i64,
    pub(super) limit: Option<Limit>,
    pub(super) has_more: Option<Vec<String>>,
    pub(super) total: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) param: Option<String>,
    pub(super) value: i64,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) paging: Option<Paging>,
    pub(super) note: Option<String>,
}

/// What there is to judge by.
#[derive(Debug)]
pub(super) struct Signs<'a> {
    pub(super) tree: &'a Json,
    pub(super) shape: &'a Shape,
    /// In this answer.
    pub(super) records: usize,
    /// Of the url, decoded.
    pub(super) params: &'a [(String, String)],
    pub(super) link: Option<&'a str>,
    /// Only JSON has anything around its records.
    pub(super) is_json: bool,
    pub(super) is_post: bool,
}

/// A value outside the records.
pub(super) struct Fact<'a> {
    pub(super) path: Vec<String>,
    pub(super) value: &'a Json,
}

impl Fact<'_> {
    fn key(&self) -> String {
        self.path.last().map(|key| plain(key)).unwrap_or_default()
    }

    fn parent(&self) -> String {
        self.path.iter().rev().nth(1).map(|key| plain(key)).unwrap_or_default()
    }
}

const PAGE: [&str; 8] =
    ["page", "pagenumber", "pageno", "pagenum", "currentpage", "pageindex", "p", "number"];
const OFFSET: [&str; 7] = ["offset", "skip", "start", "from", "startindex", "pageoffset", "resultoffset"];
const LIMIT: [&str; 13] = [
    "limit",
    "perpage",
    "pagesize",
    "size",
    "top",
    "rows",
    "maxresults",
    "hitsperpage",
    "pagelimit",
    "take",
    "resultrecordcount",
    "itemsperpage",
    "count",
];
const TOTAL: [&str; 14] = [
    "total",
    "totalcount",
    "totalresults",
    "totalhits",
    "totalitems",
    "totalrecords",
    "totalelements",
    "found",
    "count",
    "nbhits",
    "numfound",
    "numbermatched",
    "odatacount",
    "totalsize",
];
const PAGES: [&str; 6] = ["totalpages", "pages", "pagecount", "nbpages", "lastpage", "numpages"];
const MORE: [&str; 6] = ["hasmore", "more", "hasnext", "hasnextpage", "morepages", "exceededtransferlimit"];
const NEXT: [&str; 8] =
    ["next", "nexturl", "nextlink", "nextpage", "nextpageurl", "odatanextlink", "nexthref", "nextpagelink"];

/// What a cursor's key in the answer is sent back as, where the url does not show it.
const CURSORS: [(&str, &str); 10] = [
    ("next_cursor", "cursor"),
    ("nextCursor", "cursor"),
    ("nextPageToken", "pageToken"),
    ("next_page_token", "page_token"),
    ("nextToken", "nextToken"),
    ("next_token", "next_token"),
    ("continuationToken", "continuationToken"),
    ("endCursor", "after"),
    ("after", "after"),
    ("cursor", "cursor"),
];
const CURSOR_PARAMS: [&str; 9] = [
    "cursor",
    "pagetoken",
    "nexttoken",
    "after",
    "continuationtoken",
    "startcursor",
    "pagecursor",
    "startingafter",
    "nextcursor",
];

/// Parameters that go together by convention: size of a page, and which one.
const PAIRS: [(&str, &str, bool, i64); 8] = [
    ("per_page", "page", true, 1),
    ("page[size]", "page[number]", true, 1),
    ("_limit", "_page", true, 1),
    ("hitsPerPage", "page", true, 0),
    ("$limit", "$offset", false, 0),
    ("$top", "$skip", false, 0),
    ("page[limit]", "page[offset]", false, 0),
    ("resultRecordCount", "resultOffset", false, 0),
];

pub(super) fn find(signs: &Signs<'_>) -> Found {
    if signs.shape.layout == Layout::One {
        return Found::default();
    }
    let facts = if signs.is_json { facts(signs.tree, signs.shape) } else { Vec::new() };
    if signs.link.and_then(next_target).is_some() {
        return Found { paging: Some(Paging::Link), note: None };
    }
    let search = Search { signs, facts: &facts };
    let found = search.find();
    match &found.paging {
        Some(
            Paging::Cursor { param, .. }
            | Paging::Page(Counted { param, .. })
            | Paging::Offset(Counted { param, .. }),
        ) if signs.is_post && !signs.params.iter().any(|(name, _)| name == param) => {
            let note = "the answer speaks of pages; where they are asked for in the body of a POST, a document cannot";
            Found { paging: None, note: Some(note.to_owned()) }
        }
        _ => found,
    }
}

/// Names of values that are about pages or the answer itself, not about what it tells.
pub(super) fn is_about_the_answer(path: &[String]) -> bool {
    const WORDS: [&str; 23] = [
        "self",
        "last",
        "first",
        "previous",
        "prev",
        "href",
        "took",
        "ok",
        "success",
        "type",
        "object",
        "kind",
        "etag",
        "version",
        "status",
        "help",
        "url",
        "context",
        "odatacontext",
        "apiversion",
        "nextcursor",
        "nextpagetoken",
        "cursor",
    ];
    let lists = [&PAGE[..], &OFFSET, &LIMIT, &TOTAL, &PAGES, &MORE, &NEXT, &WORDS];
    path.last().is_some_and(|key| lists.iter().any(|words| words.contains(&plain(key).as_str())))
}

/// The scalars of an answer that stand outside its records.
pub(super) fn facts<'a>(tree: &'a Json, shape: &Shape) -> Vec<Fact<'a>> {
    let mut facts = Vec::new();
    collect(tree, shape, &mut Vec::new(), &mut facts);
    facts
}

const MAX_DEPTH: usize = 4;
const MAX_FACTS: usize = 200;

fn collect<'a>(value: &'a Json, shape: &Shape, path: &mut Vec<String>, facts: &mut Vec<Fact<'a>>) {
    if *path == shape.path || path.len() > MAX_DEPTH || facts.len() >= MAX_FACTS {
        return;
    }
    if value.is_scalar() {
        facts.push(Fact { path: path.clone(), value });
    }
    for (key, inner) in value.members() {
        path.push(key.clone());
        collect(inner, shape, path, facts);
        path.pop();
    }
}

/// A key without what only spelling adds: `nextPageToken`, `next_page_token`.
fn plain(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

struct Search<'s, 'a> {
    signs: &'s Signs<'a>,
    facts: &'s [Fact<'a>],
}

impl Search<'_, '_> {
    fn find(&self) -> Found {
        self.next_url()
            .or_else(|| self.cursor())
            .or_else(|| self.by_url())
            .or_else(|| self.by_answer())
            .or_else(|| self.by_pair())
            .or_else(|| self.last_record())
            .unwrap_or_else(|| self.nothing())
    }

    fn fact(&self, names: &[&str], fits: impl Fn(&Fact<'_>) -> bool) -> Option<&Fact<'_>> {
        self.facts.iter().find(|fact| names.contains(&fact.key().as_str()) && fits(fact))
    }

    fn param(&self, names: &[&str]) -> Option<(String, i64)> {
        let mut numbers =
            self.signs.params.iter().filter_map(|(name, value)| Some((name, value.parse().ok()?)));
        numbers
            .find(|(name, _)| names.contains(&plain(name).as_str()))
            .map(|(name, value)| (name.clone(), value))
    }

    fn next_url(&self) -> Option<Found> {
        let is_next = |fact: &&Fact<'_>| {
            NEXT.contains(&fact.key().as_str()) || fact.key() == "href" && fact.parent() == "next"
        };
        let is_url = |text: &str| text.starts_with("http") || text.starts_with(['/', '?']);
        let fact = self.facts.iter().find(|fact| is_next(fact) && fact.value.text().is_some_and(is_url));
        if let Some(fact) = fact {
            return Some(Found { paging: Some(Paging::NextUrl(fact.path.clone())), note: None });
        }
        let prev = |fact: &Fact<'_>| fact.key().starts_with("prev");
        let beside = |next: &Fact<'_>| {
            let parent = &next.path[..next.path.len() - 1];
            self.facts.iter().any(|fact| prev(fact) && fact.path.starts_with(parent))
        };
        let null =
            self.facts.iter().find(|fact| is_next(fact) && *fact.value == Json::Null && beside(fact))?;
        let note = "guessed: it is null here, as on a last page".to_owned();
        Some(Found { paging: Some(Paging::NextUrl(null.path.clone())), note: Some(note) })
    }

    fn cursor(&self) -> Option<Found> {
        let is_token = |value: &Json| matches!(value, Json::Text(_) | Json::Integer(_) | Json::Null);
        let (fact, usual) = CURSORS.iter().find_map(|(key, param)| {
            let is_it = |fact: &&Fact<'_>| {
                fact.path.last().is_some_and(|last| last == key)
                    && is_token(fact.value)
                    && (*key != "after" || ["next", "cursors"].contains(&fact.parent().as_str()))
            };
            Some((self.facts.iter().find(is_it)?, *param))
        })?;
        let shown = self.signs.params.iter().find(|(name, _)| CURSOR_PARAMS.contains(&plain(name).as_str()));
        let param = shown.map_or(usual.to_owned(), |(name, _)| name.clone());
        let note = shown.is_none().then(|| format!("guessed: that the parameter is `{param}`"));
        let paging = Paging::Cursor { param, path: fact.path.clone(), limit: self.url_limit() };
        Some(Found { paging: Some(paging), note })
    }

    fn url_limit(&self) -> Option<Limit> {
        self.param(&LIMIT)
            .filter(|(_, value)| *value > 0)
            .map(|(param, value)| Limit { param: Some(param), value })
    }

    /// The url has the number of a page, or of a record.
    fn by_url(&self) -> Option<Found> {
        if let Some((param, value)) = self.param(&PAGE[..7]) {
            let start = value.clamp(0, 1);
            let note =
                (value > 1).then(|| format!("guessed: counted from 1; the url asked for page {value}"));
            return Some(Found { paging: Some(Paging::Page(self.counted(param, start))), note });
        }
        let (param, value) = self.param(&OFFSET)?;
        let start = value.clamp(0, 1) * i64::from(value == 1);
        Some(Found { paging: Some(Paging::Offset(self.counted(param, start))), note: None })
    }

    /// The answer has them: what it calls them is most likely how it is asked.
    fn by_answer(&self) -> Option<Found> {
        let is_first = |fact: &Fact<'_>| matches!(fact.value, Json::Integer(0 | 1));
        let tells_more = self.total().is_some() || self.has_more().is_some() || self.pages().is_some();
        if !tells_more {
            return None;
        }
        let named = |fact: &Fact<'_>| fact.path.last().cloned().unwrap_or_default();
        let note = |param: &str| Some(format!("guessed: that the parameter is `{param}`, as in the answer"));
        if let Some(page) = self.fact(&PAGE, is_first) {
            let is_spring = page.key() == "number" || page.parent() == "pageable";
            let param =
                if is_spring || page.key() == "currentpage" { "page".to_owned() } else { named(page) };
            let start = page.value.integer().unwrap_or(1);
            let note = note(&param);
            return Some(Found { paging: Some(Paging::Page(self.counted(param, start))), note });
        }
        let offset = self.fact(&OFFSET, |fact| fact.value.integer() == Some(0))?;
        let param = named(offset);
        let note = note(&param);
        Some(Found { paging: Some(Paging::Offset(self.counted(param, 0))), note })
    }

    fn by_pair(&self) -> Option<Found> {
        let limit = self.url_limit()?;
        let is_full = self.signs.records as i64 >= limit.value;
        let name = limit.param.as_deref()?;
        let (_, param, is_page, start) = PAIRS.iter().find(|(size, ..)| *size == name)?;
        if !is_full && self.total().is_none() {
            return None;
        }
        let counted = self.counted((*param).to_owned(), *start);
        let paging = if *is_page { Paging::Page(counted) } else { Paging::Offset(counted) };
        let note = format!("guessed: `{param}` usually goes with `{name}`");
        Some(Found { paging: Some(paging), note: Some(note) })
    }

    /// Stripe and those who follow it: the id of the last record is the cursor.
    /// A page that is not full has no record at that place, and ends the run.
    fn last_record(&self) -> Option<Found> {
        let is_list =
            self.facts.iter().any(|fact| fact.key() == "object" && fact.value.text() == Some("list"));
        let has_more = self.has_more()?;
        let last = self.signs.tree.at(&self.signs.shape.path)?.items().last()?.get("id")?;
        if !is_list || last.text().is_none() {
            return None;
        }
        let size = self
            .url_limit()
            .unwrap_or(Limit { param: Some("limit".into()), value: self.signs.records as i64 });
        let place = [(size.value - 1).to_string(), "id".to_owned()];
        let path: Vec<String> = self.signs.shape.path.iter().cloned().chain(place).collect();
        let note = format!(
            "guessed: the id of the last record of a full page, as with `{}` in Stripe's API",
            super::write::path(&has_more)
        );
        let paging = Paging::Cursor { param: "starting_after".into(), path, limit: Some(size) };
        Some(Found { paging: Some(paging), note: Some(note) })
    }

    fn counted(&self, param: String, start: i64) -> Counted {
        let said = self.fact(&LIMIT[..12], |fact| fact.value.integer().is_some_and(|value| value > 0));
        let said = said.and_then(|fact| Some(Limit { param: None, value: fact.value.integer()? }));
        let limit = self.url_limit().or(said);
        Counted { param, start, limit, has_more: self.has_more(), total: self.total() }
    }

    fn has_more(&self) -> Option<Vec<String>> {
        self.fact(&MORE, |fact| matches!(fact.value, Json::Boolean(_))).map(|fact| fact.path.clone())
    }

    fn pages(&self) -> Option<i64> {
        self.fact(&PAGES, |fact| fact.value.integer().is_some()).and_then(|fact| fact.value.integer())
    }

    /// Of records. What is called `count` may be the number of these records only.
    fn total(&self) -> Option<Vec<String>> {
        let records = self.signs.records as i64;
        let fits = |fact: &Fact<'_>| match (fact.key().as_str(), fact.value) {
            ("count", Json::Integer(total)) => *total > records,
            (_, Json::Integer(total)) => *total >= records,
            (_, Json::Text(text)) => text.starts_with('>'),
            _ => false,
        };
        let plain = self.fact(&TOTAL, fits);
        let inside =
            self.facts.iter().find(|fact| fact.key() == "value" && fact.parent() == "total" && fits(fact));
        plain.or(inside).map(|fact| fact.path.clone())
    }

    fn nothing(&self) -> Found {
        let records = self.signs.records;
        let full = self.url_limit().filter(|limit| limit.value == records as i64);
        let total = self.total().and_then(|path| self.signs.tree.at(&path)?.integer());
        let note = match (total, full) {
            (Some(total), _) if total > records as i64 => format!(
                "the answer has {records} of {total} records; how the others are asked for, it does not say"
            ),
            (_, Some(limit)) => format!(
                "this page is full ({records} of {}): if there are more, say how they are asked for",
                limit.value
            ),
            _ => return Found::default(),
        };
        Found { paging: None, note: Some(note) }
    }
}

impl Paging {
    /// The parameters that it sends itself.
    pub(super) fn params(&self) -> Vec<&str> {
        let (param, limit) = match self {
            Paging::Link | Paging::NextUrl(_) => return Vec::new(),
            Paging::Cursor { param, limit, .. } => (param, limit),
            Paging::Page(counted) | Paging::Offset(counted) => (&counted.param, &counted.limit),
        };
        let limit = limit.as_ref().and_then(|limit| limit.param.as_deref());
        std::iter::once(param.as_str()).chain(limit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::init::shape;

    fn found(text: &str, query: &str, link: Option<&str>, is_post: bool) -> Found {
        let tree: Json = serde_json::from_str(text).expect(text);
        let shape = shape::find(&tree).expect(text);
        let records = shape::records(&tree, &shape).len();
        let params: Vec<(String, String)> =
            url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        find(&Signs { tree: &tree, shape: &shape, records, params: &params, link, is_json: true, is_post })
    }

    /// The way, whether it is guessed, and the parameters that it sends.
    fn way(found: &Found) -> (&'static str, bool, Vec<&str>) {
        let way = match &found.paging {
            None => "none",
            Some(Paging::Link) => "link",
            Some(Paging::NextUrl(_)) => "next url",
            Some(Paging::Cursor { .. }) => "cursor",
            Some(Paging::Page(_)) => "page",
            Some(Paging::Offset(_)) => "offset",
        };
        let params = found.paging.iter().flat_map(Paging::params).collect();
        (way, found.note.is_some(), params)
    }

    #[test]
    fn the_next_page_is_found_by_what_is_said() {
        let records = r#""data":[{"a":1},{"a":2}]"#;
        type Case = (&'static str, &'static str, &'static str, (&'static str, bool, Vec<&'static str>));
        let cases: Vec<Case> = vec![
            ("nothing", "", "", ("none", false, vec![])),
            ("a url", r#""next":"http://x/?p=2""#, "", ("next url", false, vec![])),
            ("a relative one", r#""links":{"next":{"href":"/x?p=2"}}"#, "", ("next url", false, vec![])),
            ("none left", r#""next":null,"previous":"/x""#, "", ("next url", true, vec![])),
            ("null alone says nothing", r#""next":null"#, "", ("none", false, vec![])),
            ("a cursor", r#""meta":{"next_cursor":"x"}"#, "", ("cursor", true, vec!["cursor"])),
            (
                "its parameter shown",
                r#""next_cursor":"x""#,
                "cursor=a&limit=2",
                ("cursor", false, vec!["cursor", "limit"]),
            ),
            ("a page in the url", "", "page=1&limit=2", ("page", false, vec!["page", "limit"])),
            ("a later page in the url", "", "page=7", ("page", true, vec!["page"])),
            ("an offset in the url", "", "offset=0&limit=2", ("offset", false, vec!["offset", "limit"])),
            ("a day is no offset", "", "from=2026-11-15", ("none", false, vec![])),
            ("a page in the answer", r#""page":1,"total_pages":3"#, "", ("page", true, vec!["page"])),
            ("a page without an end", r#""page":1"#, "", ("none", false, vec![])),
            ("an offset in the answer", r#""offset":0,"total":9"#, "", ("offset", true, vec!["offset"])),
            ("a usual pair", "", "per_page=2", ("page", true, vec!["page", "per_page"])),
            ("a page that is not full", "", "per_page=5", ("none", false, vec![])),
            ("full, and no more is said", "", "limit=2", ("none", true, vec![])),
            ("more, and no way is said", r#""total":9"#, "", ("none", true, vec![])),
        ];
        for (why, around, query, want) in cases {
            let comma = if around.is_empty() { "" } else { "," };
            let text = format!("{{{around}{comma}{records}}}");
            assert_eq!(way(&found(&text, query, None, false)), want, "{why}");
        }
    }

    #[test]
    fn a_link_header_goes_first_and_a_body_cannot_be_paged() {
        let text = r#"{"next_cursor":"x","data":[{"a":1},{"a":2}]}"#;
        assert_eq!(way(&found(text, "", Some("</x>; rel=next"), false)).0, "link");
        assert_eq!(way(&found(text, "", Some("</x>; rel=prev"), false)).0, "cursor");
        assert_eq!(way(&found(text, "", None, true)), ("none", true, vec![]));
        assert_eq!(way(&found(r#"{"a":1,"next":"/x"}"#, "", None, false)).0, "none");
    }
}
