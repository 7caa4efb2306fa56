//! Ten thousand sources in one database: what a tick touches, and in which
//! order many that are due at once go.

use std::cell::RefCell;

use super::*;
use crate::definition::document::{self, Definition};
use crate::ring::Refused;
use crate::store::testing::{at, store};

const NOW: &str = "2026-01-01T10:00:00Z";

/// Room for any number.
#[derive(Default)]
struct Taker {
    taken: RefCell<Vec<Job>>,
}

impl Dispatch for Taker {
    fn room(&self, _handler: &str) -> usize {
        usize::MAX
    }

    fn offer(&self, job: Job) -> std::result::Result<(), Refused<Job>> {
        self.taken.borrow_mut().push(job);
        Ok(())
    }
}

/// Copies of one source by SQL; `startup: wait` counts from the `created_at`
/// that `created` makes of the number `n`.
fn scheduler(sources: usize, created: &str) -> Scheduler {
    let mut store = store();
    let text = "name: a\nurl: http://api.example/a\ntable: t\nschedule: hourly\nstartup: wait\n\
                response: { fields: { a: a } }";
    let reading = document::read(text);
    let [document] = reading.documents.as_slice() else { panic!("{:?}", reading.problems) };
    let Definition::Source(source) = &document.definition else { unreachable!("it is a source") };
    store.write(at(NOW), |tx| tx.put_source(source, document, None)).expect("a store");
    store.execute_for_test(&format!(
        "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {sources})
         INSERT INTO source_definitions (name, definition, table_name, schedule, created_at)
         SELECT format('s%05d', n), replace(definition, 'name: a', format('name: s%05d', n)), table_name,
            schedule, {created} FROM numbers, source_definitions WHERE name = 'a';
         DELETE FROM source_definitions WHERE name = 'a';"
    ));
    let settings =
        Settings { batch_size: 50, max_sleep: Duration::from_secs(30), earliest: at("2025-06-01T00:00:00Z") };
    Scheduler::new(store, settings)
}

const JUST_NOW: &str = "'2026-01-01T10:00:00.000Z'";

#[test]
fn a_tick_with_nothing_due_reads_the_generation_and_nothing_else() {
    let mut scheduler = scheduler(200, JUST_NOW);
    let dispatch = Taker::default();
    scheduler.tick(at(NOW), &dispatch).expect("a tick");
    // Without them, whatever reads one fails.
    scheduler.store.execute_for_test(
        "PRAGMA foreign_keys = OFF; DROP VIEW stuck_jobs; DROP VIEW deployment_health; DROP VIEW stale_sources;
         DROP TABLE deployment_sources; DROP TABLE deployments; DROP TABLE handlers; DROP TABLE providers;
         DROP TABLE retries; DROP TABLE fetchlogs; DROP TABLE incremental_state; DROP TABLE last_answers; DROP TABLE covered_windows;
         DROP TABLE rate_limiter_state; DROP TABLE source_files; DROP TABLE source_definitions;",
    );
    let ticked = scheduler.tick(at("2026-01-01T10:30:00Z"), &dispatch).expect("a tick");
    assert_eq!((ticked.sleep, ticked.has_reloaded), (Duration::from_secs(30), false));
    let due = scheduler.tick(at("2026-01-01T11:00:00Z"), &dispatch);
    assert!(due.is_err(), "something is due, and the tables to claim it are gone");
}

#[test]
fn a_thousand_due_at_once_go_in_batches_the_oldest_first() {
    // The later the number, the older the slot.
    let created = "strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01T10:00:00Z', format('-%d seconds', n))";
    let mut scheduler = scheduler(1_000, created);
    let dispatch = Taker::default();
    for batch in 1..=20 {
        let ticked = scheduler.tick(at("2026-01-01T11:00:00Z"), &dispatch).expect("a tick");
        assert_eq!(dispatch.taken.borrow().len(), batch * 50);
        assert_eq!(ticked.sleep == SHORTEST_SLEEP, batch < 20, "batch {batch}");
    }
    let names: Vec<String> = dispatch.taken.borrow().iter().map(|job| job.source_name.clone()).collect();
    let want: Vec<String> = (1..=1_000).rev().map(|number| format!("s{number:05}")).collect();
    assert_eq!(names, want);
}

/// For measuring: counts what the environment asks for, and says how long it took.
#[test]
#[ignore = "measures; HERMES_SOURCES_N and HERMES_TICKS_N say how many"]
fn measure_ticks_and_reloads() {
    let number = |name, or| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
    let (sources, ticks) = (number("HERMES_SOURCES_N", 10_000), number("HERMES_TICKS_N", 1_000));
    let mut scheduler = scheduler(sources, JUST_NOW);
    let dispatch = Taker::default();
    for what in ["first load", "reload"] {
        let start = Instant::now();
        scheduler.reload_at_next_tick();
        scheduler.tick(at(NOW), &dispatch).expect("a tick");
        println!("{sources} sources: {what} {:?}", start.elapsed());
    }
    let start = Instant::now();
    for _ in 0..ticks {
        scheduler.tick(at(NOW), &dispatch).expect("a tick");
    }
    println!("{sources} sources: {ticks} ticks {:?}", start.elapsed());
}
