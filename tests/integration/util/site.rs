//! A real HTTP/1.1 server on the loopback interface: scripted replies, remembers what it was asked.
//! Knows nothing of Hermes. All its threads end with it.

use super::reply::Reply;
use super::request::{self, Asked};
use super::send::{self, Line};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io::BufReader;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// More at once are closed unanswered: a client that leaks connections shows.
const MAX_CONNECTIONS: usize = 64;

type Route = Arc<dyn Fn(&Asked) -> Reply + Send + Sync>;

/// Starts at once; everything without a reply of its own is 404.
#[derive(Debug)]
pub struct Site {
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    routes: Mutex<HashMap<String, Route>>,
    asked: Mutex<Vec<Asked>>,
    /// Open connections by number, kept so that they can be closed under a thread that waits on them.
    open: Mutex<HashMap<u64, TcpStream>>,
    connections: AtomicU64,
    sent: AtomicU64,
    closing: AtomicBool,
}

impl Site {
    pub fn new() -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let listening = Arc::clone(&shared);
        let listener = Some(thread::spawn(move || listen(&listener, &listening)));
        Site { address, shared, listener }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Host and port, as in a `Host` header.
    pub fn authority(&self) -> String {
        self.address.to_string()
    }

    /// The same reply each time. A later call for the same path replaces it.
    pub fn on(&self, path: &str, reply: Reply) {
        self.on_fn(path, move |_| reply.clone());
    }

    /// One after another, the last one for ever.
    pub fn on_each(&self, path: &str, replies: Vec<Reply>) {
        assert!(!replies.is_empty(), "a reply for {path}");
        let left = Mutex::new(VecDeque::from(replies));
        self.on_fn(path, move |_| {
            let mut left = left.lock().unwrap();
            if left.len() > 1 { left.pop_front().unwrap() } else { left[0].clone() }
        });
    }

    /// A reply that depends on the request.
    pub fn on_fn(&self, path: &str, reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) {
        self.shared.routes.lock().unwrap().insert(path.to_owned(), Arc::new(reply));
    }

    /// Records `{"id", "title", "n"}` numbered from 1, in pages numbered from 1:
    /// `{"data": […], "next_page": N or null, "has_more": …, "total": …}`. A request without the
    /// parameter gets the first page, so that it serves as a cursor too.
    pub fn pages(&self, path: &str, total: u64, page_param: &str, per_page: u64) {
        self.pages_from(1, path, total, page_param, per_page);
    }

    /// The same, with the first page numbered `start`.
    pub fn pages_from(&self, start: u64, path: &str, total: u64, page_param: &str, per_page: u64) {
        let param = page_param.to_owned();
        self.on_fn(path, move |asked| match asked.param(&param).map_or(Ok(start), str::parse) {
            Ok(page) if page >= start => Reply::json(numbered(page, page - start, total, per_page)),
            _ => Reply::json(r#"{"error":"no such page"}"#).status(400),
        });
    }

    /// Every request so far, oldest first.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// Every request for this path so far.
    pub fn asked_for(&self, path: &str) -> Vec<Asked> {
        self.asked().into_iter().filter(|asked| asked.path == path).collect()
    }

    pub fn asked_paths(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.path).collect()
    }

    pub fn count(&self, path: &str) -> usize {
        self.asked_for(path).len()
    }

    /// Connections accepted so far: tells reuse from reconnecting.
    pub fn connections(&self) -> u64 {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Bytes that went out so far, which tells how soon a client had enough of an endless answer (give
    /// or take what the system's socket buffers hold).
    pub fn bytes_sent(&self) -> u64 {
        self.shared.sent.load(Ordering::SeqCst)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        // Wakes the listener, which waits in `accept`.
        let _ = TcpStream::connect(self.address);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("asked", &self.asked).finish_non_exhaustive()
    }
}

/// Takes connections until the site closes, then closes them all and awaits their threads.
fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    for stream in listener.incoming() {
        if shared.closing.load(Ordering::SeqCst) {
            break;
        }
        let Ok(stream) = stream else { continue };
        threads.retain(|thread| !thread.is_finished());
        if threads.len() >= MAX_CONNECTIONS {
            eprintln!("the site closes a connection: {MAX_CONNECTIONS} are open already");
            continue;
        }
        let number = shared.connections.fetch_add(1, Ordering::SeqCst);
        let (Ok(to_close), shared) = (stream.try_clone(), Arc::clone(shared)) else { continue };
        let _ = stream.set_nodelay(true);
        shared.open.lock().unwrap().insert(number, to_close);
        threads.push(thread::spawn(move || {
            // A panic in a test's closure must not leave the client waiting for ever.
            let _ = panic::catch_unwind(AssertUnwindSafe(|| serve(&stream, &shared)));
            let _ = stream.shutdown(Shutdown::Both);
            shared.open.lock().unwrap().remove(&number);
        }));
    }
    for stream in shared.open.lock().unwrap().values() {
        let _ = stream.shutdown(Shutdown::Both);
    }
    for thread in threads {
        let _ = thread.join();
    }
}

/// One connection, request after request.
fn serve(stream: &TcpStream, shared: &Shared) {
    let mut line = Line { stream, closing: &shared.closing, sent: &shared.sent };
    let mut reader = BufReader::new(stream);
    loop {
        let asked = match request::read(&mut reader) {
            Ok(Some(asked)) => asked,
            Ok(None) => return,
            Err(why) => return eprintln!("{why}"),
        };
        shared.asked.lock().unwrap().push(asked.clone());
        let route = shared.routes.lock().unwrap().get(&asked.path).cloned();
        let reply =
            route.map_or_else(|| Reply::json(r#"{"error":"nothing here"}"#).status(404), |f| f(&asked));
        let goes_on = send::reply(&mut line, &asked, &reply).unwrap_or(false);
        if !goes_on || asked.wants_close() {
            return;
        }
    }
}

fn numbered(page: u64, index: u64, total: u64, per_page: u64) -> serde_json::Value {
    let first = index.saturating_mul(per_page).min(total);
    let last = first.saturating_add(per_page).min(total);
    let record = |n: u64| serde_json::json!({ "id": n, "title": format!("record {n}"), "n": n * 10 });
    let data: Vec<_> = (first + 1..=last).map(record).collect();
    let more = last < total;
    serde_json::json!({
        "data": data, "next_page": more.then_some(page + 1), "has_more": more, "total": total,
    })
}
