//! Ends that nobody planned: killed in the middle of pages. Nothing twice, nothing by half.

mod database;
mod stop;

use crate::scene::{completed, end_pause, reload, retry, the_job};
use crate::util::{Asked, Gate, Hermes, Reply, Site};

const PAGES: u64 = 60;
/// Storing them takes most of the time, so that most kills strike in the middle of a page.
const PER_PAGE: u64 = 400;

/// From here on a page comes only once the gate is open, so that no run completes before its time.
const HELD_FROM: u64 = 45;

const KILLS: i64 = 12;

fn page_of(asked: &Asked) -> u64 {
    asked.param("page").map_or(1, |page| page.parse().unwrap())
}

fn reply(asked: &Asked, gate: &Gate) -> Reply {
    let page = page_of(asked);
    let records: Vec<String> = (1..=PER_PAGE)
        .map(|n| format!(r#"{{"id":{},"page":{page},"text":"{}"}}"#, page * 1_000 + n, "x".repeat(100)))
        .collect();
    let next = if page < PAGES { (page + 1).to_string() } else { "null".to_owned() };
    let whole = Reply::json(format!(r#"{{"data":[{}],"next_page":{next}}}"#, records.join(",")));
    if page < HELD_FROM { whole } else { Reply::gated(gate, whole) }
}

fn many_pages(hermes: &Hermes) -> (Site, Gate) {
    let (site, gate) = (Site::new(), Gate::new());
    let held = gate.clone();
    site.on_fn("/a", move |asked| reply(asked, &held));
    hermes.write_source(
        "a.yaml",
        &format!(
            "name: a\nurl: {}\ntable: a\nschedule: daily\nunique: [id]\n\
             execution: {{ maxRetries: 50, retryResetPeriod: 30d }}\n\
             response: {{ dataPath: data, fields: {{ id: id, page: page, text: text }} }}\n\
             pagination: {{ cursor: {{ param: page, nextCursorPath: next_page }} }}\n",
            site.url("/a")
        ),
    );
    (site, gate)
}

#[track_caller]
fn assert_whole_pages_and_nothing_twice(hermes: &Hermes) {
    let partial =
        format!("SELECT count(*) FROM (SELECT 1 FROM a GROUP BY page HAVING count(*) <> {PER_PAGE})");
    assert_eq!(hermes.try_query::<i64>(&partial).unwrap_or(0), 0, "pages that are stored in part");
    let twice = "SELECT count(*) - count(DISTINCT id) FROM a";
    assert_eq!(hermes.try_query::<i64>(twice).unwrap_or(0), 0, "rows that are there twice");
    assert_eq!(hermes.query::<String>("PRAGMA integrity_check"), "ok");
}

#[test]
fn killed_again_and_again_it_ends_with_every_row_once() {
    let hermes = Hermes::new();
    let (site, gate) = many_pages(&hermes);
    // Where to strike, in requests since the start of the run; each a different part of the way.
    let strikes = (0..KILLS).map(|n| (n as usize * 29 + 3) % 41 + 1);
    for (kills, strike) in (0..KILLS).zip(strikes) {
        let daemon = hermes.start(&["--max-sleep", "1s"]);
        if kills > 0 {
            daemon.until("the interruption to be counted", || {
                retry(&hermes, "a", "retry_count") == Some(kills)
            });
            let job = the_job(&hermes, "a");
            assert_eq!((job.status.as_str(), job.attempt), ("interrupted", kills));
            assert!(job.message.is_some_and(|message| message.contains("interrupted")));
            end_pause(&hermes, "a");
            reload(&hermes);
        }
        let before = if kills > 0 { site.count("/a") } else { 0 };
        daemon.until("the page to be killed at", || site.count("/a") >= before + strike);
        daemon.kill();
        assert_whole_pages_and_nothing_twice(&hermes);
        let job = the_job(&hermes, "a");
        assert_eq!((job.status.as_str(), job.attempt), ("running", kills + 1));
    }
    gate.open();
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("the last interruption", || retry(&hermes, "a", "retry_count") == Some(KILLS));
    end_pause(&hermes, "a");
    reload(&hermes);
    daemon.until("the whole run", || completed(&hermes, "a") == 1);
    daemon.stop();
    assert_whole_pages_and_nothing_twice(&hermes);
    assert_eq!(hermes.count("a") as u64, PAGES * PER_PAGE);
    assert_eq!((the_job(&hermes, "a").attempt, hermes.count("retries")), (KILLS + 1, 0));
    let last_run: Vec<u64> = site.asked()[site.count("/a") - PAGES as usize..].iter().map(page_of).collect();
    assert_eq!(last_run, (1..=PAGES).collect::<Vec<_>>());
}

#[test]
fn an_interrupted_run_is_one_failure_and_waits_as_one() {
    let hermes = Hermes::new();
    let (site, gate) = many_pages(&hermes);
    let daemon = hermes.start(&[]);
    daemon.until("the run in its middle", || gate.waiting() == 1);
    daemon.kill();
    let asked = site.asked().len();
    for _ in 0..3 {
        hermes.once().done();
    }
    assert_eq!(retry::<i64>(&hermes, "a", "retry_count"), Some(1), "counted once, however often it starts");
    assert_eq!(crate::scene::pause_ms(&hermes, "a"), 120_000);
    assert_eq!(site.asked().len(), asked, "not before its time");
    // Quick pages wait for each other, for a second at most: those of the last moment may be missing.
    let rows = hermes.count("a") as u64;
    assert!((PER_PAGE..=(HELD_FROM - 1) * PER_PAGE).contains(&rows), "the pages stored stay: {rows}");
    assert_eq!(rows % PER_PAGE, 0, "whole pages: {rows}");
}

#[test]
fn a_job_of_a_source_that_is_gone_is_discarded_after_a_crash() {
    let hermes = Hermes::new();
    let (_site, gate) = many_pages(&hermes);
    let daemon = hermes.start(&[]);
    daemon.until("the run in its middle", || gate.waiting() == 1);
    daemon.kill();
    hermes.exec("UPDATE source_definitions SET definition = 'name: [' WHERE name = 'a'");
    let output = hermes.once();
    assert_eq!((output.code, the_job(&hermes, "a").status.as_str()), (Some(0), "discarded"), "{output}");
    assert_eq!(hermes.count("retries"), 0);
}
