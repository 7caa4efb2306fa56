//! Where a secret must never appear: in everything that Hermes writes or says, and at any site but its own.

mod errors;
mod looking_up;
mod nowhere;
mod other_origins;

use crate::util::{Hermes, Output};
use std::fs;
use std::path::Path;

/// Has what has to be escaped in a url, in a form and in base64 for urls.
const SECRET: &str = "kx7Vq/Wm93+Tz1=Jd";

/// Parts of it that look the same in every escaping, and its base64: alone, and as `someone:SECRET`. Half
/// a secret is a secret, too.
const TRACES: [&str; 5] = ["kx7V", "Wm93", "Tz1", "a3g3VnEvV205", "c29tZW9uZTpr"];

/// With the secret in a variable and in a file, and a log as detailed as it can be.
fn hermes() -> Hermes {
    let hermes = Hermes::new().env("KEY", SECRET).env("RUST_LOG", "trace");
    fs::write(secret_file(&hermes), format!("{SECRET}\n")).unwrap();
    hermes
}

/// `${file:…}` of the file that has it.
fn from_file(hermes: &Hermes) -> String {
    format!("${{file:{}}}", secret_file(hermes).display())
}

fn secret_file(hermes: &Hermes) -> std::path::PathBuf {
    hermes.dir().join("the-secret")
}

fn source(name: &str, url: &str) -> String {
    format!(
        "name: {name}\nurl: \"{url}\"\ntable: {name}\nresponse: {{ dataPath: data, fields: {{ id: id }} }}\n"
    )
}

fn provider(auth: &str) -> String {
    format!("kind: provider\ndomain: 127.0.0.1\nauth: {auth}\n")
}

/// Runs what is due, and looks through all that there is afterwards.
#[track_caller]
fn run(hermes: &Hermes) -> Output {
    let output = hermes.once();
    nowhere("the log", &output.to_string());
    look_through(hermes);
    output
}

/// Files and what every reading command prints.
#[track_caller]
fn look_through(hermes: &Hermes) {
    let files = files(hermes.dir());
    assert!(files.iter().any(|file| file == &hermes.db_path()), "{files:?}");
    for file in files.iter().filter(|file| **file != secret_file(hermes)) {
        let bytes = fs::read(file).unwrap_or_default();
        nowhere(&file.display().to_string(), &String::from_utf8_lossy(&bytes));
    }
    let mut commands = vec![vec!["list"], vec!["status"], vec!["logs"]];
    let names = names(hermes);
    for name in &names {
        commands.extend(["status", "logs", "get", "data"].map(|command| vec![command, name]));
    }
    for mut command in commands {
        let text = hermes.command(&command);
        command.push("--json");
        let json = hermes.command(&command);
        assert_eq!((text.code, json.code), (Some(0), Some(0)), "{command:?}\n{text}\n{json}");
        nowhere(&format!("{command:?}"), &format!("{text}{json}"));
    }
}

#[track_caller]
fn nowhere(place: &str, text: &str) {
    for trace in TRACES {
        assert!(!text.contains(trace), "`{trace}` in {place}:\n{text}");
    }
}

fn names(hermes: &Hermes) -> Vec<String> {
    let list = hermes.command(&["list", "--json"]).json();
    list.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

fn files(dir: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Of the newest failure.
#[track_caller]
fn failure(hermes: &Hermes, name: &str) -> String {
    hermes.query(&format!(
        "SELECT message FROM fetchlogs WHERE source_name = '{name}' AND status = 'failed' ORDER BY id DESC"
    ))
}
