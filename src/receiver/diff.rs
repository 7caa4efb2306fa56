//! Hot reload as a pure diff: what the folder holds against what was read last.

use super::folder::File;
use crate::store::source_files::FileRow;

#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    Removed(String),
    /// New, or its bytes differ: the index of the file.
    Written(usize),
}

/// Removed files first: a source may have moved from one file to another. A
/// file that was bad is read again with any other change, for its problem may
/// have been the other file.
pub fn diff(known: &[FileRow], found: &[File]) -> Vec<Change> {
    let row_of = |file: &File| known.iter().find(|row| row.file == file.name);
    let is_written = |file: &File| row_of(file).is_none_or(|row| row.hash != file.hash);
    let removed: Vec<Change> = known
        .iter()
        .filter(|row| !found.iter().any(|file| file.name == row.file))
        .map(|row| Change::Removed(row.file.clone()))
        .collect();
    if removed.is_empty() && !found.iter().any(is_written) {
        return removed;
    }
    let was_bad = |file: &File| row_of(file).is_some_and(|row| row.error.is_some());
    let written = (0..found.len()).filter(|&at| is_written(&found[at]) || was_bad(&found[at]));
    removed.into_iter().chain(written.map(Change::Written)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: &str, hash: &str, error: Option<&str>) -> FileRow {
        FileRow { file: file.into(), hash: hash.into(), error: error.map(str::to_owned) }
    }

    fn file(name: &str, hash: &str) -> File {
        File { name: name.into(), hash: hash.into(), text: Ok(String::new()) }
    }

    #[test]
    fn only_what_differs_is_read_again() {
        let known =
            [row("a", "1", None), row("b", "1", None), row("bad", "1", Some("x")), row("gone", "1", None)];
        for (why, found, want) in [
            ("nothing", vec![file("a", "1"), file("b", "1"), file("bad", "1"), file("gone", "1")], vec![]),
            (
                "one changed: the bad one is tried again",
                vec![file("a", "2"), file("b", "1"), file("bad", "1"), file("gone", "1")],
                vec![Change::Written(0), Change::Written(2)],
            ),
            (
                "one gone, one new",
                vec![file("a", "1"), file("b", "1"), file("new", "1")],
                vec![Change::Removed("bad".into()), Change::Removed("gone".into()), Change::Written(2)],
            ),
        ] {
            assert_eq!(diff(&known, &found), want, "{why}");
        }
    }
}
