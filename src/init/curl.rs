//! What a curl command asks for. Options that Hermes has its own way with are
//! passed over; those that would change the request and are not known here are
//! refused by name. Nothing is sent here.

use url::{Url, form_urlencoded};

use crate::definition::source::Method;

/// A request as a person gave it, secrets and all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub method: Method,
    pub url: String,
    pub headers: Vec<(String, String)>,
    /// JSON, as text.
    pub body: Option<String>,
    pub basic: Option<(String, String)>,
    /// Headers that were left out.
    pub left_out: Vec<String>,
}

/// With a value.
const VALUED: [(&str, &str); 24] = [
    ("H", "header"),
    ("X", "request"),
    ("d", "data"),
    ("", "data-ascii"),
    ("", "data-raw"),
    ("", "data-binary"),
    ("", "data-urlencode"),
    ("", "json"),
    ("u", "user"),
    ("b", "cookie"),
    ("A", "user-agent"),
    ("e", "referer"),
    ("", "url"),
    ("", "oauth2-bearer"),
    ("o", "output"),
    ("m", "max-time"),
    ("", "connect-timeout"),
    ("", "retry"),
    ("", "max-redirs"),
    ("w", "write-out"),
    ("D", "dump-header"),
    ("", "retry-delay"),
    ("", "retry-max-time"),
    ("c", "cookie-jar"),
];

/// Without a value, and without a meaning for what is asked.
const SWITCHES: [(&str, &str); 22] = [
    ("", "compressed"),
    ("L", "location"),
    ("s", "silent"),
    ("S", "show-error"),
    ("f", "fail"),
    ("", "fail-with-body"),
    ("v", "verbose"),
    ("i", "include"),
    ("g", "globoff"),
    ("N", "no-buffer"),
    ("#", "progress-bar"),
    ("O", "remote-name"),
    ("J", "remote-header-name"),
    ("", "no-progress-meter"),
    ("", "http1.1"),
    ("", "http2"),
    ("", "http3"),
    ("0", "http1.0"),
    ("4", "ipv4"),
    ("6", "ipv6"),
    ("", "tlsv1.2"),
    ("", "tlsv1.3"),
];

/// `words` follow `curl`.
pub fn parse(words: &[String]) -> Result<Wanted, String> {
    let mut command = Command::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(long) = word.strip_prefix("--") {
            command.long(long, &mut words)?;
        } else if let Some(short) = word.strip_prefix('-').filter(|short| !short.is_empty()) {
            command.short(short, &mut words)?;
        } else {
            command.url(word)?;
        }
    }
    command.finish()
}

/// A bare address.
pub fn of_url(url: &str) -> Result<Wanted, String> {
    parse(&[url.to_owned()])
}

#[derive(Default)]
struct Command {
    url: Option<String>,
    method: Option<String>,
    headers: Vec<(String, String)>,
    left_out: Vec<String>,
    data: Vec<String>,
    is_json: bool,
    is_get: bool,
    basic: Option<(String, String)>,
}

impl Command {
    fn long<'w>(&mut self, text: &str, words: &mut impl Iterator<Item = &'w String>) -> Result<(), String> {
        let (name, own) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        if VALUED.iter().any(|(_, long)| *long == name) {
            let value = own.map(str::to_owned).or_else(|| words.next().cloned());
            return self.option(name, value.ok_or_else(|| no_value(&format!("--{name}")))?);
        }
        self.switch(name, &format!("--{name}"))
    }

    /// `-sSL`, `-XPOST`, `-H 'a: b'`.
    fn short<'w>(&mut self, text: &str, words: &mut impl Iterator<Item = &'w String>) -> Result<(), String> {
        for (at, letter) in text.char_indices() {
            let is = |(short, _): &&(&str, &str)| short.starts_with(letter);
            if let Some((_, name)) = VALUED.iter().find(is) {
                let rest = &text[at + letter.len_utf8()..];
                let value = if rest.is_empty() { words.next().cloned() } else { Some(rest.to_owned()) };
                return self.option(name, value.ok_or_else(|| no_value(&format!("-{letter}")))?);
            }
            let name = match letter {
                'G' => "get",
                'k' => "insecure",
                _ => SWITCHES.iter().find(is).map_or("", |(_, name)| name),
            };
            self.switch(name, &format!("-{letter}"))?;
        }
        Ok(())
    }

    fn switch(&mut self, name: &str, shown: &str) -> Result<(), String> {
        match name {
            "get" => self.is_get = true,
            "insecure" => {
                return Err(format!(
                    "{shown}: Hermes always checks certificates; leave it out, and name the site's own \
                     authority by SSL_CERT_FILE where it has one"
                ));
            }
            _ if SWITCHES.iter().any(|(_, known)| *known == name) => {}
            _ => {
                return Err(format!(
                    "curl's option {shown} is not known here; leave it out if it does not matter"
                ));
            }
        }
        Ok(())
    }

    fn option(&mut self, name: &str, value: String) -> Result<(), String> {
        match name {
            "header" => self.header(&value),
            "request" => self.method = Some(value),
            "data" | "data-ascii" | "data-raw" | "data-binary" => self.add_data(value, name != "data-raw")?,
            "data-urlencode" => self.add_data(encoded(&value), true)?,
            "json" => {
                self.is_json = true;
                self.add_data(value, true)?;
            }
            "user" => {
                let (user, password) = value.split_once(':').unwrap_or((&value, ""));
                self.basic = Some((user.to_owned(), password.to_owned()));
            }
            "cookie" if !value.contains('=') => {
                return Err("cookies from a file are not read here; give them as name=value".into());
            }
            "cookie" => self.headers.push(("Cookie".into(), value)),
            "user-agent" => self.headers.push(("User-Agent".into(), value)),
            "referer" => self.headers.push(("Referer".into(), value)),
            "oauth2-bearer" => self.headers.push(("Authorization".into(), format!("Bearer {value}"))),
            "url" => self.url(&value)?,
            // Of how curl works, not of what is asked.
            _ => {}
        }
        Ok(())
    }

    fn url(&mut self, text: &str) -> Result<(), String> {
        match self.url.replace(text.trim().to_owned()) {
            None => Ok(()),
            Some(_) => Err("there is more than one url; a source has one".into()),
        }
    }

    fn add_data(&mut self, value: String, may_be_file: bool) -> Result<(), String> {
        if may_be_file && value.starts_with('@') {
            return Err("data from a file (@) is not read here; put it into the command".into());
        }
        self.data.push(value);
        Ok(())
    }

    /// What a browser says of itself is no part of the API.
    fn header(&mut self, text: &str) {
        const BROWSER: [&str; 15] = [
            "accept-encoding",
            "connection",
            "host",
            "content-length",
            "priority",
            "upgrade-insecure-requests",
            "cache-control",
            "pragma",
            "dnt",
            "te",
            "if-none-match",
            "if-modified-since",
            "transfer-encoding",
            "accept-language",
            "origin",
        ];
        let Some((name, value)) = text.split_once(':') else { return };
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        let lower = name.to_ascii_lowercase();
        if BROWSER.contains(&lower.as_str()) || lower.starts_with("sec-") || value.is_empty() {
            return self.left_out.push(name);
        }
        self.headers.push((name, value));
    }

    fn finish(mut self) -> Result<Wanted, String> {
        let mut url = self.url.take().filter(|url| !url.is_empty()).ok_or("there is no url; give one")?;
        if !url.contains("://") {
            url = format!("https://{url}");
        }
        let (url, of_url) = without_user(&url)?;
        let mut data = self.data.join("&");
        let mut url = url;
        if self.is_get && !data.is_empty() {
            url.push_str(if url.contains('?') { "&" } else { "?" });
            url.push_str(&data);
            data.clear();
        }
        let method = self.method_for(!data.is_empty())?;
        let body = if data.is_empty() { None } else { Some(self.json_body(data)?) };
        let basic = self.basic.or(of_url);
        Ok(Wanted { method, url, headers: self.headers, body, basic, left_out: self.left_out })
    }

    fn method_for(&self, has_data: bool) -> Result<Method, String> {
        match self.method.as_deref().map(str::to_ascii_uppercase).as_deref() {
            Some("GET") if has_data => Err("a GET with a body: a source sends one with POST only".into()),
            Some("GET") => Ok(Method::Get),
            Some("POST") => Ok(Method::Post),
            Some(other) => Err(format!("a source asks with GET or POST, not with {other}")),
            None => Ok(if has_data { Method::Post } else { Method::Get }),
        }
    }

    /// Hermes says itself that it is JSON.
    fn json_body(&mut self, data: String) -> Result<String, String> {
        if serde_json::from_str::<serde::de::IgnoredAny>(&data).is_err() {
            return Err("a source sends JSON as its body, and the data is none".into());
        }
        self.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
        Ok(data)
    }
}

fn no_value(option: &str) -> String {
    format!("curl's option {option} needs a value")
}

/// `name=content`, of which the content is to be encoded.
fn encoded(value: &str) -> String {
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    match value.split_once('=') {
        Some(("", content)) => encode(content),
        Some((name, content)) => format!("{name}={}", encode(content)),
        None => encode(value),
    }
}

/// `https://user:password@host/` is basic authentication.
fn without_user(text: &str) -> Result<(String, Option<(String, String)>), String> {
    let mut url = Url::parse(text).map_err(|error| format!("this is no url: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("a url begins with http:// or https://".into());
    }
    if url.username().is_empty() && url.password().is_none() {
        return Ok((text.split('#').next().unwrap_or_default().to_owned(), None));
    }
    let decoded = |text: &str| {
        let text = text.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
        form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name.into_owned()).collect::<String>()
    };
    let user = (decoded(url.username()), decoded(url.password().unwrap_or_default()));
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    Ok((url.into(), Some(user)))
}

#[cfg(test)]
mod tests;
