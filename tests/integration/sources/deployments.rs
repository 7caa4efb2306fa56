//! Deployments and handlers, from files and from SQL: who runs a source, and under which key.

use super::{rows_of, shown, site, source, source_with};
use crate::util::Hermes;

#[test]
fn a_source_without_a_schedule_runs_by_the_deployment_that_names_it() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.write_source(
        "d.yaml",
        "kind: deployment\nname: late\nprefix: p\nschedule: interval:6h\nsources: [a]\n",
    );
    hermes.once().done();
    assert_eq!((rows_of(&hermes, "a"), site.count("/a")), (2, 1));
    assert_eq!(hermes.query::<String>("SELECT deployment FROM fetchlogs"), "late");
    let key: String = hermes.query("SELECT key FROM fetchlogs");
    assert!(key.contains("/p/p-"), "{key}");
    assert_eq!(shown(&hermes, "a", "schedule"), "interval:6h");
}

#[test]
fn a_source_without_a_schedule_is_daily_once_its_deployment_is_gone() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.write_source("d.yaml", "kind: deployment\nname: d\nschedule: hourly\nsources: [a]\n");
    hermes.once().done();
    hermes.remove_source("d.yaml");
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "schedule"), "daily");
}

/// As within one file: their jobs would have the same keys.
#[test]
fn a_deployment_by_the_name_of_a_source_with_a_schedule_is_refused_from_another_file_too() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), "schedule: hourly\n"));
    hermes.write_source("b.yaml", "kind: deployment\nname: a\nschedule: hourly\nsources: [a]\n");
    hermes.once().done();
    let error: String = hermes.query("SELECT error FROM source_files WHERE file = 'b.yaml'");
    assert_eq!(error, "b.yaml:1:1: prefix: jobs of `a` have the keys of `a` already; choose another");
    // A file that is read again is in its own way no more than before.
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), "schedule: daily\n"));
    hermes.once().done();
    assert_eq!(hermes.count("source_files WHERE error IS NULL"), 1);
}

#[test]
fn a_handler_that_no_document_describes_works() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), "handler: bulk\n"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("its rows", || rows_of(&hermes, "a") == 2);
    // And one that is new while it runs.
    hermes.write_source("b.yaml", &source_with("b", &site.url("/b"), "handler: other\n"));
    daemon.until("rows of the other", || rows_of(&hermes, "b") == 2);
    let handlers = hermes.rows("SELECT handler FROM fetchlogs ORDER BY handler");
    assert_eq!(handlers, [["bulk".to_owned().into()], ["other".to_owned().into()]]);
}

#[test]
fn jobs_of_a_deployment_with_several_sources_have_keys_of_their_own() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.write_source("b.yaml", &source("b", &site.url("/b")));
    hermes.write_source("d.yaml", "kind: deployment\nname: d\nschedule: hourly\nsources: [a, b]\n");
    hermes.once().done();
    assert_eq!((rows_of(&hermes, "a"), rows_of(&hermes, "b")), (2, 2));
    assert_eq!(hermes.count("fetchlogs WHERE key LIKE '%/d/d-%/' || source_name"), 2);
}

#[test]
fn a_deployment_that_is_not_active_runs_nothing() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let text = "kind: deployment\nname: d\nschedule: hourly\nsources: [a]\nactive: false\n";
    hermes.write_source("d.yaml", text);
    hermes.once().done();
    assert!(site.asked().is_empty());
}

#[test]
fn a_deployment_written_by_sql_is_run() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("the run of its own", || rows_of(&hermes, "a") == 2);
    hermes.exec(
        "INSERT INTO deployments (name, schedule) VALUES ('sql', 'interval:1s');
         INSERT INTO deployment_sources VALUES ('sql', 'a')",
    );
    daemon.until("the run of the deployment", || site.count("/a") >= 2);
    assert!(hermes.count("fetchlogs WHERE deployment = 'sql'") >= 1);
}

#[test]
fn a_deployment_by_sql_that_is_wrong_is_set_aside_and_stops_no_other() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    hermes.once().done();
    hermes.exec("INSERT INTO deployments (name, schedule) VALUES ('bad', 'weekly')");
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    assert_eq!(rows_of(&hermes, "a"), 2);
    let error: String = hermes.query("SELECT error FROM deployments WHERE name = 'bad'");
    assert!(error.contains("weekly"), "{error}");
}
