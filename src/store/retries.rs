//! `retries`: failures since the last success. The rule is `Execution`'s; here
//! its state is kept.

use rusqlite::{Connection, OptionalExtension};

use super::{Store, Tx, time};
use crate::clock;
use crate::definition::RetryState;
use crate::error::Result;

impl Store {
    pub fn retry_state(&self, source_name: &str) -> Result<Option<RetryState>> {
        retry_state(&self.conn, source_name)
    }
}

impl Tx<'_> {
    pub fn retry_state(&self, source_name: &str) -> Result<Option<RetryState>> {
        retry_state(&self.conn, source_name)
    }

    pub fn set_retry_state(&self, source_name: &str, state: &RetryState) -> Result<()> {
        // No row for a source that is gone: its foreign key would refuse it.
        let mut set = self.conn.prepare_cached(
            "INSERT INTO retries (source_name, retry_count, period_start, next_retry_at)
             SELECT ?1, ?2, ?3, ?4 FROM source_definitions WHERE name = ?1
             ON CONFLICT (source_name) DO UPDATE SET retry_count = excluded.retry_count,
                period_start = excluded.period_start, next_retry_at = excluded.next_retry_at",
        )?;
        let (start, next) = (clock::to_text(state.period_start), clock::to_text(state.next_retry_at));
        set.execute((source_name, state.retry_count, start, next))?;
        Ok(())
    }

    pub fn forget_retries(&self, source_name: &str) -> Result<()> {
        self.conn.prepare_cached("DELETE FROM retries WHERE source_name = ?")?.execute([source_name])?;
        Ok(())
    }
}

fn retry_state(conn: &Connection, source_name: &str) -> Result<Option<RetryState>> {
    let sql = "SELECT retry_count, period_start, next_retry_at FROM retries WHERE source_name = ?";
    let state = conn.prepare_cached(sql)?.query_row([source_name], |row| {
        let (start, next) = (time(row, "period_start")?, time(row, "next_retry_at")?);
        // A row that SQL made unreadable counts as none: the source just runs.
        let Ok(retry_count) = row.get("retry_count") else { return Ok(None) };
        Ok(start.zip(next).map(|(period_start, next_retry_at)| RetryState {
            retry_count,
            period_start,
            next_retry_at,
        }))
    });
    Ok(state.optional()?.flatten())
}
