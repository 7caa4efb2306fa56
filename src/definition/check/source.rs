//! The rules of a source as a whole. Its request, response and pagination have
//! files of their own.

use std::time::Duration;

use super::scope::{Scope, shorten};
use super::{pagination, request, response, timing, unknown};
use crate::definition::source::{DEFAULT_HANDLER, DEFAULT_TIMEOUT, Retention};
use crate::definition::template::Moment;
use crate::definition::written::{self, Given, OneOrMany};
use crate::definition::{Execution, Source, Status, name, nearest};

const DEFAULT_MAX_RETRIES: u32 = 5;
const DEFAULT_RETRY_RESET_PERIOD: Duration = Duration::from_secs(86_400);

pub(super) fn check(scope: &Scope<'_>, written: written::Source) -> Option<Source> {
    unknown(scope, &written.unknown, written::Source::KEYS);
    let name = scope.needed_name("name", written.name);
    let description = scope.good("description", written.description);
    let request = request::check(
        scope,
        request::Written {
            url: written.url,
            method: written.method,
            headers: written.headers,
            params: written.params,
            body: written.body,
        },
    );
    let table = table(scope, written.table);
    let zone = scope.timezone(written.timezone);
    let schedule = scope.schedule(written.schedule, zone.as_ref());
    let words = [("active", Status::Active), ("paused", Status::Paused)];
    let status = scope.word("status", written.status, &words);
    let handler = scope.name("handler", written.handler);
    let execution = execution(scope, written.execution);
    let unique_given = written.unique.is_given();
    let targets = response::targets(&written.response);
    let unique = unique(scope, written.unique, targets.clone());
    let format = response::format(&written.response);
    let response = response::check(scope, written.response);
    let spellings = pagination::Written {
        pagination: written.pagination,
        offset: written.offset_pagination,
        cursor: written.cursor_pagination,
    };
    let is_built_in = request.as_ref().is_some_and(|request| request.is_built_in());
    let pagination = pagination::check(scope, spellings, is_built_in, format);
    let retention = retention(scope, written.retention);
    let lookback = scope.duration("lookback", written.lookback, ("0s", "366d"));
    let is_incremental = written.incremental.is_given();
    let incremental = timing::incremental(scope, written.incremental, targets.as_deref());
    let slots = timing::slots(scope, written.catch_up, written.startup);
    let request = request?;
    if !is_incremental && request.uses(Moment::Since) {
        scope.key("incremental").wrong("`${since}` needs `incremental: { field, initial }`");
    }
    Some(Source {
        name: name?,
        description,
        url: request.url,
        method: request.method,
        headers: request.headers,
        params: request.params,
        body: request.body,
        table: table?,
        schedule,
        status: status.unwrap_or(Status::Active),
        handler: handler.unwrap_or_else(|| DEFAULT_HANDLER.to_owned()),
        execution,
        response: response?,
        unique: unique?,
        unique_given,
        pagination,
        retention,
        lookback: lookback.unwrap_or_default(),
        incremental,
        slots,
    })
}

fn table(scope: &Scope<'_>, given: Given<String>) -> Option<String> {
    let table = scope.needed("table", given);
    scope.ruled("table", table, |table| {
        if !name::is_identifier(&table) {
            return Err(format!("`{}` is no table name: {IDENTIFIER}", shorten(&table)));
        }
        if name::is_own_table(&table) {
            return Err(format!("`{table}` is a table of Hermes or SQLite itself; choose another name"));
        }
        Ok(table)
    })
}

pub(super) const IDENTIFIER: &str = "letters, digits and _, no digit first, at most 64";

fn execution(scope: &Scope<'_>, given: Given<written::Execution>) -> Execution {
    let written = scope.good("execution", given).unwrap_or_default();
    let scope = scope.key("execution");
    unknown(&scope, &written.unknown, written::Execution::KEYS);
    let timeout = scope.duration("timeout", written.timeout, ("1s", "1d"));
    let max_retries = scope.number("maxRetries", written.max_retries, 1..=1_000);
    let period = scope.duration("retryResetPeriod", written.retry_reset_period, ("1m", "3660d"));
    Execution {
        timeout: timeout.unwrap_or(DEFAULT_TIMEOUT),
        max_retries: max_retries.unwrap_or(DEFAULT_MAX_RETRIES),
        retry_reset_period: period.unwrap_or(DEFAULT_RETRY_RESET_PERIOD),
    }
}

fn retention(scope: &Scope<'_>, given: Given<written::Retention>) -> Retention {
    let written = scope.good("retention", given).unwrap_or_default();
    let scope = scope.key("retention");
    unknown(&scope, &written.unknown, written::Retention::KEYS);
    Retention {
        days: scope.number("days", written.days, 1..=MAX_DAYS),
        rows: scope.number("rows", written.rows, 1..=i64::MAX),
    }
}

/// A century: longer is a slip, and would overflow sums of times.
const MAX_DAYS: i64 = 36_600;

/// As indices into the fields; all of them where nothing is given. Without
/// readable fields there is nothing to compare with.
fn unique(
    scope: &Scope<'_>,
    given: Given<OneOrMany<String>>,
    targets: Option<Vec<String>>,
) -> Option<Vec<usize>> {
    if !given.is_given() {
        return targets.map(|targets| (0..targets.len()).collect());
    }
    let wanted = scope.good("unique", given)?;
    let scope = scope.key("unique");
    let wanted = match wanted {
        OneOrMany::One(target) => vec![(scope.clone(), target)],
        OneOrMany::Many(items) => {
            scope.items(items).into_iter().map(|(index, target)| (scope.item(index), target)).collect()
        }
    };
    if wanted.is_empty() {
        scope.wrong("`unique` names no field; leave it out to compare all of them");
    }
    Some(indices(wanted, &targets?))
}

fn indices(wanted: Vec<(Scope<'_>, String)>, targets: &[String]) -> Vec<usize> {
    let mut unique = Vec::new();
    for (at, target) in wanted {
        match targets.iter().position(|known| known.eq_ignore_ascii_case(&target)) {
            Some(found) if unique.contains(&found) => at.wrong(format!("`{target}` is named twice")),
            Some(found) => unique.push(found),
            None => at.wrong(no_such_target(&target, targets)),
        }
    }
    unique
}

fn no_such_target(target: &str, targets: &[String]) -> String {
    let known: Vec<&str> = targets.iter().map(String::as_str).filter(|known| !known.is_empty()).collect();
    let shown = shorten(target);
    match nearest(target, known.iter().copied()) {
        Some(meant) => format!("no field has the target `{shown}`; did you mean `{meant}`?"),
        None => format!("no field has the target `{shown}`; there is {}", shorten(&known.join(", "))),
    }
}
