//! The time that a job fetches: first windows, the next ones, failures and outages in between, lookback
//! and offsets. `windows/text` what a request says of it, `windows/since` the newest value instead,
//! `windows/slots` which slots run, `windows/resume` runs that a rate window stopped, `windows/run` and
//! `windows/backfill` what a person asks for, `windows/gaps` what is missing.

mod backfill;
mod gaps;
mod resume;
mod run;
mod since;
mod slots;
mod text;

use crate::scene::{age, earlier, end_pause};
use crate::util::{Gate, Hermes, Reply, Site};

const ONE: &str = r#"{"data":[{"id":1,"title":"one"}]}"#;

/// A source `a` that says its window, with more of its document.
fn windowed(more: &str) -> String {
    format!(
        "name: a\nurl: http://SITE/a\ntable: a\nparams: {{ from: \"${{window.from}}\", to: \"${{window.to}}\" }}\n\
         response: {{ dataPath: data, fields: {{ id: id, title: title }} }}\nunique: [id]\n{more}"
    )
}

fn site() -> Site {
    let site = Site::new();
    site.on("/a", Reply::json(ONE));
    site
}

/// Known to the database, without a file in sources.d.
#[track_caller]
fn added(site: &Site, yaml: &str) -> Hermes {
    let hermes = Hermes::new();
    add(&hermes, site, yaml);
    hermes
}

#[track_caller]
fn add(hermes: &Hermes, site: &Site, yaml: &str) {
    let path = hermes.dir().join("added.yaml");
    std::fs::write(&path, yaml.replace("SITE", &site.authority())).unwrap();
    hermes.command(&["add", path.to_str().unwrap()]).done();
}

/// The windows that the site was asked for, in order.
fn asked(site: &Site) -> Vec<(String, String)> {
    let param = |asked: &crate::util::Asked, name: &str| asked.param(name).unwrap_or_default().to_owned();
    site.asked().iter().map(|asked| (param(asked, "from"), param(asked, "to"))).collect()
}

/// Two columns of text, times as a request says them.
#[track_caller]
fn pairs(hermes: &Hermes, sql: &str) -> Vec<(String, String)> {
    let db = hermes.db();
    let mut find = db.prepare(sql).unwrap();
    let plain = |text: String| text.replace(".000Z", "Z");
    let rows = find.query_map([], |row| Ok((plain(row.get(0)?), plain(row.get(1)?))));
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

/// The windows of the jobs of a deployment, in the order in which they were claimed.
#[track_caller]
fn windows(hermes: &Hermes, deployment: &str) -> Vec<(String, String)> {
    let of = format!("WHERE deployment = '{deployment}' ORDER BY id");
    pairs(hermes, &format!("SELECT window_from, window_to FROM fetchlogs {of}"))
}

#[track_caller]
fn covered(hermes: &Hermes) -> Vec<(String, String)> {
    pairs(hermes, "SELECT window_from, window_to FROM covered_windows ORDER BY 1")
}

/// As `age`, with the windows.
#[track_caller]
fn age_windows(hermes: &Hermes, minutes: u32) {
    age(hermes, "a", minutes);
    let earlier = |column: &str| earlier(column, &format!("-{minutes} minutes"));
    let (from, to) = (earlier("window_from"), earlier("window_to"));
    for table in ["fetchlogs", "covered_windows"] {
        hermes.exec(&format!(
            "UPDATE {table} SET window_from = {from}, window_to = {to} WHERE source_name = 'a'"
        ));
    }
}

/// In minutes.
#[track_caller]
fn length(hermes: &Hermes, window: &(String, String)) -> i64 {
    hermes.query(&format!("SELECT (unixepoch('{}') - unixepoch('{}')) / 60", window.1, window.0))
}

fn by_file(site: &Site, more: &str) -> Hermes {
    crate::util::hermes_with(site, &windowed(more))
}

#[test]
fn the_first_window_is_one_step_of_the_schedule_before_the_slot() {
    for (schedule, minutes) in [("hourly", 60), ("daily", 1_440), ("\"0 */6 * * *\"", 360)] {
        let site = site();
        let hermes = by_file(&site, &format!("schedule: {schedule}\n"));
        hermes.once().done();
        let windows = windows(&hermes, "a");
        assert_eq!((windows.len(), asked(&site)), (1, windows.clone()), "{schedule}");
        assert_eq!(length(&hermes, &windows[0]), minutes, "{schedule}");
        let slots = pairs(&hermes, "SELECT scheduled_datetime, window_to FROM fetchlogs");
        assert_eq!(slots[0].0, slots[0].1, "{schedule}: it ends at its slot");
        assert_eq!(covered(&hermes), windows, "{schedule}");
    }
}

#[test]
fn a_window_begins_where_the_last_completed_one_ended_whatever_failed_in_between() {
    let site = site();
    let hermes = by_file(&site, "schedule: hourly\n");
    hermes.once().done();
    age_windows(&hermes, 61);
    let end = windows(&hermes, "a")[0].1.clone();
    site.on("/a", Reply::empty(500));
    assert_eq!(hermes.once().code, Some(1));
    end_pause(&hermes, "a");
    assert_eq!(hermes.once().code, Some(1));
    site.on("/a", Reply::json(ONE));
    end_pause(&hermes, "a");
    hermes.once().done();
    let seen = asked(&site);
    assert_eq!(seen.len(), 4);
    assert_eq!(seen[1].0, end, "the failed one began there");
    assert!(seen[2] == seen[1] && seen[3] == seen[1], "a retry keeps its window: {seen:?}");
    age_windows(&hermes, 61);
    let end = windows(&hermes, "a")[1].1.clone();
    hermes.once().done();
    assert_eq!(asked(&site)[4].0, end);
    assert_eq!(covered(&hermes).len(), 1, "no gap");
}

#[test]
fn an_outage_is_one_run_whose_window_reaches_back() {
    let site = site();
    let hermes = by_file(&site, "schedule: hourly\n");
    hermes.once().done();
    age_windows(&hermes, 5 * 60 + 10);
    hermes.once().done();
    let windows = windows(&hermes, "a");
    assert_eq!((site.count("/a"), windows.len()), (2, 2));
    assert_eq!(windows[1].0, windows[0].1);
    assert_eq!(length(&hermes, &windows[1]), 5 * 60);
    assert_eq!(asked(&site)[1], windows[1]);
    assert_eq!(covered(&hermes), [(windows[0].0.clone(), windows[1].1.clone())]);
}

#[test]
fn lookback_widens_what_is_asked_and_not_what_is_covered() {
    let site = site();
    let hermes = by_file(&site, "schedule: hourly\nlookback: 2h\n");
    for run in 0..2 {
        hermes.once().done();
        let windows = windows(&hermes, "a");
        assert_eq!(length(&hermes, &windows[run]), 60, "what counts is the window");
        assert_eq!(length(&hermes, &asked(&site)[run]), 3 * 60);
        assert_eq!(asked(&site)[run].1, windows[run].1);
        assert_eq!(length(&hermes, &covered(&hermes)[0]), 60 * (run as i64 + 1));
        age_windows(&hermes, 61);
    }
}

#[test]
fn deployments_with_different_offsets_tile_each_on_its_own() {
    let site = site();
    let hermes = by_file(&site, "");
    hermes.write_source(
        "deployments.yaml",
        "kind: deployment\nname: early\nschedule: hourly\nsources: [a]\n---\n\
         kind: deployment\nname: late\nschedule: hourly\ntemporalOffset: 24\nsources: [a]\n",
    );
    for _ in 0..3 {
        hermes.once().done();
        age_windows(&hermes, 61);
    }
    assert_eq!(site.count("/a"), 6);
    for (deployment, offset) in [("early", 0), ("late", 24 * 60)] {
        let windows = windows(&hermes, deployment);
        assert_eq!(windows.len(), 3, "{deployment}");
        assert!(windows.iter().all(|window| length(&hermes, window) == 60), "{deployment}: {windows:?}");
        assert!(windows.is_sorted_by(|a, b| a.1 == b.0), "{deployment}: {windows:?}");
        let of = format!("WHERE deployment = '{deployment}' ORDER BY id");
        for (to, slot) in pairs(&hermes, &format!("SELECT window_to, scheduled_datetime FROM fetchlogs {of}"))
        {
            assert_eq!(length(&hermes, &(to, slot)), offset, "{deployment}");
        }
    }
}

#[test]
fn two_deployments_of_a_source_never_run_at_the_same_time() {
    let (site, gate) = (site(), Gate::new());
    site.on("/a", Reply::gated(&gate, Reply::json(ONE)));
    site.on("/b", Reply::json(ONE));
    let hermes = by_file(&site, "");
    hermes.write_source(
        "deployments.yaml",
        "kind: deployment\nname: early\nschedule: hourly\nsources: [a]\n---\n\
         kind: deployment\nname: late\nschedule: hourly\ntemporalOffset: 24\nsources: [a]\n",
    );
    let daemon = hermes.start(&["--workers", "4"]);
    daemon.until("the first one", || gate.waiting() == 1);
    // Later than the first in every respect: the scheduler has looked at both by then.
    hermes.write_source("b.yaml", &crate::scene::source("b", &site.url("/b"), "hourly"));
    daemon.until("another source", || crate::scene::completed(&hermes, "b") == 1);
    assert_eq!((site.count("/a"), gate.waiting()), (1, 1));
    gate.open();
    daemon.until("both", || crate::scene::completed(&hermes, "a") == 2);
    assert_eq!(site.count("/a"), 2);
}

#[test]
fn reset_keeps_windows_tiling() {
    let site = site();
    let hermes = by_file(&site, "schedule: hourly\n");
    hermes.once().done();
    age_windows(&hermes, 61);
    site.on("/a", Reply::empty(500));
    assert_eq!(hermes.once().code, Some(1));
    site.on("/a", Reply::json(ONE));
    hermes.command(&["reset", "a"]).done();
    hermes.once().done();
    let seen = asked(&site);
    assert_eq!(seen[1].0, seen[2].0, "from where the last completed one ended");
    assert!(seen[2].1 > seen[1].1, "to now: {seen:?}");
    assert_eq!(covered(&hermes).len(), 1);
    age_windows(&hermes, 61);
    let end = pairs(&hermes, "SELECT window_to, window_to FROM fetchlogs ORDER BY id DESC LIMIT 1");
    hermes.once().done();
    assert_eq!(asked(&site)[3].0, end[0].0);
    assert_eq!(covered(&hermes).len(), 1);
}
