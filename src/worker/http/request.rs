//! A request as the worker means it, and what of it goes over the wire at one
//! hop. Pure; nothing here sends anything.

use std::fmt;
use std::time::Instant;

use ureq::http;
use ureq::http::request::Builder;
use url::{Origin, Url, form_urlencoded};

use super::super::base64;
use super::redirect::Hop;
use crate::definition::source::Method;

/// The length and the encoding of what is sent are not the document's to say.
const NOT_OURS: [&str; 3] = ["content-length", "transfer-encoding", "connection"];

pub struct Request {
    pub method: Method,
    /// Without credentials: those join it only as it is sent.
    pub url: Url,
    /// The source's own; for its origin only.
    pub headers: Vec<(String, String)>,
    /// For the source's origin only.
    pub credentials: Vec<Credential>,
    /// Sent with POST, to the source's origin only.
    pub body: Option<Body>,
    pub max_bytes: u64,
    pub deadline: Instant,
    /// The origin of the source's url, which may not be that of `url`: a next
    /// page can be anywhere.
    pub home: Origin,
}

#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    Header(String, String),
    Query(String, String),
}

#[derive(Clone)]
pub enum Body {
    Json(String),
    Form(String),
}

impl Body {
    pub fn text(&self) -> &str {
        match self {
            Body::Json(text) | Body::Form(text) => text,
        }
    }

    fn content_type(&self) -> &'static str {
        match self {
            Body::Json(_) => "application/json",
            Body::Form(_) => "application/x-www-form-urlencoded",
        }
    }
}

impl Request {
    /// For people: the method and the url, neither with a credential. Other secrets
    /// are still in it.
    pub fn line(&self) -> String {
        let mut url = self.url.clone();
        // Only a url that has no host refuses, and has none of these.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        for credential in &self.credentials {
            if let Credential::Query(name, _) = credential
                && url.origin() == self.home
            {
                url.query_pairs_mut().append_pair(name, "***");
            }
        }
        let method = if self.method == Method::Post { "POST" } else { "GET" };
        format!("{method} {url}")
    }
}

/// `None` for a GET. A POST always has a body, if an empty one, so that its
/// length is said.
pub(super) fn body<'a>(request: &'a Request, hop: &Hop) -> Option<&'a str> {
    let body = request.body.as_ref().filter(|_| hop.with_body);
    (hop.method == Method::Post).then(|| body.map_or("", Body::text))
}

pub(super) fn outgoing<S>(request: &Request, hop: &Hop, body: S) -> Result<http::Request<S>, http::Error> {
    let mut url = hop.url.clone();
    let mut builder = http::Request::builder().method(match hop.method {
        Method::Get => "GET",
        Method::Post => "POST",
    });
    if hop.is_home(&request.home) {
        builder = with_headers(builder, request);
        add_query(&mut url, &request.credentials);
    }
    if let Some(body) = request.body.as_ref().filter(|_| hop.with_body) {
        builder = builder.header("content-type", body.content_type());
    }
    builder.uri(url.as_str()).body(body)
}

/// A credential wins over a header of the document with the same name.
fn with_headers(builder: Builder, request: &Request) -> Builder {
    let user = basic_of(&request.url);
    let credentials = request.credentials.iter().chain(&user).filter_map(|credential| match credential {
        Credential::Header(name, value) => Some((name.as_str(), value.as_str())),
        Credential::Query(..) => None,
    });
    let own = request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut sent: Vec<(&str, &str)> = Vec::new();
    for (name, value) in credentials.chain(own) {
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        let left_out = NOT_OURS.iter().any(|other| is(other)) || request.body.is_some() && is("content-type");
        if !left_out && !sent.iter().any(|(other, _)| is(other)) {
            sent.push((name, value));
        }
    }
    sent.into_iter().fold(builder, |builder, (name, value)| builder.header(name, value))
}

/// `https://user:password@host/` is basic authentication, and as secret as any.
fn basic_of(url: &Url) -> Option<Credential> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let pair = format!("{}:{}", decoded(url.username()), decoded(url.password().unwrap_or_default()));
    Some(Credential::Header("Authorization".into(), format!("Basic {}", base64::encode(pair.as_bytes()))))
}

fn decoded(text: &str) -> String {
    let text = text.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

/// Not twice: a site that redirects within its origin often repeats the query.
fn add_query(url: &mut Url, credentials: &[Credential]) {
    for credential in credentials {
        if let Credential::Query(name, value) = credential
            && !url.query_pairs().any(|pair| pair == (name.into(), value.into()))
        {
            url.query_pairs_mut().append_pair(name, value);
        }
    }
}

/// What a request holds is for the site alone: neither a log nor a panic is to
/// show it.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({:?} {})", self.method, super::failure::place(&self.url))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Credential::Header(name, _) => write!(f, "Header({name}: ***)"),
            Credential::Query(name, _) => write!(f, "Query({name}=***)"),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({} bytes)", self.text().len())
    }
}
