//! Named queues with workers of their own: none holds up another, and none loses a job or runs one
//! twice, whatever is done to it meanwhile.

use crate::scene::{completed, jobs, source, the_job};
use crate::util::{Daemon, Gate, Hermes, Reply, Site};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Sources whose answers are held one by one, and how many of them were fetched at once.
struct Held {
    site: Site,
    gates: Arc<Vec<Gate>>,
    /// The most at once since it was last set to 0.
    peak: Arc<AtomicUsize>,
}

impl Held {
    fn new(count: usize) -> Held {
        let (site, peak) = (Site::new(), Arc::new(AtomicUsize::new(0)));
        let gates: Arc<Vec<Gate>> = Arc::new((0..count).map(|_| Gate::new()).collect());
        for n in 0..count {
            let (gates, peak) = (Arc::clone(&gates), Arc::clone(&peak));
            site.on_fn(&path(n), move |_| {
                peak.fetch_max(gates.iter().map(Gate::waiting).sum::<usize>() + 1, Ordering::SeqCst);
                Reply::gated(&gates[n], Reply::json(r#"{"data":[]}"#))
            });
        }
        Held { site, gates, peak }
    }

    fn documents(&self, handler: &str) -> String {
        let one = |n| source(&name(n), &self.site.url(&path(n)), "daily") + &format!("handler: {handler}\n");
        (0..self.gates.len()).map(one).collect::<Vec<_>>().join("---\n")
    }

    /// Of which an answer is held right now.
    fn running(&self) -> Vec<usize> {
        (0..self.gates.len()).filter(|&n| self.gates[n].waiting() > 0).collect()
    }

    /// Lets everything through, one at a time, and insists on one at a time.
    fn finish_one_by_one(&self, hermes: &Hermes, daemon: &Daemon) {
        let all = self.gates.len() as i64;
        while done(hermes) < all {
            daemon.until("the next to run, or the end", || !self.running().is_empty() || done(hermes) == all);
            assert!(self.running().len() <= 1, "{:?} at once", self.running());
            let before = done(hermes);
            for n in self.running() {
                self.gates[n].open();
                daemon.until("its end", || done(hermes) > before);
            }
        }
    }

    /// Nothing is lost, and nothing ran twice.
    fn assert_each_ran_once(&self, hermes: &Hermes) {
        for n in 0..self.gates.len() {
            let job = the_job(hermes, &name(n));
            assert_eq!((self.site.count(&path(n)), job.status.as_str(), job.attempt), (1, "completed", 1));
        }
    }
}

fn name(n: usize) -> String {
    format!("s{n:02}")
}

fn path(n: usize) -> String {
    format!("/{}", name(n))
}

fn done(hermes: &Hermes) -> i64 {
    hermes.count("fetchlogs WHERE status = 'completed' AND source_name <> 'tick'")
}

fn waiting(hermes: &Hermes) -> i64 {
    hermes.count("fetchlogs WHERE status = 'queued' AND source_name <> 'tick'")
}

fn handler(name: &str, capacity: usize, workers: usize) -> String {
    format!("kind: handler\nname: {name}\nring: {{ capacity: {capacity}, workers: {workers} }}\n")
}

/// A quick source in `default`: its runs tell ticks.
fn tick(hermes: &Hermes, site: &Site) {
    site.on("/tick", Reply::json(r#"{"data":[]}"#));
    hermes.write_source("tick.yaml", &source("tick", &site.url("/tick"), "interval:1s"));
}

/// The file is read, and what it says is done: a tick has begun and ended since.
fn in_force(hermes: &Hermes, daemon: &Daemon, sql: &str, want: i64) {
    daemon.until("the file to be read", || hermes.count(sql) == want);
    let runs = completed(hermes, "tick");
    daemon.until("ticks after it", || completed(hermes, "tick") >= runs + 3);
}

#[test]
fn a_slow_source_in_a_handler_of_its_own_does_not_hold_up_quick_ones() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/slow", Reply::gated(&gate, Reply::json(r#"{"data":[]}"#)));
    site.on("/quick", Reply::json(r#"{"data":[]}"#));
    let slow = |name| source(name, &site.url("/slow"), "daily") + "handler: bulk\n";
    hermes.write_source("slow.yaml", &(slow("slow") + "---\n" + &slow("slower")));
    hermes.write_source("bulk.yaml", &handler("bulk", 4, 1));
    for name in ["q1", "q2", "q3"] {
        hermes.write_source(&format!("{name}.yaml"), &source(name, &site.url("/quick"), "interval:1s"));
    }
    let daemon = hermes.start(&["--workers", "1"]);
    daemon.until("the slow one in its middle", || gate.waiting() == 1);
    daemon.until("three runs of each quick one", || {
        ["q1", "q2", "q3"].iter().all(|name| completed(&hermes, name) >= 3)
    });
    assert_eq!((gate.waiting(), completed(&hermes, "slow") + completed(&hermes, "slower")), (1, 0));
    gate.open();
    daemon.until("both slow ones", || completed(&hermes, "slow") + completed(&hermes, "slower") == 2);
}

#[test]
fn a_handler_made_resized_and_removed_while_jobs_wait_loses_none_and_runs_none_twice() {
    let (hermes, held) = (Hermes::new(), Held::new(12));
    hermes.write_source("all.yaml", &held.documents("bulk"));
    hermes.write_source("bulk.yaml", &handler("bulk", 2, 1));
    tick(&hermes, &held.site);
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("one runs, two wait", || held.running().len() == 1 && waiting(&hermes) == 2);

    hermes.save_by_rename("bulk.yaml", &handler("bulk", 6, 3));
    daemon.until("three run, six wait", || held.running().len() == 3 && waiting(&hermes) == 6);
    assert_eq!(held.peak.load(Ordering::SeqCst), 3);

    // Smaller than what it holds: what waits goes on waiting, and nothing new begins until one is left.
    hermes.save_by_rename("bulk.yaml", &handler("bulk", 1, 1));
    in_force(&hermes, &daemon, "handlers WHERE workers = 1 AND capacity = 1", 1);
    for n in held.running() {
        held.gates[n].open();
    }
    daemon.until("the three to end, and one more to run", || done(&hermes) == 3 && held.running().len() == 1);

    hermes.remove_source("bulk.yaml");
    in_force(&hermes, &daemon, "handlers", 0);
    held.finish_one_by_one(&hermes, &daemon);
    daemon.stop();
    held.assert_each_ran_once(&hermes);
    assert_eq!((held.peak.load(Ordering::SeqCst), hermes.count("retries")), (3, 0));
}

#[test]
fn a_handler_that_comes_after_its_jobs_takes_them_at_its_size() {
    let (hermes, held) = (Hermes::new(), Held::new(6));
    hermes.write_source("all.yaml", &held.documents("bulk"));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("one runs, all others wait", || held.running().len() == 1 && waiting(&hermes) == 5);
    hermes.write_source("bulk.yaml", &handler("bulk", 8, 4));
    daemon.until("four at once", || held.running().len() == 4);
    held.gates.iter().for_each(Gate::open);
    daemon.until("all", || done(&hermes) == 6);
    held.assert_each_ran_once(&hermes);
    assert_eq!(held.peak.load(Ordering::SeqCst), 4);
}

#[test]
fn a_source_moved_to_another_handler_runs_its_queued_job_once_and_the_next_one_there() {
    let (hermes, site, gate) = (Hermes::new(), Site::new(), Gate::new());
    site.on("/held", Reply::gated(&gate, Reply::json(r#"{"data":[]}"#)));
    site.on("/moved", Reply::json(r#"{"data":[]}"#));
    let moved =
        |handler: &str| source("moved", &site.url("/moved"), "daily") + &format!("handler: {handler}\n");
    hermes.write_source("held.yaml", &(source("held", &site.url("/held"), "daily") + "handler: one\n"));
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("the handler to be busy", || gate.waiting() == 1);
    hermes.write_source("moved.yaml", &moved("one"));
    daemon.until("its job to wait", || jobs(&hermes, "moved").len() == 1);
    hermes.save_by_rename("moved.yaml", &moved("two"));
    daemon.until_logged("source moved updated");
    gate.open();
    daemon.until("its job", || completed(&hermes, "moved") == 1);
    hermes.command(&["reset", "moved"]).done();
    daemon.until("its next job", || completed(&hermes, "moved") == 2);
    let handlers = hermes.rows("SELECT handler FROM fetchlogs WHERE source_name = 'moved' ORDER BY id");
    assert_eq!(handlers, [["one".to_owned().into()], ["two".to_owned().into()]]);
    assert_eq!((site.count("/moved"), site.count("/held")), (2, 1));
}

#[test]
fn a_document_for_default_overrides_the_options_until_it_is_removed() {
    let (hermes, held) = (Hermes::new(), Held::new(9));
    hermes.write_source("all.yaml", &held.documents("default"));
    hermes.write_source("default.yaml", &handler("default", 2, 3));
    let daemon = hermes.start(&["--workers", "1", "--queue", "8", "--max-sleep", "1s"]);
    daemon.until("three run, two wait", || held.running().len() == 3 && waiting(&hermes) == 2);
    hermes.remove_source("default.yaml");
    daemon.until("the queue of the options", || waiting(&hermes) == 6);
    for n in held.running() {
        held.gates[n].open();
    }
    daemon.until("the three to end", || done(&hermes) == 3);
    held.finish_one_by_one(&hermes, &daemon);
    held.assert_each_ran_once(&hermes);
    assert_eq!(held.peak.load(Ordering::SeqCst), 3);
}
