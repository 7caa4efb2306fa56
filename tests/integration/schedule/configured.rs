//! Deployments: by file and by SQL, active and not, good and bad.

use crate::scene::{age, completed, jobs, source};
use crate::util::{Daemon, Hermes, Reply, Site};

/// Sources `a` and `b` without a schedule of their own.
fn two_sources() -> (Hermes, Site) {
    let (hermes, site) = (Hermes::new(), Site::new());
    for name in ["a", "b"] {
        let path = format!("/{name}");
        site.on(&path, Reply::json(r#"{"data":[{"id":1,"title":"one"}]}"#));
        let yaml = source(name, &site.url(&path), "daily").replace("schedule: daily\n", "");
        hermes.write_source(&format!("{name}.yaml"), &yaml);
    }
    (hermes, site)
}

fn keys(hermes: &Hermes, source_name: &str) -> Vec<String> {
    // Without the slot, which is the minute of the test.
    jobs(hermes, source_name)
        .into_iter()
        .map(|job| job.key.split('/').skip(1).map(without_time).collect::<Vec<_>>().join("/"))
        .collect()
}

fn without_time(part: &str) -> &str {
    part.split_once("-2").map_or(part, |(name, _)| name)
}

#[test]
fn a_source_runs_in_every_deployment_that_names_it_on_that_schedule() {
    let (hermes, site) = two_sources();
    hermes.write_source(
        "deployments.yaml",
        "kind: deployment\nname: both\nschedule: daily\nsources: [a, b]\n---\n\
         kind: deployment\nname: one\nschedule: hourly\nprefix: single\nsources: [a]\n",
    );
    hermes.once().done();
    let mut of_a = keys(&hermes, "a");
    of_a.sort();
    assert_eq!(of_a, ["both/both/a", "single/single"], "the source is in the key where there are several");
    assert_eq!(keys(&hermes, "b"), ["both/both/b"]);
    assert_eq!((site.count("/a"), site.count("/b")), (2, 1));

    age(&hermes, "a", 61);
    age(&hermes, "b", 61);
    hermes.once().done();
    assert_eq!((site.count("/a"), site.count("/b")), (3, 1), "only the hourly one is due again");
    assert_eq!(keys(&hermes, "a")[2], "single/single");
}

#[test]
fn an_inactive_deployment_does_not_run() {
    let (hermes, site) = two_sources();
    let yaml = "kind: deployment\nname: both\nschedule: daily\nsources: [a, b]\n";
    hermes.write_source("deployments.yaml", &format!("{yaml}active: false\n"));
    hermes.once().done();
    assert_eq!((site.asked().len(), jobs(&hermes, "a").len()), (0, 0));
    hermes.write_source("deployments.yaml", yaml);
    hermes.once().done();
    assert_eq!((site.count("/a"), site.count("/b")), (1, 1));
}

fn configure(hermes: &Hermes) -> Daemon {
    // Named by an inactive deployment, they do not run daily by themselves.
    hermes.write_source(
        "off.yaml",
        "kind: deployment\nname: off\nschedule: daily\nsources: [a, b]\nactive: false\n",
    );
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("both sources", || hermes.count("source_definitions") == 2);
    daemon
}

fn error_of(hermes: &Hermes, deployment: &str) -> Option<String> {
    hermes.try_query(&format!("SELECT error FROM deployments WHERE name = '{deployment}'"))
}

#[test]
fn a_deployment_inserted_by_sql_runs_within_a_tick() {
    let (hermes, site) = two_sources();
    let daemon = configure(&hermes);
    hermes.exec(
        "INSERT INTO deployments (name, schedule) VALUES ('by-sql', 'hourly');
         INSERT INTO deployment_sources VALUES ('by-sql', 'a');",
    );
    daemon.until("its run", || completed(&hermes, "a") == 1);
    assert_eq!((site.count("/a"), site.count("/b")), (1, 0));
    assert_eq!(keys(&hermes, "a"), ["by-sql/by-sql"]);
    let last: String = hermes.query("SELECT last_deployed_datetime FROM deployments WHERE name = 'by-sql'");
    assert_eq!(last, jobs(&hermes, "a")[0].slot);
}

#[test]
fn a_bad_deployment_carries_its_error_and_stops_nobody() {
    let (hermes, site) = two_sources();
    let daemon = configure(&hermes);
    hermes.exec(
        "INSERT INTO deployments (name, schedule) VALUES ('bad', 'now and then'), ('good', 'hourly');
         INSERT INTO deployment_sources VALUES ('bad', 'a'), ('good', 'b');",
    );
    daemon.until("the run of the good one", || completed(&hermes, "b") == 1);
    daemon.until("the error of the bad one", || error_of(&hermes, "bad").is_some());
    let error = error_of(&hermes, "bad").unwrap();
    assert!(error.contains("now and then"), "{error}");
    assert_eq!((site.count("/a"), error_of(&hermes, "good")), (0, None));
    // Mended in place, it runs, and the error is gone.
    hermes.exec("UPDATE deployments SET schedule = 'daily' WHERE name = 'bad'");
    daemon.until("the run of the mended one", || completed(&hermes, "a") == 1);
    assert_eq!(error_of(&hermes, "bad"), None);
}

#[test]
fn a_row_that_is_not_even_text_stops_nobody() {
    for (why, sql) in [
        ("a schedule of bytes", "INSERT INTO deployments (name, schedule) VALUES ('bad', x'ff00')"),
        ("no name", "INSERT INTO deployments (name, schedule) VALUES (NULL, 'hourly')"),
        ("a name of bytes", "INSERT INTO deployments (name, schedule) VALUES (x'ff', 'hourly')"),
        (
            "a source of bytes",
            "INSERT INTO source_definitions (name, definition, table_name, hash)
             VALUES ('bad', x'ff00', 'bad', '1')",
        ),
        (
            "a source without a name",
            "INSERT INTO source_definitions (name, definition, table_name, hash)
             VALUES (NULL, 'name: x', 'bad', '1')",
        ),
        ("a handler of half a place", "INSERT INTO handlers (name, capacity) VALUES ('bad', 1.5)"),
        ("a provider of bytes", "INSERT INTO providers (domain, definition) VALUES ('bad', x'ff')"),
        ("failures below zero", "INSERT INTO retries VALUES ('a', -1, x'ff', 'soon')"),
    ] {
        let (hermes, site) = two_sources();
        let daemon = configure(&hermes);
        hermes.exec(sql);
        hermes.exec(
            "INSERT INTO deployments (name, schedule) VALUES ('good', 'hourly');
             INSERT INTO deployment_sources VALUES ('good', 'b');",
        );
        daemon.until(&format!("the run of the good one beside {why}"), || completed(&hermes, "b") == 1);
        assert_eq!((site.count("/a"), site.count("/b")), (0, 1), "{why}");
        hermes.command(&["list"]).done();
        let unnamed = "SELECT (SELECT count(*) FROM deployments WHERE typeof(name) <> 'text' AND error IS NULL)
                     + (SELECT count(*) FROM source_definitions WHERE typeof(name) <> 'text' AND error IS NULL)";
        assert_eq!(hermes.query::<i64>(unnamed), 0, "{why}: its error is in the row");
    }
}

#[test]
fn a_bad_source_row_carries_its_error_and_stops_nobody() {
    let (hermes, site) = two_sources();
    let daemon = configure(&hermes);
    hermes.exec(
        "INSERT INTO source_definitions (name, definition, table_name, hash, schedule)
         VALUES ('c', 'name: c', 'c', '1', 'hourly');
         INSERT INTO deployments (name, schedule) VALUES ('good', 'hourly');
         INSERT INTO deployment_sources VALUES ('good', 'b'), ('good', 'c');",
    );
    daemon.until("the run of the good one", || completed(&hermes, "b") == 1);
    let error: String = hermes.query("SELECT error FROM source_definitions WHERE name = 'c'");
    assert!(error.contains("url"), "{error}");
    assert_eq!((site.count("/b"), jobs(&hermes, "c").len()), (1, 0));
}
