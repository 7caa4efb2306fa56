//! The documents of `sources.d` once checked. Keeps out how they are written.

use std::time::Duration;

use jiff::tz::TimeZone;

use super::{Execution, Pagination, Response, Schedule, Template};

/// One API to fetch.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    pub name: String,
    pub description: Option<String>,
    pub url: Template,
    pub method: Method,
    pub headers: Vec<(String, Template)>,
    /// In the order of the file: some APIs sign or cache by it.
    pub params: Vec<(String, Template)>,
    /// Its text values may hold placeholders.
    pub body: Option<serde_json::Value>,
    /// A checked identifier.
    pub table: String,
    /// `None` where a deployment may name this source instead.
    pub schedule: Option<Schedule>,
    pub status: Status,
    pub handler: String,
    pub execution: Execution,
    pub response: Response,
    /// Indices into `response.fields`; never empty.
    pub unique: Vec<usize>,
    /// `unique` stood in the document: a record without any of these values
    /// has no identity and is refused.
    pub unique_given: bool,
    pub pagination: Option<Pagination>,
    pub retention: Retention,
    /// How much earlier than the last one's end a window begins, for records
    /// that come late.
    pub lookback: Duration,
    pub incremental: Option<Incremental>,
    /// Of its own schedule.
    pub slots: Slots,
}

impl Source {
    /// For its provider; `None` where the url has a placeholder in its host.
    pub fn host(&self) -> Option<String> {
        let url = url::Url::parse(&self.url.to_string()).ok()?;
        url.host_str().map(str::to_owned)
    }

    /// Answered by Hermes itself, not by a server.
    pub fn is_built_in(&self) -> bool {
        self.url.as_plain().is_some_and(|url| url.starts_with(BUILT_IN))
    }
}

pub const BUILT_IN: &str = "hermes:";

/// What `${since}` is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incremental {
    /// Index into `response.fields`.
    pub field: usize,
    /// Before the first completed run.
    pub initial: String,
}

/// Which of its slots a deployment runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Slots {
    /// `catchUp: each`: missed slots run one by one, not as one.
    pub catch_up_each: bool,
    /// `startup: wait`: the first run is at the first slot to come, not at once.
    pub startup_waits: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Active,
    Paused,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Active => "active",
            Status::Paused => "paused",
        }
    }
}

/// How long rows are kept; nothing is removed where both are absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    pub days: Option<u32>,
    pub rows: Option<u64>,
}

/// When to run which sources.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    pub name: String,
    pub schedule: Schedule,
    /// That of the schedule.
    pub zone: TimeZone,
    pub temporal_offset_hours: i64,
    pub handler: String,
    /// Of the job key; unique among deployments.
    pub prefix: String,
    pub sources: Vec<String>,
    pub is_active: bool,
    pub slots: Slots,
}

/// A named queue with its workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    pub name: String,
    pub capacity: usize,
    pub workers: usize,
}

pub const DEFAULT_HANDLER: &str = "default";
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);
