//! `deployments` and `deployment_sources`: when to run which sources.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::source_files::Kind;
use super::{Store, Tx, optional_text, text, time};
use crate::clock;
use crate::definition::name::is_name;
use crate::definition::source::Slots;
use crate::definition::{Deployment, Schedule, units};
use crate::error::Result;

/// A row and its sources, its schedule not yet read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeploymentRow {
    pub name: String,
    pub prefix: String,
    pub schedule: String,
    pub timezone: String,
    pub handler: String,
    pub is_active: bool,
    pub temporal_offset_hours: i64,
    pub slots: Slots,
    pub created_at: Option<Timestamp>,
    /// The newest slot for which jobs were claimed.
    pub last_deployed: Option<Timestamp>,
    pub sources: Vec<String>,
    /// Whose jobs would have the same keys; only SQL can have made it so.
    owner_of_prefix: Option<String>,
}

impl Store {
    pub fn deployments(&self) -> Result<Vec<DeploymentRow>> {
        let mut all = self.conn.prepare_cached(
            "SELECT name, coalesce(prefix, name), schedule, timezone, handler, is_active, last_deployed_datetime,
                temporal_offset, catch_up = 'each' AS each, startup = 'wait' AS waits, created_at,
                coalesce((SELECT min(name) FROM deployments AS other WHERE other.name < deployments.name
                          AND coalesce(other.prefix, other.name) = coalesce(deployments.prefix, deployments.name)),
                         (SELECT name FROM source_definitions AS source WHERE source.name <> deployments.name
                          AND source.name = coalesce(deployments.prefix, deployments.name)
                          AND status <> 'removed' AND source.schedule IS NOT NULL)) AS owner_of_prefix
             FROM deployments WHERE typeof(name) = 'text' ORDER BY name",
        )?;
        let rows = all.query_map([], |row| {
            Ok(DeploymentRow {
                name: text(row, 0)?,
                prefix: text(row, 1)?,
                schedule: text(row, 2)?,
                timezone: text(row, 3)?,
                handler: text(row, 4)?,
                is_active: row.get(5)?,
                temporal_offset_hours: row.get("temporal_offset")?,
                slots: Slots { catch_up_each: row.get("each")?, startup_waits: row.get("waits")? },
                created_at: time(row, "created_at")?,
                last_deployed: time(row, "last_deployed_datetime")?,
                sources: Vec::new(),
                owner_of_prefix: optional_text(row, "owner_of_prefix")?,
            })
        })?;
        let mut deployments = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        let mut find = self.conn.prepare_cached(
            "SELECT source_name FROM deployment_sources WHERE deployment = ? ORDER BY source_name",
        )?;
        for deployment in &mut deployments {
            let names = find.query_map([&deployment.name], |row| text(row, 0))?;
            deployment.sources = names.collect::<rusqlite::Result<_>>()?;
        }
        Ok(deployments)
    }

    /// Shown to people; changes nothing that is configured.
    pub fn set_deployment_error(&self, name: &str, error: Option<&str>) -> Result<()> {
        let mut set = self
            .conn
            .prepare_cached("UPDATE deployments SET error = ?2 WHERE name = ?1 AND error IS NOT ?2")?;
        set.execute((name, error))?;
        Ok(())
    }

    /// A row without a name that can be read is in no listing; its error is in the row.
    pub fn set_aside_nameless(&self) -> Result<()> {
        for table in ["deployments", "source_definitions"] {
            let sql = format!(
                "UPDATE {table} SET error = 'its name is no text' WHERE typeof(name) <> 'text' AND error IS NULL"
            );
            self.conn.prepare_cached(&sql)?.execute([])?;
        }
        Ok(())
    }
}

impl Tx<'_> {
    pub fn put_deployment(&self, deployment: &Deployment, origin: Option<&str>) -> Result<()> {
        self.conn.execute(
            "INSERT INTO deployments (name, prefix, schedule, timezone, temporal_offset, handler, is_active, origin,
                catch_up, startup)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (name) DO UPDATE SET prefix = excluded.prefix, schedule = excluded.schedule,
                timezone = excluded.timezone, temporal_offset = excluded.temporal_offset,
                handler = excluded.handler, is_active = excluded.is_active, origin = excluded.origin,
                catch_up = excluded.catch_up, startup = excluded.startup, error = NULL",
            params![
                deployment.name,
                deployment.prefix,
                deployment.schedule.text,
                deployment.zone.iana_name().expect("a zone that was found by its name"),
                deployment.temporal_offset_hours,
                deployment.handler,
                deployment.is_active,
                origin,
                if deployment.slots.catch_up_each { "each" } else { "latest" },
                if deployment.slots.startup_waits { "wait" } else { "now" },
            ],
        )?;
        self.conn.execute("DELETE FROM deployment_sources WHERE deployment = ?", [&deployment.name])?;
        let mut link = self.conn.prepare_cached("INSERT OR IGNORE INTO deployment_sources VALUES (?, ?)")?;
        for source in &deployment.sources {
            link.execute((&deployment.name, source))?;
        }
        Ok(())
    }

    /// The other deployment, or source with a schedule of its own, whose jobs
    /// would have the same keys. A source and a deployment of one name are two.
    pub fn owner_of_prefix(&self, prefix: &str, kind: Kind, but: &str) -> Result<Option<String>> {
        let sql = "SELECT name FROM deployments WHERE coalesce(prefix, name) = ?1 AND NOT (?3 AND name = ?2)
                   UNION SELECT name FROM source_definitions WHERE name = ?1 AND (?3 OR name <> ?2)
                   AND status <> 'removed' AND schedule IS NOT NULL";
        let is_deployment = kind == Kind::Deployment;
        Ok(self.conn.query_row(sql, (prefix, but, is_deployment), |row| row.get(0)).optional()?)
    }

    /// The newest: a job of an older slot (`hermes queue --at`) changes nothing.
    pub(super) fn set_last_deployed(&self, name: &str, slot: Timestamp) -> Result<()> {
        let sql = "UPDATE deployments SET last_deployed_datetime = ?2
                   WHERE name = ?1 AND coalesce(last_deployed_datetime, '') < ?2";
        self.conn.prepare_cached(sql)?.execute((name, clock::to_text(slot)))?;
        Ok(())
    }
}

impl DeploymentRow {
    /// Or why it cannot run.
    pub fn schedule(&self) -> std::result::Result<Schedule, String> {
        for text in [&self.name, &self.prefix] {
            if !is_name(text) {
                return Err(format!("`{text}` is no name: a-z 0-9 - _ and at most 64 of them"));
            }
        }
        if let Some(owner) = &self.owner_of_prefix {
            return Err(format!("the prefix `{}` is that of `{owner}`: give it another", self.prefix));
        }
        Schedule::parse(&self.schedule, &units::parse_zone(&self.timezone)?)
    }
}
