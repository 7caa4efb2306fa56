//! `handlers`: named queues.

use super::{Store, Tx, text};
use crate::definition::Handler;
use crate::error::Result;

impl Store {
    pub fn handlers(&self) -> Result<Vec<Handler>> {
        let mut all = self.conn.prepare_cached(
            "SELECT name, CAST(capacity AS INTEGER), CAST(workers AS INTEGER) FROM handlers
             WHERE typeof(name) = 'text' ORDER BY name",
        )?;
        let rows = all.query_map([], |row| {
            Ok(Handler { name: text(row, 0)?, capacity: row.get(1)?, workers: row.get(2)? })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

impl Tx<'_> {
    pub fn put_handler(&self, handler: &Handler, origin: Option<&str>) -> Result<()> {
        self.conn.execute(
            "INSERT INTO handlers (name, capacity, workers, origin) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (name) DO UPDATE SET capacity = excluded.capacity, workers = excluded.workers,
                origin = excluded.origin",
            (&handler.name, handler.capacity, handler.workers, origin),
        )?;
        Ok(())
    }
}
