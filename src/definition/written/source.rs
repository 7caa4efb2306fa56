//! A source as it is written. How it is answered is in `response`, its pages
//! are in `pages`.

use super::*;

written! {
    Source [name] {
        /// What the document is; a source unless given.
        kind: String,
        /// The source's name in commands, keys and rows.
        name: String => { "pattern": NAME },
        /// The template that this source is made from: a document with `kind: client` and this name.
        /// Keys given here win over the client's.
        client: String => { "minLength": 1 },
        /// Values for `${with.NAME}` in the client.
        with: Mapping => { "additionalProperties": { "type": ["string", "number", "boolean", "null"] } },
        /// What it is, for people.
        description: String,
        /// The address to fetch. It may hold placeholders: `${env:NAME}`, `${file:PATH}`, `${slot}`,
        /// `${window.from}`, `${window.to}`, `${since}`, the last four with a format as in `${slot|%Y-%m-%d}`.
        url: String => { "allOf": [{ "pattern": URL }, { "pattern": TEMPLATE }] },
        /// GET, or POST with a `body`.
        method: String => { "pattern": "^([Gg][Ee][Tt]|[Pp][Oo][Ss][Tt])$", "examples": ["GET", "POST"], "default": "GET" },
        /// Headers of the request; their values may hold placeholders such as `${env:TOKEN}`.
        headers: Mapping => {
            "propertyNames": { "pattern": HEADER },
            "additionalProperties": { "type": "string", "pattern": TEMPLATE }
        },
        /// Query parameters, in order; their values may hold placeholders.
        params: Params,
        /// What is sent as JSON with `method: POST`; its texts may hold placeholders.
        body: Value,
        /// The table that the rows go to. It is made where it does not exist, and extended by new fields.
        table: String => { "pattern": IDENTIFIER },
        /// When it runs: daily, hourly, interval:15m, or cron of five fields. Absent: daily, unless a
        /// deployment names this source.
        schedule: String => { "pattern": SCHEDULE, "examples": SCHEDULES },
        /// Of cron, such as Europe/Berlin.
        timezone: String => { "minLength": 1, "default": "UTC" },
        /// A paused source does not run by itself.
        status: String => { "enum": ["active", "paused"], "default": "active" },
        /// The queue that its jobs wait in.
        handler: String => { "pattern": NAME, "default": "default" },
        /// How long a run may take, and how often it may fail.
        execution: Execution,
        /// What the answer looks like, and which of its values are stored.
        response: Response => { "nullable": false },
        /// The targets whose values make a record the same record; all of them where absent.
        unique: OneOrMany<String>,
        /// How to ask for the next page.
        pagination: Pagination,
        /// The older spelling of `pagination: { page: … }`.
        offset_pagination: OffsetPagination,
        /// The older spelling of `pagination: { cursor: … }`.
        cursor_pagination: CursorPagination,
        /// How long rows are kept; for ever where absent.
        retention: Retention,
        /// How much earlier than the last window's end a window begins, for records that come late.
        lookback: Span => { "examples": ["30m"] },
        /// What `${since}` is: the newest value of a field that a completed run has seen.
        incremental: Incremental,
        /// Missed slots are one run for the latest of them, or each a run of its own.
        catch_up: String => { "enum": ["latest", "each"], "default": "latest" },
        /// A new source runs at once, or waits for its first slot to come.
        startup: String => { "enum": ["now", "wait"], "default": "now" },
    } => {
        "if": { "required": ["client"] },
        "else": {
            "required": ["url", "table", "response"],
            "dependencies": { "body": { "required": ["method"] } }
        },
        "dependencies": {
            "with": ["client"],
            "pagination": { "not": { "anyOf": [{ "required": ["offsetPagination"] }, { "required": ["cursorPagination"] }] } },
            "offsetPagination": { "not": { "required": ["cursorPagination"] } }
        }
    }

    Incremental [field, initial] {
        /// The target of a field.
        field: String => { "minLength": 1 },
        /// What `${since}` is before the first completed run.
        initial: Scalar,
    }

    Param [name, value] {
        /// The parameter's name.
        name: String => { "minLength": 1 },
        /// Its value, which may hold placeholders.
        value: Scalar => { "pattern": TEMPLATE },
    }

    Execution {
        /// Of the whole run, all pages.
        timeout: Span => { "default": "5m" },
        /// Failures that are allowed per period, the first attempt included.
        max_retries: i64 => { "minimum": 1, "maximum": 1000, "default": 5 },
        /// After which failures are forgotten.
        retry_reset_period: Span => { "default": "1d" },
    }

    Retention {
        /// Rows that are older are removed.
        days: i64 => { "minimum": 1, "maximum": 36_600 },
        /// The newest rows that are kept.
        rows: i64 => { "minimum": 1 },
    }
}
