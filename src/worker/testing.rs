//! A site on the loopback address for the tests of this module: scripted
//! replies, byte by byte, and a memory of what was asked. It answers its last
//! request and is gone; nothing of it waits without a bound.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use url::Url;

/// Longer than any test takes that works.
const PATIENCE: Duration = Duration::from_secs(20);

/// What one connection gets to hear.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// The bytes, and the connection is closed.
    Bytes(Vec<u8>),
    /// The bytes, without waiting for a request.
    Blunt(Vec<u8>),
    /// The bytes for each request of this connection.
    Kept(Vec<u8>),
    /// The bytes, then nothing more, with the connection left open.
    Hang(Vec<u8>),
    /// The bytes, then one more of them every 50 ms without end.
    Drip(Vec<u8>),
    /// The bytes, then more without end as fast as they are taken.
    Flood(Vec<u8>),
}

pub(super) struct Site {
    pub(super) url: Url,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// One reply a connection, in this order.
    pub(super) fn new(replies: Vec<Reply>) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a socket");
        let address = listener.local_addr().expect("it is bound");
        let url = Url::parse(&format!("http://{address}/")).expect("an address is a url");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let memory = Arc::clone(&asked);
        thread::spawn(move || {
            for reply in replies {
                let Some(stream) = accept(&listener) else { return };
                let memory = Arc::clone(&memory);
                thread::spawn(move || serve(stream, reply, &memory));
            }
        });
        Site { url, asked }
    }

    pub(super) fn url(&self, path: &str) -> Url {
        self.url.join(path).expect("a path")
    }

    /// Each request's head and body, as text.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no test panics with it").clone()
    }
}

pub(super) fn reply(status: &str, headers: &[&str], body: &[u8]) -> Reply {
    let mut bytes = format!("HTTP/1.1 {status}\r\nConnection: close\r\n").into_bytes();
    for header in headers {
        bytes.extend(format!("{header}\r\n").bytes());
    }
    bytes.extend(format!("Content-Length: {}\r\n\r\n", body.len()).bytes());
    bytes.extend(body);
    Reply::Bytes(bytes)
}

pub(super) fn ok(body: &str) -> Reply {
    reply("200 OK", &[], body.as_bytes())
}

pub(super) fn to(status: &str, location: &str) -> Reply {
    reply(status, &[&format!("Location: {location}")], b"")
}

fn accept(listener: &TcpListener) -> Option<TcpStream> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        match listener.accept() {
            Ok((stream, _)) => return Some(stream),
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(Duration::from_millis(2)),
            Err(_) => return None,
        }
    }
    None
}

fn serve(mut stream: TcpStream, reply: Reply, memory: &Mutex<Vec<String>>) {
    let _ = stream.set_nonblocking(false);
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let _ = stream.set_write_timeout(Some(PATIENCE));
    // A client that has heard enough closes: that ends any of these.
    let _ = play(&mut stream, reply, memory);
}

fn play(stream: &mut TcpStream, reply: Reply, memory: &Mutex<Vec<String>>) -> io::Result<()> {
    match reply {
        Reply::Bytes(bytes) => answer(stream, &bytes, memory),
        Reply::Blunt(bytes) => stream.write_all(&bytes).and_then(|()| stream.read(&mut [0]).map(drop)),
        Reply::Kept(bytes) => until_closed(|| answer(stream, &bytes, memory)),
        Reply::Hang(bytes) => answer(stream, &bytes, memory).and_then(|()| stream.read(&mut [0]).map(drop)),
        Reply::Drip(bytes) => {
            answer(stream, &bytes, memory)?;
            until_closed(|| {
                thread::sleep(Duration::from_millis(50));
                stream.write_all(b"x")
            })
        }
        Reply::Flood(bytes) => {
            answer(stream, &bytes, memory)?;
            until_closed(|| stream.write_all(&[b'x'; 8192]))
        }
    }
}

fn until_closed(mut step: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        step()?;
    }
    Ok(())
}

fn answer(stream: &mut TcpStream, bytes: &[u8], memory: &Mutex<Vec<String>>) -> io::Result<()> {
    let request = request(stream);
    if request.is_empty() {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    memory.lock().expect("no test panics with it").push(request);
    stream.write_all(bytes)
}

fn request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut some = [0; 4096];
    while !is_complete(&bytes) {
        match stream.read(&mut some) {
            Ok(count) if count > 0 => bytes.extend(&some[..count]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn is_complete(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    body.len() >= length.unwrap_or(0)
}
