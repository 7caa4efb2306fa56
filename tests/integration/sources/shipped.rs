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
