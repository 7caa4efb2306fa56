//! A file taken out of `sources.d`: what it defined stops, the rows stay.

use super::{records, rows_of, shown, site, source, source_with};
use crate::util::{Gate, Hermes, Reply, Site};

#[test]
fn a_removed_file_stops_its_source_and_keeps_its_rows() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("a.yaml", &source_with("a", &site.url("/a"), "schedule: interval:1s\n"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the second run", || site.count("/a") >= 2);
    hermes.remove_source("a.yaml");
    daemon.until("it is removed", || shown(&hermes, "a", "state") == "removed");
    assert_eq!(shown(&hermes, "a", "status"), "removed");
    let asked = site.count("/a");
    // Two more runs of another source would have been two more of this one.
    hermes.write_source("b.yaml", &source_with("b", &site.url("/b"), "schedule: interval:1s\n"));
    daemon.until("runs of another", || site.count("/b") >= 3);
    assert_eq!(site.count("/a"), asked);
    assert_eq!(rows_of(&hermes, "a"), 2);
}

#[test]
fn a_file_dropped_again_brings_its_source_back() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let text = source("a", &site.url("/a"));
    hermes.write_source("a.yaml", &text);
    hermes.once().done();
    hermes.remove_source("a.yaml");
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "state"), "removed");
    hermes.write_source("a.yaml", &text);
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "state"), "idle");
    // Its last run still counts.
    assert_eq!(site.asked_paths(), ["/a"]);
    hermes.command(&["reset", "a"]).done();
    hermes.once().done();
    assert_eq!(site.count("/a"), 2);
}

#[test]
fn a_file_removed_during_a_run_cancels_the_run() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/a", Reply::gated(&gate, records(2)));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the run is in its middle", || gate.waiting() == 1);
    hermes.remove_source("a.yaml");
    daemon.until("it is cancelled", || {
        hermes.try_query::<String>("SELECT status FROM fetchlogs").as_deref() == Some("cancelled")
    });
    assert_eq!((rows_of(&hermes, "a"), hermes.count("retries")), (0, 0));
}

#[test]
fn providers_deployments_and_handlers_go_with_their_file() {
    let hermes = Hermes::new();
    hermes.write_source(
        "all.yaml",
        "kind: provider\ndomain: a.example\nlimit: 60\nperiod: 1m\n---\n\
         kind: deployment\nname: d\nschedule: hourly\nsources: [nobody]\n---\n\
         kind: handler\nname: bulk\nring: { capacity: 4, workers: 1 }\n",
    );
    hermes.once().done();
    let counts = || ["providers", "deployments", "deployment_sources", "handlers"].map(|t| hermes.count(t));
    assert_eq!(counts(), [1, 1, 1, 1]);
    hermes.remove_source("all.yaml");
    hermes.once().done();
    assert_eq!(counts(), [0, 0, 0, 0]);
}
