//! What people see: `list`, `status`, `logs`, `get`, `data`, and how the command line answers. The
//! submodules have one part each.

mod columns;
mod command_line;
mod completions;
mod data;
mod follow;
mod glance;
mod help;
mod reading;
mod states;
mod watch;

use crate::util::Hermes;
use serde_json::Value;

/// The names of an object's members, in alphabetical order.
fn names(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Every time becomes `TIME`, which is as long as one.
fn without_times(text: &str) -> String {
    const TIME: &str = "<----------TIME-------->";
    let mut shown = text.to_owned();
    let is_time = |part: &str| {
        part.len() == TIME.len() && part.starts_with("20") && part.ends_with('Z') && part.contains('T')
    };
    for part in text.split_whitespace().filter(|part| is_time(part)) {
        shown = shown.replace(part, TIME);
    }
    shown
}

/// Exit code 2 and a text on standard error.
#[track_caller]
fn refused(hermes: &Hermes, args: &[&str], told: &str) {
    let output = hermes.command(args);
    assert_eq!(output.code, Some(2), "{args:?}: {output}");
    assert!(output.stderr.contains(told), "{args:?}: {output}");
    assert_eq!(output.stdout, "", "{args:?}");
}
