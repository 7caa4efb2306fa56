//! How large the database is and how fast it grows, for people. Estimates that
//! cost a look each, whatever the size of the tables. Nothing here decides.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Row;

use super::{Store, quoted, time};
use crate::error::Result;

/// Less time than this says nothing of a day.
const LEAST_SPAN: SignedDuration = SignedDuration::from_hours(1);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Disk {
    pub database_bytes: u64,
    pub wal_bytes: u64,
    /// Of the file system, for this user. `None`: it does not say.
    pub free_bytes: Option<u64>,
    /// Of the database, the part in use.
    pub used_bytes: u64,
    /// In all data tables, by their row ids.
    pub rows: u64,
}

impl Store {
    pub fn disk(&self) -> Result<Disk> {
        let number = |name: &str| self.conn.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
        let pages = number("page_count")?.saturating_sub(number("freelist_count")?);
        let free = rustix::fs::statvfs(&self.path).ok();
        Ok(Disk {
            database_bytes: self.database_bytes(),
            wal_bytes: self.wal_bytes(),
            free_bytes: free.map(|of| of.f_bavail.saturating_mul(of.f_frsize)),
            used_bytes: pages.saturating_mul(number("page_size")?),
            rows: self.rows_kept()?,
        })
    }

    /// What the schedule of each source adds in a day, by the jobs that are still
    /// in `fetchlogs`. Not by the oldest, which may have brought years at once,
    /// nor by back-fills. Only of sources whose jobs say enough.
    pub fn rows_a_day(&self, now: Timestamp) -> Result<Vec<(String, f64)>> {
        // The bare columns are of the row that has the least id.
        let mut all = self.conn.prepare_cached(
            "SELECT source_name, min(id), completed_datetime, sum(inserted) - inserted AS later
             FROM fetchlogs WHERE status = 'completed' AND deployment NOT LIKE '%.backfill'
             GROUP BY source_name",
        )?;
        let read = |row: &Row<'_>| {
            let (name, later): (String, f64) = (row.get("source_name")?, row.get("later")?);
            let span = time(row, "completed_datetime")?.map(|first| now.duration_since(first));
            let span = span.filter(|span| *span >= LEAST_SPAN);
            Ok(span.map(|span| (name, later / span.as_secs_f64() * 86_400.0)))
        };
        let rows = all.query_map([], read)?;
        Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The oldest go first: what is kept lies between the lowest and the highest row id.
    fn rows_kept(&self) -> Result<u64> {
        let mut rows = 0;
        for table in self.data_tables()? {
            let table = quoted(&table);
            let sql = format!(
                "SELECT coalesce((SELECT max(rowid) FROM {table}) - (SELECT min(rowid) FROM {table}) + 1, 0)"
            );
            rows += self.conn.query_row(&sql, [], |row| row.get::<_, u64>(0))?;
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{at, store};

    #[test]
    fn growth_is_what_came_after_the_oldest_job() {
        let store = store();
        for (key, name, deployment, done, inserted) in [
            ("1", "a", "a", "2026-01-01T00:00:00Z", 1_000_000),
            ("2", "a", "a", "2026-01-01T12:00:00Z", 30),
            ("3", "a", "a.backfill", "2026-01-01T13:00:00Z", 5_000),
            ("4", "a", "a", "2026-01-02T00:00:00Z", 70),
            ("5", "new", "new", "2026-01-02T23:30:00Z", 10),
            ("6", "new", "new", "2026-01-02T23:45:00Z", 10),
        ] {
            store.execute_for_test(&format!(
                "INSERT INTO fetchlogs (key, source_name, deployment, handler, status, scheduled_datetime,
                    queued_datetime, completed_datetime, inserted)
                 VALUES ('{key}', '{name}', '{deployment}', 'default', 'completed', '{done}', '{done}', '{done}', {inserted})"
            ));
        }
        let found = store.rows_a_day(at("2026-01-03T00:00:00Z")).expect("a store");
        assert_eq!(found, [("a".to_owned(), 50.0)]);
    }
}
