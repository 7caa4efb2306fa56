//! What ships beside the binary: `cross.toml`, the build script's targets. Packages are tested by
//! `packaging/test-deb`, which needs dpkg.

use crate::util::Hermes;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// A Raspberry Pi's: 64 bits, the same static, 32 bits, ARMv6 static.
const TARGETS: [&str; 4] = [
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "armv7-unknown-linux-gnueabihf",
    "arm-unknown-linux-musleabihf",
];

/// What cross 0.2.5 reads. It only warns of anything else, and builds without it.
const BUILD_KEYS: [&str; 6] = ["env", "xargo", "build-std", "default-target", "pre-build", "dockerfile"];
const TARGET_KEYS: [&str; 7] = ["env", "xargo", "build-std", "image", "pre-build", "runner", "dockerfile"];
const ENV_KEYS: [&str; 2] = ["volumes", "passthrough"];

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

fn keys(table: &Table) -> Vec<&str> {
    let mut keys: Vec<&str> = table.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// What cross would pass over or trip on, each with its place.
fn problems(cross: &Table) -> Vec<String> {
    let mut problems = unknown("cross.toml", cross, &["build", "target"]);
    let empty = Table::new();
    let table = |value: Option<&Value>| value.and_then(Value::as_table).unwrap_or(&empty).clone();
    let build = table(cross.get("build"));
    problems.extend(unknown("build", &build, &BUILD_KEYS));
    problems.extend(unknown("build.env", &table(build.get("env")), &ENV_KEYS));
    for (name, value) in &table(cross.get("target")) {
        let target = table(Some(value));
        problems.extend(unknown(name, &target, &TARGET_KEYS));
        problems.extend(unknown(&format!("{name}.env"), &table(target.get("env")), &ENV_KEYS));
        // The image of another target would build for another machine.
        let image = target.get("image").and_then(Value::as_str).unwrap_or_default();
        if image != format!("ghcr.io/cross-rs/{name}:0.2.5") {
            problems.push(format!("{name}: image {image:?}"));
        }
    }
    problems
}

fn unknown(place: &str, table: &Table, known: &[&str]) -> Vec<String> {
    keys(table).iter().filter(|key| !known.contains(key)).map(|key| format!("{place}: {key}")).collect()
}

#[test]
fn cross_toml_has_the_targets_of_every_pi_and_only_keys_that_cross_reads() {
    let cross: Table = read("cross.toml").parse().unwrap();
    let mut wanted = TARGETS;
    wanted.sort_unstable();
    assert_eq!(keys(cross["target"].as_table().unwrap()), wanted);
    assert_eq!(problems(&cross), Vec::<String>::new());
}

#[test]
fn the_test_of_cross_toml_can_fail() {
    for (why, text, want) in [
        ("a table", "[biuld]\n", "cross.toml: biuld"),
        ("a key of build", "[build]\nimage = 'x'\n", "build: image"),
        ("a key of a target", "[target.t]\nimages = 'x'\n", "t: images"),
        ("a key of its environment", "[target.t.env]\npass = []\n", "t.env: pass"),
        ("an image", "[target.t]\nimage = 'ghcr.io/cross-rs/u:0.2.5'\n", "t: image"),
    ] {
        let found = problems(&text.parse().unwrap());
        assert!(found.iter().any(|problem| problem.starts_with(want)), "{why}: {found:?}");
    }
}

#[test]
fn every_target_can_be_built_without_containers_and_is_held_to_the_same_dependencies() {
    let (script, deny) = (read("packaging/build-arm"), read("deny.toml"));
    let deny: Table = deny.parse().unwrap();
    let checked: Vec<&str> =
        deny["graph"]["targets"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for target in TARGETS {
        assert!(script.contains(&format!("#   {target} ")), "packaging/build-arm: {target}");
        assert!(checked.contains(&target), "deny.toml: {target}");
    }
}

#[test]
fn the_version_names_the_machine_that_it_is_for() {
    let version = Hermes::new().plain(&["--version"]).done().to_owned();
    let wanted = std::env::var("HERMES_TEST_TARGET").unwrap_or_else(|_| "-linux-".to_owned());
    assert!(version.contains(&wanted), "{version}");
}
