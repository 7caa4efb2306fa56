//! Schedules by the calendar. The slots themselves are tables of unit tests; here is what a user sees
//! of them.

use crate::util::{Hermes, Reply, Site};
use serde_json::json;

fn source(site: &Site, lines: &str) -> String {
    let url = site.url("/a");
    format!("name: air\nurl: {url}\ntable: air\nresponse: {{ fields: {{ id: id }} }}\n{lines}\n")
}

fn site() -> Site {
    let site = Site::new();
    site.on("/a", Reply::json(r#"[{"id":1}]"#));
    site
}

/// Key, deployment and slot of each.
fn jobs(hermes: &Hermes) -> Vec<(String, String, String)> {
    let rows = hermes.rows("SELECT key, deployment, scheduled_datetime FROM fetchlogs ORDER BY id");
    let text = |value: &rusqlite::types::Value| match value {
        rusqlite::types::Value::Text(text) => text.clone(),
        other => panic!("no text: {other:?}"),
    };
    rows.iter().map(|row| (text(&row[0]), text(&row[1]), text(&row[2]))).collect()
}

#[test]
fn a_preview_shows_slots_in_utc_and_by_the_clocks_of_the_zone() {
    let hermes = Hermes::new();
    let args =
        ["preview", "30 2 * * *", "--timezone", "Europe/Berlin", "--from", "2026-03-28", "--count", "3"];
    assert_eq!(
        hermes.plain(&args).done(),
        "2026-03-28T01:30:00.000Z  2026-03-28T02:30:00+01:00\n\
         2026-03-29T01:00:00.000Z  2026-03-29T03:00:00+02:00\n\
         2026-03-30T00:30:00.000Z  2026-03-30T02:30:00+02:00\n"
    );
    let json = hermes.plain(&[&args[..], &["--json"]].concat()).json();
    let want = ["2026-03-28T01:30:00.000Z", "2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"];
    assert_eq!(json, json!(want));
    let utc = ["preview", "0 0 29 2 *", "--from", "2026-01-01T00:00:00Z", "--count", "1"];
    assert_eq!(hermes.plain(&utc).done(), "2028-02-29T00:00:00.000Z\n");
    assert!(!hermes.db_path().exists(), "a preview needs no database");
}

#[test]
fn a_preview_takes_any_schedule_and_begins_now() {
    let hermes = Hermes::new();
    let hourly = ["preview", "hourly", "--from", "2026-01-01T10:07:42Z", "--count", "2"];
    assert_eq!(hermes.plain(&hourly).done(), "2026-01-01T11:07:00.000Z\n2026-01-01T12:07:00.000Z\n");
    let ten = hermes.plain(&["preview", "* * * * *", "--json"]).json();
    assert_eq!(ten.as_array().unwrap().len(), 10);
    let before = a_minute_ago();
    assert!(ten[0].as_str().unwrap() > before.as_str(), "{ten} after {before}");
}

fn a_minute_ago() -> String {
    let db = rusqlite::Connection::open_in_memory().unwrap();
    db.query_row("SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 minute')", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_preview_of_what_is_wrong_says_so() {
    let hermes = Hermes::new();
    for (args, want) in [
        (&["0 0 31 2 *"][..], "never fires"),
        (&["@hourly"], "is no schedule"),
        (&["0 * * * * *"], "6 fields"),
        (&[""], "is no schedule"),
        (&["daily", "--timezone", "Mars"], "--timezone: `Mars` is no time zone"),
        (&["daily", "--from", "soon"], "--from: `soon` is no time"),
        (&["daily", "--count", "0"], "--count: 0 is not between 1 and 1000"),
    ] {
        let output = hermes.plain(&[&["preview"], args].concat());
        assert_eq!(output.code, Some(2), "{output}");
        assert!(output.stderr.contains(want) && output.stdout.is_empty(), "{output}");
    }
}

#[test]
fn a_source_that_never_ran_is_due_at_once_with_the_latest_slot_in_its_key() {
    let (hermes, site) = (Hermes::new(), site());
    // Half past midnight there is half past ten of the day before in UTC.
    hermes.write_source("air.yaml", &source(&site, "schedule: 30 0 1 1 *\ntimezone: Pacific/Kiritimati"));
    hermes.once().done();
    let latest = latest_new_year_in_kiritimati();
    let (key, deployment, slot) = jobs(&hermes).pop().expect("a job");
    assert_eq!((deployment.as_str(), slot), ("air", format!("{latest}-12-31T10:30:00.000Z")));
    assert_eq!(key, format!("{latest}-12-31/air/air-{latest}12311030"));
    assert_eq!((site.count("/a"), hermes.count("air")), (1, 1));
    hermes.once().done();
    assert_eq!(site.count("/a"), 1, "the slot is done");
    let status = hermes.command(&["status", "air", "--json"]).json();
    assert_eq!((&status["state"], &status["schedule"]), (&json!("idle"), &json!("30 0 1 1 *")));
    assert_eq!(status["next_run_at"], json!(format!("{}-12-31T10:30:00.000Z", latest + 1)));
}

/// The year, in UTC, in which the latest one began.
fn latest_new_year_in_kiritimati() -> i64 {
    let db = rusqlite::Connection::open_in_memory().unwrap();
    let year = "SELECT strftime('%Y', 'now', '+14 hours', '-30 minutes') - 1";
    db.query_row(year, [], |row| row.get(0)).unwrap()
}

#[test]
fn missed_slots_are_one_run_for_the_latest() {
    let (hermes, site) = (Hermes::new(), site());
    hermes.write_source("air.yaml", &source(&site, "schedule: \"0 0 1 * *\""));
    hermes.once().done();
    hermes.exec("UPDATE fetchlogs SET scheduled_datetime = '2020-01-01T00:00:00.000Z', key = 'long ago'");
    hermes.once().done();
    hermes.once().done();
    assert_eq!((site.count("/a"), jobs(&hermes).len()), (2, 2));
    let this_month: String = hermes.query("SELECT strftime('%Y-%m-01T00:00:00.000Z')");
    assert_eq!(jobs(&hermes)[1].2, this_month);
}

#[test]
fn the_zone_of_a_deployment_is_stored_and_used() {
    let (hermes, site) = (Hermes::new(), site());
    let deployment = "---\nkind: deployment\nname: yearly\nschedule: 30 0 1 1 *\ntimezone: pacific/kiritimati\nsources: [air]";
    hermes.write_source("air.yaml", &source(&site, deployment));
    hermes.once().done();
    assert_eq!(hermes.query::<String>("SELECT timezone FROM deployments"), "Pacific/Kiritimati");
    let latest = latest_new_year_in_kiritimati();
    assert_eq!(jobs(&hermes)[0].0, format!("{latest}-12-31/yearly/yearly-{latest}12311030"));
    hermes
        .write_source("air.yaml", &source(&site, &deployment.replace("timezone: pacific/kiritimati\n", "")));
    hermes.once().done();
    assert_eq!(hermes.query::<String>("SELECT timezone FROM deployments"), "UTC");
}

#[test]
fn a_deployment_from_sql_has_a_zone_and_a_bad_one_stops_no_other() {
    let (hermes, site) = (Hermes::new(), site());
    hermes.write_source("air.yaml", &source(&site, "status: paused"));
    hermes.once().done();
    hermes.exec(
        "INSERT INTO deployments (name, schedule, timezone) VALUES
            ('good', '30 0 1 1 *', 'Pacific/Kiritimati'), ('mars', '0 0 * * *', 'Mars'), ('six', '0 * * * * *', 'UTC');
         INSERT INTO deployment_sources SELECT name, 'air' FROM deployments;
         UPDATE source_definitions SET status = 'active'",
    );
    hermes.once().done();
    let latest = latest_new_year_in_kiritimati();
    let keys: Vec<String> = jobs(&hermes).into_iter().map(|(key, ..)| key).collect();
    assert_eq!(keys, [format!("{latest}-12-31/good/good-{latest}12311030")]);
    let error =
        |name| hermes.try_query::<String>(&format!("SELECT error FROM deployments WHERE name = '{name}'"));
    assert!(error("mars").unwrap().contains("`Mars` is no time zone"));
    assert!(error("six").unwrap().contains("6 fields"));
    assert_eq!(error("good"), None);
}

#[test]
fn a_renamed_deployment_goes_on_with_its_prefix() {
    let (hermes, site) = (Hermes::new(), Site::new());
    // No row tells that it ran.
    site.on("/a", Reply::json("[]"));
    hermes.write_source(
        "air.yaml",
        &source(&site, "---\nkind: deployment\nname: one\nprefix: p\nschedule: 0 0 1 1 *\nsources: [air]"),
    );
    hermes.once().done();
    hermes.exec("UPDATE deployments SET name = 'two'");
    hermes.once().done();
    assert_eq!(site.count("/a"), 1, "its slot is done, under whatever name");
    assert_eq!(hermes.query::<String>("SELECT deployment FROM deployment_sources"), "two");
    assert_eq!(hermes.command(&["status", "air", "--json"]).json()["state"], json!("idle"));
}
