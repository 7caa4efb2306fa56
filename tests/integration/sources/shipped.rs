//! The samples that come with Hermes.

use crate::util::Hermes;
use std::fs;
use std::path::Path;

fn shipped() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sources.d")
}

#[test]
fn the_shipped_samples_pass_the_check() {
    let hermes = Hermes::new();
    let output = hermes.plain(&["check", shipped().to_str().unwrap()]);
    assert!(output.done().ends_with("documents, no problems\n"), "{output}");
}

#[test]
fn the_shipped_samples_run_without_the_internet_and_store_the_vital_signs() {
    let hermes = Hermes::new();
    for entry in fs::read_dir(shipped()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), hermes.sources().join(entry.file_name())).unwrap();
    }
    hermes.once().done();
    assert_eq!(hermes.count("vitals"), 1);
    assert!(hermes.query::<i64>("SELECT resident_memory_bytes FROM vitals") > 0);
    // All others are paused, and no job was made for them.
    assert_eq!(hermes.count("source_definitions WHERE status = 'active'"), 1);
    assert_eq!(hermes.count("fetchlogs"), 1);
}

#[test]
fn the_samples_name_the_schema_that_lies_beside_them() {
    let hermes = Hermes::new();
    let printed = hermes.plain(&["schema"]);
    assert_eq!(printed.done(), fs::read_to_string(shipped().join("hermes.schema.json")).unwrap());
    let schema = printed.json();
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    assert_eq!(schema["properties"]["kind"]["enum"][2], "provider");
    for entry in fs::read_dir(shipped()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "yaml") {
            let text = fs::read_to_string(&path).unwrap();
            // One for each document: the editor looks for it in each.
            for document in text.split("---\n") {
                let line = "# yaml-language-server: $schema=hermes.schema.json\n";
                assert!(document.starts_with(line), "{}", path.display());
            }
        }
    }
}

/// It lies where documents are looked for.
#[test]
fn a_schema_in_the_folder_disturbs_nothing() {
    let hermes = Hermes::new();
    hermes.write_source("hermes.schema.json", hermes.plain(&["schema"]).done());
    hermes.write_source("a.yaml", "kind: handler\nname: a\n");
    assert_eq!(hermes.plain(&["check", "sources.d"]).done(), "1 document, no problems\n");
    hermes.once().done();
    assert_eq!((hermes.count("source_files"), hermes.count("handlers")), (1, 1));
}
