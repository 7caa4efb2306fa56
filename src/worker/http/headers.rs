//! What the headers of an answer say: when to come back, and where the next
//! page is. Pure; the time is passed in.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use ureq::http::HeaderMap;

/// Nobody means more than this; a site that says so is mistaken.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// How long the site asks us to stay away. `None` where it does not say, or
/// says "no time at all": the backoff decides then.
pub fn retry_after(status: u16, headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let wait = match text(headers, "retry-after") {
        Some(value) => in_seconds(value).or_else(|| until_date(value, now)),
        // Sent with every answer by many sites: it asks for nothing unless the limit is hit.
        None if status == 429 => reset(headers, now),
        None => None,
    };
    wait.filter(|wait| !wait.is_zero()).map(|wait| wait.min(LONGEST))
}

fn reset(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = ["ratelimit-reset", "x-ratelimit-reset"].iter().find_map(|name| text(headers, name))?;
    let number = number(value)?;
    let epoch = if number > 1e12 { number / 1e3 } else { number };
    let seconds = if number > 1e9 { epoch - now.as_millisecond() as f64 / 1e3 } else { number };
    duration(seconds)
}

fn in_seconds(value: &str) -> Option<Duration> {
    duration(number(value)?)
}

fn until_date(value: &str, now: Timestamp) -> Option<Duration> {
    httpdate::parse_http_date(value).ok()?.duration_since(SystemTime::from(now)).ok()
}

fn number(value: &str) -> Option<f64> {
    value.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Bounded before it is converted: a float may be larger than any duration.
fn duration(seconds: f64) -> Option<Duration> {
    (seconds > 0.0).then(|| Duration::from_secs_f64(seconds.min(LONGEST.as_secs_f64())))
}

/// More say no more.
const MOST_OF_NOTE: usize = 16;

/// What a site says of caching and of quotas.
pub(super) fn of_note(headers: &HeaderMap) -> Vec<(String, String)> {
    const NAMES: [&str; 6] = ["etag", "last-modified", "cache-control", "expires", "age", "retry-after"];
    let is_of_note = |name: &str| NAMES.contains(&name) || is_quota(name);
    let of_note = headers.iter().filter(|(name, _)| is_of_note(name.as_str()));
    let shown = of_note.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    shown.take(MOST_OF_NOTE).collect()
}

/// `ratelimit`, `x-ratelimit-remaining`, `x-rate-limit-reset`, `x-quota-used`.
pub fn is_quota(name: &str) -> bool {
    let plain = name.replace('-', "");
    plain.contains("ratelimit") || plain.contains("quota") || name == "retry-after"
}

pub(super) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim)
}

/// All headers of that name as one, which RFC 9110 says they are.
pub(super) fn joined(headers: &HeaderMap, name: &str) -> Option<String> {
    let values: Vec<_> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

#[cfg(test)]
mod tests {
    use ureq::http::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn how_long_to_stay_away() {
        let now: Timestamp = "1994-11-06T08:49:37Z".parse().expect("a time");
        let week = Some(7 * 24 * 3600 * 1000);
        type Case = (&'static str, u16, &'static [(&'static str, &'static str)], Option<u128>);
        let cases: &[Case] = &[
            ("nothing said", 429, &[], None),
            ("seconds", 503, &[("retry-after", "120")], Some(120_000)),
            ("spaces around", 503, &[("retry-after", " 7 ")], Some(7_000)),
            ("zero", 429, &[("retry-after", "0")], None),
            ("negative", 429, &[("retry-after", "-5")], None),
            ("zero wins over a reset", 429, &[("retry-after", "0"), ("x-ratelimit-reset", "9")], None),
            ("a date", 429, &[("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT")], Some(60_000)),
            ("a past date", 429, &[("retry-after", "Sun, 06 Nov 1994 08:48:37 GMT")], None),
            ("no number and no date", 429, &[("retry-after", "soon")], None),
            ("far too long", 429, &[("retry-after", "99999999999999999999999")], week),
            ("no number at all", 429, &[("retry-after", "NaN")], None),
            ("infinite", 429, &[("retry-after", "inf")], None),
            ("a date far off", 429, &[("retry-after", "Sat, 06 Nov 2094 08:49:37 GMT")], week),
            ("a reset in seconds", 429, &[("ratelimit-reset", "30")], Some(30_000)),
            ("a reset with a fraction", 429, &[("x-ratelimit-reset", "1.5")], Some(1_500)),
            ("a reset without the limit hit", 200, &[("x-ratelimit-reset", "30")], None),
            ("a reset that is past", 429, &[("x-ratelimit-reset", "0")], None),
        ];
        for (why, status, pairs, want) in cases {
            let wait = retry_after(*status, &headers(pairs), now).map(|wait| wait.as_millis());
            assert_eq!(wait, *want, "{why}");
        }
    }

    #[test]
    fn a_large_reset_is_a_moment() {
        let now = Timestamp::from_second(1_800_000_000).expect("a time");
        for (why, value, want) in [
            ("seconds", "1800000060", Some(60)),
            ("milliseconds", "1800000060000", Some(60)),
            ("past", "1700000000", None),
            ("too far", "1900000000", Some(7 * 24 * 3600)),
        ] {
            let wait = retry_after(429, &headers(&[("x-ratelimit-reset", value)]), now);
            assert_eq!(wait.map(|wait| wait.as_secs()), want, "{why}");
        }
    }

    #[test]
    fn what_is_said_of_caching_and_quotas_is_of_note() {
        let headers = headers(&[
            ("content-type", "text/html"),
            ("etag", "\"a\""),
            ("x-ratelimit-remaining", "59"),
            ("x-rate-limit-limit", "60"),
            ("ratelimit", "limit=10"),
            ("set-cookie", "session=1"),
        ]);
        let names: Vec<String> = of_note(&headers).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["etag", "x-ratelimit-remaining", "x-rate-limit-limit", "ratelimit"]);
    }

    #[test]
    fn several_headers_of_a_name_are_one() {
        let headers = headers(&[("link", "</a>; rel=prev"), ("link", "</b>; rel=next")]);
        assert_eq!(joined(&headers, "link").as_deref(), Some("</a>; rel=prev, </b>; rel=next"));
        assert_eq!(joined(&headers, "etag"), None);
    }
}
