//! Answers in the shapes of real APIs, with invented values, and documents as a user would write them:
//! `shapes/NAME.yaml` (`SITE` is the site) and `shapes/NAME.json`. Each shape is a trap that some client
//! fell into. One file a field of use: `air` and `market`.

mod air;
mod market;

use crate::util::{Hermes, Reply, Site, hermes_with, lines};
use std::fs;
use std::path::{Path, PathBuf};

/// Stands in for every key, and must be found nowhere but in requests.
const KEY: &str = "k3y-of-nobody";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/integration/shapes")
}

#[track_caller]
fn fixture(file: &str) -> String {
    fs::read_to_string(folder().join(file)).unwrap_or_else(|why| panic!("{file}: {why}"))
}

fn answer(file: &str) -> Reply {
    Reply::json(fixture(file))
}

/// An installation with the document of this name, and a site that answers at `path`.
fn shape(name: &str, path: &str, reply: Reply) -> (Site, Hermes) {
    let site = Site::new();
    site.on(path, reply);
    let mut hermes = hermes_with(&site, &fixture(&format!("{name}.yaml")));
    for variable in ["PURPLEAIR", "OPENAQ", "AIRNOW", "CLARITY", "FMP", "ALPHA_VANTAGE"] {
        hermes = hermes.env(&format!("{variable}_KEY"), KEY);
    }
    (site, hermes.env("AIRGRADIENT_TOKEN", KEY))
}

/// Fetches once, to success, and gives the rows.
#[track_caller]
fn fetched(hermes: &Hermes, sql: &str) -> Vec<String> {
    let output = hermes.once();
    output.done();
    assert!(!output.to_string().contains(KEY), "a key is in the output\n{output}");
    assert!(!dump(hermes).contains(KEY), "a key is in the database");
    lines(hermes, sql)
}

/// Fetches once, in vain, stores nothing, and gives the reason.
#[track_caller]
fn failed(hermes: &Hermes, table: &str) -> String {
    let output = hermes.once();
    assert_eq!((output.code, hermes.count(table)), (Some(1), 0), "{output}");
    assert!(!output.to_string().contains(KEY), "a key is in the output\n{output}");
    assert!(!dump(hermes).contains(KEY), "a key is in the database");
    hermes.query("SELECT message FROM fetchlogs ORDER BY id DESC LIMIT 1")
}

/// The bytes of the database and of what is still in its log.
fn dump(hermes: &Hermes) -> String {
    let files = ["data.sqlite", "data.sqlite-wal"].map(|file| fs::read(hermes.dir().join(file)));
    files.into_iter().flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

#[test]
fn every_document_of_the_folder_is_good() {
    let mut documents = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "yaml") {
            let name = path.file_name().unwrap().to_str().unwrap();
            let hermes = Hermes::new();
            let file = hermes.write_source(name, &fixture(name).replace("SITE", "127.0.0.1:80"));
            hermes.command(&["check", file.to_str().unwrap()]).done();
            documents += 1;
        }
    }
    assert_eq!(documents, 14);
}
