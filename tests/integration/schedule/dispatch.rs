//! Who goes first, how many at once, and that nobody runs twice.

use crate::scene::{age, completed, jobs, once_with, reload, source, the_job};
use crate::util::{Gate, Hermes, Reply, Site, until};

/// Of how many minutes ago the due slot of each source is; two pairs share theirs.
const AGES: [u32; 20] = [31, 7, 55, 12, 40, 7, 3, 56, 22, 19, 44, 2, 36, 15, 50, 28, 9, 40, 47, 33];

#[test]
fn with_a_full_ring_everybody_runs_once_oldest_slot_first_then_by_name() {
    let (hermes, site) = (Hermes::new(), Site::new());
    let names: Vec<String> = (0..AGES.len()).map(|n| format!("s{n:02}")).collect();
    let path = |name: &str| format!("/{name}");
    for name in &names {
        site.on(&path(name), Reply::json(r#"{"data":[]}"#));
    }
    let documents: Vec<String> =
        names.iter().map(|name| source(name, &site.url(&path(name)), "hourly")).collect();
    hermes.write_source("all.yaml", &documents.join("---\n"));
    once_with(&hermes, &[]).done();
    // All in one minute, so that nothing but the ages below tells them apart.
    hermes.exec("UPDATE fetchlogs SET scheduled_datetime = (SELECT max(scheduled_datetime) FROM fetchlogs)");
    for (name, minutes) in names.iter().zip(AGES) {
        age(&hermes, name, 60 + minutes);
    }
    let before = site.asked().len();
    once_with(&hermes, &["--queue", "5", "--workers", "1"]).done();

    let mut want: Vec<(u32, String)> =
        AGES.iter().zip(&names).map(|(minutes, name)| (60 - minutes, path(name))).collect();
    want.sort();
    let want: Vec<String> = want.into_iter().map(|(_, path)| path).collect();
    assert_eq!(site.asked_paths()[before..], want);
    assert!(names.iter().all(|name| completed(&hermes, name) == 2));
}

#[test]
fn a_tick_claims_at_most_a_batch_and_the_next_tick_goes_on() {
    let largest = "SELECT max(n) FROM (SELECT count(*) AS n FROM fetchlogs GROUP BY queued_datetime)";
    for (options, want) in [(&["--batch-size", "2"][..], 2), (&[][..], 6)] {
        let (hermes, site) = (Hermes::new(), Site::new());
        site.on("/a", Reply::json(r#"{"data":[]}"#));
        let documents: Vec<String> =
            (0..6).map(|n| source(&format!("s{n}"), &site.url("/a"), "hourly")).collect();
        hermes.write_source("all.yaml", &documents.join("---\n"));
        once_with(&hermes, options).done();
        assert_eq!((site.count("/a"), hermes.query::<i64>(largest)), (6, want), "{options:?}");
    }
}

#[test]
fn a_source_never_runs_twice_at_a_time_however_short_its_interval() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, Reply::json(r#"{"data":[]}"#)));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "interval:1s"));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    let since_slot = "SELECT unixepoch() - unixepoch(scheduled_datetime) FROM fetchlogs ORDER BY id LIMIT 1";
    daemon.until("three more slots to pass", || {
        gate.waiting() > 0 && hermes.try_query::<i64>(since_slot).is_some_and(|seconds| seconds > 3)
    });
    assert_eq!((gate.waiting(), site.count("/a"), jobs(&hermes, "a").len()), (1, 1, 1));
    gate.open();
    daemon.until("its next run", || completed(&hermes, "a") >= 2);
    daemon.stop();
    let gap: i64 = hermes.query(
        "SELECT unixepoch(b.scheduled_datetime) - unixepoch(a.scheduled_datetime)
         FROM fetchlogs AS a JOIN fetchlogs AS b ON b.id = a.id + 1 ORDER BY a.id LIMIT 1",
    );
    assert!(gap >= 3, "the slots in between are one run, not {gap} s apart");
}

/// Claims the slot that is due, as another process would.
fn claim_by_hand(hermes: &Hermes, status: &str, deployment: &str) {
    hermes.exec(&format!(
        "INSERT INTO fetchlogs (key, source_name, deployment, handler, status, scheduled_datetime,
                                queued_datetime)
         SELECT strftime('%Y-%m-%d/a/a-%Y%m%d%H%M', scheduled_datetime, '+1 hour'), 'a', '{deployment}',
                'default', '{status}', strftime('%Y-%m-%dT%H:%M:%fZ', scheduled_datetime, '+1 hour'),
                strftime('%Y-%m-%dT%H:%M:%fZ')
         FROM fetchlogs WHERE source_name = 'a'"
    ));
}

fn ran_an_hour_ago() -> (Hermes, Site) {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[]}"#));
    hermes.write_source("a.yaml", &source("a", &site.url("/a"), "hourly"));
    hermes.once().done();
    age(&hermes, "a", 61);
    (hermes, site)
}

#[test]
fn a_job_that_someone_else_has_queued_is_run_once_and_not_claimed_again() {
    let (hermes, site) = ran_an_hour_ago();
    claim_by_hand(&hermes, "queued", "a");
    hermes.once().done();
    hermes.once().done();
    assert_eq!((site.count("/a"), completed(&hermes, "a"), jobs(&hermes, "a").len()), (2, 2, 2));
}

#[test]
fn a_slot_that_someone_else_has_done_is_done() {
    let (hermes, site) = ran_an_hour_ago();
    claim_by_hand(&hermes, "completed", "a");
    hermes.once().done();
    assert_eq!((site.count("/a"), jobs(&hermes, "a").len()), (1, 2));
}

#[test]
fn a_key_that_is_taken_is_left_alone_and_nothing_spins() {
    let (hermes, site) = ran_an_hour_ago();
    claim_by_hand(&hermes, "completed", "someone-else");
    site.on("/b", Reply::json(r#"{"data":[]}"#));
    hermes.write_source("b.yaml", &source("b", &site.url("/b"), "interval:1s"));
    let daemon = hermes.start(&[]);
    let runs = |count: usize| completed(&hermes, "b") >= count;
    daemon.until("the others to run", || runs(1));
    let before = daemon.context_switches();
    daemon.until("three seconds of others' runs", || runs(4));
    let switches = daemon.context_switches() - before;
    assert!(switches < 120, "{switches} context switches for three runs");
    assert_eq!((site.count("/a"), jobs(&hermes, "a").len()), (1, 2));
}

#[test]
fn a_failed_job_whose_failures_were_forgotten_by_sql_runs_again() {
    let (hermes, site) = ran_an_hour_ago();
    site.on_each("/a", vec![Reply::empty(500), Reply::json(r#"{"data":[]}"#)]);
    assert_eq!(hermes.once().code, Some(1));
    hermes.exec("DELETE FROM retries");
    hermes.once().done();
    let all = jobs(&hermes, "a");
    assert_eq!((all.len(), all[1].status.as_str(), all[1].attempt), (2, "completed", 2), "{all:?}");
    assert_eq!(site.count("/a"), 3);
}

#[test]
fn a_running_job_of_another_process_keeps_the_source_from_being_claimed() {
    let (hermes, site) = ran_an_hour_ago();
    hermes.write_source("b.yaml", &source("b", &site.url("/b"), "interval:1s"));
    site.on("/b", Reply::json(r#"{"data":[]}"#));
    hermes.exec("UPDATE source_definitions SET status = 'paused' WHERE name = 'a'");
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("its start", || completed(&hermes, "b") >= 1);
    claim_by_hand(&hermes, "running", "a");
    hermes.exec("UPDATE source_definitions SET status = 'active' WHERE name = 'a'");
    let runs = completed(&hermes, "b");
    daemon.until("two more ticks", || completed(&hermes, "b") >= runs + 2);
    assert_eq!(site.count("/a"), 1, "it runs elsewhere");
    hermes.exec("UPDATE fetchlogs SET status = 'completed' WHERE status = 'running' AND source_name = 'a'");
    reload(&hermes);
    let runs = completed(&hermes, "b");
    daemon.until("two more ticks", || completed(&hermes, "b") >= runs + 2);
    assert_eq!((site.count("/a"), jobs(&hermes, "a").len()), (1, 2), "it is done elsewhere");
}

#[test]
fn a_job_left_in_the_queue_runs_after_the_start() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[]}"#));
    let yaml = source("a", &site.url("/a"), "hourly");
    hermes.write_source("a.yaml", &format!("{yaml}status: paused\n"));
    hermes.once().done();
    hermes.exec(
        "INSERT INTO fetchlogs (key, source_name, deployment, handler, scheduled_datetime, queued_datetime)
         VALUES ('2020-01-01/a/a-202001010000', 'a', 'a', 'default', '2020-01-01T00:00:00.000Z',
                 '2020-01-01T00:00:00.000Z')",
    );
    hermes.once().done();
    assert_eq!(site.count("/a"), 0, "a paused source's job waits");
    hermes.command(&["resume", "a"]).done();
    let daemon = hermes.start(&[]);
    until("the old job, then the slot of now", || completed(&hermes, "a") == 2);
    daemon.stop();
    let all = jobs(&hermes, "a");
    assert_eq!((all[0].attempt, all[0].slot.as_str()), (1, "2020-01-01T00:00:00.000Z"), "{all:?}");
    assert_eq!(site.count("/a"), 2);
}

#[test]
fn an_update_during_a_run_reaches_the_next_run_and_not_this_one() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    let held = gate.clone();
    site.on_fn("/old", move |asked| match asked.param("page") {
        None => Reply::json(r#"{"data":[{"id":1,"title":"one"}],"next_page":2}"#),
        Some(_) => Reply::gated(&held, Reply::json(r#"{"data":[{"id":2,"title":"two"}]}"#)),
    });
    site.on("/new", Reply::json(r#"{"data":[{"id":3,"title":"three","more":"m"}]}"#));
    hermes.write_source("a.yaml", &crate::scene::paged("a", &site.url("/old"), "daily"));
    let daemon = hermes.start(&[]);
    daemon.until("the second page", || gate.waiting() == 1);
    let new = source("a", &site.url("/new"), "daily").replace("title: title", "title: title, more: more");
    hermes.save_by_rename("a.yaml", &new);
    daemon.until_logged("source a updated");
    gate.open();
    daemon.until("the end of the run", || completed(&hermes, "a") == 1);
    assert_eq!((site.count("/old"), site.count("/new"), hermes.count("a")), (2, 0, 2));
    assert_eq!(the_job(&hermes, "a").attempt, 1);
    hermes.command(&["reset", "a"]).done();
    daemon.until("the next run", || completed(&hermes, "a") == 2);
    assert_eq!((site.count("/old"), site.count("/new")), (2, 1));
    assert_eq!(hermes.query::<String>("SELECT more FROM a WHERE id = 3"), "m");
}
