//! The daemon as a whole: one on a database, `--once`, a database that it does not know.

use super::{rows_of, site, source};
use crate::util::{Hermes, Reply, Site};

#[test]
fn a_second_daemon_on_one_database_is_refused_with_the_pid_of_the_first() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let daemon = hermes.start(&[]);
    daemon.until_logged("watching");
    let second = hermes.once();
    assert_eq!(second.code, Some(1), "{second}");
    assert!(second.stderr.contains(&format!("another hermes (pid {})", daemon.pid())), "{second}");
    // The first is none the worse for it.
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
}

#[test]
fn a_daemon_starts_where_the_one_before_was_killed() {
    let hermes = Hermes::new();
    let first = hermes.start(&[]);
    first.until_logged("watching");
    first.kill();
    hermes.once().done();
}

#[test]
fn a_database_of_a_newer_hermes_is_refused_and_left_as_it_is() {
    let hermes = Hermes::new();
    hermes.exec("PRAGMA user_version = 999; CREATE TABLE fetchlogs (a)");
    for output in [hermes.once(), hermes.command(&["list"]), hermes.command(&["pause", "a"])] {
        assert_eq!(output.code, Some(1), "{output}");
        assert!(output.stderr.contains("was written by a newer Hermes (schema 999"), "{output}");
    }
    assert_eq!(hermes.count("sqlite_master"), 1);
}

#[test]
fn once_runs_what_is_due_and_ends() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    assert_eq!((rows_of(&hermes, "a"), site.count("/a")), (2, 1));
    // Nothing is due any more.
    hermes.once().done();
    assert_eq!(site.count("/a"), 1);
}

#[test]
fn once_ends_with_1_where_a_run_failed() {
    let (hermes, site) = (Hermes::new(), site(&["/good"]));
    site.on("/bad", Reply::empty(500));
    hermes.write_source("bad.yaml", &source("bad", &site.url("/bad")));
    hermes.write_source("good.yaml", &source("good", &site.url("/good")));
    let output = hermes.once();
    assert_eq!(output.code, Some(1), "{output}");
    assert_eq!((site.count("/bad"), rows_of(&hermes, "good")), (1, 2));
}

#[test]
fn once_runs_more_jobs_than_the_queue_holds() {
    let (hermes, site) = (Hermes::new(), Site::new());
    for number in 0..12 {
        site.on(&format!("/{number}"), super::records(1));
        let name = format!("s{number}");
        hermes.write_source(&format!("{name}.yaml"), &source(&name, &site.url(&format!("/{number}"))));
    }
    let output = hermes.command(&["--no-listen", "--once", "--queue", "2", "--batch-size", "3"]);
    output.done();
    assert_eq!((site.asked().len(), hermes.count("items")), (12, 12));
}

#[test]
fn the_folder_of_sources_is_made_where_it_is_not_there() {
    let hermes = Hermes::new();
    std::fs::remove_dir(hermes.sources()).unwrap();
    hermes.once().done();
    assert!(hermes.sources().is_dir());
}
