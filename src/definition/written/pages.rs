//! Pages as they are written, in both spellings.

use super::*;

written! {
    Pagination {
        /// By the number of the page.
        page: Counted => { "nullable": false },
        /// By the number of records before the page.
        offset: Counted => { "nullable": false },
        /// By a cursor that each page gives for the next.
        cursor: Cursor => { "nullable": false },
        /// By the header `Link: <…>; rel="next"`.
        link: Link => { "nullable": false },
        /// By the address that each page gives for the next.
        next_url: NextUrl => { "nullable": false },
        /// Of one run.
        max_pages: i64 => { "minimum": 1, "maximum": 1_000_000, "default": 1000 },
    } => {
        "oneOf": [
            { "required": ["page"] }, { "required": ["offset"] }, { "required": ["cursor"] },
            { "required": ["link"] }, { "required": ["nextUrl"] }
        ]
    }

    /// Of `page` and `offset`.
    Counted {
        /// The parameter: `page` or `offset` where absent.
        param: String => { "minLength": 1 },
        /// Of the first page: 1, or the offset 0, where absent.
        start: i64 => { "minimum": 0 },
        /// The parameter of the limit; not sent where absent.
        limit_param: String => { "minLength": 1 },
        /// Records of a full page: a shorter one is the last.
        limit: i64 => { "minimum": 1, "maximum": 1_000_000 },
        /// The path to whether there are more pages.
        has_more_path: String => { "minLength": 1 },
        /// The path to the number of all records.
        total_path: String => { "minLength": 1 },
    } => { "dependencies": { "limitParam": ["limit"] } }

    Cursor [next_cursor_path] {
        /// The parameter.
        param: String => { "minLength": 1, "default": "cursor" },
        /// The path to the cursor of the next page.
        next_cursor_path: String => { "minLength": 1 },
        /// The parameter of the limit; not sent where absent.
        limit_param: String => { "minLength": 1 },
        /// Records of a page.
        limit: i64 => { "minimum": 1, "maximum": 1_000_000 },
    } => { "dependencies": { "limitParam": ["limit"] } }

    Link {}

    NextUrl [path] {
        /// The path to the address of the next page.
        path: String => { "minLength": 1 },
    }

    /// The older spelling of `pagination.page`. It counts from 1 as well,
    /// unless `startPage` says otherwise.
    OffsetPagination {
        /// The parameter of the page's number.
        page_param: String => { "minLength": 1, "default": "page" },
        /// Of the first page.
        start_page: i64 => { "minimum": 0, "default": 1 },
        /// The parameter of the limit; not sent where absent.
        limit_param: String => { "minLength": 1 },
        /// Records of a full page: a shorter one is the last.
        limit: i64 => { "minimum": 1, "maximum": 1_000_000 },
        /// The path to whether there are more pages.
        has_more_path: String => { "minLength": 1 },
    } => { "dependencies": { "limitParam": ["limit"] } }

    /// The older spelling of `pagination.cursor`.
    CursorPagination [next_cursor_path] {
        /// The parameter.
        cursor_param: String => { "minLength": 1, "default": "cursor" },
        /// The path to the cursor of the next page.
        next_cursor_path: String => { "minLength": 1 },
    }
}
