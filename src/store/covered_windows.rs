//! `covered_windows`: the time that completed jobs of a source cover. How
//! intervals grow together is `definition::window`'s.

use rusqlite::Connection;

use super::{Store, Tx, time};
use crate::clock;
use crate::definition::window::{Window, cover};
use crate::error::Result;

impl Store {
    pub fn covered_windows(&self, source_name: &str) -> Result<Vec<Window>> {
        covered(&self.conn, source_name)
    }
}

impl Tx<'_> {
    /// With the success of a job. Nothing where the source is gone.
    pub(super) fn cover_window(&self, source_name: &str, window: Window) -> Result<()> {
        let before = covered(&self.conn, source_name)?;
        let after = cover(&before, window);
        if before == after || self.source(source_name)?.is_none() {
            return Ok(());
        }
        for gone in before.iter().filter(|window| !after.contains(window)) {
            let sql = "DELETE FROM covered_windows WHERE source_name = ? AND window_from = ?";
            self.conn.prepare_cached(sql)?.execute((source_name, clock::to_text(gone.from)))?;
        }
        for new in after.iter().filter(|window| !before.contains(window)) {
            let sql = "INSERT INTO covered_windows VALUES (?, ?, ?)";
            let (from, to) = (clock::to_text(new.from), clock::to_text(new.to));
            self.conn.prepare_cached(sql)?.execute((source_name, from, to))?;
        }
        Ok(())
    }
}

fn covered(conn: &Connection, source_name: &str) -> Result<Vec<Window>> {
    let mut find = conn.prepare_cached(
        "SELECT window_from, window_to FROM covered_windows WHERE source_name = ? ORDER BY window_from",
    )?;
    let windows = find.query_map([source_name], |row| {
        let (from, to) = (time(row, "window_from")?, time(row, "window_to")?);
        Ok(from.zip(to).map(|(from, to)| Window { from, to }))
    })?;
    Ok(windows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
}
