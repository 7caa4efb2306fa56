//! Sizes of the database, for the built-in source of Hermes' own vital signs.

use std::path::{Path, PathBuf};

use super::{Store, quoted};
use crate::error::Result;

impl Store {
    /// Rows ever stored in all data tables: the highest row ids, a look each,
    /// whatever the size of the tables.
    pub fn rows_stored(&self) -> Result<u64> {
        let mut rows = 0;
        for table in self.data_tables()? {
            let sql = format!("SELECT coalesce(max(rowid), 0) FROM {}", quoted(&table));
            rows += self.conn.query_row(&sql, [], |row| row.get::<_, u64>(0))?;
        }
        Ok(rows)
    }

    /// Those that are there.
    pub(super) fn data_tables(&self) -> Result<Vec<String>> {
        let mut find = self.conn.prepare_cached(
            "SELECT DISTINCT table_name FROM source_definitions
             JOIN sqlite_master ON type = 'table' AND sqlite_master.name = table_name COLLATE NOCASE",
        )?;
        let tables = find.query_map([], |row| row.get(0))?;
        Ok(tables.collect::<rusqlite::Result<_>>()?)
    }

    pub fn database_bytes(&self) -> u64 {
        size(&self.path)
    }

    pub fn wal_bytes(&self) -> u64 {
        let mut wal = self.path.clone().into_os_string();
        wal.push("-wal");
        size(&PathBuf::from(wal))
    }
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}
