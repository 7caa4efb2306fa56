//! Nothing happens: no write, hardly a wake-up.

use crate::scene::source;
use crate::util::{Daemon, Hermes, Reply, Site};
use std::fs;
use std::time::{Duration, SystemTime};

const SOURCES: i64 = 200;

/// Long enough for a busy loop or a poll of a few seconds to show.
const WINDOW: Duration = Duration::from_secs(10);

fn all_ran(hermes: &Hermes) -> bool {
    hermes.try_query("SELECT count(*) FROM fetchlogs WHERE status = 'completed'") == Some(SOURCES)
}

fn many_sources() -> (Hermes, Site) {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[{"id":1,"title":"one"}]}"#));
    let documents: Vec<String> =
        (0..SOURCES).map(|n| source(&format!("s{n:03}"), &site.url("/a"), "hourly")).collect();
    hermes.write_source("all.yaml", &documents.join("---\n"));
    (hermes, site)
}

/// Of the thread that schedules: it has the process's own number.
fn wake_ups(daemon: &Daemon) -> u64 {
    field(daemon, "voluntary_ctxt_switches:")
}

fn field(daemon: &Daemon, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{0}/task/{0}/status", daemon.pid())).unwrap();
    let rest = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    rest.split_whitespace().next().unwrap().parse().unwrap()
}

/// Size and time of every file of the database.
fn files(hermes: &Hermes) -> Vec<(String, u64, SystemTime)> {
    let mut files: Vec<_> = fs::read_dir(hermes.dir())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| !entry.file_name().to_string_lossy().ends_with("-shm"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.metadata().unwrap()))
        .map(|(name, about)| (name, about.len(), about.modified().unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn two_hundred_sources_that_are_not_due_cost_no_write_and_no_wake_up() {
    let (hermes, site) = many_sources();
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("a run of each", || all_ran(&hermes));
    // Until the workers have gone to sleep as well.
    let mut before = u64::MAX;
    daemon.until("the last words of the last run", || {
        std::mem::replace(&mut before, daemon.context_switches()) == daemon.context_switches()
    });
    let (asked, files_before) = (site.asked().len(), files(&hermes));
    let (written, woken, switches) = (daemon.write_bytes(), wake_ups(&daemon), daemon.context_switches());
    std::thread::sleep(WINDOW);
    let memory = field(&daemon, "VmRSS:");
    println!(
        "idle with {SOURCES} sources: {memory} KiB resident, {} KiB at most; in {WINDOW:?}: {} wake-ups, {} \
         of all threads, {} bytes written",
        daemon.rss_peak_kb(),
        wake_ups(&daemon) - woken,
        daemon.context_switches() - switches,
        daemon.write_bytes() - written,
    );
    assert_eq!(daemon.write_bytes() - written, 0, "bytes written while nothing happens");
    assert!(wake_ups(&daemon) - woken <= 2, "{} wake-ups of the scheduler", wake_ups(&daemon) - woken);
    assert!(daemon.context_switches() - switches <= 10, "{}", daemon.context_switches() - switches);
    assert_eq!((site.asked().len(), files(&hermes)), (asked, files_before));
    assert!(memory < 64 * 1_024, "{memory} KiB resident");
}

#[test]
fn a_tick_with_nothing_due_writes_nothing() {
    let (hermes, site) = many_sources();
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("a run of each", || all_ran(&hermes));
    let mut before = u64::MAX;
    daemon.until("the last words of the last run", || {
        std::mem::replace(&mut before, daemon.context_switches()) == daemon.context_switches()
    });
    let (files_before, written, woken) = (files(&hermes), daemon.write_bytes(), wake_ups(&daemon));
    daemon.until("three ticks", || wake_ups(&daemon) >= woken + 3);
    assert_eq!((files(&hermes), daemon.write_bytes()), (files_before, written));
    assert_eq!(site.asked().len() as i64, SOURCES);
}
