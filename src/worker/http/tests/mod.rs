//! The client against a real site on the loopback address. Here: what works,
//! and what all of these tests share.

mod broken;
mod cut;
mod redirects;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::super::testing::{Reply, Site, ok, reply};
use super::*;
use crate::definition::Template;
use crate::definition::source::Method;

const MAX_BYTES: u64 = 1 << 20;

fn request(url: Url) -> Request {
    Request {
        method: Method::Get,
        home: url.origin(),
        url,
        headers: vec![("X-Source".into(), "of the source".into())],
        credentials: vec![
            Credential::Header("X-Key".into(), "s3cret".into()),
            Credential::Query("apikey".into(), "s3cret".into()),
        ],
        body: None,
        max_bytes: MAX_BYTES,
        deadline: Instant::now() + Duration::from_secs(10),
    }
}

fn post(url: Url) -> Request {
    Request { method: Method::Post, body: Some(Body::Json("{\"q\":1}".into())), ..request(url) }
}

fn secrets() -> Secrets {
    let mut secrets = Secrets::new(|_| Some("s3cret".to_owned()));
    secrets.fill(&Template::parse("${env:KEY}").expect("a template")).expect("the lookup has it");
    secrets
}

fn ask(request: &Request) -> (Result<Answer, Failure>, Vec<u8>) {
    let mut body = b"of the page before".to_vec();
    let mut client = Client::new(Arc::default());
    let answer = client.ask(request, &secrets(), Timestamp::UNIX_EPOCH, &mut body);
    (answer, body)
}

/// The kind of failure, of an answer that must leave nothing in the buffer.
fn fails(request: &Request) -> (Kind, String) {
    let (answer, body) = ask(request);
    let failure = answer.expect_err("no answer");
    assert!(body.is_empty(), "{} bytes were left", body.len());
    assert!(!failure.message.contains("s3cret"), "{}", failure.message);
    (failure.kind, failure.message)
}

fn has(request: &str, text: &str) -> bool {
    request.to_ascii_lowercase().contains(&text.to_ascii_lowercase())
}

fn chunked(chunks: &str) -> Reply {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    Reply::Bytes(format!("{head}{chunks}").into_bytes())
}

fn gzip(bytes: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    bytes.for_each(|bytes| encoder.write_all(&bytes).expect("into memory"));
    encoder.finish().expect("into memory")
}

#[test]
fn an_answer_has_its_body_and_what_its_headers_say() {
    let headers = ["Link: </a>; rel=prev", "Link: </b>; rel=next", "ETag: \"1\"", "Retry-After: 9"];
    let site = Site::new(vec![reply("503 Busy", &headers, b"hello")]);
    let (answer, body) = ask(&request(site.url("/data?q=a%20b#part")));
    let answer = answer.expect("an answer");
    assert_eq!((answer.status, answer.bytes, body.as_slice()), (503, 5, &b"hello"[..]));
    assert_eq!(answer.link.as_deref(), Some("</a>; rel=prev, </b>; rel=next"));
    assert_eq!((answer.etag.as_deref(), answer.retry_after), (Some("\"1\""), Some(Duration::from_secs(9))));
    assert_eq!((answer.url, answer.is_home), (site.url("/data?q=a%20b"), true));
    let asked = &site.asked()[0];
    assert!(asked.starts_with("GET /data?q=a%20b&apikey=s3cret HTTP/1.1\r\n"), "{asked}");
    for header in
        ["X-Source: of the source", "X-Key: s3cret", "Accept: application/json", "Accept-Encoding: gzip"]
    {
        assert!(has(asked, header), "{header} in {asked}");
    }
    assert!(has(asked, &format!("User-Agent: hermes/{}", env!("CARGO_PKG_VERSION"))), "{asked}");
}

#[test]
fn a_post_sends_its_body_as_json_and_no_length_of_the_document() {
    let site = Site::new(vec![ok("1"), ok("2")]);
    let mut posted = post(site.url("/"));
    posted.headers =
        vec![("content-length".into(), "999".into()), ("x-key".into(), "of the document".into())];
    ask(&posted).0.expect("an answer");
    posted.body = None;
    ask(&posted).0.expect("an answer");
    let asked = site.asked();
    assert!(asked[0].ends_with("\r\n\r\n{\"q\":1}") && has(&asked[0], "content-type: application/json"));
    assert!(has(&asked[0], "content-length: 7") && !has(&asked[0], "999"), "{}", asked[0]);
    assert!(!has(&asked[0], "of the document"), "a credential wins over a header: {}", asked[0]);
    assert!(asked[1].starts_with("POST ") && has(&asked[1], "content-length: 0"), "{}", asked[1]);
}

#[test]
fn an_answer_without_a_body_is_empty() {
    let no_content = b"HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n";
    for (why, reply, status) in [
        ("204", Reply::Bytes(no_content.to_vec()), 204),
        ("a length of 0", ok(""), 200),
        ("no chunks", chunked("0\r\n\r\n"), 200),
    ] {
        let site = Site::new(vec![reply]);
        let (answer, body) = ask(&request(site.url("/")));
        assert_eq!(answer.map(|answer| (answer.status, answer.bytes)), Ok((status, 0)), "{why}");
        assert!(body.is_empty(), "{why}");
    }
}

#[test]
fn a_body_may_be_as_large_as_the_limit_and_not_a_byte_larger() {
    let body = "x".repeat(100_000);
    let site = Site::new(vec![ok(&body), ok(&body)]);
    let limit = |max_bytes| Request { max_bytes, ..request(site.url("/")) };
    assert_eq!(ask(&limit(100_000)).0.expect("an answer").bytes, 100_000);
    let (kind, message) = fails(&limit(99_999));
    assert!(kind == Kind::TooLarge && message.contains("99999 bytes (response.maxBytes)"), "{message}");
}

#[test]
fn gzip_is_unpacked() {
    let packed = gzip(std::iter::once(b"unpacked".to_vec()));
    let site = Site::new(vec![reply("200 OK", &["Content-Encoding: gzip"], &packed)]);
    let (answer, body) = ask(&request(site.url("/")));
    assert_eq!((answer.expect("an answer").bytes, body.as_slice()), (8, &b"unpacked"[..]));
}

#[test]
fn one_connection_serves_all_pages() {
    let site = Site::new(vec![Reply::Kept(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage".to_vec())]);
    let (mut client, mut body) = (Client::new(Arc::default()), Vec::new());
    for _ in 0..3 {
        let asked = request(site.url("/"));
        client.ask(&asked, &secrets(), Timestamp::UNIX_EPOCH, &mut body).expect("an answer");
        assert_eq!(body, b"page");
    }
    assert_eq!(site.asked().len(), 3);
}
