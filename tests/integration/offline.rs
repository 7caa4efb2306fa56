//! A machine without a network: a namespace of the kernel's in which there is no way out. Nothing leaves
//! the machine, and nothing is counted.

use crate::scene::{completed, jobs, retry, source, the_job};
use crate::util::{Daemon, Hermes, Reply, Site, program};
use std::process::{Command, Stdio};

/// For documentation (RFC 5737): nobody is there.
const ELSEWHERE: &str = "http://203.0.113.7/";

/// Reserved (RFC 2606): nobody has it.
const NO_NAME: &str = "http://nothing.example.com/";

/// Runs in a network namespace of its own, whose loopback is down as well.
fn without_network(program: &[String]) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--net"]).args(program);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn kernel_allows_it() -> bool {
    let allowed = without_network(&["true".to_owned()]).status().is_ok_and(|status| status.success());
    if !allowed {
        println!("skipped: this kernel lets this user make no network namespace");
    }
    allowed
}

fn start_offline(hermes: &Hermes) -> Daemon {
    let mut command = without_network(&program());
    command.arg("--db").arg(hermes.db_path()).arg("--sources").arg(hermes.sources());
    command.args(["--no-listen", "--max-sleep", "1s"]);
    command.current_dir(hermes.dir()).env_clear().env("HOME", hermes.dir()).env("API_HOST", "203.0.113.8");
    command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    Daemon::spawn(&mut command)
}

fn vitals() -> String {
    "name: vitals\nurl: hermes:vitals\ntable: vitals\nschedule: interval:1s\n\
     response: { fields: { time: time } }\n"
        .to_owned()
}

fn state(hermes: &Hermes, name: &str) -> String {
    let shown = hermes.command(&["status", name, "--json"]).json();
    let row = if shown.is_array() { shown[0].clone() } else { shown };
    row["state"].as_str().unwrap_or_else(|| panic!("{row}")).to_owned()
}

const OUT: [(&str, &str); 3] =
    [("address", ELSEWHERE), ("name", NO_NAME), ("from-env", "http://${env:API_HOST}/")];

#[test]
fn without_a_network_nothing_is_counted_and_it_goes_on_by_itself() {
    if !kernel_allows_it() {
        return;
    }
    let (hermes, site) = (Hermes::new(), Site::new());
    site.on("/a", Reply::json(r#"{"data":[{"id":1,"title":"one"}]}"#));
    for (name, url) in OUT {
        hermes.write_source(&format!("{name}.yaml"), &source(name, url, "hourly"));
    }
    hermes.write_source("vitals.yaml", &vitals());
    let daemon = start_offline(&hermes);
    daemon.until("its tables", || hermes.count("source_definitions") == OUT.len() as i64 + 1);
    daemon.until("all to be known as offline", || {
        OUT.iter().all(|(name, _)| state(&hermes, name) == "offline")
    });
    let (runs, switches) = (completed(&hermes, "vitals"), daemon.context_switches());
    daemon.until("what needs no network to go on", || completed(&hermes, "vitals") >= runs + 3);
    let switches = daemon.context_switches() - switches;
    assert!(switches < 300, "{switches} context switches for three runs: it spins");
    assert!(OUT.iter().all(|(name, _)| state(&hermes, name) == "offline"));
    assert_eq!(hermes.count("retries"), 0, "no budget is spent");
    let told = daemon.log().lines().filter(|line| line.contains("offline")).count();
    assert_eq!(told, 1, "{}", daemon.log());
    for (name, part) in [("address", "no network"), ("name", "name resolution"), ("from-env", "no network")] {
        let job = the_job(&hermes, name);
        assert_eq!((job.status.as_str(), job.attempt), ("queued", 1), "{job:?}");
        assert!(job.message.as_ref().is_some_and(|message| message.contains(part)), "{job:?}");
    }
    assert!(daemon.stop().success());

    // There is a way again.
    for (name, _) in OUT {
        hermes.write_source(&format!("{name}.yaml"), &source(name, &site.url("/a"), "hourly"));
    }
    let before: Vec<_> = OUT.iter().map(|(name, _)| the_job(&hermes, name).key).collect();
    let daemon = hermes.start(&["--max-sleep", "1s"]);
    daemon.until("all to run", || OUT.iter().all(|(name, _)| completed(&hermes, name) == 1));
    for ((name, _), key) in OUT.iter().zip(before) {
        let job = the_job(&hermes, name);
        assert_eq!((job.key, job.attempt, job.message), (key, 1, None), "the same job");
        assert_eq!(state(&hermes, name), "idle");
    }
    assert_eq!((site.count("/a"), hermes.count("retries")), (3, 0));
}

#[test]
fn a_source_on_this_machine_fails_by_itself_without_a_network() {
    if !kernel_allows_it() {
        return;
    }
    let hermes = Hermes::new();
    hermes.write_source("here.yaml", &source("here", "http://127.0.0.1:9/", "hourly"));
    hermes.write_source("vitals.yaml", &vitals());
    let daemon = start_offline(&hermes);
    daemon.until("its failure", || retry(&hermes, "here", "retry_count") == Some(1));
    let runs = completed(&hermes, "vitals");
    daemon.until("others to go on", || completed(&hermes, "vitals") >= runs + 2);
    assert_eq!((jobs(&hermes, "here").len(), the_job(&hermes, "here").attempt), (1, 1));
    assert_eq!((state(&hermes, "here").as_str(), daemon.log().contains("offline")), ("backoff", false));
}
