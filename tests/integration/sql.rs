//! Configuration by SQL, as any SQLite client would: live within a tick, and a bad row stops nobody.

mod views;

use crate::scene::{completed, jobs, source};
use crate::util::{Daemon, Hermes, Reply, Site};

/// Paths `/a`, `/b`, `/c`, and a daemon whose ticks can be counted by the runs of `tick`.
fn scene() -> (Hermes, Site, Daemon) {
    let (hermes, site) = (Hermes::new(), Site::new());
    for path in ["/a", "/b", "/c", "/tick"] {
        site.on(path, Reply::json(r#"{"data":[]}"#));
    }
    hermes.write_source("tick.yaml", &source("tick", &site.url("/tick"), "interval:1s"));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("its start", || completed(&hermes, "tick") >= 1);
    (hermes, site, daemon)
}

fn more_ticks(hermes: &Hermes, daemon: &Daemon) {
    let runs = completed(hermes, "tick");
    daemon.until("three more ticks", || completed(hermes, "tick") >= runs + 3);
}

fn insert(hermes: &Hermes, name: &str, definition: &str) {
    let definition = definition.replace('\'', "''");
    hermes.exec(&format!(
        "INSERT INTO source_definitions (name, definition, table_name) VALUES ('{name}', '{definition}', '{name}')"
    ));
}

fn redefine(hermes: &Hermes, name: &str, definition: &str) {
    let definition = definition.replace('\'', "''");
    hermes.exec(&format!("UPDATE source_definitions SET definition = '{definition}' WHERE name = '{name}'"));
}

fn generation(hermes: &Hermes) -> i64 {
    hermes.query("SELECT value FROM generation")
}

#[test]
fn a_source_is_inserted_changed_paused_and_deleted_by_sql() {
    let (hermes, site, daemon) = scene();
    insert(&hermes, "a", &source("a", &site.url("/a"), "interval:1s"));
    daemon.until("its runs", || completed(&hermes, "a") >= 2);
    redefine(&hermes, "a", &source("a", &site.url("/b"), "interval:1s"));
    daemon.until("what its new text asks for", || site.count("/b") >= 2);
    let asked = site.count("/a");
    more_ticks(&hermes, &daemon);
    assert_eq!(site.count("/a"), asked, "the old text is forgotten");

    for (sql, why) in [
        ("UPDATE source_definitions SET status = 'paused' WHERE name = 'a'", "paused"),
        ("DELETE FROM source_definitions WHERE name = 'a'", "deleted"),
    ] {
        hermes.exec("UPDATE source_definitions SET status = 'active' WHERE name = 'a'");
        let before = site.count("/b");
        daemon.until("it runs", || site.count("/b") > before);
        hermes.exec(sql);
        more_ticks(&hermes, &daemon);
        let asked = site.count("/b");
        more_ticks(&hermes, &daemon);
        assert_eq!(site.count("/b"), asked, "{why}");
    }
    insert(&hermes, "a", &source("a", &site.url("/c"), "interval:1s"));
    daemon.until("it is back", || site.count("/c") >= 1);
}

#[test]
fn a_definition_that_sql_breaks_has_its_error_and_runs_again_once_mended() {
    let (hermes, site, daemon) = scene();
    let good = source("a", &site.url("/a"), "interval:1s");
    insert(&hermes, "a", &good);
    daemon.until("its run", || completed(&hermes, "a") >= 1);
    let error = || hermes.try_query::<String>("SELECT error FROM source_definitions WHERE name = 'a'");
    for bad in ["name: [", "name: a", "kind: handler\nname: a\n", &good.replace("interval:1s", "sometimes")] {
        redefine(&hermes, "a", bad);
        daemon.until(&format!("the error of {bad:?}"), || error().is_some());
        more_ticks(&hermes, &daemon);
        let asked = site.count("/a");
        more_ticks(&hermes, &daemon);
        assert_eq!((site.count("/a"), daemon.ended()), (asked, None), "{bad:?}");
        redefine(&hermes, "a", &good);
        daemon.until("it runs again", || site.count("/a") > asked && error().is_none());
    }
}

#[test]
fn deployments_and_their_sources_are_live_within_a_tick() {
    let (hermes, site, daemon) = scene();
    let plain = |path: &str, name: &str| source(name, &site.url(path), "x").replace("schedule: x\n", "");
    hermes.exec(
        "INSERT INTO deployments (name, schedule, is_active) VALUES ('d', 'interval:1s', 0);
         INSERT INTO deployment_sources VALUES ('d', 'a'), ('d', 'b');",
    );
    insert(&hermes, "a", &plain("/a", "a"));
    insert(&hermes, "b", &plain("/b", "b"));
    more_ticks(&hermes, &daemon);
    assert_eq!((site.count("/a"), site.count("/b")), (0, 0), "not active");
    hermes.exec("UPDATE deployments SET is_active = 1");
    daemon.until("both run", || completed(&hermes, "a") >= 2 && completed(&hermes, "b") >= 2);
    assert!(jobs(&hermes, "a")[0].key.ends_with("/a"), "{:?}", jobs(&hermes, "a"));

    hermes.exec(
        "DELETE FROM deployment_sources WHERE source_name = 'b';
                 INSERT INTO deployments (name, schedule, is_active) VALUES ('rest', 'daily', 0);
                 INSERT INTO deployment_sources VALUES ('rest', 'b');",
    );
    more_ticks(&hermes, &daemon);
    let asked = site.count("/b");
    let runs = completed(&hermes, "a");
    daemon.until("the other goes on", || completed(&hermes, "a") >= runs + 2);
    assert_eq!(site.count("/b"), asked, "no longer among its sources");

    // One for the other: the link itself is changed.
    hermes.exec(
        "UPDATE deployment_sources SET source_name = 'x' WHERE deployment = 'rest';
                 UPDATE deployment_sources SET source_name = 'b' WHERE deployment = 'd';
                 UPDATE deployment_sources SET source_name = 'a' WHERE deployment = 'rest';",
    );
    daemon.until("the other one runs", || site.count("/b") >= asked + 2);
    let asked = site.count("/a");
    more_ticks(&hermes, &daemon);
    assert_eq!(site.count("/a"), asked);

    hermes.exec("UPDATE deployments SET schedule = 'daily' WHERE name = 'd'");
    more_ticks(&hermes, &daemon);
    let asked = site.count("/b");
    more_ticks(&hermes, &daemon);
    assert_eq!(site.count("/b"), asked, "daily now");
    hermes.exec("UPDATE deployments SET schedule = 'interval:1s' WHERE name = 'd'");
    daemon.until("it runs often again", || site.count("/b") >= asked + 2);
    hermes.exec("DELETE FROM deployments WHERE name = 'd'; UPDATE deployment_sources SET source_name = 'b';");
    more_ticks(&hermes, &daemon);
    let asked = site.count("/b");
    more_ticks(&hermes, &daemon);
    assert_eq!(site.count("/b"), asked, "the deployment is gone");
}

#[test]
fn a_deployment_whose_keys_would_not_be_its_own_has_its_error_and_stops_nobody() {
    let (hermes, site, daemon) = scene();
    let plain = |path: &str, name: &str| source(name, &site.url(path), "x").replace("schedule: x\n", "");
    hermes.exec(
        "INSERT INTO deployments (name, schedule, prefix) VALUES ('good', 'hourly', NULL),
            ('of a source', 'hourly', 'fine'), ('of-tick', 'hourly', 'tick'), ('twice', 'hourly', 'good'),
            ('slash', 'hourly', 'a/b');
         INSERT INTO deployment_sources SELECT name, 'a' FROM deployments;",
    );
    insert(&hermes, "a", &plain("/a", "a"));
    daemon.until("the run of the good one", || completed(&hermes, "a") == 1);
    for (name, part) in
        [("of a source", "is no name"), ("of-tick", "`tick`"), ("twice", "`good`"), ("slash", "is no name")]
    {
        let error: Option<String> =
            hermes.try_query(&format!("SELECT error FROM deployments WHERE name = '{name}'"));
        assert!(error.as_ref().is_some_and(|error| error.contains(part)), "{name}: {error:?}");
    }
    more_ticks(&hermes, &daemon);
    assert_eq!((site.count("/a"), hermes.count("deployments WHERE error IS NULL")), (1, 1));
    hermes.exec("UPDATE deployments SET prefix = 'mended' WHERE name = 'twice'");
    daemon.until("the run of the mended one", || completed(&hermes, "a") == 2);
}

#[test]
fn a_link_that_sql_updates_is_noticed() {
    let (hermes, site, daemon) = scene();
    let plain = |path: &str, name: &str| source(name, &site.url(path), "x").replace("schedule: x\n", "");
    hermes.exec(
        "INSERT INTO deployments (name, schedule, is_active) VALUES ('off', 'daily', 0), ('d', 'hourly', 1);
         INSERT INTO deployment_sources VALUES ('off', 'b'), ('d', 'nobody');",
    );
    insert(&hermes, "b", &plain("/b", "b"));
    more_ticks(&hermes, &daemon);
    assert_eq!(site.count("/b"), 0);
    hermes.exec("UPDATE deployment_sources SET source_name = 'b' WHERE deployment = 'd'");
    daemon.until("its run", || completed(&hermes, "b") == 1);
}

#[test]
fn a_provider_and_a_handler_by_sql_are_live_within_a_tick() {
    let (hermes, site, daemon) = scene();
    // Of another name for the same machine, so that the ticks go on.
    let url = site.url("/a").replace("127.0.0.1", "localhost");
    hermes.exec(
        "INSERT INTO providers (domain, definition) VALUES ('localhost',
            'kind: provider\ndomain: localhost\nlimits: [ { requests: 1, per: 1h } ]'),
            ('other.example', 'kind: provider\ndomain: [');
         INSERT INTO handlers (name, capacity, workers) VALUES ('bulk', 3, 2);",
    );
    insert(&hermes, "a", &(source("a", &url, "interval:1s") + "handler: bulk\n"));
    let state =
        || hermes.command(&["status", "a", "--json"]).json()["state"].as_str().unwrap_or("").to_owned();
    daemon.until("its first request", || completed(&hermes, "a") == 1);
    daemon.until("its limit", || state() == "rate-limited");
    more_ticks(&hermes, &daemon);
    assert_eq!(site.count("/a"), 1);
    hermes.exec("UPDATE handlers SET workers = 1; DELETE FROM providers WHERE domain = 'localhost';");
    daemon.until("no limit any more", || completed(&hermes, "a") >= 3);
    assert_eq!(hermes.count("fetchlogs WHERE source_name = 'a' AND handler <> 'bulk'"), 0);
    hermes.exec("DELETE FROM handlers");
    let runs = completed(&hermes, "a");
    daemon.until("it goes on without its row", || completed(&hermes, "a") >= runs + 2);
}

#[test]
fn the_generation_moves_once_for_each_change_and_never_by_itself() {
    let (hermes, site, daemon) = scene();
    let definition = source("a", &site.url("/a"), "hourly").replace("schedule: hourly\n", "");
    for sql in [
        "INSERT INTO deployments (name, schedule) VALUES ('d', 'hourly')",
        "INSERT INTO deployment_sources VALUES ('d', 'a')",
        &format!(
            "INSERT INTO source_definitions (name, definition, table_name) VALUES ('a', '{definition}', 'a')"
        ),
        "UPDATE source_definitions SET status = 'paused' WHERE name = 'a'",
        "UPDATE source_definitions SET status = 'active' WHERE name = 'a'",
        "UPDATE deployments SET timezone = 'Europe/Berlin'",
        "UPDATE deployments SET schedule = 'now and then'",
        "UPDATE deployments SET schedule = 'interval:1s'",
        "UPDATE deployment_sources SET source_name = 'b'",
        "UPDATE deployment_sources SET source_name = 'a'",
        "INSERT INTO handlers (name) VALUES ('bulk')",
        "UPDATE handlers SET workers = 2",
        "DELETE FROM handlers",
        "INSERT INTO providers (domain, definition) VALUES ('p.example', 'nonsense')",
        "UPDATE providers SET definition = 'kind: provider\ndomain: p.example'",
        "DELETE FROM providers",
        "UPDATE source_definitions SET definition = 'name: [' WHERE name = 'a'",
        "DELETE FROM deployment_sources",
        "DELETE FROM deployments",
        "DELETE FROM source_definitions WHERE name = 'a'",
    ] {
        let before = generation(&hermes);
        hermes.exec(sql);
        let runs = completed(&hermes, "tick");
        daemon.until("a tick or two", || completed(&hermes, "tick") >= runs + 2);
        assert_eq!(generation(&hermes), before + 1, "{sql}");
    }
    // Errors, jobs and last slots are Hermes' own.
    hermes.exec("INSERT INTO deployments (name, schedule) VALUES ('d', 'interval:1s'), ('bad', 'never')");
    hermes.exec("INSERT INTO deployment_sources VALUES ('d', 'tick')");
    let before = generation(&hermes);
    let written = "deployments WHERE error IS NOT NULL OR last_deployed_datetime IS NOT NULL";
    daemon.until("what Hermes writes", || hermes.count(written) == 2);
    more_ticks(&hermes, &daemon);
    assert_eq!(generation(&hermes), before);
}
