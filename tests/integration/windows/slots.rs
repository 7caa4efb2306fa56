//! `catchUp: each` and `startup: wait`, of sources and deployments, in documents and by SQL.

use super::{age_windows, by_file, length, pairs, site, windows};
use crate::scene::{completed, earlier, jobs};
use crate::util::{Hermes, Site};

const DEPLOYMENT: &str = "kind: deployment\nname: d\nsources: [a]\n";

/// A source with these keys, a deployment with them, and a row with the columns for them.
fn three_ways(schedule: &str, key: &str, column: &str) -> Vec<(&'static str, &'static str, Site, Hermes)> {
    let sites = [site(), site(), site()];
    let of_source = by_file(&sites[0], &format!("schedule: {schedule}\n{key}\n"));
    let by_document = by_file(&sites[1], "");
    by_document.write_source("d.yaml", &format!("{DEPLOYMENT}schedule: {schedule}\n{key}\n"));
    let by_sql = by_file(&sites[2], "");
    by_sql.write_source(
        "off.yaml",
        "kind: deployment\nname: off\nschedule: daily\nsources: [a]\nactive: false\n",
    );
    by_sql.once().done();
    let (name, value) = column.split_once('=').unwrap();
    let bare = schedule.trim_matches('"');
    by_sql.exec(&format!(
        "INSERT INTO deployments (name, schedule, {name}) VALUES ('d', '{bare}', '{value}');
         INSERT INTO deployment_sources VALUES ('d', 'a');"
    ));
    let [first, second, third] = sites;
    vec![
        ("a source", "a", first, of_source),
        ("a deployment", "d", second, by_document),
        ("SQL", "d", third, by_sql),
    ]
}

#[test]
fn missed_slots_run_one_by_one_with_their_own_keys_and_windows() {
    for (why, deployment, site, hermes) in three_ways("hourly", "catchUp: each", "catch_up=each") {
        hermes.once().done();
        age_windows(&hermes, 3 * 60 + 5);
        hermes.once().done();
        assert_eq!(site.count("/a"), 4, "{why}");
        let windows = windows(&hermes, deployment);
        assert!(windows.iter().all(|window| length(&hermes, window) == 60), "{why}: {windows:?}");
        assert!(windows.is_sorted_by(|a, b| a.1 == b.0), "{why}: {windows:?}");
        let keys = "SELECT key, strftime('%Y-%m-%d/', scheduled_datetime) || deployment || '/' || deployment
                    || strftime('-%Y%m%d%H%M', scheduled_datetime) FROM fetchlogs ORDER BY id LIMIT 3 OFFSET 1";
        assert!(
            pairs(&hermes, keys).iter().all(|(key, want)| key == want),
            "{why}: {:?}",
            jobs(&hermes, "a")
        );
        let distinct: i64 = hermes.query("SELECT count(DISTINCT scheduled_datetime) FROM fetchlogs");
        assert_eq!((distinct, completed(&hermes, "a")), (4, 4), "{why}");
    }
}

#[test]
fn so_many_missed_slots_that_they_would_take_for_ever_are_one() {
    let site = site();
    let hermes = by_file(&site, "schedule: interval:1m\ncatchUp: each\n");
    hermes.once().done();
    age_windows(&hermes, 150);
    hermes.once().done();
    // A minute may have passed meanwhile, which is a slot of its own.
    assert!((2..=3).contains(&site.count("/a")), "{}", site.count("/a"));
    let windows = windows(&hermes, "a");
    assert!((150..=152).contains(&length(&hermes, &windows[1])), "{windows:?}");
}

#[test]
fn the_latest_slot_runs_for_all_where_nothing_is_said() {
    for (why, deployment, site, hermes) in three_ways("hourly", "catchUp: latest", "catch_up=latest") {
        hermes.once().done();
        age_windows(&hermes, 3 * 60 + 5);
        hermes.once().done();
        assert_eq!((site.count("/a"), windows(&hermes, deployment).len()), (2, 2), "{why}");
    }
}

#[test]
fn a_first_run_that_waits_is_at_the_first_slot_to_come() {
    for (why, _, site, hermes) in three_ways("interval:2s", "startup: wait", "startup=wait") {
        let daemon = hermes.start(&["--max-sleep", "1s"]);
        daemon.until(&format!("{why}: two runs"), || completed(&hermes, "a") >= 2);
        let known = if why == "a source" { "source_definitions" } else { "deployments" };
        let name = if why == "a source" { "a" } else { "d" };
        let after: i64 = hermes.query(&format!(
            "SELECT min(unixepoch(scheduled_datetime)) - (SELECT unixepoch(created_at) FROM {known} WHERE name = '{name}')
             FROM fetchlogs"
        ));
        assert!(after >= 2 && after % 2 == 0, "{why}: the first slot {after} s after it was known");
        let early: i64 =
            hermes.query("SELECT count(*) FROM fetchlogs WHERE started_datetime < scheduled_datetime");
        assert_eq!(early, 0, "{why}");
        assert!(site.count("/a") >= 2, "{why}");
    }
}

#[test]
fn a_first_run_of_cron_may_wait_too() {
    for (why, deployment, site, hermes) in three_ways("\"0 0 1 1 *\"", "startup: wait", "startup=wait") {
        hermes.once().done();
        hermes.once().done();
        assert_eq!((site.count("/a"), jobs(&hermes, "a").len()), (0, 0), "{why}: next year");
        // Known for two years, its slot has come.
        for table in ["source_definitions", "deployments"] {
            hermes.exec(&format!("UPDATE {table} SET created_at = {}", earlier("created_at", "-2 years")));
        }
        hermes.once().done();
        assert_eq!(site.count("/a"), 1, "{why}");
        let window = &windows(&hermes, deployment)[0];
        assert!(
            window.0.ends_with("-01-01T00:00:00Z") && window.1.ends_with("-01-01T00:00:00Z"),
            "{why}: {window:?}"
        );
    }
}

#[test]
fn words_that_are_not_known_are_problems() {
    let hermes = Hermes::new();
    let yaml = super::windowed("schedule: hourly\ncatchUp: all\nstartup: later\n");
    let path = hermes.write_source("a.yaml", &yaml.replace("SITE", "127.0.0.1:9"));
    let output = hermes.plain(&["check", path.to_str().unwrap()]);
    assert_eq!(output.code, Some(2), "{output}");
    assert!(output.stdout.contains("a.yaml:8:10: catchUp: `catchUp` is one of latest, each"), "{output}");
    assert!(output.stdout.contains("a.yaml:9:10: startup: `startup` is one of now, wait"), "{output}");
}
