//! A request as it came over the wire. Only as much HTTP/1.1 as a client of an API speaks.

use std::io::{self, BufRead, Read};
use std::time::Instant;

/// More than any client here sends; a test that does is told so by a closed connection.
const MAX_LINE: u64 = 64 * 1024;
const MAX_HEADERS: usize = 200;
const MAX_BODY: u64 = 16 * 1024 * 1024;

/// What the site was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    /// Path and query exactly as sent.
    pub target: String,
    /// The path as sent, still encoded.
    pub path: String,
    /// Decoded, in the order sent.
    pub query: Vec<(String, String)>,
    /// In the order sent; names as sent.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// When it was complete.
    pub at: Instant,
}

impl Asked {
    /// The first value of this query parameter.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first value of this header, whatever its case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn body_text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn body_json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|why| panic!("not JSON: {why}: {self:?}"))
    }

    pub(super) fn wants_close(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// The next request of a connection; `None` where the client is done.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<Asked>> {
    let first = line(from)?;
    if first.is_empty() {
        return Ok(None);
    }
    let mut words = first.split_whitespace();
    let (Some(method), Some(target), Some("HTTP/1.1")) = (words.next(), words.next(), words.next()) else {
        return Err(bad(&format!("request line `{first}`")));
    };
    let headers = headers(from)?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut asked = Asked {
        method: method.to_owned(),
        target: target.to_owned(),
        path: path.to_owned(),
        query: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        headers,
        body: Vec::new(),
        at: Instant::now(),
    };
    read_body(from, &mut asked)?;
    Ok(Some(asked))
}

fn read_body(from: &mut impl BufRead, asked: &mut Asked) -> io::Result<()> {
    if asked.header("transfer-encoding").is_some() {
        return Err(bad("a request body without a Content-Length"));
    }
    let length = asked.header("content-length").map_or(Ok(0), str::parse::<u64>);
    let length = length.ok().filter(|length| *length <= MAX_BODY).ok_or_else(|| bad("Content-Length"))?;
    from.take(length).read_to_end(&mut asked.body)?;
    if (asked.body.len() as u64) < length {
        return Err(bad("a body shorter than its Content-Length"));
    }
    asked.at = Instant::now();
    Ok(())
}

fn headers(from: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    loop {
        let text = line(from)?;
        if text.is_empty() {
            return Ok(headers);
        }
        let (name, value) = text.split_once(':').ok_or_else(|| bad(&format!("header `{text}`")))?;
        headers.push((name.to_owned(), value.trim().to_owned()));
        if headers.len() > MAX_HEADERS {
            return Err(bad("too many headers"));
        }
    }
}

/// Without its line end; empty for an empty line and at the end.
fn line(from: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    from.take(MAX_LINE).read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the site was sent a bad request: {what}"))
}
