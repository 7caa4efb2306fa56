//! Puts a reply on the wire, in the way that the reply asks for. Decides nothing about what to answer.

use super::reply::{Body, Reply};
use super::request::Asked;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The longest sleep between two looks at whether the site is closing.
const LOOK: Duration = Duration::from_millis(20);

/// A connection, as seen by the sender.
pub(super) struct Line<'a> {
    pub(super) stream: &'a TcpStream,
    pub(super) closing: &'a AtomicBool,
    pub(super) sent: &'a AtomicU64,
}

/// `Ok(true)` where the connection can take another request. An error is a client that has gone, which
/// is its right.
pub(super) fn reply(line: &mut Line<'_>, asked: &Asked, reply: &Reply) -> io::Result<bool> {
    if let Some(gate) = &reply.gate {
        gate.pass(|| line.is_closing());
        line.still_open()?;
    }
    line.pause(reply.delay)?;
    if asked.method == "HEAD" {
        line.put(head(reply, "Content-Length: 0").as_bytes())?;
        return Ok(true);
    }
    match &reply.body {
        Body::Whole(bytes) => {
            let head = head(reply, &format!("Content-Length: {}", bytes.len()));
            line.put(&[head.as_bytes(), bytes].concat())?;
            Ok(true)
        }
        Body::Chunked(bytes, size) => {
            line.put(head(reply, "Transfer-Encoding: chunked").as_bytes())?;
            bytes.chunks(*size).try_for_each(|piece| line.put_chunk(piece))?;
            line.put(b"0\r\n\r\n")?;
            Ok(true)
        }
        Body::Drip(bytes, every) => {
            line.put(head(reply, &format!("Content-Length: {}", bytes.len())).as_bytes())?;
            for byte in bytes.iter() {
                line.pause(*every)?;
                line.put(&[*byte])?;
            }
            Ok(true)
        }
        Body::Endless(prefix, again) => {
            line.put(head(reply, "Transfer-Encoding: chunked").as_bytes())?;
            line.put_chunk(prefix)?;
            // Ends by an error, when the client or the site closes.
            loop {
                line.put_chunk(again)?;
            }
        }
        Body::CutShort(bytes, declared) => {
            line.put(head(reply, &format!("Content-Length: {declared}")).as_bytes())?;
            line.put(bytes)?;
            Ok(false)
        }
        Body::Raw(bytes) => {
            line.put(bytes)?;
            Ok(false)
        }
        Body::Hang => {
            line.until_closed();
            Ok(false)
        }
    }
}

fn head(reply: &Reply, length: &str) -> String {
    let mut head = format!("HTTP/1.1 {} {}\r\n", reply.status, reason(reply.status));
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // 204 and 304 have no body, and must not declare one (RFC 9110, 8.6).
    if !matches!(reply.status, 204 | 304) {
        head.push_str(length);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    head
}

fn reason(status: u16) -> &'static str {
    match status {
        200..=299 => "OK",
        300..=399 => "Elsewhere",
        400..=499 => "Refused",
        _ => "Broken",
    }
}

impl Line<'_> {
    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    fn still_open(&self) -> io::Result<()> {
        if self.is_closing() { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.sent.fetch_add(bytes.len() as u64, Ordering::SeqCst);
        Ok(())
    }

    /// An empty chunk would end the body.
    fn put_chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let size = format!("{:x}\r\n", bytes.len());
        self.put(&[size.as_bytes(), bytes, b"\r\n"].concat())
    }

    fn pause(&self, time: Duration) -> io::Result<()> {
        let start = Instant::now();
        while let Some(left) = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
            self.still_open()?;
            thread::sleep(left.min(LOOK));
        }
        Ok(())
    }

    /// Reads on, whatever comes, until the client or the site closes.
    fn until_closed(&mut self) {
        let mut ignored = [0; 1024];
        while matches!(self.stream.read(&mut ignored), Ok(1..)) {}
    }
}
