//! The rules of a handler: a ring in this process, for now.

use super::scope::Scope;
use super::unknown;
use crate::definition::Handler;
use crate::definition::written;

const DEFAULT_CAPACITY: usize = 8;
const DEFAULT_WORKERS: usize = 1;

pub(super) fn check(scope: &Scope<'_>, written: written::Handler) -> Option<Handler> {
    unknown(scope, &written.unknown, written::Handler::KEYS);
    let name = scope.needed_name("name", written.name);
    let ring = scope.good("ring", written.ring).unwrap_or_default();
    let scope = scope.key("ring");
    unknown(&scope, &ring.unknown, written::Ring::KEYS);
    let capacity = scope.number("capacity", ring.capacity, 1..=1_024);
    let workers = scope.number("workers", ring.workers, 1..=64);
    Some(Handler {
        name: name?,
        capacity: capacity.unwrap_or(DEFAULT_CAPACITY),
        workers: workers.unwrap_or(DEFAULT_WORKERS),
    })
}
