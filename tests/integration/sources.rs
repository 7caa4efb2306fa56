//! Files in `sources.d`: dropped, changed, moved. The submodules have the rest of what people do to
//! sources. Not here: what a single request asks and stores.

mod broken;
mod commands;
mod daemon;
mod delete;
mod deployments;
mod pause;
mod queued;
mod removed;
mod saves;
mod shipped;
mod tables;

use crate::util::{Hermes, Reply, Site, until};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A source that stores `id` and `title` of the records at `url`, into the table `items`.
pub fn source(name: &str, url: &str) -> String {
    source_with(name, url, "")
}

/// The same with some lines more.
pub fn source_with(name: &str, url: &str, lines: &str) -> String {
    format!(
        "name: {name}\nurl: {url}\ntable: items\nresponse: {{ fields: {{ id: id, title: title }} }}\n{lines}"
    )
}

/// Records `{"id", "title"}`, numbered from 1.
pub fn records(count: u32) -> Reply {
    let record = |id| json!({ "id": id, "title": format!("record {id}") });
    Reply::json((1..=count).map(record).collect::<Value>())
}

/// A site that answers each of these paths with two records.
pub fn site(paths: &[&str]) -> Site {
    let site = Site::new();
    paths.iter().for_each(|path| site.on(path, records(2)));
    site
}

/// The rows of a source in the table `items`.
pub fn rows_of(hermes: &Hermes, name: &str) -> i64 {
    hermes.try_query(&format!("SELECT count(*) FROM items WHERE source_name = '{name}'")).unwrap_or(0)
}

/// A document outside `sources.d`, for `add` and `update`.
pub fn document(hermes: &Hermes, file: &str, yaml: &str) -> PathBuf {
    let path = hermes.dir().join(file);
    fs::write(&path, yaml).unwrap();
    path
}

/// What `status NAME --json` says in one column; null while the source is not known.
pub fn shown(hermes: &Hermes, name: &str, column: &str) -> Value {
    let output = hermes.command(&["status", name, "--json"]);
    if output.code == Some(2) { Value::Null } else { output.json()[column].clone() }
}

#[test]
fn the_rows_of_a_dropped_file_are_there_soon() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until_logged("watching");
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    daemon.until("two rows", || rows_of(&hermes, "a") == 2);
    assert_eq!(site.asked_paths(), ["/a"]);
}

#[test]
fn files_that_are_there_at_the_start_are_read() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.write_source("b.yml", &source("b", &site.url("/b")));
    hermes.once().done();
    assert_eq!((rows_of(&hermes, "a"), rows_of(&hermes, "b")), (2, 2));
    assert_eq!((site.count("/a"), site.count("/b")), (1, 1));
}

#[test]
fn other_files_and_copies_of_editors_are_left_alone() {
    let (hermes, site) = (Hermes::new(), site(&["/a"]));
    for file in ["notes.txt", "a.yaml~", ".a.yaml.swp", ".hidden.yaml", "#a.yaml#"] {
        hermes.write_source(file, &source("copy", &site.url("/copy")));
    }
    fs::create_dir(hermes.sources().join("folder.yaml")).unwrap();
    hermes.write_source("a.yaml", &source("a", &site.url("/a")));
    hermes.once().done();
    assert_eq!(site.asked_paths(), ["/a"]);
    assert_eq!(hermes.count("source_definitions"), 1);
}

#[test]
fn a_second_file_with_the_same_name_is_refused_and_live_once_the_first_is_gone() {
    let (hermes, site) = (Hermes::new(), site(&["/first", "/second"]));
    hermes.write_source("first.yaml", &source("a", &site.url("/first")));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the rows of the first", || rows_of(&hermes, "a") == 2);
    hermes.write_source("second.yaml", &source("a", &site.url("/second")));
    daemon.until_logged("second.yaml:1:1: name: `a` is defined by first.yaml already");
    assert_eq!(shown(&hermes, "a", "origin"), "first.yaml");

    hermes.remove_source("first.yaml");
    daemon.until("the second is live", || shown(&hermes, "a", "origin") == "second.yaml");
    hermes.command(&["reset", "a"]).done();
    daemon.until("the second is asked", || site.count("/second") == 1);
    assert_eq!(site.count("/first"), 1);
    assert!(!hermes.command(&["status"]).done().contains("problems in files"));
}

#[test]
fn a_source_that_moves_to_a_file_earlier_in_the_alphabet_goes_on() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    let (a, b) = (source("a", &site.url("/a")), source("b", &site.url("/b")));
    hermes.write_source("z.yaml", &format!("{a}---\n{b}"));
    hermes.once().done();
    hermes.write_source("c.yaml", &a);
    hermes.write_source("z.yaml", &b);
    hermes.once().done();
    assert_eq!(shown(&hermes, "a", "origin"), "c.yaml");
    assert_eq!(shown(&hermes, "a", "status"), "active");
    assert!(!hermes.command(&["status"]).done().contains("problems in files"));
    assert_eq!(site.asked_paths().len(), 2);
}

#[test]
fn a_document_taken_out_of_its_file_stops_and_the_others_go_on() {
    let (hermes, site) = (Hermes::new(), site(&["/a", "/b"]));
    let (a, b) = (source("a", &site.url("/a")), source("b", &site.url("/b")));
    hermes.write_source("both.yaml", &format!("{a}---\n{b}"));
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("both have rows", || hermes.count("items") == 4);
    hermes.write_source("both.yaml", &b);
    daemon.until("a is removed", || shown(&hermes, "a", "state") == "removed");
    assert_eq!(shown(&hermes, "b", "state"), "idle");
    assert_eq!(hermes.count("items"), 4);
}

#[test]
fn a_hang_up_signal_makes_it_look_at_the_folder() {
    let (hermes, site) = (Hermes::new(), site(&["/old", "/new"]));
    // What a link points to is not watched.
    let real = document(&hermes, "real.yaml", &source("a", &site.url("/old")));
    std::os::unix::fs::symlink(&real, hermes.sources().join("a.yaml")).unwrap();
    let daemon = hermes.start(&["--max-sleep", "30s"]);
    daemon.until("the rows of the first", || rows_of(&hermes, "a") == 2);
    fs::write(&real, source("b", &site.url("/new"))).unwrap();
    daemon.signal("HUP");
    daemon.until("the changed file is live", || rows_of(&hermes, "b") == 2);
    assert_eq!(site.asked_paths(), ["/old", "/new"]);
}
