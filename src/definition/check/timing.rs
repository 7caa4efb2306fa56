//! The rules of which slots run and what `${since}` is: of sources and
//! deployments alike. The schedule itself is `Schedule`'s.

use super::request::scalar_text;
use super::scope::{Scope, shorten};
use super::unknown;
use crate::definition::source::{Incremental, Slots};
use crate::definition::written::{self, Given};

pub(super) fn slots(scope: &Scope<'_>, catch_up: Given<String>, startup: Given<String>) -> Slots {
    let each = scope.word("catchUp", catch_up, &[("latest", false), ("each", true)]);
    let waits = scope.word("startup", startup, &[("now", false), ("wait", true)]);
    Slots { catch_up_each: each.unwrap_or(false), startup_waits: waits.unwrap_or(false) }
}

/// Without readable fields there is nothing to compare with.
pub(super) fn incremental(
    scope: &Scope<'_>,
    given: Given<written::Incremental>,
    targets: Option<&[String]>,
) -> Option<Incremental> {
    let written = scope.good("incremental", given)?;
    let scope = scope.key("incremental");
    unknown(&scope, &written.unknown, written::Incremental::KEYS);
    let field = scope.needed("field", written.field);
    let initial = scope.needed("initial", written.initial).map(scalar_text);
    let field = scope.ruled("field", field.zip(targets), |(field, targets)| {
        let at = targets.iter().position(|target| target.eq_ignore_ascii_case(&field));
        at.ok_or_else(|| format!("there is no field with the target `{}`", shorten(&field)))
    });
    Some(Incremental { field: field?, initial: initial? })
}
