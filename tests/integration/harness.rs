//! Tests of the helpers, with a client that is nothing but a socket: whatever a test of Hermes finds
//! strange is then not the site's doing. Nothing here depends on what Hermes does.

mod program;

use crate::util::{Gate, Reply, Site, until};
use flate2::read::{GzDecoder, MultiGzDecoder};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// No read in these tests waits longer: a deadlock is a failure, not a standstill.
const PATIENCE: Duration = Duration::from_secs(10);

struct Client(BufReader<TcpStream>);

/// Status, headers (one text, in lower case) and body.
type Answer = (u16, String, Vec<u8>);

impl Client {
    fn of(site: &Site) -> Client {
        let stream = TcpStream::connect(site.authority()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Client(BufReader::new(stream))
    }

    fn ask(&mut self, request: &str) {
        let host = "Host: site\r\n";
        let (first, rest) = request.split_once("\r\n").unwrap_or((request, ""));
        write!(self.0.get_mut(), "{first} HTTP/1.1\r\n{host}{rest}\r\n").unwrap();
    }

    fn get(&mut self, target: &str) -> Answer {
        self.ask(&format!("GET {target}"));
        self.answer().unwrap()
    }

    fn head(&mut self) -> io::Result<(u16, String)> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.0.read_line(&mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Ok((status, head.to_lowercase()))
    }

    fn answer(&mut self) -> io::Result<Answer> {
        let (status, head) = self.head()?;
        let mut body = Vec::new();
        if head.contains("transfer-encoding: chunked") {
            while let piece @ [_, ..] = &self.chunk()?[..] {
                body.extend_from_slice(piece);
            }
        } else if let Some((_, rest)) = head.split_once("content-length: ") {
            body.resize(rest.lines().next().unwrap().parse().unwrap(), 0);
            self.0.read_exact(&mut body)?;
        }
        Ok((status, head, body))
    }

    fn chunk(&mut self) -> io::Result<Vec<u8>> {
        let mut size = String::new();
        self.0.read_line(&mut size)?;
        let mut piece = vec![0; usize::from_str_radix(size.trim(), 16).unwrap() + 2];
        self.0.read_exact(&mut piece)?;
        piece.truncate(piece.len() - 2);
        Ok(piece)
    }
}

#[test]
fn two_requests_share_a_connection_and_both_are_remembered() {
    let site = Site::new();
    site.on(
        "/a",
        Reply::json(r#"{"a":1}"#).status(201).header("X-One", "1").header("Link", "<b>; rel=\"next\""),
    );
    let mut client = Client::of(&site);
    let (status, head, body) = client.get("/a?q=x%20y&q=%C3%A9+z");
    assert_eq!((status, body.as_slice()), (201, r#"{"a":1}"#.as_bytes()));
    assert!(head.contains("x-one: 1\r\n") && head.contains("content-type: application/json"), "{head}");
    client.ask("POST /nowhere\r\nX-Key: k\r\nContent-Length: 2\r\n");
    client.0.get_mut().write_all(b"{}").unwrap();
    assert_eq!(client.answer().unwrap().0, 404);

    let asked = site.asked();
    assert_eq!(site.asked_paths(), ["/a", "/nowhere"]);
    assert_eq!(asked[0].query, [("q".to_owned(), "x y".to_owned()), ("q".to_owned(), "é z".to_owned())]);
    assert_eq!((asked[1].header("x-key"), asked[1].body_text().as_str()), (Some("k"), "{}"));
    assert!(asked[0].at <= asked[1].at);
    assert_eq!((site.connections(), site.count("/a")), (1, 1));
}

#[test]
fn replies_come_one_after_another_and_the_last_is_repeated() {
    let site = Site::new();
    site.on_each("/a", vec![Reply::empty(500), Reply::redirect("/b", 302), Reply::json("[]")]);
    let mut client = Client::of(&site);
    let statuses: Vec<u16> = (0..4).map(|_| client.get("/a").0).collect();
    assert_eq!(statuses, [500, 302, 200, 200]);
}

#[test]
fn pages_hold_every_record_once_and_say_when_they_end() {
    let site = Site::new();
    site.pages("/p", 5, "page", 2);
    let mut client = Client::of(&site);
    let mut ids = Vec::new();
    for (target, next) in [("/p", Some(2)), ("/p?page=2", Some(3)), ("/p?page=3", None), ("/p?page=4", None)]
    {
        let page: serde_json::Value = serde_json::from_slice(&client.get(target).2).unwrap();
        assert_eq!((page["next_page"].as_i64(), page["has_more"].as_bool()), (next, Some(next.is_some())));
        ids.extend(page["data"].as_array().unwrap().iter().map(|record| record["id"].as_i64().unwrap()));
    }
    assert_eq!(ids, [1, 2, 3, 4, 5]);
    assert_eq!(client.get("/p?page=0").0, 400);
}

#[test]
fn gzip_and_chunks_unpack_to_what_was_given() {
    let site = Site::new();
    site.on("/a", Reply::json("[1,2,3]").gzip());
    site.on("/b", Reply::json("[1,2,3]").chunked(2));
    let mut client = Client::of(&site);
    let mut text = String::new();
    GzDecoder::new(&client.get("/a").2[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, "[1,2,3]");
    assert_eq!(client.get("/b").2, b"[1,2,3]");
}

#[test]
fn a_bomb_is_small_on_the_wire_and_sound_to_its_last_byte() {
    let (site, total) = (Site::new(), 5_000_001);
    site.on("/bomb", Reply::gzip_bomb(total));
    let packed = Client::of(&site).get("/bomb").2;
    assert!(packed.len() < 20_000, "{} bytes", packed.len());
    // Reading to the end checks the sum and the length too.
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!((unpacked.len() as u64, &unpacked[..2]), (total, &b"[ "[..]));
}

#[test]
fn a_delay_and_a_drip_take_their_time() {
    let site = Site::new();
    site.on("/late", Reply::json("[]").delay(Duration::from_millis(60)));
    site.on("/drip", Reply::drip("[1,2]", Duration::from_millis(20)));
    let mut client = Client::of(&site);
    for (target, least, want) in [("/late", 60, "[]"), ("/drip", 100, "[1,2]")] {
        let start = Instant::now();
        assert_eq!(client.get(target).2, want.as_bytes());
        assert!(start.elapsed() >= Duration::from_millis(least), "{target}: {:?}", start.elapsed());
    }
}

#[test]
fn an_answer_cut_short_ends_before_its_declared_length() {
    let site = Site::new();
    site.on("/cut", Reply::cut_short("[1,", 100));
    site.on("/raw", Reply::raw("not HTTP"));
    let mut client = Client::of(&site);
    client.ask("GET /cut");
    assert!(client.head().unwrap().1.contains("content-length: 100"));
    let mut body = Vec::new();
    client.0.read_to_end(&mut body).unwrap();
    assert_eq!(body, b"[1,");
    let mut client = Client::of(&site);
    client.ask("GET /raw");
    body.clear();
    client.0.read_to_end(&mut body).unwrap();
    assert_eq!(body, b"not HTTP");
}

#[test]
fn an_endless_answer_goes_on_until_the_client_has_enough() {
    let site = Site::new();
    site.on("/endless", Reply::endless(r#"{"data":["#));
    let mut client = Client::of(&site);
    client.ask("GET /endless");
    client.head().unwrap();
    assert_eq!(client.chunk().unwrap(), br#"{"data":["#);
    while site.bytes_sent() < 1_000_000 {
        client.chunk().unwrap();
    }
    drop(client);
    // Until the site has noticed, it still sends; then no more.
    let mut before = u64::MAX;
    until("the site to stop sending", || {
        std::mem::replace(&mut before, site.bytes_sent()) == site.bytes_sent()
    });
}

#[test]
fn a_gate_holds_the_reply_until_it_is_opened() {
    let (site, gate) = (Site::new(), Gate::new());
    site.on("/held", Reply::gated(&gate, Reply::json("[]")));
    let mut client = Client::of(&site);
    client.ask("GET /held");
    until("the request at the gate", || gate.waiting() == 1);
    client.0.get_ref().set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    assert!(client.answer().is_err(), "an answer came through a closed gate");
    client.0.get_ref().set_read_timeout(Some(PATIENCE)).unwrap();
    gate.open();
    assert_eq!(client.answer().unwrap().0, 200);
    assert_eq!(gate.waiting(), 0);
}

#[test]
fn whatever_hangs_or_waits_ends_with_the_site() {
    let (site, gate) = (Site::new(), Gate::new());
    site.on("/hang", Reply::hang());
    site.on("/gate", Reply::gated(&gate, Reply::json("[]")));
    site.on("/late", Reply::json("[]").delay(Duration::from_secs(600)));
    site.on("/endless", Reply::endless("["));
    let paths = ["/hang", "/gate", "/late", "/endless"];
    let mut clients: Vec<Client> = paths.iter().map(|_| Client::of(&site)).collect();
    clients.iter_mut().zip(paths).for_each(|(client, path)| client.ask(&format!("GET {path}")));
    until("all four", || site.asked().len() == 4);
    let (done, is_done) = mpsc::channel();
    thread::spawn(move || {
        drop(site);
        done.send(()).unwrap();
    });
    is_done.recv_timeout(PATIENCE).expect("the site closes while its replies are under way");
    for client in &mut clients[..3] {
        assert_eq!(client.head().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
