//! Tests of `Hermes`, `Daemon` and the waiting, with a shell script in place of the daemon. Nothing here
//! depends on what Hermes does, but that it starts.

use crate::util::{Daemon, Hermes, context_switches, rss_peak_kb, until_some, until_within, write_bytes};
use rusqlite::types::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn script(text: &str) -> Daemon {
    let mut shell = Command::new("sh");
    Daemon::spawn(
        shell.arg("-c").arg(text).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()),
    )
}

/// The text of the panic that `act` ends in.
fn panic_of(act: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(act)).expect_err("a panic");
    *panic.downcast::<String>().expect("a panic with a text")
}

#[test]
fn the_binary_starts_in_a_directory_that_is_gone_afterwards() {
    let hermes = Hermes::new().env("RUST_LOG", "off");
    assert_eq!(hermes.plain(&["--help"]).code, Some(0));
    assert!(hermes.sources().is_dir() && fs::read_dir(hermes.sources()).unwrap().next().is_none());
    let dir = hermes.dir().to_owned();
    drop(hermes);
    assert!(!dir.exists());
}

#[test]
fn source_files_are_written_replaced_and_removed() {
    let hermes = Hermes::new();
    let path = hermes.write_source("a.yaml", "name: a");
    assert_eq!(hermes.save_by_rename("a.yaml", "name: b"), path);
    assert_eq!(fs::read_to_string(&path).unwrap(), "name: b");
    hermes.remove_source("a.yaml");
    assert!(fs::read_dir(hermes.sources()).unwrap().next().is_none(), "nothing is left behind");
}

#[test]
fn what_is_not_there_yet_is_nothing_and_a_mistake_is_a_panic() {
    let hermes = Hermes::new();
    assert_eq!((hermes.count("t"), hermes.try_query::<i64>("SELECT a FROM t")), (0, None));
    assert!(!hermes.db_path().exists(), "looking makes no database");
    hermes
        .exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (NULL, 2.5)");
    assert_eq!((hermes.count("t"), hermes.count("other")), (2, 0));
    assert_eq!(hermes.query::<String>("SELECT b FROM t WHERE a = 1"), "x");
    assert_eq!(hermes.try_query::<i64>("SELECT a FROM t WHERE a IS NULL"), None);
    let want = [vec![Value::Integer(1), Value::Text("x".into())], vec![Value::Null, Value::Real(2.5)]];
    assert_eq!(hermes.rows("SELECT a, b FROM t ORDER BY rowid"), want);
    assert!(panic_of(|| drop(hermes.rows("SELECT c FROM t"))).contains("no such column"));
    assert!(hermes.db().execute("DELETE FROM t", []).is_err(), "looking changes nothing");
}

#[test]
fn a_daemon_is_heard_signalled_and_stopped() {
    // Not HUP: a shell that was started by nohup cannot trap it.
    let daemon = script(
        "trap 'echo again >&2' USR1; trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.02; done",
    );
    daemon.until_logged("ready");
    assert!(rss_peak_kb(daemon.pid()) > 0 && context_switches(daemon.pid()) > 0);
    write_bytes(daemon.pid());
    daemon.signal("USR1");
    daemon.until_logged("again");
    assert_eq!(daemon.stop().code(), Some(3));
    assert_eq!(daemon.log(), "again\nready\nbye\n");
}

#[test]
fn a_killed_daemon_and_a_dropped_one_are_gone() {
    let daemon = script("exec sleep 600");
    daemon.kill();
    assert_eq!(daemon.wait_exit(Duration::ZERO).signal(), Some(9));
    let daemon = script("exec sleep 600");
    let proc = format!("/proc/{}", daemon.pid());
    assert!(fs::exists(&proc).unwrap());
    drop(daemon);
    assert!(!fs::exists(&proc).unwrap());
}

#[test]
fn a_wait_in_vain_names_what_was_awaited_and_shows_the_log() {
    let text = panic_of(|| until_within(Duration::from_millis(50), "three records", || false));
    assert!(text.contains("three records"), "{text}");
    let (daemon, start) = (script("echo oh dear >&2; exit 4"), Instant::now());
    let text = panic_of(|| daemon.until("three records", || false));
    assert!(["three records", "oh dear", "exit status: 4"].iter().all(|part| text.contains(part)), "{text}");
    assert!(start.elapsed() < Duration::from_secs(10), "it waited on a daemon that had ended");
    let mut looks = 0;
    assert_eq!(
        until_some("the third look", || (looks == 3).then_some(looks).or_else(|| {
            looks += 1;
            None
        })),
        3
    );
}
