//! A database that cannot be written for a while: full, or locked by someone else.

use crate::scene::{completed, end_pause, retry, source, the_job};
use crate::util::{Daemon, Gate, Hermes, Reply, Site, program, until_within};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Records of a kilobyte, numbered on from `first`.
fn kilobytes(first: usize, count: usize) -> Reply {
    let text = "x".repeat(1_000);
    let records: Vec<String> =
        (first..first + count).map(|id| format!(r#"{{"id":{id},"title":"{text}"}}"#)).collect();
    Reply::json(format!(r#"{{"data":[{}]}}"#, records.join(",")))
}

/// No file of this daemon grows past so many KiB, as on a disk that is full. The signal that Linux sends
/// with it is ignored, so that the write fails as it does there.
fn start_limited(hermes: &Hermes, kib: u32) -> Daemon {
    let script = format!(r#"trap '' XFSZ; ulimit -f {kib}; exec "$0" "$@""#);
    let mut command = Command::new("bash");
    command.args(["-c", &script]).args(program()).arg("--db").arg(hermes.db_path());
    command.arg("--sources").arg(hermes.sources()).args(["--no-listen", "--max-sleep", "1s"]);
    command.current_dir(hermes.dir()).env_clear().env("HOME", hermes.dir());
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    Daemon::spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))
}

#[test]
fn a_full_disk_is_one_clear_error_and_loses_nothing() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/big", kilobytes(1, 100));
    site.on("/small", kilobytes(1, 1));
    hermes.write_source("big.yaml", &source("big", &site.url("/big"), "hourly"));
    hermes.once().done();
    crate::scene::age(&hermes, "big", 61);
    site.on("/big", kilobytes(101, 2_000));
    hermes.write_source("small.yaml", &source("small", &site.url("/small"), "interval:1s"));

    let daemon = start_limited(&hermes, 1_024);
    daemon.until("the failure to be recorded", || retry(&hermes, "big", "retry_count") == Some(1));
    let message: String =
        hermes.query("SELECT message FROM fetchlogs WHERE source_name = 'big' AND status = 'failed'");
    assert!(message.contains("cannot be stored"), "{message}");
    assert_eq!(hermes.count("big"), 100, "what was stored stays, and nothing of the page is added");
    let runs = completed(&hermes, "small");
    daemon.until("others to go on", || completed(&hermes, "small") > runs);
    let listed = hermes.command(&["list", "--json"]).json();
    assert_eq!(listed[0]["state"], "backoff", "{listed}");
    let told = daemon.log().lines().filter(|line| line.contains(" big: ")).count();
    assert_eq!(told, 1, "{}", daemon.log());
    assert_eq!(site.count("/big"), 2);
    daemon.stop();

    // There is room again.
    end_pause(&hermes, "big");
    hermes.once().done();
    assert_eq!((hermes.count("big"), hermes.count("retries")), (2_100, 0));
    assert_eq!(hermes.query::<String>("PRAGMA integrity_check"), "ok");
}

#[test]
fn a_disk_without_any_room_is_waited_for() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", kilobytes(1, 100));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    hermes.once().done();
    // As long as someone looks on, SQLite's log is not emptied: its next record goes past the limit.
    let onlooker = hermes.db();
    onlooker.query_row("SELECT count(*) FROM a", [], |_| Ok(())).unwrap();
    crate::scene::age(&hermes, "a", 61);
    let daemon = start_limited(&hermes, 64);
    daemon.until_logged("waiting for the database");
    assert_eq!((site.count("/a"), daemon.ended()), (1, None));
    hermes.command(&["list"]).done();
    assert_eq!(hermes.count("a"), 100);
    daemon.stop();
    drop(onlooker);
    hermes.once().done();
    assert_eq!((site.count("/a"), completed(&hermes, "a"), hermes.count("retries")), (2, 2, 0));
    assert_eq!(hermes.query::<String>("PRAGMA integrity_check"), "ok");
}

#[test]
fn a_database_locked_for_seconds_is_waited_for_and_nothing_is_lost() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, kilobytes(1, 10)));
    site.on("/b", kilobytes(1, 10));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    hermes.write_source("b.yaml", &source("b", &site.url("/b"), "interval:1s"));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("a run in its middle, and others", || gate.waiting() == 1 && completed(&hermes, "b") > 0);
    let other = rusqlite::Connection::open(hermes.db_path()).unwrap();
    other.busy_timeout(Duration::from_secs(10)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE; UPDATE generation SET value = value + 1").unwrap();
    let locked = Instant::now();
    gate.open();
    until_within(Duration::from_secs(20), "a lock of four seconds", || locked.elapsed().as_secs() >= 4);
    assert_eq!((hermes.count("a"), daemon.ended()), (0, None), "nothing can be written meanwhile");
    other.execute_batch("COMMIT").unwrap();
    daemon.until("the run to end", || completed(&hermes, "a") == 1);
    let runs = completed(&hermes, "b");
    daemon.until("the others to go on", || completed(&hermes, "b") > runs);
    assert_eq!((hermes.count("a"), hermes.count("b"), site.count("/a")), (10, 10, 1));
    assert_eq!((the_job(&hermes, "a").attempt, hermes.count("retries")), (1, 0), "a wait is no failure");
}
