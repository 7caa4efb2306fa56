//! The ways in which editors save a file: however it is written, one change is one update.

use super::{rows_of, shown, site, source};
use crate::util::{Daemon, Hermes, Site};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::time::{Duration, Instant, SystemTime};

/// Less than what Hermes waits for a file to settle.
const QUICK: Duration = Duration::from_millis(100);

/// Of the source `a` in the log.
fn updates(daemon: &Daemon) -> usize {
    daemon.log().matches("source a updated").count()
}

fn started(hermes: &Hermes, site: &Site) -> Daemon {
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the first rows", || rows_of(hermes, "a") == 2);
    daemon
}

/// Saves until one save was quick enough for a busy machine not to matter, and returns its url.
fn save_quickly(hermes: &Hermes, daemon: &Daemon, save: impl Fn(&str)) {
    for attempt in 0..20 {
        let before = updates(daemon);
        let url = format!("http://127.0.0.1:9/{attempt}");
        let begun = Instant::now();
        save(&url);
        let was_quick = begun.elapsed() < QUICK;
        daemon.until("the last version", || definition(hermes).contains(&url));
        // Also after a slow one: what it led to is in the log before the next is counted.
        look_again(hermes, daemon, &format!("marker-{attempt}"));
        if was_quick {
            assert_eq!(updates(daemon), before + 1, "{}", daemon.log());
            return;
        }
    }
    panic!("the machine is too busy to save a file in {QUICK:?}");
}

fn definition(hermes: &Hermes) -> String {
    hermes.query("SELECT definition FROM source_definitions WHERE name = 'a'")
}

/// A paused source in another file: once it is known, the folder was looked at after all that came before.
fn after_another_look(hermes: &Hermes, daemon: &Daemon) {
    look_again(hermes, daemon, "marker");
}

fn look_again(hermes: &Hermes, daemon: &Daemon, marker: &str) {
    let text = source(marker, "http://127.0.0.1:9/") + "status: paused\n";
    hermes.write_source(&format!("{marker}.yaml"), &text);
    daemon.until_logged(&format!("source {marker} added"));
}

#[test]
fn a_file_written_in_several_chunks_is_one_update() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let daemon = started(&hermes, &site);
    save_quickly(&hermes, &daemon, |url| {
        let mut file = File::create(hermes.sources().join("a.yaml")).unwrap();
        for line in source("a", url).split_inclusive('\n') {
            file.write_all(line.as_bytes()).unwrap();
            file.flush().unwrap();
        }
    });
    assert!(!daemon.log().contains("WARN"), "{}", daemon.log());
    assert_eq!(rows_of(&hermes, "a"), 2);
}

#[test]
fn a_file_renamed_over_the_old_one_is_one_update() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let daemon = started(&hermes, &site);
    save_quickly(&hermes, &daemon, |url| {
        hermes.save_by_rename("a.yaml", &source("a", url));
    });
    assert_eq!(hermes.count("source_definitions"), 2);
}

#[test]
fn a_file_moved_away_and_written_anew_is_one_update() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let daemon = started(&hermes, &site);
    let path = hermes.sources().join("a.yaml");
    save_quickly(&hermes, &daemon, |url| {
        fs::rename(&path, path.with_extension("yaml~")).unwrap();
        fs::write(&path, source("a", url)).unwrap();
    });
    assert!(!daemon.log().contains("is gone"), "{}", daemon.log());
}

#[test]
fn many_quick_writes_are_one_update() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let daemon = started(&hermes, &site);
    save_quickly(&hermes, &daemon, |url| {
        for version in 1..=50 {
            hermes.write_source("a.yaml", &source("a", &format!("http://127.0.0.1:9/{version}")));
        }
        hermes.write_source("a.yaml", &source("a", url));
    });
}

#[test]
fn a_touch_changes_nothing() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let daemon = started(&hermes, &site);
    let before = hermes.rows("SELECT * FROM source_definitions");
    let file = OpenOptions::new().write(true).open(hermes.sources().join("a.yaml")).unwrap();
    file.set_modified(SystemTime::now()).unwrap();
    drop(file);
    after_another_look(&hermes, &daemon);
    assert_eq!(hermes.rows("SELECT * FROM source_definitions WHERE name = 'a'"), before);
    assert_eq!(updates(&daemon), 0, "{}", daemon.log());
    assert_eq!(site.asked_paths(), ["/a"]);
}

#[test]
fn a_change_of_comments_only_is_no_update() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let daemon = started(&hermes, &site);
    let text = format!("# why\n{}\n", source("a", &site.url("/a")));
    hermes.write_source("a.yaml", &text);
    after_another_look(&hermes, &daemon);
    assert_eq!(updates(&daemon), 0, "{}", daemon.log());
    assert_eq!(shown(&hermes, "a", "state"), "idle");
    assert_eq!(site.asked_paths(), ["/a"]);
}
