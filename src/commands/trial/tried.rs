//! How a source fared: of a trial and of what it stored, all that is worth
//! knowing. Nothing here fetches or prints.

use jiff::Timestamp;
use serde_json::Value;

use super::quota::Quota;
use crate::definition::{Field, Schedule, Source, Status};
use crate::error::Result;
use crate::store::Store;
use crate::store::data_table::create_sql;
use crate::store::plan::PlannedSource;
use crate::viewer::values::plain_json;
use crate::worker::{Asked, Trial};

/// Of each schedule.
pub(super) const SLOTS: usize = 3;

#[derive(Debug)]
pub(super) struct Tried {
    pub(super) name: String,
    pub(super) asked: Vec<Asked>,
    pub(super) pages: u32,
    pub(super) records: u64,
    /// `None`: it is not known.
    pub(super) has_more: Option<bool>,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Value>>,
    pub(super) create_table: String,
    pub(super) schedules: Vec<(String, Vec<Timestamp>)>,
    pub(super) quota: Quota,
    pub(super) problems: Vec<String>,
    pub(super) warnings: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// As the document says, else as the values are.
    pub(super) kind: String,
}

impl Tried {
    pub(super) fn new(
        store: &Store,
        source: &Source,
        planned: &PlannedSource,
        trial: Trial,
        rows: u32,
        now: Timestamp,
    ) -> Result<Tried> {
        let sample = store.sample(source, rows)?;
        let column = |(field, found): (&Field, Option<String>)| Column {
            name: field.target.clone(),
            kind: field
                .kind
                .as_ref()
                .map_or_else(|| found.unwrap_or_else(|| "null".into()), |kind| kind.word().into()),
        };
        let columns = source.response.fields.iter().zip(sample.types).map(column).collect();
        let masked = |row: Vec<_>| row.iter().map(|value| mask(&trial, plain_json(value))).collect();
        let rows = sample.rows.into_iter().map(masked).collect();
        let schedules: Vec<&Schedule> = planned.active_entries().map(|entry| &entry.schedule).collect();
        let slots = |schedule: &&Schedule| {
            let next = schedule.slots_after(schedule.first_slot(now)).take(SLOTS);
            (schedule.text.clone(), next.collect::<Vec<_>>())
        };
        let (mut problems, mut warnings) = outcome(&trial);
        let has_more = has_more(&trial);
        let requests = trial.asked.iter().map(|asked| 1 + asked.redirects as u64).sum();
        let quota = Quota::new(
            &schedules,
            now,
            requests,
            has_more != Some(false),
            trial.provider.as_ref(),
            &mut warnings,
        );
        if source.status == Status::Paused {
            warnings.push("its status is paused: it runs once that is active".to_owned());
        }
        for (has_default, words) in &trial.lacking {
            if *has_default { &mut warnings } else { &mut problems }.push(words.clone());
        }
        Ok(Tried {
            name: source.name.clone(),
            pages: trial.status.pages,
            records: trial.status.records,
            has_more,
            columns,
            rows,
            create_table: create_sql(source),
            schedules: schedules.iter().map(slots).collect(),
            quota,
            problems,
            warnings,
            asked: trial.asked,
        })
    }
}

fn has_more(trial: &Trial) -> Option<bool> {
    match trial.status.status.as_str() {
        // Only pages that were left out are a reason to say something of a run that is done.
        "completed" => Some(trial.status.message.is_some()),
        _ => None,
    }
}

/// What went wrong, and what is only worth knowing.
fn outcome(trial: &Trial) -> (Vec<String>, Vec<String>) {
    let status = &trial.status;
    let message = status.message.clone();
    match status.status.as_str() {
        "completed" if status.records == 0 => {
            (Vec::new(), vec!["the answer has no records: nothing is to be seen of the fields".to_owned()])
        }
        "completed" => (Vec::new(), Vec::new()),
        // The pages before it are good.
        _ if trial.is_limited && status.pages > 0 => (Vec::new(), message.into_iter().collect()),
        _ => (vec![message.unwrap_or_else(|| format!("the run is {}", status.status))], Vec::new()),
    }
}

/// Secrets that a site sent back among its values.
fn mask(trial: &Trial, value: Value) -> Value {
    match &value {
        Value::String(text) => Value::String(trial.mask(text)),
        Value::Number(number) if trial.mask(&number.to_string()) != number.to_string() => {
            Value::String("***".to_owned())
        }
        _ => value,
    }
}
