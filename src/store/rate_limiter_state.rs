//! `rate_limiter_state`: requests counted per domain and window. In the
//! database and not in memory, so that no restart and no second process
//! forgets a request that an API has counted.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension};

use super::{Store, Tx, time};
use crate::clock;
use crate::definition::Provider;
use crate::definition::provider::RequestLimit;
use crate::error::Result;

/// Of one limit.
#[derive(Debug, Clone, Copy)]
struct Window {
    start: Timestamp,
    count: u32,
}

/// What is left of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    pub limit: RequestLimit,
    pub left: u32,
    /// `None`: nothing is used yet.
    pub resets_at: Option<Timestamp>,
}

impl Store {
    /// A peek: when the next request is allowed, if not now.
    pub fn rate_limited_until(&self, provider: &Provider, now: Timestamp) -> Result<Option<Timestamp>> {
        limited_until(&self.conn, provider, now)
    }

    /// Of each limit: requests left in the current window, and when that ends where it has begun.
    pub fn requests_left(&self, provider: &Provider, now: Timestamp) -> Result<Vec<Left>> {
        let left = |limit: &RequestLimit| {
            let window = window(&self.conn, &provider.domain, limit, now)?;
            let resets_at = (window.count > 0).then(|| end(window.start, limit.per));
            Ok(Left { limit: *limit, left: limit.requests.saturating_sub(window.count), resets_at })
        };
        provider.limits.iter().map(left).collect()
    }

    /// Counts one request, or says when to ask again.
    pub fn consume_request(&mut self, provider: &Provider, now: Timestamp) -> Result<Option<Timestamp>> {
        if provider.limits.is_empty() {
            return Ok(None);
        }
        self.write(now, |tx| tx.consume_request(provider))
    }
}

impl Tx<'_> {
    fn consume_request(&self, provider: &Provider) -> Result<Option<Timestamp>> {
        if let Some(until) = limited_until(&self.conn, provider, self.now)? {
            return Ok(Some(until));
        }
        let mut set = self.conn.prepare_cached(
            "INSERT INTO rate_limiter_state (domain, period_seconds, window_start, request_count)
             VALUES (?1, ?2, ?3, ?4) ON CONFLICT (domain, period_seconds)
             DO UPDATE SET window_start = excluded.window_start, request_count = excluded.request_count",
        )?;
        for limit in &provider.limits {
            let window = window(&self.conn, &provider.domain, limit, self.now)?;
            let start = clock::to_text(window.start);
            set.execute((&provider.domain, limit.per.as_secs(), start, window.count + 1))?;
        }
        Ok(None)
    }
}

fn limited_until(conn: &Connection, provider: &Provider, now: Timestamp) -> Result<Option<Timestamp>> {
    let mut until = None;
    for limit in &provider.limits {
        let window = window(conn, &provider.domain, limit, now)?;
        if window.count >= limit.requests {
            until = until.max(Some(end(window.start, limit.per)));
        }
    }
    Ok(until)
}

/// The window that `now` is in: the one that is kept, or a new one. A kept one
/// that begins in the future was made by a clock since set back; waiting for
/// it could take years.
fn window(conn: &Connection, domain: &str, limit: &RequestLimit, now: Timestamp) -> Result<Window> {
    let mut find = conn.prepare_cached(
        "SELECT window_start, request_count FROM rate_limiter_state WHERE domain = ? AND period_seconds = ?",
    )?;
    let kept = find
        .query_row((domain, limit.per.as_secs()), |row| {
            let count = row.get("request_count")?;
            Ok(time(row, "window_start")?.map(|start| Window { start, count }))
        })
        .optional()?
        .flatten();
    let current = kept.filter(|window| window.start <= now && now < end(window.start, limit.per));
    Ok(current.unwrap_or(Window { start: now, count: 0 }))
}

fn end(start: Timestamp, per: Duration) -> Timestamp {
    let per = SignedDuration::try_from(per).unwrap_or(SignedDuration::MAX);
    start.checked_add(per).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{at, store};

    fn provider(limits: &[(u32, u64)]) -> Provider {
        let limit = |&(requests, seconds)| RequestLimit { requests, per: Duration::from_secs(seconds) };
        Provider {
            domain: "api.example".into(),
            limits: limits.iter().map(limit).collect(),
            concurrency: None,
            auth: None,
        }
    }

    #[test]
    fn each_window_counts_and_the_latest_end_decides() {
        let mut store = store();
        let provider = provider(&[(2, 60), (3, 3_600)]);
        for (now, want) in [
            ("2026-01-01T10:00:00Z", None),
            ("2026-01-01T10:00:10Z", None),
            ("2026-01-01T10:00:20Z", Some("2026-01-01T10:01:00Z")),
            ("2026-01-01T10:01:00Z", None),
            ("2026-01-01T10:01:01Z", Some("2026-01-01T11:00:00Z")),
            ("2026-01-01T11:00:00Z", None),
        ] {
            let until = store.consume_request(&provider, at(now)).expect("a store");
            assert_eq!(until, want.map(at), "{now}");
        }
    }

    #[test]
    fn a_peek_counts_nothing() {
        let mut store = store();
        let (provider, now) = (provider(&[(1, 60)]), at("2026-01-01T10:00:00Z"));
        for _ in 0..3 {
            assert_eq!(store.rate_limited_until(&provider, now).expect("a store"), None);
        }
        assert_eq!(store.consume_request(&provider, now).expect("a store"), None);
        assert!(store.rate_limited_until(&provider, now).expect("a store").is_some());
    }

    #[test]
    fn a_window_of_a_clock_since_set_back_is_forgotten() {
        let mut store = store();
        let provider = provider(&[(1, 60)]);
        for now in ["2036-01-01T10:00:00Z", "2026-01-01T10:00:00Z"] {
            assert_eq!(store.consume_request(&provider, at(now)).expect("a store"), None, "{now}");
        }
    }
}
