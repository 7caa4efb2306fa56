//! The rules of a provider: its domain, limits and authentication. Messages
//! never repeat what stands under `auth`.

use super::request::{check_header_name, check_header_value, check_web_url};
use super::scope::{Scope, shorten};
use super::unknown;
use crate::definition::provider::{Auth, RequestLimit};
use crate::definition::written::{self, Given, Span};
use crate::definition::{Provider, Template};

const PERIODS: (&str, &str) = ("1s", "366d");
const MOST_REQUESTS: i64 = u32::MAX as i64;

pub(super) fn check(scope: &Scope<'_>, written: written::Provider) -> Option<Provider> {
    unknown(scope, &written.unknown, written::Provider::KEYS);
    let domain = scope.needed("domain", written.domain);
    let domain = scope.ruled("domain", domain, check_domain);
    if written.limits.is_given() && (written.limit.is_given() || written.period.is_given()) {
        let key = if written.limit.is_given() { "limit" } else { "period" };
        scope.key(key).wrong_key("`limit` with `period` is the short form of `limits`; keep one of them");
    }
    let mut limits = limits(scope, written.limits);
    limits.extend(short_limit(scope, written.limit, written.period));
    let concurrency = scope.number("concurrency", written.concurrency, 1..=64);
    let auth = scope.good("auth", written.auth).and_then(|auth| check_auth(&scope.key("auth"), auth));
    Some(Provider { domain: domain?, limits, concurrency, auth })
}

fn check_domain(text: String) -> Result<String, String> {
    let domain = text.to_ascii_lowercase();
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(allowed);
    if domain.len() <= 253 && domain.split('.').all(is_label) {
        return Ok(domain);
    }
    Err(format!("`{}` is no domain such as api.example.org: without https://, port and path", shorten(&text)))
}

fn limits(scope: &Scope<'_>, given: Given<Vec<Given<written::RequestLimit>>>) -> Vec<RequestLimit> {
    let written = scope.good("limits", given).unwrap_or_default();
    let scope = scope.key("limits");
    let check = |(index, limit): (usize, written::RequestLimit)| {
        let scope = scope.item(index);
        unknown(&scope, &limit.unknown, written::RequestLimit::KEYS);
        request_limit(&scope, ("requests", limit.requests), ("per", limit.per))
    };
    scope.items(written).into_iter().filter_map(check).collect()
}

fn short_limit(scope: &Scope<'_>, limit: Given<i64>, period: Given<Span>) -> Option<RequestLimit> {
    if !limit.is_given() && !period.is_given() {
        return None;
    }
    request_limit(scope, ("limit", limit), ("period", period))
}

fn request_limit(
    scope: &Scope<'_>,
    (count_key, count): (&str, Given<i64>),
    (per_key, per): (&str, Given<Span>),
) -> Option<RequestLimit> {
    for (key, given, example) in [
        (count_key, count.is_given(), "a number such as 60"),
        (per_key, per.is_given(), "a duration such as 1m"),
    ] {
        if !given {
            scope.key(key).wrong(format!("`{key}` is missing: {example}"));
        }
    }
    let requests = scope.number(count_key, count, 1..=MOST_REQUESTS);
    let per = scope.duration(per_key, per, PERIODS);
    Some(RequestLimit { requests: requests?, per: per? })
}

fn check_auth(scope: &Scope<'_>, written: written::Auth) -> Option<Auth> {
    unknown(scope, &written.unknown, written::Auth::KEYS);
    exactly_one(scope, &written);
    let header = scope.good("header", written.header).map(|header| header_auth(&scope.key("header"), header));
    let query = scope.good("query", written.query).map(|query| query_auth(&scope.key("query"), query));
    let bearer =
        written.bearer.is_given().then(|| header_value(scope, "bearer", written.bearer).map(Auth::Bearer));
    let basic = scope.good("basic", written.basic).map(|basic| basic_auth(&scope.key("basic"), basic));
    let oauth2 = scope.good("oauth2", written.oauth2).map(|oauth2| oauth2_auth(&scope.key("oauth2"), oauth2));
    header.or(query).or(bearer).or(basic).or(oauth2).flatten()
}

fn exactly_one(scope: &Scope<'_>, written: &written::Auth) {
    let ways = [
        ("header", written.header.is_given()),
        ("query", written.query.is_given()),
        ("bearer", written.bearer.is_given()),
        ("basic", written.basic.is_given()),
        ("oauth2", written.oauth2.is_given()),
    ];
    let given: Vec<&str> = ways.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    match given.as_slice() {
        [] => scope.wrong("`auth` is one of header, query, bearer, basic, oauth2; none is given"),
        [_] => {}
        [first, second, ..] => {
            let message =
                format!("`auth` is one of header, query, bearer, basic, oauth2; `{first}` is given too");
            scope.key(second).wrong_key(message);
        }
    }
}

fn header_auth(scope: &Scope<'_>, written: written::NamedSecret) -> Option<Auth> {
    unknown(scope, &written.unknown, written::NamedSecret::KEYS);
    let name = scope.needed("name", written.name);
    let name = scope.ruled("name", name, |name| check_header_name(&name).map(|()| name));
    let value = header_value(scope, "value", written.value);
    Some(Auth::Header { name: name?, value: value? })
}

/// A secret that travels in a header.
fn header_value(scope: &Scope<'_>, key: &str, given: Given<String>) -> Option<Template> {
    let text = scope.needed(key, given);
    scope.ruled(key, text, |text| match text.trim() {
        "" => Err(format!("`{key}` is empty")),
        _ => check_header_value(&text),
    })
}

fn query_auth(scope: &Scope<'_>, written: written::NamedSecret) -> Option<Auth> {
    unknown(scope, &written.unknown, written::NamedSecret::KEYS);
    let name = scope.needed("name", written.name);
    let name = scope
        .ruled("name", name, |name| if name.is_empty() { Err("`name` is empty".into()) } else { Ok(name) });
    let value = scope.needed_template("value", written.value);
    Some(Auth::Query { name: name?, value: value? })
}

fn basic_auth(scope: &Scope<'_>, written: written::Basic) -> Option<Auth> {
    unknown(scope, &written.unknown, written::Basic::KEYS);
    let user = scope.needed_template("user", written.user);
    // An empty password is one: some APIs take a key as the user and nothing else.
    let password = scope.needed("password", written.password);
    let password = scope.template("password", password);
    Some(Auth::Basic { user: user?, password: password? })
}

fn oauth2_auth(scope: &Scope<'_>, written: written::OAuth2) -> Option<Auth> {
    unknown(scope, &written.unknown, written::OAuth2::KEYS);
    let token_url = scope.needed("tokenUrl", written.token_url);
    let token_url = scope.ruled("tokenUrl", token_url, |url| check_web_url(&url));
    let client_id = scope.needed_template("clientId", written.client_id);
    let client_secret = scope.needed_template("clientSecret", written.client_secret);
    let scope_words = scope.filled("scope", written.scope);
    Some(Auth::OAuth2 {
        token_url: token_url?,
        client_id: client_id?,
        client_secret: client_secret?,
        scope: scope_words,
    })
}
