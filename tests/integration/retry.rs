//! Failures: what they count, how long they pause, what they say.

mod asked;
mod timeout;

use crate::scene::{
    age, completed, earlier, end_pause, jobs, once_with, paged, pause_ms, retry, source, the_job,
};
use crate::util::{Hermes, Reply, Site};

const ONE: &str = r#"{"data":[{"id":1,"title":"one"}]}"#;
const MINUTE_MS: i64 = 60_000;

fn failing(execution: &str) -> (Hermes, Site) {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"oops":1}"#).status(500));
    let yaml = source("flaky", &site.url("/a"), "hourly");
    hermes.write_source("sources.yaml", &format!("{yaml}execution: {{ {execution} }}\n"));
    (hermes, site)
}

fn status(hermes: &Hermes, column: &str) -> serde_json::Value {
    hermes.command(&["list", "--json"]).json()[0][column].clone()
}

#[test]
fn a_first_failure_counts_one_and_pauses_two_minutes() {
    let (hermes, site) = failing("");
    assert_eq!(hermes.once().code, Some(1));
    let job = the_job(&hermes, "flaky");
    assert_eq!((job.status.as_str(), job.attempt), ("failed", 1));
    assert!(job.message.as_deref().is_some_and(|message| message.contains("500")), "{job:?}");
    assert_eq!(retry::<i64>(&hermes, "flaky", "retry_count"), Some(1));
    assert_eq!(pause_ms(&hermes, "flaky"), 2 * MINUTE_MS);
    let ended: String = hermes.query("SELECT completed_datetime FROM fetchlogs");
    assert_eq!(retry(&hermes, "flaky", "period_start"), Some(ended));
    assert_eq!((site.count("/a"), status(&hermes, "state").as_str()), (1, Some("backoff")));
}

#[test]
fn the_pause_doubles_over_restarts_and_it_stays_the_same_job() {
    let (hermes, site) = failing("maxRetries: 9");
    hermes.once();
    let (first, start) = (the_job(&hermes, "flaky"), retry::<String>(&hermes, "flaky", "period_start"));
    for (attempt, minutes) in [(2, 4), (3, 8), (4, 16), (5, 32)] {
        end_pause(&hermes, "flaky");
        assert_eq!(hermes.once().code, Some(1));
        let job = the_job(&hermes, "flaky");
        assert_eq!((job.attempt, &job.key, &job.slot), (attempt, &first.key, &first.slot));
        assert_eq!(pause_ms(&hermes, "flaky"), minutes * MINUTE_MS);
        assert_eq!(retry(&hermes, "flaky", "retry_count"), Some(attempt));
        assert_eq!(
            (site.count("/a") as i64, retry(&hermes, "flaky", "period_start")),
            (attempt, start.clone())
        );
    }
}

#[test]
fn a_failed_job_is_not_tried_before_its_time_though_slots_pass() {
    let (hermes, site) = failing("");
    hermes.once();
    hermes.exec(&format!(
        "UPDATE fetchlogs SET key = key || '-aged', scheduled_datetime = {}",
        earlier("scheduled_datetime", "-5 hours")
    ));
    hermes.once().done();
    assert_eq!((site.count("/a"), the_job(&hermes, "flaky").attempt), (1, 1));
}

#[test]
fn the_pause_ends_with_the_period_at_the_latest() {
    let (hermes, _site) = failing("retryResetPeriod: 1m");
    hermes.once();
    assert_eq!(pause_ms(&hermes, "flaky"), MINUTE_MS);
}

#[test]
fn after_its_last_failure_a_source_rests_until_the_period_is_over_and_counts_anew() {
    let (hermes, site) = failing("maxRetries: 2, retryResetPeriod: 6h");
    hermes.once();
    end_pause(&hermes, "flaky");
    hermes.once();
    end_pause(&hermes, "flaky");
    hermes.once().done();
    assert_eq!((site.count("/a"), retry(&hermes, "flaky", "retry_count")), (2, Some(2)));
    assert_eq!(status(&hermes, "state"), "exhausted");
    let until_period_end: i64 = hermes.query(&format!(
        "SELECT unixepoch('{}') - unixepoch(period_start) FROM retries",
        status(&hermes, "next_run_at").as_str().expect("when it runs again")
    ));
    assert_eq!(until_period_end, 6 * 3_600);

    let before = |modifier: &str| {
        hermes.exec(&format!("UPDATE retries SET period_start = {}", earlier("period_start", modifier)));
    };
    before("-359 minutes");
    hermes.once().done();
    assert_eq!(site.count("/a"), 2, "a minute too early");
    before("-2 minutes");
    assert_eq!(hermes.once().code, Some(1));
    let job = the_job(&hermes, "flaky");
    assert_eq!((site.count("/a"), job.attempt, retry(&hermes, "flaky", "retry_count")), (3, 3, Some(1)));
    assert_eq!(pause_ms(&hermes, "flaky"), 2 * MINUTE_MS);
    let ended: String = hermes.query("SELECT completed_datetime FROM fetchlogs");
    assert_eq!(retry(&hermes, "flaky", "period_start"), Some(ended));
}

#[test]
fn one_allowed_failure_is_the_first_attempt() {
    let (hermes, site) = failing("maxRetries: 1");
    hermes.once();
    assert_eq!(status(&hermes, "state"), "exhausted");
    end_pause(&hermes, "flaky");
    hermes.once().done();
    assert_eq!(site.count("/a"), 1);
}

#[test]
fn success_forgets_the_failures_and_moves_the_schedule_on() {
    let (hermes, site) = failing("");
    hermes.once();
    end_pause(&hermes, "flaky");
    site.on("/a", Reply::json(ONE));
    hermes.once().done();
    let job = the_job(&hermes, "flaky");
    assert_eq!((job.status.as_str(), job.attempt, job.message), ("completed", 2, None));
    assert_eq!((hermes.count("retries"), hermes.count("flaky")), (0, 1));
    hermes.once().done();
    assert_eq!((site.count("/a"), status(&hermes, "state").as_str()), (2, Some("idle")));
    age(&hermes, "flaky", 61);
    site.on("/a", Reply::empty(500));
    hermes.once();
    assert_eq!(pause_ms(&hermes, "flaky"), 2 * MINUTE_MS, "the next failure is a first one again");
}

#[test]
fn a_failing_source_leaves_the_others_alone() {
    let (hermes, site) = failing("");
    site.on("/good", Reply::json(ONE));
    hermes.write_source("good.yaml", &source("good", &site.url("/good"), "hourly"));
    assert_eq!(hermes.once().code, Some(1));
    age(&hermes, "good", 61);
    hermes.once().done();
    assert_eq!((site.count("/a"), site.count("/good"), completed(&hermes, "good")), (1, 2, 2));
}

#[test]
fn rows_of_a_failed_run_do_not_hide_its_retry() {
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on_fn("/a", |asked| match asked.param("page") {
        None => Reply::json(r#"{"data":[{"id":1,"title":"one"}],"next_page":2}"#),
        Some(_) => Reply::empty(500),
    });
    hermes.write_source("sources.yaml", &paged("flaky", &site.url("/a"), "hourly"));
    hermes.once();
    assert_eq!((hermes.count("flaky"), the_job(&hermes, "flaky").status.as_str()), (1, "failed"));
    end_pause(&hermes, "flaky");
    site.pages("/a", 3, "page", 1);
    hermes.once().done();
    let job = the_job(&hermes, "flaky");
    assert_eq!((job.status.as_str(), job.attempt, hermes.count("flaky")), ("completed", 2, 3));
    let pages: Vec<Option<String>> =
        site.asked().iter().map(|asked| asked.param("page").map(str::to_owned)).collect();
    assert_eq!(pages, [None, Some("2".into()), None, Some("2".into()), Some("3".into())]);
}

#[test]
fn a_running_daemon_retries_by_itself_when_the_time_comes() {
    let (hermes, site) = failing("");
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("the failure", || retry(&hermes, "flaky", "retry_count") == Some(1));
    site.on("/a", Reply::json(ONE));
    // Two seconds from now: nobody wakes it but its own clock.
    let soon = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+2 seconds')";
    hermes
        .exec(&format!("UPDATE retries SET next_retry_at = {soon}; UPDATE generation SET value = value + 1"));
    daemon.until("its success", || completed(&hermes, "flaky") == 1);
    assert_eq!((site.count("/a"), hermes.count("retries"), jobs(&hermes, "flaky").len()), (2, 0, 1));
    let early: i64 = hermes.query("SELECT count(*) FROM fetchlogs WHERE started_datetime < queued_datetime");
    assert_eq!(early, 0);
}

#[test]
fn the_log_has_a_line_for_the_first_failure_the_last_one_and_the_recovery() {
    let (hermes, site) = failing("maxRetries: 3");
    let lines = || -> Vec<String> {
        let output = once_with(&hermes, &[]);
        output.stderr.lines().filter(|line| line.contains(" flaky: ")).map(str::to_owned).collect()
    };
    let first = lines();
    assert!(
        first.len() == 1 && first[0].contains("failed, tried again at") && first[0].contains("500"),
        "{first:?}"
    );
    end_pause(&hermes, "flaky");
    assert_eq!(lines(), [""; 0], "the second of three");
    end_pause(&hermes, "flaky");
    let last = lines();
    assert!(last.len() == 1 && last[0].contains("failed 3 times, not tried before"), "{last:?}");
    hermes.exec(&format!("UPDATE retries SET period_start = {}", earlier("period_start", "-1 day")));
    end_pause(&hermes, "flaky");
    site.on("/a", Reply::json(ONE));
    let recovered = lines();
    assert!(recovered.len() == 1 && recovered[0].contains("recovered after 3 failures"), "{recovered:?}");
    assert_eq!(site.count("/a"), 4);
}
