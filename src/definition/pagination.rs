//! How an API divides its records into pages. What asks for the next page is
//! `worker::paginate`.

use super::Path;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pagination {
    pub paging: Paging,
    /// Ends a run that would go on for ever; a warning, not a failure.
    pub max_pages: u32,
}

pub const DEFAULT_MAX_PAGES: u32 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paging {
    Page(Counted),
    Offset(Counted),
    Cursor {
        param: String,
        next_cursor_path: Path,
        limit: Option<Limit>,
    },
    /// RFC 8288 `Link: rel="next"`.
    Link,
    NextUrl {
        path: Path,
    },
}

/// Pages that are asked for by a number: of the page, or of the first record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    pub param: String,
    pub start: u64,
    pub limit: Option<Limit>,
    pub has_more_path: Option<Path>,
    pub total_path: Option<Path>,
}

/// How many records a page holds; `param` tells the API, where it wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    pub param: Option<String>,
    pub value: u64,
}
