//! What the headers of an answer say of quotas and freshness. Only what stays
//! the same from answer to answer: not what is left of a quota. Pure.

use ureq::http::HeaderMap;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// Requests, and the seconds that they are for.
    pub(super) known: Vec<(u64, u64)>,
    /// Requests, and the header that names no period for them.
    pub(super) unknown: Option<(u64, &'static str)>,
}

pub(super) fn find(headers: &HeaderMap) -> Limits {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let mut limits = Limits::default();
    const PLAIN: [&str; 4] =
        ["x-ratelimit-limit", "ratelimit-limit", "x-rate-limit-limit", "ratelimit-policy"];
    for name in PLAIN {
        for policy in text(name).unwrap_or_default().split(',') {
            match (quota(policy), window(policy)) {
                (Some(requests), Some(seconds)) => limits.add(requests, seconds),
                (Some(requests), None) if limits.unknown.is_none() => limits.unknown = Some((requests, name)),
                _ => {}
            }
        }
    }
    for (name, seconds) in [
        ("x-ratelimit-limit-second", 1),
        ("x-ratelimit-limit-minute", 60),
        ("x-ratelimit-limit-hour", 3_600),
        ("x-ratelimit-limit-day", 86_400),
        ("x-ratelimit-limit-month", 30 * 86_400),
    ] {
        if let Some(requests) = text(name).and_then(quota) {
            limits.add(requests, seconds);
        }
    }
    if !limits.known.is_empty() {
        limits.unknown = None;
    }
    limits
}

impl Limits {
    fn add(&mut self, requests: u64, seconds: u64) {
        let fits = (1..=u64::from(u32::MAX)).contains(&requests) && (1..=366 * 86_400).contains(&seconds);
        if fits && !self.known.contains(&(requests, seconds)) && self.known.len() < 8 {
            self.known.push((requests, seconds));
        }
    }
}

/// `60`, `60;w=60`, `"burst";q=60;w=60`.
fn quota(policy: &str) -> Option<u64> {
    let first = policy.split(';').next()?.trim();
    first.parse().ok().or_else(|| parameter(policy, "q")).filter(|requests| *requests > 0)
}

fn window(policy: &str) -> Option<u64> {
    parameter(policy, "w")
}

fn parameter(policy: &str, name: &str) -> Option<u64> {
    let pairs = policy.split(';').filter_map(|part| part.split_once('='));
    pairs.filter(|(key, _)| key.trim() == name).find_map(|(_, value)| value.trim().parse().ok())
}

/// How long the server calls its answer fresh.
pub(super) fn fresh_seconds(headers: &HeaderMap) -> Option<u64> {
    let control = headers.get("cache-control")?.to_str().ok()?;
    let age = control.split(',').find_map(|part| part.trim().strip_prefix("max-age="))?;
    age.parse().ok().filter(|seconds| *seconds > 0)
}

/// As a document has it: `1m`, `6h`, `90s`.
pub(super) fn duration(seconds: u64) -> String {
    for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] {
        if seconds.is_multiple_of(length) && seconds > 0 {
            return format!("{}{unit}", seconds / length);
        }
    }
    format!("{seconds}s")
}

#[cfg(test)]
mod tests {
    use ureq::http::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn limits_are_those_with_a_period() {
        for (name, value, known, unknown) in [
            ("ratelimit-policy", "60;w=60, 2000;w=3600", vec![(60, 60), (2000, 3600)], None),
            ("ratelimit-policy", "\"burst\";q=10;w=1", vec![(10, 1)], None),
            ("x-ratelimit-limit-minute", "30", vec![(30, 60)], None),
            ("x-ratelimit-limit", "60", vec![], Some((60, "x-ratelimit-limit"))),
            ("x-ratelimit-limit", "60, 60;w=60", vec![(60, 60)], None),
            ("x-ratelimit-limit", "many", vec![], None),
            ("x-ratelimit-limit", "0", vec![], None),
            ("ratelimit-policy", "60;w=999999999999", vec![], None),
        ] {
            let found = find(&headers(&[(name, value)]));
            assert_eq!((found.known, found.unknown), (known, unknown), "{name}: {value}");
        }
    }

    #[test]
    fn freshness_and_durations() {
        let fresh = |value| fresh_seconds(&headers(&[("cache-control", value)]));
        assert_eq!(fresh("public, max-age=300"), Some(300));
        assert_eq!(fresh("no-store"), None);
        assert_eq!([60, 7200, 86_400, 90].map(duration), ["1m", "2h", "1d", "90s"]);
    }
}
