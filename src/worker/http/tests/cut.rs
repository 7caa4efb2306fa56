//! Requests that are ended from another thread.

use std::sync::mpsc;
use std::thread;

use super::super::super::cut::Why;
use super::super::super::testing::{Reply, Site, ok};
use super::*;

#[test]
fn no_request_starts_after_its_deadline_or_after_a_cut() {
    let site = Site::new(vec![ok("")]);
    assert_eq!(fails(&Request { deadline: Instant::now(), ..request(site.url("/")) }).0, Kind::Deadline);
    let cut = Arc::new(Cut::default());
    cut.reset();
    cut.cut(Why::Cancelled);
    let asked = request(site.url("/"));
    let answer =
        Client::new(Arc::clone(&cut)).ask(&asked, &secrets(), Timestamp::UNIX_EPOCH, &mut Vec::new());
    assert_eq!(answer.expect_err("cut").kind, Kind::Cut(Why::Cancelled));
    assert!(site.asked().is_empty());
}

/// A body without a length is the hard case: its end is the connection's.
#[test]
fn a_cut_ends_a_hanging_read_and_the_next_run_works() {
    let heads = [
        "",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npart",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart",
    ];
    for head in heads {
        let site = Site::new(vec![Reply::Hang(head.into()), ok("again")]);
        let cut = Arc::new(Cut::default());
        let (send, receive) = mpsc::channel();
        let (url, cutting) = (site.url("/"), Arc::clone(&cut));
        thread::spawn(move || {
            let mut client = Client::new(cutting);
            let mut body = Vec::new();
            for _ in 0..2 {
                let answer = client.ask(&request(url.clone()), &secrets(), Timestamp::UNIX_EPOCH, &mut body);
                send.send((answer.map_err(|failure| failure.kind), body.clone())).expect("the test waits");
                client.cut.reset();
            }
        });
        until("the site was asked", || !site.asked().is_empty());
        cut.cut(Why::Cancelled);
        let first = receive.recv_timeout(Duration::from_secs(5)).expect("a cut ends it at once");
        assert_eq!((first.0.map(|_| ()), first.1), (Err(Kind::Cut(Why::Cancelled)), vec![]), "{head}");
        let second = receive.recv_timeout(Duration::from_secs(5)).expect("the next run is not cut");
        assert_eq!((second.0.map(|answer| answer.status), second.1), (Ok(200), b"again".to_vec()), "{head}");
    }
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(10), "waited in vain until {what}");
        thread::sleep(Duration::from_millis(2));
    }
}
