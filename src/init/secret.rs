//! What of a request is secret, and the variables that take its place in the
//! document. The values stay in memory, for the one request; `Debug` shows none.

use std::fmt;

use url::{Url, form_urlencoded};

use super::curl::Wanted;
use super::names;
use super::tree::Json;
use crate::definition::Template;
use crate::definition::source::Method;
use crate::worker::http::{Body, Credential};
use crate::worker::secrets::Secrets;

/// A name and its value, as it is sent and as it may be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Pair {
    pub name: String,
    pub shown: String,
    pub real: String,
    pub is_secret: bool,
}

/// How a provider document authenticates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Auth {
    Header { name: String, value: String },
    Query { name: String, value: String },
    Bearer(String),
    Basic { user: String, password: String },
}

/// What is asked, with nothing secret in what may be shown.
pub struct Asked {
    pub method: Method,
    /// Without its query.
    pub url: Url,
    pub params: Vec<Pair>,
    pub headers: Vec<Pair>,
    pub body: Option<Body>,
    pub(super) shown_body: Option<Json>,
    basic: Option<(Pair, Pair)>,
    /// Variables to be set, and what for.
    pub variables: Vec<(String, String)>,
    pub left_out: Vec<String>,
}

pub fn of(wanted: Wanted, name: &str, secrets: &mut Secrets) -> Result<Asked, String> {
    let mut url = Url::parse(&wanted.url).map_err(|error| format!("this is no url: {error}"))?;
    if wanted.url.split('?').next().is_some_and(|path| path.contains("${")) {
        return Err(
            "a placeholder is filled in here in headers, parameters and data; write out the path".into()
        );
    }
    let host = url.host_str().unwrap_or_default();
    let site = names::site(host).unwrap_or_else(|| name.replace('-', "_")).to_ascii_uppercase();
    let mut naming = Naming { site, secrets, variables: Vec::new() };
    let query = url.query().unwrap_or_default().to_owned();
    let params =
        form_urlencoded::parse(query.as_bytes()).map(|(name, value)| naming.pair(&name, &value, true));
    let params = params.collect::<Result<Vec<_>, _>>()?;
    let headers = wanted.headers.iter().map(|(name, value)| naming.pair(name, value, false));
    let headers = headers.collect::<Result<Vec<_>, _>>()?;
    let basic = wanted.basic.map(|(user, password)| naming.basic(&user, &password)).transpose()?;
    let body = wanted.body.map(|text| naming.body(&text)).transpose()?;
    url.set_query(None);
    let (body, shown_body) = body.unzip();
    let variables = naming.variables;
    Ok(Asked {
        method: wanted.method,
        url,
        params,
        headers,
        body,
        shown_body,
        basic,
        variables,
        left_out: wanted.left_out,
    })
}

impl Asked {
    /// For the one request: secrets as credentials, which no redirect takes along.
    pub fn credentials(&self) -> Vec<Credential> {
        let header = |pair: &Pair| Credential::Header(pair.name.clone(), pair.real.clone());
        let query = |pair: &Pair| Credential::Query(pair.name.clone(), pair.real.clone());
        let headers = self.headers.iter().filter(|pair| pair.is_secret).map(header);
        headers.chain(self.params.iter().filter(|pair| pair.is_secret).map(query)).collect()
    }

    pub fn plain_headers(&self) -> Vec<(String, String)> {
        let plain = self.headers.iter().filter(|pair| !pair.is_secret);
        plain.map(|pair| (pair.name.clone(), pair.real.clone())).collect()
    }

    /// With the query that is no secret; the user of basic authentication is
    /// taken from the url as the request is sent.
    pub fn request_url(&self) -> Url {
        let mut url = self.url.clone();
        let plain: Vec<(&str, &str)> = self
            .params
            .iter()
            .filter(|pair| !pair.is_secret)
            .map(|pair| (pair.name.as_str(), pair.real.as_str()))
            .collect();
        if !plain.is_empty() {
            url.query_pairs_mut().extend_pairs(plain);
        }
        if let Some((user, password)) = &self.basic {
            let _ = url.set_username(&user.real);
            let _ = url.set_password(Some(&password.real));
        }
        url
    }

    /// Takes the one secret that a provider can hold out of the request.
    pub fn take_auth(&mut self) -> Option<Auth> {
        if let Some((user, password)) = self.basic.take() {
            return Some(Auth::Basic { user: user.shown, password: password.shown });
        }
        if let Some(at) = self.headers.iter().position(|pair| pair.is_secret && !is(&pair.name, "cookie")) {
            let Pair { name, shown: value, .. } = self.headers.remove(at);
            return Some(match value.strip_prefix("Bearer ") {
                Some(token) if is(&name, "authorization") => Auth::Bearer(token.to_owned()),
                _ => Auth::Header { name, value },
            });
        }
        let at = self.params.iter().position(|pair| pair.is_secret)?;
        let Pair { name, shown: value, .. } = self.params.remove(at);
        Some(Auth::Query { name, value })
    }

    /// Those that no text has by chance: `demo` may be a word of any answer.
    pub fn long_secrets(&self) -> Secrets {
        const LONG: usize = 8;
        let basic = self.basic.iter().flat_map(|(user, password)| [user, password]);
        let all = self.headers.iter().chain(&self.params).chain(basic);
        let mut secrets = Secrets::default();
        for pair in all.filter(|pair| pair.is_secret && pair.real.len() >= LONG) {
            secrets.remember(pair.real.rsplit(' ').next().unwrap_or_default());
        }
        secrets
    }

    pub fn has_basic(&self) -> bool {
        self.basic.is_some()
    }
}

fn is(name: &str, lower: &str) -> bool {
    name.eq_ignore_ascii_case(lower)
}

struct Naming<'s> {
    site: String,
    secrets: &'s mut Secrets,
    variables: Vec<(String, String)>,
}

impl Naming<'_> {
    /// A placeholder that stands there already is filled in, and kept.
    fn pair(&mut self, name: &str, value: &str, is_query: bool) -> Result<Pair, String> {
        let pair =
            |shown: String, real: String, is_secret| Pair { name: name.to_owned(), shown, real, is_secret };
        if value.contains("${") {
            let template = Template::parse(value).map_err(|message| format!("`{name}`: {message}"))?;
            let real = self.secrets.fill(&template)?;
            return Ok(pair(value.to_owned(), real, true));
        }
        let secret = match name.to_ascii_lowercase().as_str() {
            "authorization" | "proxy-authorization" => {
                value.split_once(' ').map_or(value, |(_, secret)| secret)
            }
            _ => value,
        };
        if secret.trim().is_empty() || !is_secret(name, value, is_query) {
            return Ok(pair(value.to_owned(), value.to_owned(), false));
        }
        self.secrets.remember(secret);
        self.secrets.remember(value);
        let what = if is_query { format!("the parameter {name}") } else { format!("the header {name}") };
        let variable = self.variable(suffix(name), &what);
        let scheme = value.strip_suffix(secret).unwrap_or_default();
        Ok(pair(format!("{scheme}{variable}"), value.to_owned(), true))
    }

    fn variable(&mut self, suffix: &str, what: &str) -> String {
        let first = format!("{}_{suffix}", self.site);
        let taken = |name: &str| self.variables.iter().any(|(known, _)| known == name);
        let numbered = (2..).map(|number| format!("{first}_{number}"));
        let name =
            std::iter::once(first.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or_default();
        let shown = format!("${{env:{name}}}");
        self.variables.push((name, what.to_owned()));
        shown
    }

    /// A user without a password is a key.
    fn basic(&mut self, user: &str, password: &str) -> Result<(Pair, Pair), String> {
        let pair = |shown: &str, real: &str, is_secret| Pair {
            name: String::new(),
            shown: shown.to_owned(),
            real: real.to_owned(),
            is_secret,
        };
        let hidden = |naming: &mut Self, value: &str, suffix, what: &str| -> Result<Pair, String> {
            if value.contains("${") {
                let real = naming.secrets.fill(&Template::parse(value)?)?;
                return Ok(pair(value, &real, true));
            }
            naming.secrets.remember(value);
            Ok(pair(&naming.variable(suffix, what), value, true))
        };
        // It travels as the base64 of both.
        self.secrets.remember(&format!("{user}:{password}"));
        if password.is_empty() {
            return Ok((hidden(self, user, "KEY", "the user of basic authentication")?, pair("", "", false)));
        }
        let password = hidden(self, password, "PASSWORD", "the password of basic authentication")?;
        let user =
            if user.contains("${") { hidden(self, user, "USER", "")? } else { pair(user, user, false) };
        Ok((user, password))
    }

    fn body(&mut self, text: &str) -> Result<(Body, Json), String> {
        let mut shown: Json =
            serde_json::from_str(text).map_err(|error| format!("the data is no JSON: {error}"))?;
        let real = serde_json::from_str(text).map_err(|error| format!("the data is no JSON: {error}"))?;
        self.hide("", &mut shown)?;
        let real = self.secrets.fill_json(&real)?;
        Ok((Body::Json(real.to_string()), shown))
    }

    fn hide(&mut self, key: &str, value: &mut Json) -> Result<(), String> {
        match value {
            Json::Text(text) => {
                let pair = self.pair(key, text, true)?;
                *text = pair.shown;
            }
            Json::List(items) => items.iter_mut().try_for_each(|item| self.hide(key, item))?,
            Json::Map(members) => members.iter_mut().try_for_each(|(key, value)| self.hide(key, value))?,
            _ => {}
        }
        Ok(())
    }
}

/// By its name. A token that says which page comes next is none.
pub fn is_secret(name: &str, value: &str, is_query: bool) -> bool {
    const PARTS: [&str; 11] = [
        "apikey",
        "token",
        "secret",
        "password",
        "passwd",
        "authorization",
        "subscriptionkey",
        "accesskey",
        "privatekey",
        "credential",
        "signature",
    ];
    const WHOLE: [&str; 10] =
        ["key", "auth", "appid", "pwd", "sig", "cookie", "session", "sessionid", "sid", "pat"];
    const PAGES: [&str; 5] = ["page", "next", "cursor", "continuation", "sync"];
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    if is_query && PAGES.iter().any(|word| plain.contains(word)) {
        return false;
    }
    PARTS.iter().any(|part| plain.contains(part))
        || WHOLE.contains(&plain.as_str())
        || plain.ends_with("key") && value.len() >= 12
}

fn suffix(name: &str) -> &'static str {
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "cookie" => "COOKIE",
        _ if lower.contains("password") || lower.contains("passwd") => "PASSWORD",
        _ if lower.contains("secret") => "SECRET",
        _ if lower.contains("token") || lower.contains("authorization") => "TOKEN",
        _ => "KEY",
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pair({}: {})", self.name, self.shown)
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Asked({:?} {})", self.method, self.url)
    }
}

#[cfg(test)]
mod tests;
