//! What APIs call pages, their sizes, totals and cursors. Only words.

/// The last is one only in answers.
pub(super) const PAGE: [&str; 8] =
    ["page", "pagenumber", "pageno", "pagenum", "currentpage", "pageindex", "p", "number"];
pub(super) const OFFSET: [&str; 7] =
    ["offset", "skip", "start", "from", "startindex", "pageoffset", "resultoffset"];
/// The last is one only in urls.
pub(super) const LIMIT: [&str; 13] = [
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
pub(super) const TOTAL: [&str; 14] = [
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
pub(super) const PAGES: [&str; 6] = ["totalpages", "pages", "pagecount", "nbpages", "lastpage", "numpages"];
pub(super) const MORE: [&str; 6] =
    ["hasmore", "more", "hasnext", "hasnextpage", "morepages", "exceededtransferlimit"];
pub(super) const NEXT: [&str; 8] =
    ["next", "nexturl", "nextlink", "nextpage", "nextpageurl", "odatanextlink", "nexthref", "nextpagelink"];

/// What a cursor's key in the answer is sent back as, where the url does not show it.
pub(super) const CURSORS: [(&str, &str); 10] = [
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
pub(super) const CURSOR_PARAMS: [&str; 9] = [
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
pub(super) const PAIRS: [(&str, &str, bool, i64); 8] = [
    ("per_page", "page", true, 1),
    ("page[size]", "page[number]", true, 1),
    ("_limit", "_page", true, 1),
    ("hitsPerPage", "page", true, 0),
    ("$limit", "$offset", false, 0),
    ("$top", "$skip", false, 0),
    ("page[limit]", "page[offset]", false, 0),
    ("resultRecordCount", "resultOffset", false, 0),
];

/// A key without what only spelling adds: `nextPageToken`, `next_page_token`.
pub(super) fn plain(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Names of values that are about pages or the answer itself, not about what it tells.
pub(in crate::init) fn is_about_the_answer(path: &[String]) -> bool {
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
