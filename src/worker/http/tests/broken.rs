//! Answers that are endless, lying, slow or broken, and sites that give none.

use super::super::super::testing::{Reply, Site, reply};
use super::*;

#[test]
fn an_endless_body_ends_at_the_limit() {
    let head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
    let site = Site::new(vec![Reply::Flood(head)]);
    let (kind, message) = fails(&request(site.url("/")));
    assert!(kind == Kind::TooLarge && message.contains("larger than 1 MiB"), "{message}");
}

#[test]
fn a_gzip_bomb_takes_no_more_memory_than_the_limit() {
    let bomb = gzip(std::iter::repeat_n(vec![0; 1 << 20], 64));
    let site = Site::new(vec![reply("200 OK", &["Content-Encoding: gzip"], &bomb)]);
    let mut body = Vec::new();
    let mut client = Client::new(Arc::default());
    let answer = client.ask(&request(site.url("/")), &secrets(), Timestamp::UNIX_EPOCH, &mut body);
    assert_eq!(answer.expect_err("too large").kind, Kind::TooLarge);
    assert!(body.capacity() as u64 <= MAX_BYTES + 1, "{}", body.capacity());
}

#[test]
fn a_promised_length_reserves_no_memory() {
    let site =
        Site::new(vec![Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nshort".to_vec())]);
    let mut body = Vec::new();
    let asked = Request { max_bytes: 1 << 30, ..request(site.url("/")) };
    let answer = Client::new(Arc::default()).ask(&asked, &secrets(), Timestamp::UNIX_EPOCH, &mut body);
    assert_eq!(answer.expect_err("cut short").kind, Kind::Protocol);
    assert!(body.capacity() <= 128 * 1024, "{}", body.capacity());
}

#[test]
fn an_answer_that_is_cut_short_or_broken_is_never_a_short_success() {
    let packed = gzip(std::iter::once(b"some text that is packed".repeat(100)));
    let half = &packed[..packed.len() / 2];
    for (why, reply) in [
        ("less than promised", Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort".to_vec())),
        ("no last chunk", chunked("5\r\nhello\r\n")),
        ("half a chunk", chunked("ff\r\nhello")),
        ("no chunk at all", chunked("nonsense\r\n\r\n")),
        ("half a gzip", reply("200 OK", &["Content-Encoding: gzip"], half)),
        ("no gzip", reply("200 OK", &["Content-Encoding: gzip"], b"plain text")),
        ("no HTTP", Reply::Bytes(b"SSH-2.0-OpenSSH_9.6\r\n\r\n".to_vec())),
        ("nothing", Reply::Bytes(Vec::new())),
        ("half a head", Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Le".to_vec())),
        ("endless headers", Reply::Flood(b"HTTP/1.1 200 OK\r\nX: ".to_vec())),
    ] {
        let site = Site::new(vec![reply]);
        let (kind, message) = fails(&request(site.url("/")));
        assert_eq!(kind, Kind::Protocol, "{why}: {message}");
        assert!(message.contains("127.0.0.1:") && !message.contains('\n'), "{why}: {message}");
    }
}

#[test]
fn a_drip_is_cut_at_the_deadline() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n";
    for (why, bytes) in [("in the body", head), ("in the head", "HTTP/1.1 200 OK\r\nX: ")] {
        let site = Site::new(vec![Reply::Drip(bytes.as_bytes().to_vec())]);
        let deadline = Instant::now() + Duration::from_secs(1);
        let (kind, message) = fails(&Request { deadline, ..request(site.url("/")) });
        assert!(kind == Kind::Deadline && message.contains("execution.timeout"), "{why}: {message}");
    }
}

#[test]
fn connections_that_fail_say_whose_fault_it_is() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/", closed.local_addr().expect("it is bound"));
    drop(closed);
    let (kind, message) = fails(&request(Url::parse(&url).expect("a url")));
    assert!(kind == Kind::Connect && message.contains("refused"), "{message}");
    let site = Site::new(vec![Reply::Blunt(b"HTTP/1.1 400 Bad\r\n\r\n".to_vec())]);
    let url = site.url.as_str().replace("http:", "https:");
    let (kind, message) = fails(&request(Url::parse(&url).expect("a url")));
    assert!(kind == Kind::Tls, "{kind:?} {message}");
    let mut bad = request(site.url("/"));
    bad.credentials.push(Credential::Header("X-Other".into(), "s3cret\nX-Evil: 1".into()));
    assert_eq!(fails(&bad).0, Kind::Request);
}
