//! A store in memory, for what is only tried: made with the tables that a file
//! has, gone with the process. Nothing is ever written to a file.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params_from_iter};

use super::{Store, keep_statements, upgrade};
use crate::error::Result;

/// What sources share. Neither sources nor rows, which would be many.
const SHARED: [&str; 4] = ["clients", "providers", "deployments", "deployment_sources"];

impl Store {
    /// With what the sources of another store share.
    pub fn scratch(like: Option<&Store>) -> Result<Store> {
        let mut conn = Connection::open_in_memory()?;
        conn.pragma_update(None, "foreign_keys", true)?;
        keep_statements(&conn)?;
        upgrade::upgrade(&mut conn, Path::new("memory"))?;
        if let Some(like) = like {
            SHARED.iter().try_for_each(|table| copy(&like.conn, &conn, table))?;
        }
        Ok(Store { conn, path: PathBuf::from("memory"), is_snapshot: false })
    }
}

/// By the columns of the one that is copied: an older one has fewer.
fn copy(from: &Connection, to: &Connection, table: &str) -> rusqlite::Result<()> {
    let mut all = from.prepare(&format!("SELECT * FROM {table}"))?;
    let names = all.column_names().collect::<Vec<_>>().join(", ");
    let count = all.column_count();
    let places = vec!["?"; count].join(", ");
    let mut insert = to.prepare(&format!("INSERT INTO {table} ({names}) VALUES ({places})"))?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let values = (0..count).map(|at| row.get_ref(at)).collect::<rusqlite::Result<Vec<_>>>()?;
        insert.execute(params_from_iter(values.into_iter().map(rusqlite::types::ToSqlOutput::Borrowed)))?;
    }
    Ok(())
}
