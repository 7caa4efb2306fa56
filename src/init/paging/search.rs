//! The ways to a next page, each by its own signs.

use super::super::tree::Json;
use super::super::write;
use super::words::{CURSOR_PARAMS, CURSORS, LIMIT, MORE, NEXT, OFFSET, PAGE, PAGES, PAIRS, TOTAL, plain};
use super::{Counted, Fact, Found, Limit, Paging, Signs};

pub(super) struct Search<'s, 'a> {
    pub(super) signs: &'s Signs<'a>,
    pub(super) facts: &'s [Fact<'a>],
}

/// A larger number is a time, or an id.
const MOST: i64 = 1_000_000;

impl Search<'_, '_> {
    pub(super) fn find(&self) -> Found {
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
        let mut numbers = self.signs.params.iter().filter_map(|(name, value)| {
            Some((name, value.parse().ok().filter(|value| (0..MOST).contains(value))?))
        });
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
        // These are also what a time begins with.
        if ["start", "from"].contains(&plain(&param).as_str()) && value > 1 && self.url_limit().is_none() {
            return None;
        }
        let start = i64::from(value == 1);
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
            write::path(&has_more)
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
