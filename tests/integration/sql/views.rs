//! The views, over data with prepared ages.

use crate::scene::source;
use crate::util::{Hermes, lines};

/// Sources `a` to `d`, of which `d` is paused; `a` and `b` are in a deployment.
fn prepared() -> Hermes {
    let hermes = Hermes::new();
    let plain = |name: &str| source(name, "http://127.0.0.1:9/", "x").replace("schedule: x\n", "");
    let documents = [
        plain("a"),
        plain("b"),
        source("c", "http://127.0.0.1:9/", "hourly"),
        plain("d") + "status: paused\n",
        "kind: deployment\nname: both\nschedule: daily\nsources: [a, b]\n".to_owned(),
    ];
    let file = hermes.dir().join("added.yaml");
    std::fs::write(&file, documents.join("---\n")).unwrap();
    hermes.command(&["add", file.to_str().unwrap()]).done();
    hermes
}

/// A job with its ages, which are modifiers of SQLite's for now; empty: NULL.
struct Aged<'a> {
    source: &'a str,
    deployment: &'a str,
    status: &'a str,
    queued: &'a str,
    started: &'a str,
    completed: &'a str,
    not_before: &'a str,
}

const JOB: Aged<'_> = Aged {
    source: "a",
    deployment: "both",
    status: "queued",
    queued: "-1 minute",
    started: "",
    completed: "",
    not_before: "",
};

fn insert(hermes: &Hermes, key: &str, job: &Aged<'_>) {
    let time = |age: &str| match age {
        "" => "NULL".to_owned(),
        age => format!("strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '{age}')"),
    };
    let Aged { source, deployment, status, .. } = job;
    hermes.exec(&format!(
        "INSERT INTO fetchlogs (key, source_name, deployment, handler, status, scheduled_datetime, queued_datetime,
                                started_datetime, completed_datetime, not_before, message)
         VALUES ('{key}', '{source}', '{deployment}', 'default', '{status}', {0}, {0}, {1}, {2}, {3},
                 iif('{status}' = 'failed', 'why ' || '{key}', NULL))",
        time(job.queued),
        time(job.started),
        time(job.completed),
        time(job.not_before)
    ));
}

#[test]
fn stuck_jobs_are_those_open_for_over_an_hour_without_a_reason_to_wait() {
    let hermes = prepared();
    for (key, job) in [
        ("new", JOB),
        ("young", Aged { queued: "-59 minutes", ..JOB }),
        ("old", Aged { queued: "-61 minutes", ..JOB }),
        ("running", Aged { status: "running", queued: "-61 minutes", started: "-60 minutes", ..JOB }),
        ("done", Aged { status: "completed", queued: "-2 hours", completed: "-2 hours", ..JOB }),
        ("failed", Aged { status: "failed", queued: "-2 hours", completed: "-2 hours", ..JOB }),
        ("for later", Aged { queued: "-2 hours", not_before: "+1 hour", ..JOB }),
        ("was for later", Aged { queued: "-2 hours", not_before: "-1 minute", ..JOB }),
    ] {
        insert(&hermes, key, &job);
    }
    let stuck = lines(&hermes, "SELECT key, source_name, deployment, status FROM stuck_jobs ORDER BY key");
    assert_eq!(
        stuck,
        [
            "'old' 'a' 'both' 'queued'",
            "'running' 'a' 'both' 'running'",
            "'was for later' 'a' 'both' 'queued'"
        ]
    );
}

#[test]
fn deployment_health_counts_the_last_day_of_every_deployment() {
    let hermes = prepared();
    let ended = |status, age| Aged { status, queued: age, started: age, completed: age, ..JOB };
    for (key, job) in [
        ("1", ended("completed", "-2 hours")),
        ("2", Aged { source: "b", ..ended("completed", "-3 hours") }),
        ("3", ended("failed", "-4 hours")),
        ("4", ended("interrupted", "-5 hours")),
        ("5", ended("completed", "-25 hours")),
        ("6", ended("failed", "-26 hours")),
        ("7", ended("discarded", "-1 hour")),
        ("8", JOB),
        ("9", Aged { source: "c", deployment: "c", ..ended("completed", "-25 hours") }),
    ] {
        insert(&hermes, key, &job);
    }
    let health = lines(
        &hermes,
        "SELECT deployment, schedule, is_active, CAST(round((julianday() - julianday(last_run_at)) * 24) AS INTEGER),
                runs_24h, completed_24h, errors_24h FROM deployment_health ORDER BY deployment",
    );
    assert_eq!(health, ["'both' 'daily' 1 1 5 2 2", "'c' 'hourly' 1 25 0 0 0", "'d' 'daily' 0 null 0 0 0"]);
}

#[test]
fn stale_sources_are_active_ones_without_a_success_for_26_hours() {
    let hermes = prepared();
    let stale = || {
        lines(&hermes, "SELECT name, last_success_at IS NULL, last_error FROM stale_sources ORDER BY name")
    };
    assert_eq!(stale(), [""; 0], "new ones have time");
    hermes.exec(
        "UPDATE source_definitions SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-27 hours')",
    );
    assert_eq!(stale(), ["'a' 1 null", "'b' 1 null", "'c' 1 null"], "never, and a paused one need not");
    let ended = |source, status, age| Aged { source, status, queued: age, completed: age, ..JOB };
    for (key, job) in [
        ("1", ended("a", "completed", "-25 hours")),
        ("2", ended("a", "failed", "-1 hour")),
        ("3", ended("b", "completed", "-27 hours")),
        ("4", ended("b", "failed", "-20 hours")),
        ("5", ended("b", "failed", "-1 hour")),
    ] {
        insert(&hermes, key, &job);
    }
    assert_eq!(stale(), ["'b' 0 'why 5'", "'c' 1 null"]);
}
