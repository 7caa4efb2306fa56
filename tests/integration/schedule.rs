//! What is due and when: first run, slots and their keys, last runs, missed slots.

mod configured;
mod dispatch;

use crate::scene::{age, completed, earlier, jobs, source, the_job};
use crate::util::{Hermes, Reply, Site};

const TWO: &str = r#"{"data":[{"id":1,"title":"one"},{"id":2,"title":"two"}]}"#;

fn site() -> Site {
    let site = Site::new();
    site.on("/a", Reply::json(TWO));
    site
}

#[test]
fn a_source_that_never_ran_is_due_at_once() {
    let (hermes, site) = (Hermes::new(), site());
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "daily"));
    let daemon = hermes.start(&[]);
    daemon.until("its first run", || completed(&hermes, "a") == 1);
    assert_eq!((site.count("/a"), hermes.count("a")), (1, 2));
    let slot_to_start: f64 = hermes.query(
        "SELECT unixepoch(started_datetime, 'subsec') - unixepoch(scheduled_datetime, 'subsec') FROM fetchlogs",
    );
    assert!((0.0..120.0).contains(&slot_to_start), "{slot_to_start} s after its slot");
}

#[test]
fn a_source_that_was_just_fetched_is_not_due_before_its_next_slot() {
    let (hermes, site) = (Hermes::new(), site());
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    hermes.once().done();
    age(&hermes, "a", 58);
    hermes.once().done();
    assert_eq!((site.count("/a"), jobs(&hermes, "a").len()), (1, 1));
    // Its slot is a whole minute, so that up to one more has passed already.
    age(&hermes, "a", 2);
    hermes.once().done();
    assert_eq!((site.count("/a"), completed(&hermes, "a")), (2, 2));
}

#[test]
fn a_fetch_of_only_duplicates_counts_as_a_last_run() {
    let (hermes, site) = (Hermes::new(), site());
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    hermes.once().done();
    age(&hermes, "a", 120);
    for _ in 0..2 {
        hermes.once().done();
        age(&hermes, "a", 20);
    }
    hermes.once().done();
    assert_eq!((site.count("/a"), hermes.count("a")), (2, 2));
    let inserted: i64 = hermes.query("SELECT inserted FROM fetchlogs ORDER BY id DESC LIMIT 1");
    assert_eq!((inserted, completed(&hermes, "a")), (0, 2));
}

#[test]
fn rows_without_a_job_count_as_a_last_run() {
    let (hermes, site) = (Hermes::new(), site());
    let yaml = source("a", &site.url("/a"), "hourly");
    hermes.write_source("a.yaml", &format!("{yaml}status: paused\n"));
    hermes.once().done();
    hermes.exec(
        "INSERT INTO a (id, source_name, created_at, record_hash)
         VALUES (9, 'a', strftime('%Y-%m-%dT%H:%M:%fZ'), x'09')",
    );
    hermes.write_source("a.yaml", &yaml);
    hermes.once().done();
    assert_eq!((site.count("/a"), jobs(&hermes, "a").len()), (0, 0), "the row is fresh");
    hermes.exec(&format!("UPDATE a SET created_at = {}", earlier("created_at", "-61 minutes")));
    hermes.once().done();
    assert_eq!((site.count("/a"), hermes.count("a")), (1, 3), "the row is an hour old");
}

#[test]
fn the_key_of_a_job_is_its_slot_to_the_minute() {
    let (hermes, site) = (Hermes::new(), site());
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    hermes.once().done();
    let want: String = hermes.query(
        "SELECT strftime('%Y-%m-%d', scheduled_datetime) || '/a/a-'
                || strftime('%Y%m%d%H%M', scheduled_datetime) FROM fetchlogs",
    );
    let job = the_job(&hermes, "a");
    assert_eq!(job.key, want);
    assert!(job.slot.ends_with(":00.000Z"), "{job:?}");
}

#[test]
fn short_intervals_run_again_and_again_without_drift() {
    let (hermes, site) = (Hermes::new(), site());
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "interval:1s"));
    hermes.write_source("b.yaml", &source("b", &site.url("/a"), "interval:2s"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("four runs of each", || completed(&hermes, "a") >= 4 && completed(&hermes, "b") >= 4);
    daemon.stop();
    for (name, every) in [("a", 1), ("b", 2)] {
        // A busy machine may miss a slot; what it runs stays on the grid of the first.
        let off_grid: i64 = hermes.query(&format!(
            "SELECT count(*) FROM fetchlogs, (SELECT min(scheduled_datetime) AS first FROM fetchlogs
                                              WHERE source_name = '{name}')
             WHERE source_name = '{name}' AND (scheduled_datetime NOT LIKE '%.000Z'
                OR (unixepoch(scheduled_datetime) - unixepoch(first)) % {every} <> 0)"
        ));
        assert_eq!(off_grid, 0, "{:?}", jobs(&hermes, name));
        let odd_keys: i64 = hermes.query(&format!(
            "SELECT count(*) FROM fetchlogs WHERE source_name = '{name}' AND key <>
             strftime('%Y-%m-%d/{name}/{name}-%Y%m%d%H%M%S', scheduled_datetime)"
        ));
        assert_eq!(odd_keys, 0, "{:?}", jobs(&hermes, name));
    }
    let all = (jobs(&hermes, "a").len() + jobs(&hermes, "b").len()) as i64;
    assert!(site.count("/a") as i64 >= all - 2, "{} requests for {all} jobs", site.count("/a"));
    assert_eq!((hermes.count("a"), hermes.count("b")), (2, 2), "the same records, once each");
}

#[test]
fn missed_slots_are_one_run_for_the_latest_of_them() {
    let (hermes, site) = (Hermes::new(), site());
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    hermes.once().done();
    age(&hermes, "a", 5 * 60 + 10);
    hermes.once().done();
    hermes.once().done();
    assert_eq!((site.count("/a"), completed(&hermes, "a")), (2, 2));
    let hours: i64 = hermes.query(
        "SELECT (unixepoch(max(scheduled_datetime)) - unixepoch(min(scheduled_datetime))) / 3600 FROM fetchlogs",
    );
    assert_eq!(hours, 5);
    let last: String = hermes.query("SELECT substr(max(scheduled_datetime), 14) FROM fetchlogs");
    let first: String = hermes.query("SELECT substr(min(scheduled_datetime), 14) FROM fetchlogs");
    assert_eq!(last, first, "at the same minute of the hour");
}
