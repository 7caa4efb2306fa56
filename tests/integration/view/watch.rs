//! `status --watch`: in place, as high as the terminal, and gone at the end.

use super::refused;
use crate::sources::{records, source, source_with};
use crate::util::{Gate, Hermes, Reply, Site, Terminal};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

fn begins(screen: &[String], text: &str) -> bool {
    screen.first().is_some_and(|line| line == text)
}

#[track_caller]
fn leaves_nothing(terminal: &Terminal, signal: &str) {
    terminal.signal(signal);
    assert_eq!(terminal.wait_exit(SOON).code(), Some(0), "{:?}", terminal.screen());
    assert_eq!(terminal.screen(), [""; 0], "the screen is as it was before");
    assert!(terminal.written().ends_with("\x1b[?25h\x1b[?1049l"), "the cursor is back");
}

#[test]
fn it_is_drawn_anew_in_place_and_leaves_nothing_behind() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, records(2)));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&[]);
    daemon.until("it runs", || gate.waiting() == 1);
    let terminal = hermes.in_terminal((80, 30), &["status", "--watch", "--every", "1s"]);
    terminal.until("the run", |screen| begins(screen, "1 source: 1 running"));
    assert!(terminal.screen().iter().any(|line| line.starts_with("running  a  0 pages")));
    gate.open();
    terminal.until("its end", |screen| begins(screen, "1 source: 1 idle"));
    let screen = terminal.screen();
    assert!(!screen.iter().any(|line| line.contains("running")), "no leftovers: {screen:#?}");
    leaves_nothing(&terminal, "INT");
}

#[test]
fn it_is_no_higher_than_the_terminal() {
    let hermes = Hermes::new();
    let yaml = |n: u32| source_with(&format!("s{n}"), "http://127.0.0.1:9/", "status: paused\n");
    let all: Vec<String> = (0..30).map(yaml).collect();
    hermes.write_source("many.yaml", &all.join("---\n"));
    hermes.once().done();
    let terminal = hermes.in_terminal((60, 8), &["status", "--watch"]);
    terminal.until("the glance", |screen| begins(screen, "30 sources: 30 paused") && screen.len() == 8);
    leaves_nothing(&terminal, "TERM");
}

#[test]
fn one_source_can_be_watched() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", records(2));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    let terminal = hermes.in_terminal((80, 30), &["status", "a", "--watch"]);
    terminal.until("its columns", |screen| begins(screen, "name             a"));
    leaves_nothing(&terminal, "INT");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", records(2));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    refused(&hermes, &["status", "--watch"], "--watch needs a terminal");
    refused(&hermes, &["status", "--watch", "--json"], "--watch shows no JSON");
    refused(&hermes, &["status", "--watch", "--every", "soon"], "--every: ");
    let terminal = hermes.in_terminal((80, 30), &["status", "b", "--watch"]);
    assert_eq!(terminal.wait_exit(SOON).code(), Some(2));
    assert_eq!(terminal.screen(), ["hermes: there is no source `b`; `hermes list` names them all"]);
}
