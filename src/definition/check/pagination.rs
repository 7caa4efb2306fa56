//! The rules of pages, in both spellings. Keeps out how a next page is asked for.

use super::scope::Scope;
use super::unknown;
use crate::definition::mapping::Format;
use crate::definition::pagination::{Counted, DEFAULT_MAX_PAGES, Limit};
use crate::definition::written::{self, Given};
use crate::definition::{Pagination, Paging};

const MOST: i64 = 1_000_000;

pub(super) struct Written {
    pub(super) pagination: Given<written::Pagination>,
    pub(super) offset: Given<written::OffsetPagination>,
    pub(super) cursor: Given<written::CursorPagination>,
}

/// `format` is `None` where it could not be read: then nothing is said of it.
pub(super) fn check(
    scope: &Scope<'_>,
    written: Written,
    is_built_in: bool,
    format: Option<Format>,
) -> Option<Pagination> {
    let spellings = [
        ("pagination", written.pagination.is_given()),
        ("offsetPagination", written.offset.is_given()),
        ("cursorPagination", written.cursor.is_given()),
    ];
    let given: Vec<&str> = spellings.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    for key in &given {
        if is_built_in {
            scope.key(key).wrong_key("a built-in source has one page only");
        }
    }
    if let [first, second, ..] = given.as_slice() {
        scope
            .key(second)
            .wrong_key(format!("`{second}` and `{first}` are two spellings of one thing; keep one"));
    }
    let answer = Answer { is_json: matches!(format, None | Some(Format::Json)) };
    let new =
        scope.good("pagination", written.pagination).and_then(|written| answer.new_spelling(scope, written));
    let paged =
        scope.good("offsetPagination", written.offset).map(|written| answer.old_pages(scope, written));
    let cursor =
        scope.good("cursorPagination", written.cursor).and_then(|written| answer.old_cursor(scope, written));
    let old = paged.or(cursor).map(|paging| Pagination { paging, max_pages: DEFAULT_MAX_PAGES });
    new.or(old)
}

struct Answer {
    is_json: bool,
}

impl Answer {
    fn new_spelling(&self, scope: &Scope<'_>, written: written::Pagination) -> Option<Pagination> {
        let scope = &scope.key("pagination");
        unknown(scope, &written.unknown, written::Pagination::KEYS);
        let ways = [
            ("page", written.page.is_given()),
            ("offset", written.offset.is_given()),
            ("cursor", written.cursor.is_given()),
            ("link", written.link.is_given()),
            ("nextUrl", written.next_url.is_given()),
        ];
        exactly_one(scope, &ways);
        let max_pages = scope.number("maxPages", written.max_pages, 1..=MOST);
        let page = scope.good("page", written.page);
        let page = page.map(|page| Paging::Page(self.counted(&scope.key("page"), page, "page", 1)));
        let offset = scope.good("offset", written.offset);
        let offset =
            offset.map(|offset| Paging::Offset(self.counted(&scope.key("offset"), offset, "offset", 0)));
        let cursor = scope.good("cursor", written.cursor).and_then(|cursor| self.cursor(scope, cursor));
        let link = scope.good("link", written.link).map(|link| {
            unknown(&scope.key("link"), &link.unknown, written::Link::KEYS);
            Paging::Link
        });
        let next_url = scope.good("nextUrl", written.next_url).and_then(|next| self.next_url(scope, next));
        let paging = page.or(offset).or(cursor).or(link).or(next_url)?;
        Some(Pagination { paging, max_pages: max_pages.unwrap_or(DEFAULT_MAX_PAGES) })
    }

    fn counted(&self, scope: &Scope<'_>, written: written::Counted, param: &str, start: u64) -> Counted {
        unknown(scope, &written.unknown, written::Counted::KEYS);
        let paths = [&written.has_more_path, &written.total_path];
        self.refuse_paths(scope, &[("hasMorePath", paths[0]), ("totalPath", paths[1])]);
        Counted {
            param: scope.filled("param", written.param).unwrap_or_else(|| param.to_owned()),
            start: scope.number("start", written.start, 0..=i64::MAX).unwrap_or(start),
            limit: limit(scope, written.limit_param, written.limit),
            has_more_path: scope.inner_path("hasMorePath", written.has_more_path),
            total_path: scope.inner_path("totalPath", written.total_path),
        }
    }

    fn cursor(&self, scope: &Scope<'_>, written: written::Cursor) -> Option<Paging> {
        let scope = &scope.key("cursor");
        unknown(scope, &written.unknown, written::Cursor::KEYS);
        self.refuse_paths(scope, &[("nextCursorPath", &written.next_cursor_path)]);
        let param = scope.filled("param", written.param);
        let limit = limit(scope, written.limit_param, written.limit);
        let next_cursor_path = needed_path(scope, "nextCursorPath", written.next_cursor_path)?;
        Some(Paging::Cursor { param: param.unwrap_or_else(|| "cursor".to_owned()), next_cursor_path, limit })
    }

    fn next_url(&self, scope: &Scope<'_>, written: written::NextUrl) -> Option<Paging> {
        let scope = &scope.key("nextUrl");
        unknown(scope, &written.unknown, written::NextUrl::KEYS);
        self.refuse_paths(scope, &[("path", &written.path)]);
        needed_path(scope, "path", written.path).map(|path| Paging::NextUrl { path })
    }

    fn old_pages(&self, scope: &Scope<'_>, written: written::OffsetPagination) -> Paging {
        let scope = &scope.key("offsetPagination");
        unknown(scope, &written.unknown, written::OffsetPagination::KEYS);
        self.refuse_paths(scope, &[("hasMorePath", &written.has_more_path)]);
        Paging::Page(Counted {
            param: scope.filled("pageParam", written.page_param).unwrap_or_else(|| "page".to_owned()),
            start: scope.number("startPage", written.start_page, 0..=i64::MAX).unwrap_or(1),
            limit: limit(scope, written.limit_param, written.limit),
            has_more_path: scope.inner_path("hasMorePath", written.has_more_path),
            total_path: None,
        })
    }

    fn old_cursor(&self, scope: &Scope<'_>, written: written::CursorPagination) -> Option<Paging> {
        let scope = &scope.key("cursorPagination");
        unknown(scope, &written.unknown, written::CursorPagination::KEYS);
        self.refuse_paths(scope, &[("nextCursorPath", &written.next_cursor_path)]);
        let param = scope.filled("cursorParam", written.cursor_param);
        let next_cursor_path = needed_path(scope, "nextCursorPath", written.next_cursor_path)?;
        Some(Paging::Cursor {
            param: param.unwrap_or_else(|| "cursor".to_owned()),
            next_cursor_path,
            limit: None,
        })
    }

    /// Lines have nothing around the records that a path could lead to.
    fn refuse_paths(&self, scope: &Scope<'_>, paths: &[(&str, &Given<String>)]) {
        for (key, path) in paths {
            if path.is_given() && !self.is_json {
                scope
                    .key(key)
                    .wrong_key(format!("`{key}` leads into an answer in JSON; csv and ndjson have none"));
            }
        }
    }
}

fn exactly_one(scope: &Scope<'_>, ways: &[(&str, bool)]) {
    let given: Vec<&str> = ways.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    match given.as_slice() {
        [] => scope.wrong("`pagination` is one of page, offset, cursor, link ({}), nextUrl; none is given"),
        [_] => {}
        [first, second, ..] => {
            let message =
                format!("`pagination` is one of page, offset, cursor, link, nextUrl; `{first}` is given too");
            scope.key(second).wrong_key(message);
        }
    }
}

fn needed_path(scope: &Scope<'_>, key: &str, given: Given<String>) -> Option<crate::definition::Path> {
    if !given.is_given() {
        scope.key(key).wrong(format!("`{key}` is missing: a path into the answer such as meta.next"));
    }
    scope.inner_path(key, given)
}

/// A limit without a parameter is known, not sent: the size of a full page.
fn limit(scope: &Scope<'_>, param: Given<String>, limit: Given<i64>) -> Option<Limit> {
    if param.is_given() && !limit.is_given() {
        scope.key("limitParam").wrong_key("`limitParam` needs a `limit` to send");
    }
    let param = scope.filled("limitParam", param);
    let value = scope.number("limit", limit, 1..=MOST)?;
    Some(Limit { param, value })
}
