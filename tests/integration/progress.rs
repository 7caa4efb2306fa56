//! `run` while a person watches it: on a terminal, elsewhere, and when they have had enough.

use crate::scene::{jobs, paged, source};
use crate::util::{Daemon, Gate, Hermes, Reply, Site, Terminal};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

/// Three pages of ten records, the second and third behind the gate.
fn site(gate: &Gate) -> Site {
    let (site, gate) = (Site::new(), gate.clone());
    site.on_fn("/a", move |asked| {
        let page: u64 = asked.param("page").map_or(1, |page| page.parse().unwrap());
        let record = |n| serde_json::json!({ "id": n, "title": format!("record {n}") });
        let data: Vec<_> = ((page - 1) * 10 + 1..=page * 10).map(record).collect();
        let next = (page < 3).then_some(page + 1);
        let reply = Reply::json(serde_json::json!({ "data": data, "next_page": next, "total": 30 }));
        if page == 1 { reply } else { Reply::gated(&gate, reply) }
    });
    site
}

const COUNTED: &str = "pagination: { page: { param: page, start: 1, totalPath: total } }\n";

fn added(yaml: &str) -> Hermes {
    let hermes = Hermes::new();
    let file = crate::sources::document(&hermes, "a.yaml", yaml);
    hermes.command(&["add", file.to_str().unwrap()]).done();
    hermes
}

fn counted(site: &Site) -> String {
    source("a", &site.url("/a"), "daily\nstartup: wait") + COUNTED
}

fn has(screen: &[String], text: &str) -> bool {
    screen.iter().any(|line| line.contains(text))
}

#[test]
fn a_terminal_shows_a_bar_that_goes_with_the_run() {
    let gate = Gate::new();
    let site = site(&gate);
    let hermes = added(&counted(&site));
    let terminal = hermes.in_terminal((100, 10), &["run", "a"]);
    terminal.until("the first page", |screen| has(screen, "%  1 page, 10 of 30 records, 10 new, "));
    let line = terminal.screen().into_iter().find(|line| line.starts_with("a  [##")).expect("a bar");
    assert!(line.chars().count() < 100 && line.contains("-]  33%  "), "{line}");
    gate.open();
    assert!(terminal.wait_exit(SOON).success(), "{:#?}", terminal.screen());
    let screen = terminal.screen();
    assert!(!has(&screen, "%"), "the bar is gone: {screen:#?}");
    assert!(screen.last().unwrap().ends_with(": completed, 3 pages, 30 records, 30 new rows"), "{screen:#?}");
    assert!(
        screen.iter().any(|line| line.ends_with("INFO a: first run: 30 new rows of 30 records, pages: 3"))
    );
}

#[test]
fn a_narrow_terminal_shows_one_line_all_the_same() {
    let gate = Gate::new();
    let site = site(&gate);
    let hermes = added(&paged("a", &site.url("/a"), "daily\nstartup: wait"));
    let terminal = hermes.in_terminal((24, 5), &["run", "a"]);
    terminal.until("the first page", |screen| screen == ["a  1 page, 10 records,…"]);
    gate.open();
    assert!(terminal.wait_exit(SOON).success(), "{:#?}", terminal.screen());
}

#[test]
fn where_a_daemon_runs_it_the_bar_is_the_same() {
    let gate = Gate::new();
    let site = site(&gate);
    let hermes = added(&counted(&site));
    let daemon = hermes.start(&[]);
    daemon.until_logged("watching");
    let terminal = hermes.in_terminal((100, 10), &["run", "a"]);
    terminal.until("the first page", |screen| has(screen, "]  33%  1 page, 10 of 30 records, 10 new, "));
    gate.open();
    assert!(terminal.wait_exit(SOON).success(), "{:#?}", terminal.screen());
    assert_eq!(hermes.count("a"), 30);
}

#[test]
fn elsewhere_there_is_no_bar_and_the_result_is_alone_on_standard_output() {
    let gate = Gate::new();
    gate.open();
    let site = site(&gate);
    let hermes = added(&counted(&site));
    let output = hermes.command(&["run", "a"]);
    assert_eq!(output.done().lines().count(), 1, "{output}");
    assert!(!format!("{output}").contains(['\r', '\x1b']), "{output}");
}

/// In the middle of its second page.
fn under_way(gate: &Gate, hermes: &Hermes) -> Daemon {
    let run = hermes.start(&["run", "a"]);
    run.until("the first page", || hermes.count("a") == 10 && gate.waiting() == 1);
    run
}

#[test]
fn a_stop_keeps_the_pages_and_the_same_command_runs_it_again() {
    for signal in ["INT", "TERM"] {
        let gate = Gate::new();
        let site = site(&gate);
        let hermes = added(&counted(&site));
        let run = under_way(&gate, &hermes);
        run.signal(signal);
        assert_eq!(run.wait_exit(SOON).code(), Some(1), "{}", run.log());
        let want = ": stopped, 1 pages, 10 records, 10 new rows: what is stored is kept; \
                    the same command runs it again, and so does a hermes that starts\n";
        assert!(run.log().ends_with(want), "{}", run.log());
        assert_eq!((hermes.count("a"), hermes.count("retries")), (10, 0), "{signal}");
        assert_eq!(jobs(&hermes, "a")[0].status, "queued");
        gate.open();
        let again = hermes.command(&["run", "a"]);
        assert!(again.done().ends_with(": completed, 3 pages, 30 records, 20 new rows\n"), "{again}");
        assert_eq!((hermes.count("a"), jobs(&hermes, "a").len()), (30, 1));
    }
}

#[test]
fn a_stop_in_the_terminal_leaves_no_half_a_bar() {
    let gate = Gate::new();
    let site = site(&gate);
    let hermes = added(&counted(&site));
    let terminal = hermes.in_terminal((200, 10), &["run", "a"]);
    terminal.until("the first page", |screen| has(screen, "%  1 page"));
    terminal.signal("INT");
    assert_eq!(terminal.wait_exit(SOON).code(), Some(1));
    let screen = terminal.screen();
    assert!(screen.len() == 1 && screen[0].contains(": stopped, 1 pages"), "{screen:#?}");
}

#[test]
fn a_stop_where_a_daemon_runs_it_only_ends_the_watching() {
    let gate = Gate::new();
    let site = site(&gate);
    let hermes = added(&counted(&site));
    let daemon = hermes.start(&[]);
    daemon.until_logged("watching");
    let run = under_way(&gate, &hermes);
    run.signal("INT");
    assert_eq!(run.wait_exit(SOON).code(), Some(1), "{}", run.log());
    let want = ": running, 1 pages, 10 records, 10 new rows: the daemon goes on with it; \
                `hermes status a` shows how far it is\n";
    assert!(run.log().ends_with(want), "{}", run.log());
    gate.open();
    daemon.until("its end", || jobs(&hermes, "a")[0].status == "completed");
    assert_eq!((hermes.count("a"), site.count("/a")), (30, 3));
}

#[test]
fn a_second_stop_ends_it_at_once() {
    let gate = Gate::new();
    let site = site(&gate);
    let hermes = added(&counted(&site));
    let run = under_way(&gate, &hermes);
    // Nothing can be recorded while another program writes: the orderly end takes its time.
    let holder = rusqlite::Connection::open(hermes.db_path()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    run.signal("INT");
    run.until("its end", || {
        if run.ended().is_none() {
            run.signal("INT");
        }
        run.ended().is_some()
    });
    assert_eq!(run.ended().unwrap().code(), Some(1));
    assert!(!run.log().contains("stopped"), "{}", run.log());
    holder.execute_batch("COMMIT").unwrap();
    gate.open();
    hermes.command(&["run", "a"]).done();
    assert_eq!(hermes.count("a"), 30);
}
