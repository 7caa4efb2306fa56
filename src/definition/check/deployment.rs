//! The rules of a deployment. Whether its sources and its handler exist is not
//! asked here: they may stand in other files.

use jiff::tz::TimeZone;

use super::scope::Scope;
use super::{timing, unknown};
use crate::definition::source::DEFAULT_HANDLER;
use crate::definition::written::{self, Given};
use crate::definition::{Deployment, Schedule};

pub(super) fn check(scope: &Scope<'_>, written: written::Deployment) -> Option<Deployment> {
    unknown(scope, &written.unknown, written::Deployment::KEYS);
    let name = scope.needed_name("name", written.name);
    if !written.schedule.is_given() {
        scope.key("schedule").wrong(format!("`schedule` is missing: {}", Schedule::EXAMPLES));
    }
    let zone = scope.timezone(written.timezone);
    let schedule = scope.schedule(written.schedule, zone.as_ref());
    let temporal_offset = temporal_offset(scope, written.temporal_offset);
    let handler = scope.name("handler", written.handler);
    let prefix = scope.name("prefix", written.prefix);
    let sources = sources(scope, written.sources);
    let active = scope.good("active", written.active);
    let slots = timing::slots(scope, written.catch_up, written.startup);
    let name = name?;
    Some(Deployment {
        schedule: schedule?,
        zone: zone.unwrap_or(TimeZone::UTC),
        temporal_offset_hours: temporal_offset,
        handler: handler.unwrap_or_else(|| DEFAULT_HANDLER.to_owned()),
        prefix: prefix.unwrap_or_else(|| name.clone()),
        sources,
        is_active: active.unwrap_or(true),
        slots,
        name,
    })
}

/// Ten years: longer is a slip. Negative is the future, for forecasts.
fn temporal_offset(scope: &Scope<'_>, given: Given<i64>) -> i64 {
    scope.number("temporalOffset", given, -87_600..=87_600).unwrap_or(0)
}

fn sources(scope: &Scope<'_>, given: Given<Vec<Given<String>>>) -> Vec<String> {
    let written = scope.good("sources", given).unwrap_or_default();
    let scope = scope.key("sources");
    let mut names: Vec<String> = Vec::new();
    for (index, name) in scope.items(written) {
        match scope.item(index).checked_name(name) {
            Some(name) if names.contains(&name) => {
                scope.item(index).wrong(format!("`{name}` is named twice"))
            }
            Some(name) => names.push(name),
            None => {}
        }
    }
    names
}
