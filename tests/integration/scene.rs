//! What the tests of time have in common: a small source, its jobs, and a way to let time pass. Asserts
//! nothing.

use crate::util::Hermes;
use rusqlite::types::FromSql;

/// One job, as `fetchlogs` has it.
#[derive(Debug, PartialEq, Eq)]
pub struct Job {
    pub key: String,
    pub status: String,
    pub attempt: i64,
    /// Of its slot, as text.
    pub slot: String,
    pub message: Option<String>,
}

/// Records `{"id", "title"}` under `data`, into a table of the source's own name (with `_` for `-`).
pub fn source(name: &str, url: &str, schedule: &str) -> String {
    let table = name.replace('-', "_");
    format!(
        "name: {name}\nurl: {url}\ntable: {table}\nschedule: {schedule}\n\
         response: {{ dataPath: data, fields: {{ id: id, title: title }} }}\nunique: [id]\n"
    )
}

/// The same, all pages of `Site::pages`.
pub fn paged(name: &str, url: &str, schedule: &str) -> String {
    let pagination = "pagination: { cursor: { param: page, nextCursorPath: next_page } }\n";
    source(name, url, schedule) + pagination
}

/// Runs what is due with these options, and ends: a start and a stop in between two looks.
#[track_caller]
pub fn once_with(hermes: &Hermes, options: &[&str]) -> crate::util::Output {
    hermes.command(&[&["--no-listen", "--once"], options].concat())
}

/// Of one source, in the order in which they were claimed.
#[track_caller]
pub fn jobs(hermes: &Hermes, source_name: &str) -> Vec<Job> {
    if !hermes.db_path().exists() {
        return Vec::new();
    }
    let db = hermes.db();
    let sql = "SELECT key, status, attempt, scheduled_datetime, message FROM fetchlogs
               WHERE source_name = ? ORDER BY id";
    let Ok(mut find) = db.prepare(sql) else { return Vec::new() };
    let rows = find.query_map([source_name], |row| {
        Ok(Job {
            key: row.get(0)?,
            status: row.get(1)?,
            attempt: row.get(2)?,
            slot: row.get(3)?,
            message: row.get(4)?,
        })
    });
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

/// The only job of a source.
#[track_caller]
pub fn the_job(hermes: &Hermes, source_name: &str) -> Job {
    let mut jobs = jobs(hermes, source_name);
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    jobs.remove(0)
}

#[track_caller]
pub fn completed(hermes: &Hermes, source_name: &str) -> usize {
    jobs(hermes, source_name).iter().filter(|job| job.status == "completed").count()
}

/// A column of the source's row in `retries`; `None` where it has none.
#[track_caller]
pub fn retry<T: FromSql>(hermes: &Hermes, source_name: &str, column: &str) -> Option<T> {
    hermes.try_query(&format!("SELECT {column} FROM retries WHERE source_name = '{source_name}'"))
}

/// From the end of the failed run to its next attempt, in milliseconds.
#[track_caller]
pub fn pause_ms(hermes: &Hermes, source_name: &str) -> i64 {
    hermes.query(&format!(
        "SELECT CAST(round(1000 * (unixepoch(next_retry_at, 'subsec')
                                   - unixepoch(completed_datetime, 'subsec'))) AS INTEGER)
         FROM retries JOIN fetchlogs USING (source_name)
         WHERE source_name = '{source_name}' AND status IN ('failed', 'interrupted')"
    ))
}

/// Everything that the source did happened so much earlier: its jobs with their keys, and its rows.
#[track_caller]
pub fn age(hermes: &Hermes, source_name: &str, minutes: u32) {
    let table = source_name.replace('-', "_");
    let earlier = |column: &str| earlier(column, &format!("-{minutes} minutes"));
    hermes.exec(&format!(
        "UPDATE fetchlogs SET scheduled_datetime = {}, queued_datetime = {}, started_datetime = {},
            completed_datetime = {}, key = key || '-aged' WHERE source_name = '{source_name}';
         UPDATE \"{table}\" SET created_at = {} WHERE source_name = '{source_name}';",
        earlier("scheduled_datetime"),
        earlier("queued_datetime"),
        earlier("started_datetime"),
        earlier("completed_datetime"),
        earlier("created_at"),
    ));
}

/// The pause after a failure is over.
#[track_caller]
pub fn end_pause(hermes: &Hermes, source_name: &str) {
    let past = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 second')";
    hermes.exec(&format!("UPDATE retries SET next_retry_at = {past} WHERE source_name = '{source_name}'"));
}

/// A running Hermes reads everything again, within its longest sleep.
#[track_caller]
pub fn reload(hermes: &Hermes) {
    hermes.exec("UPDATE generation SET value = value + 1");
}

/// SQL for a time moved by a modifier of SQLite's, `-3 hours`.
pub fn earlier(column: &str, modifier: &str) -> String {
    format!("strftime('%Y-%m-%dT%H:%M:%fZ', {column}, '{modifier}')")
}
