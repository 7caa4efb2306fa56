//! Which module of `src` may use which. Reads the sources as text: comments and `#[cfg(test)]` blocks
//! are left out, everything else that says `crate::` counts.

use std::fs;
use std::path::{Path, PathBuf};

/// A module uses what stands in the lines above its own. A new module gets a place here first.
const LAYERS: [&[&str]; 6] = [
    &["clock", "error", "lock", "order", "packed", "ring", "supervisor"],
    &["definition"],
    &["store"],
    &["receiver", "scheduler", "dispatch", "worker", "viewer", "web"],
    &["init"],
    &["daemon", "commands", "logging", "main", "lib", "bin"],
];

/// The layer whose modules know nothing of each other, and the one of them in which they meet.
const APART: usize = 3;
const MEETING_PLACE: &str = "dispatch";

#[test]
fn every_module_uses_only_the_layers_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&src, &mut files);
    assert!(!files.is_empty(), "no sources under {}", src.display());
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|file| problems(file.strip_prefix(&src).unwrap(), &fs::read_to_string(file).unwrap()))
        .collect();
    assert!(wrong.is_empty(), "data must flow down the page:\n{}", wrong.join("\n"));
}

#[test]
fn the_test_of_layers_can_fail() {
    let table: &[(&str, &str, &str, usize)] = &[
        ("a layer above", "worker/fetch.rs", "use crate::store::Store;", 0),
        ("a layer below", "store/mod.rs", "use crate::worker::Run;", 1),
        ("a neighbour", "worker.rs", "fn f() { crate::scheduler::wake() }", 1),
        ("the meeting place", "worker.rs", "use crate::dispatch::Job;", 0),
        ("out of the meeting place", "dispatch.rs", "use crate::worker::Run;", 1),
        ("itself", "web/page.rs", "use crate::web::page;", 0),
        ("a group", "store.rs", "use crate::{\n  clock::{self, Clock},\n  web::Page,\n  worker,\n};", 2),
        ("a group within", "store.rs", "use crate::{definition::{worker, web}};", 0),
        ("the root by another name", "store/rows.rs", "use super::super::worker::Run;", 1),
        ("a sibling file", "store/rows.rs", "use super::worker::Run;", 0),
        ("a parent's neighbour", "store.rs", "use super::worker::Run;", 1),
        ("a comment", "store.rs", "/// See [`crate::worker`].\nfn f() {} // crate::worker", 0),
        ("tests", "store.rs", "#[cfg(test)]\nmod tests {\n  use crate::worker::Run;\n  fn f() {}\n}", 0),
        ("after tests", "store.rs", "#[cfg(test)]\nmod tests {\n}\nuse crate::worker::Run;", 1),
        ("after a test file", "store.rs", "#[cfg(test)]\nmod tests;\nuse crate::worker::Run;", 1),
        ("something that is no module", "store.rs", "use crate::VERSION;", 0),
        ("a module without a place", "misc.rs", "", 1),
    ];
    for (why, file, text, want) in table {
        let found = problems(Path::new(file), text);
        assert_eq!(found.len(), *want, "{why}: {found:?}");
    }
}

fn problems(file: &Path, text: &str) -> Vec<String> {
    let name = file.display();
    let module = file.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
    let Some(own) = layer(module) else { return vec![format!("{name}: `{module}` has no layer yet")] };
    let allowed = |used: &str| match layer(used) {
        Some(APART) if own == APART => used == module || used == MEETING_PLACE,
        Some(layer) => layer <= own,
        None => true,
    };
    let code = rooted(file, &code(text));
    used(&code)
        .iter()
        .filter(|used| !allowed(used))
        .map(|used| format!("{name}: uses `crate::{used}`"))
        .collect()
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// Without comments, and without each `#[cfg(test)]` item.
fn code(text: &str) -> String {
    let plain: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
    let plain = plain.join("\n");
    let mut parts = plain.split("#[cfg(test)]");
    let before = parts.next().unwrap().to_owned();
    parts.fold(before, |code, part| code + after_item(part))
}

/// What follows the item at the beginning: after its `;`, or after the brace that closes it.
fn after_item(text: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(letter, ';' | '}') {
            return &text[at + 1..];
        }
    }
    ""
}

/// With `super::…` that reaches the root of the crate written as `crate::`.
fn rooted(file: &Path, code: &str) -> String {
    let depth = file.iter().count() - usize::from(file.ends_with("mod.rs"));
    code.replace(&"super::".repeat(depth), "crate::")
}

/// The modules named after each `crate::`, or in the group that follows it.
fn used(code: &str) -> Vec<&str> {
    code.split("crate::")
        .skip(1)
        .flat_map(|rest| rest.strip_prefix('{').map_or(vec![word(rest)], group))
        .collect()
}

fn group(rest: &str) -> Vec<&str> {
    let (mut depth, mut names) = (0, vec![word(rest)]);
    for (at, letter) in rest.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(word(&rest[at + 1..])),
            _ => {}
        }
    }
    names
}

fn word(text: &str) -> &str {
    text.trim_start().split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap()
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
