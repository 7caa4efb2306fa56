//! Serves the corpus over HTTP/1.1 with keep-alive, from files, on a free port
//! of loopback, which it prints. It ends when its input does, so that it never
//! outlives the run.
//!
//!   serve DIR
//!
//! `GET /NAME/items?page=N` is the file `DIR/NAME/N`. `skip=K` passes over the
//! first K pages, `pages=M` ends after M; past the end is the page `empty`.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const MAX_CONNECTIONS: usize = 16;
const MAX_HEAD_BYTES: u64 = 16 << 10;
/// Longer than any client pauses between two requests.
const IDLE: Duration = Duration::from_secs(600);

fn main() -> io::Result<()> {
    let dir = PathBuf::from(std::env::args_os().nth(1).expect("serve DIR"));
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?.port());
    std::thread::spawn(move || accept(&listener, &dir));
    io::copy(&mut io::stdin(), &mut io::sink()).map(drop)
}

fn accept(listener: &TcpListener, dir: &Path) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        if open.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
            open.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let (dir, open) = (dir.to_owned(), open.clone());
        std::thread::spawn(move || {
            if let Err(error) = converse(&stream, &dir)
                && error.kind() != io::ErrorKind::WouldBlock
            {
                eprintln!("serve: {error}");
            }
            open.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

fn converse(stream: &TcpStream, dir: &Path) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(IDLE))?;
    let mut reader = BufReader::new(stream);
    while let Some(target) = read_head(&mut reader)? {
        let (status, body) = match file(dir, &target).map(fs::read) {
            Some(Ok(body)) => ("200 OK", body),
            _ => ("404 Not Found", Vec::new()),
        };
        let mut answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        answer.extend_from_slice(&body);
        (&mut &*stream).write_all(&answer)?;
    }
    Ok(())
}

/// The target of the next request; `None` where the client is gone.
fn read_head(reader: &mut BufReader<&TcpStream>) -> io::Result<Option<String>> {
    let mut head = reader.take(MAX_HEAD_BYTES);
    let mut line = String::new();
    head.read_line(&mut line)?;
    let target = line.split(' ').nth(1).map(str::to_owned);
    while target.is_some() && line != "\r\n" {
        line.clear();
        if head.read_line(&mut line)? == 0 {
            return Err(io::Error::other("a request without an end"));
        }
    }
    Ok(target)
}

fn file(dir: &Path, target: &str) -> Option<PathBuf> {
    let (path, query) = target.split_once('?')?;
    let name = path.strip_prefix('/')?.strip_suffix("/items")?;
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return None;
    }
    let number = |key: &str| {
        query.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('=')?.parse::<u64>().ok())
    };
    let page = number("page").unwrap_or(1);
    let place = dir.join(name).join((page + number("skip").unwrap_or(0)).to_string());
    let is_there = page <= number("pages").unwrap_or(u64::MAX) && place.exists();
    Some(if is_there { place } else { dir.join(name).join("empty") })
}
