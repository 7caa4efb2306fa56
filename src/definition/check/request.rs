//! The rules of what is asked of an API: url, method, headers, params, body.
//! Keeps out what it answers. Messages never repeat a value: it may be a key.

use serde_yaml::{Mapping, Value};
use url::Url;

use super::scope::{Scope, shorten};
use super::unknown;
use crate::definition::Template;
use crate::definition::problem::{FieldPath, Step};
use crate::definition::source::{BUILT_IN, Method};
use crate::definition::template::{Moment, Part};
use crate::definition::written::{self, Given, Params, Scalar, What, kind_of};

/// The request part of a source as written.
pub(super) struct Written {
    pub(super) url: Given<String>,
    pub(super) method: Given<String>,
    pub(super) headers: Given<Mapping>,
    pub(super) params: Given<Params>,
    pub(super) body: Given<Value>,
}

pub(super) struct Request {
    pub(super) url: Template,
    pub(super) method: Method,
    pub(super) headers: Vec<(String, Template)>,
    pub(super) params: Vec<(String, Template)>,
    pub(super) body: Option<serde_json::Value>,
}

impl Request {
    pub(super) fn uses(&self, moment: Moment) -> bool {
        let pairs = self.headers.iter().chain(&self.params).map(|(_, value)| value);
        let mut templates = pairs.chain(std::iter::once(&self.url));
        templates.any(|template| template.uses(moment))
            || self.body.as_ref().is_some_and(|body| body_uses(body, moment))
    }

    /// Answered by Hermes itself, not by a server.
    pub(super) fn is_built_in(&self) -> bool {
        self.url.as_plain().is_some_and(|url| url.starts_with(BUILT_IN))
    }
}

fn body_uses(body: &serde_json::Value, moment: Moment) -> bool {
    use serde_json::Value::{Array, Object, String};
    match body {
        String(text) => Template::parse(text).is_ok_and(|template| template.uses(moment)),
        Array(items) => items.iter().any(|item| body_uses(item, moment)),
        Object(members) => members.values().any(|member| body_uses(member, moment)),
        _ => false,
    }
}

/// Set by the HTTP client; a second opinion breaks the request.
const OWN_HEADERS: [&str; 4] = ["host", "content-length", "transfer-encoding", "connection"];

pub(super) fn check(scope: &Scope<'_>, written: Written) -> Option<Request> {
    let url = scope.needed("url", written.url);
    let url = scope.ruled("url", url, |url| check_url(&url));
    let headers = headers(scope, written.headers);
    let params = params(scope, written.params);
    let body_given = written.body.is_given();
    let body = body(scope, written.body);
    let method = method(scope, written.method);
    if body_given && method == Some(Method::Get) {
        scope.key("body").wrong_key("`body` is sent with `method: POST` only");
    }
    Some(Request { url: url?, method: method?, headers, params, body })
}

fn method(scope: &Scope<'_>, given: Given<String>) -> Option<Method> {
    if !given.is_given() {
        return Some(Method::Get);
    }
    let text = scope.good("method", given);
    scope.ruled("method", text, |text| match text.to_ascii_uppercase().as_str() {
        "GET" => Ok(Method::Get),
        "POST" => Ok(Method::Post),
        _ => Err(format!("`method` is GET or POST, not `{}`", shorten(&text))),
    })
}

fn check_url(text: &str) -> Result<Template, String> {
    match text.strip_prefix(BUILT_IN) {
        Some("vitals") => Template::parse(text),
        Some(_) => Err("there is no built-in source of this name; `hermes:vitals` is one".into()),
        None => check_web_url(text),
    }
}

/// An address that a request can be made to, once its placeholders are filled in.
pub(super) fn check_web_url(text: &str) -> Result<Template, String> {
    let template = Template::parse(text)?;
    let url = parse_url(&template)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a url holds no user and password; give them as `basic` in a provider's auth".into());
    }
    if url.fragment().is_some() {
        return Err("a url ends before `#`: what follows it is never sent".into());
    }
    // The parser passes over line ends and tabs; what sends the request may not.
    if text.contains(char::is_control) {
        return Err("a url is one line without tabs".into());
    }
    Ok(template)
}

fn parse_url(template: &Template) -> Result<Url, String> {
    let starts_well = |text: &str| {
        let lower = text.to_ascii_lowercase();
        lower.starts_with("http://") || lower.starts_with("https://")
    };
    if !matches!(template.parts.first(), Some(Part::Text(text)) if starts_well(text)) {
        return Err("a url begins with http:// or https://".into());
    }
    let parsed = Url::parse(&filled_in(template));
    parsed.map_err(|error| format!("this is no url: {error}"))
}

/// As it may look once filled in: a digit does for a port, a letter for the rest.
fn filled_in(template: &Template) -> String {
    let fill = |url: String, part: &Part| match part {
        Part::Text(text) => url + text,
        _ if url.ends_with(':') => url + "1",
        _ => url + "x",
    };
    template.parts.iter().fold(String::new(), fill)
}

fn headers(scope: &Scope<'_>, given: Given<Mapping>) -> Vec<(String, Template)> {
    let mut headers: Vec<(String, Template)> = Vec::new();
    let written = scope.good("headers", given).unwrap_or_default();
    let scope = scope.key("headers");
    for (name, value) in &written {
        let name = name.as_str().unwrap_or_default();
        let at = scope.key(name);
        if let Err(message) = check_header_name(name) {
            at.wrong_key(message);
        } else if headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            at.wrong_key(format!("the header `{name}` is given twice"));
        }
        match header_value(value) {
            Ok(value) => headers.push((name.to_owned(), value)),
            Err(message) => at.wrong(message),
        }
    }
    headers
}

pub(super) fn check_header_name(name: &str) -> Result<(), String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(allowed) {
        return Err(format!("`{}` is no name of a header", shorten(name)));
    }
    if OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(format!("the header `{name}` is set by Hermes itself; leave it out"));
    }
    Ok(())
}

fn header_value(value: &Value) -> Result<Template, String> {
    match value {
        Value::String(text) => check_header_value(text),
        Value::Number(_) | Value::Bool(_) => {
            Err(format!("a header is text, not {}; put it in quotes", kind_of(value)))
        }
        _ => Err(format!("a header is text, not {}", kind_of(value))),
    }
}

pub(super) fn check_header_value(text: &str) -> Result<Template, String> {
    if !text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~')) {
        return Err("a header is one line of ASCII text".into());
    }
    Template::parse(text)
}

fn params(scope: &Scope<'_>, given: Given<Params>) -> Vec<(String, Template)> {
    let written = scope.good("params", given);
    let scope = scope.key("params");
    match written {
        None => Vec::new(),
        Some(Params::List(list)) => scope
            .items(list)
            .into_iter()
            .filter_map(|(index, item)| param(&scope.item(index), item))
            .collect(),
        Some(Params::Map(map)) => {
            map.into_iter().filter_map(|(name, value)| entry(&scope, name, value)).collect()
        }
    }
}

fn param(scope: &Scope<'_>, written: written::Param) -> Option<(String, Template)> {
    unknown(scope, &written.unknown, written::Param::KEYS);
    let name = scope.needed("name", written.name);
    let name = scope.ruled("name", name, param_name);
    let value = scope.needed("value", written.value).map(scalar_text);
    let value = scope.template("value", value);
    Some((name?, value?))
}

fn entry(scope: &Scope<'_>, name: Value, value: Value) -> Option<(String, Template)> {
    let name = name.as_str().unwrap_or_default().to_owned();
    let at = scope.key(&name);
    let found = kind_of(&value);
    let text = match Scalar::of(value) {
        Some(scalar) => scalar_text(scalar),
        None => {
            at.wrong(format!("a parameter is {}, not {found}", Scalar::WHAT));
            return None;
        }
    };
    let template = scope.template(&name, Some(text))?;
    param_name(name).map(|name| (name, template)).map_err(|message| at.wrong_key(message)).ok()
}

fn param_name(name: String) -> Result<String, String> {
    if name.is_empty() { Err("a parameter has a name".into()) } else { Ok(name) }
}

pub(super) fn scalar_text(scalar: Scalar) -> String {
    match scalar {
        Scalar::Text(text) => text,
        Scalar::Number(number) => number.to_string(),
        Scalar::Boolean(value) => value.to_string(),
    }
}

fn body(scope: &Scope<'_>, given: Given<Value>) -> Option<serde_json::Value> {
    let body = scope.good("body", given)?;
    let mut path = FieldPath::default();
    check_texts(&scope.key("body"), &body, &mut path);
    Some(to_json(body))
}

/// Every text of a body may hold placeholders. One path for all of them: a
/// copy for each value would cost more than the body.
fn check_texts(scope: &Scope<'_>, value: &Value, path: &mut FieldPath) {
    match value {
        Value::String(text) => {
            if let Err(message) = Template::parse(text) {
                scope.at(path).wrong(message);
            }
        }
        Value::Sequence(items) => {
            for (index, item) in items.iter().enumerate() {
                path.0.push(Step::Item(index));
                check_texts(scope, item, path);
                path.0.pop();
            }
        }
        Value::Mapping(entries) => {
            for (key, value) in entries {
                path.0.push(Step::Key(key.as_str().unwrap_or_default().to_owned()));
                check_texts(scope, value, path);
                path.0.pop();
            }
        }
        _ => {}
    }
}

/// Unfolding has refused what JSON does not have: tags, keys that are no text,
/// numbers that are none.
pub(super) fn to_json(value: Value) -> serde_json::Value {
    serde_json::to_value(value).expect("an unfolded document is JSON")
}
