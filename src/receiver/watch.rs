//! Tells the daemon that something was written: a file of `sources.d`, or the
//! lock file, which other processes touch after they changed the database.
//! What was written, it does not look at.

use std::path::{Path, PathBuf};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::UnboundedSender;

use super::folder::is_document;
use crate::error::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// `sources.d` may be different.
    Folder,
    /// Another process says that the database is.
    Poke,
}

/// Ends with the returned watcher. Sleeps in the kernel: an idle folder costs
/// nothing.
pub fn watch(folder: &Path, lock: &Path, seen: UnboundedSender<Seen>) -> Result<RecommendedWatcher> {
    let lock_name = lock.file_name().map(PathBuf::from);
    let told = move |event: notify::Result<Event>| {
        // The receiver of this channel is gone only while Hermes stops.
        for what in event.iter().flat_map(|event| meaning(event, lock_name.as_deref())) {
            let _ = seen.send(what);
        }
    };
    let fail = |error: notify::Error| {
        Error::Failed(format!(
            "cannot watch {}: {error}; is fs.inotify.max_user_watches spent?",
            folder.display()
        ))
    };
    let mut watcher = notify::recommended_watcher(told).map_err(fail)?;
    watcher.watch(folder, RecursiveMode::NonRecursive).map_err(fail)?;
    watcher.watch(lock, RecursiveMode::NonRecursive).map_err(fail)?;
    Ok(watcher)
}

/// Being opened and read is no change: the receiver itself does that.
fn meaning(event: &Event, lock_name: Option<&Path>) -> Vec<Seen> {
    if matches!(event.kind, EventKind::Access(access) if !is_close_after_write(access)) {
        return Vec::new();
    }
    let name = |path: &PathBuf| path.file_name().map(PathBuf::from);
    let mut seen = Vec::new();
    for file in event.paths.iter().filter_map(name) {
        if Some(file.as_path()) == lock_name {
            seen.push(Seen::Poke);
        } else if file.to_str().is_some_and(is_document) {
            seen.push(Seen::Folder);
        }
    }
    seen
}

fn is_close_after_write(access: notify::event::AccessKind) -> bool {
    use notify::event::{AccessKind, AccessMode};
    access == AccessKind::Close(AccessMode::Write)
}
