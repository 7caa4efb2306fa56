//! The tick against a store in memory and a handler that only takes.

mod clock;

use std::cell::RefCell;

use jiff::ToSpan;

use super::*;
use crate::definition::document::{self, Definition};
use crate::definition::window::Window;
use crate::ring::Refused;
use crate::store::testing::{at, store};

/// Takes jobs while it has room.
#[derive(Default)]
struct Taker {
    room: usize,
    taken: RefCell<Vec<Job>>,
}

impl Taker {
    fn with_room(room: usize) -> Taker {
        Taker { room, taken: RefCell::default() }
    }

    fn names(&self) -> Vec<String> {
        self.taken.borrow().iter().map(|job| job.source_name.clone()).collect()
    }
}

impl Dispatch for Taker {
    fn room(&self, _handler: &str) -> usize {
        self.room - self.taken.borrow().len()
    }

    fn offer(&self, job: Job) -> std::result::Result<(), Refused<Job>> {
        self.taken.borrow_mut().push(job);
        Ok(())
    }
}

const NOW: &str = "2026-01-01T10:00:30Z";

fn settings() -> Settings {
    Settings { batch_size: 50, max_sleep: Duration::from_secs(30), earliest: at("2025-06-01T00:00:00Z") }
}

fn scheduler(documents: &[String]) -> Scheduler {
    let mut store = store();
    store
        .write(at(NOW), |tx| {
            for text in documents {
                let reading = document::read(text);
                assert_eq!(reading.problems, [], "{text}");
                let document = &reading.documents[0];
                match &document.definition {
                    Definition::Source(source) => drop(tx.put_source(source, document, None)?),
                    Definition::Provider(provider) => tx.put_provider(provider, &document.text, None)?,
                    _ => unreachable!("the tests below write no other"),
                }
            }
            Ok::<_, crate::error::Error>(())
        })
        .expect("a store");
    Scheduler::new(store, settings())
}

fn source(name: &str, more: &str) -> String {
    format!(
        "name: {name}\nurl: http://api.example/{name}\ntable: t\nresponse: {{ fields: {{ a: a }} }}\n{more}"
    )
}

/// As if `name` had completed its job of that slot.
fn complete(scheduler: &mut Scheduler, name: &str, slot: &str) {
    let new = crate::store::fetchlogs::NewJob {
        key: format!("{name}-{slot}"),
        source_name: name.into(),
        deployment: name.into(),
        handler: "default".into(),
        slot: at(slot),
        window: Window { from: at(slot), to: at(slot) },
        is_asked: false,
    };
    scheduler
        .store
        .write(at(slot), |tx| {
            let job = tx.claim_jobs(&[new])?.remove(0);
            tx.start_job(&job)?;
            tx.complete_job(&job, &Default::default(), None)
        })
        .expect("a store");
}

#[test]
fn the_oldest_slot_goes_first_then_the_name_as_far_as_there_is_room() {
    let names = ["c", "a", "b", "d"];
    let mut scheduler = scheduler(&names.map(|name| source(name, "schedule: hourly")));
    complete(&mut scheduler, "d", "2026-01-01T08:50:00Z");
    complete(&mut scheduler, "c", "2026-01-01T08:40:00Z");
    let dispatch = Taker::with_room(3);
    let ticked = scheduler.tick(at(NOW), &dispatch).expect("a tick");
    assert_eq!(dispatch.names(), ["c", "d", "a"]);
    assert!(ticked.is_busy);
    let open = scheduler.store.open_jobs().expect("a store").len();
    assert_eq!(open, 3, "what found no room is not claimed");
}

#[test]
fn a_job_in_flight_is_not_offered_again() {
    let mut scheduler = scheduler(&[source("a", "")]);
    let dispatch = Taker::with_room(9);
    for _ in 0..3 {
        scheduler.tick(at(NOW), &dispatch).expect("a tick");
    }
    assert_eq!(dispatch.names(), ["a"]);
}

#[test]
fn a_batch_bounds_a_tick_and_the_rest_follows_at_once() {
    let mut scheduler = scheduler(&["a", "b", "c"].map(|name| source(name, "")));
    scheduler.settings.batch_size = 2;
    let dispatch = Taker::with_room(9);
    let ticked = scheduler.tick(at(NOW), &dispatch).expect("a tick");
    assert_eq!((dispatch.names().len(), ticked.sleep), (2, SHORTEST_SLEEP));
    scheduler.tick(at(NOW), &dispatch).expect("a tick");
    assert_eq!(dispatch.names().len(), 3);
}

#[test]
fn a_tick_sleeps_until_the_next_slot_but_no_longer_than_its_cap() {
    for (why, schedule, want) in [
        ("ten seconds to go", "interval:40s", Duration::from_secs(10)),
        ("an hour to go", "hourly", Duration::from_secs(30)),
    ] {
        let mut scheduler = scheduler(&[source("a", &format!("schedule: {schedule}"))]);
        complete(&mut scheduler, "a", "2026-01-01T10:00:00Z");
        let ticked = scheduler.tick(at(NOW), &Taker::with_room(9)).expect("a tick");
        assert_eq!((ticked.sleep, ticked.is_busy), (want, false), "{why}");
    }
}

#[test]
fn a_rate_limit_holds_a_job_back_until_its_window_and_is_only_looked_at() {
    let provider = "kind: provider\ndomain: api.example\nlimits: [ { requests: 1, per: 20s } ]".to_owned();
    let mut scheduler = scheduler(&[source("a", ""), provider]);
    let used = scheduler.store.provider_of("api.example").expect("a store").expect("the provider");
    let window = at(NOW).checked_sub(5.seconds()).expect("a time");
    assert_eq!(scheduler.store.consume_request(&used, window).expect("a store"), None);
    let dispatch = Taker::with_room(9);
    let ticked = scheduler.tick(at(NOW), &dispatch).expect("a tick");
    assert_eq!((dispatch.names().len(), ticked.sleep), (0, Duration::from_secs(15)));
    assert!(!ticked.is_busy, "nothing to wait for but the window");
    let later = at(NOW).checked_add(15.seconds()).expect("a time");
    scheduler.tick(later, &dispatch).expect("a tick");
    assert_eq!(dispatch.names(), ["a"]);
}

#[test]
fn a_job_that_another_process_claimed_is_taken_up() {
    let mut scheduler = scheduler(&[source("a", "schedule: hourly")]);
    let dispatch = Taker::with_room(9);
    complete(&mut scheduler, "a", "2026-01-01T10:00:00Z");
    scheduler.tick(at(NOW), &dispatch).expect("a tick");
    assert_eq!(dispatch.names().len(), 0);
    let new = scheduler.plan[0].new_job(0, at(NOW));
    let claimed = scheduler.store.write(at(NOW), |tx| {
        tx.move_generation_on()?;
        tx.claim_jobs(&[new])
    });
    assert_eq!(claimed.expect("a store").len(), 1);
    scheduler.tick(at(NOW), &dispatch).expect("a tick");
    assert_eq!(dispatch.names(), ["a"]);
}

#[test]
fn a_source_with_an_open_job_is_not_claimed_under_another_key() {
    let mut scheduler = scheduler(&[source("a", "schedule: hourly")]);
    scheduler.tick(at(NOW), &Taker::with_room(0)).expect("a tick");
    // Two that chose at the turn of a minute.
    let slots = [("2026-01-01T10:00:00Z", 1), ("2026-01-01T10:01:00Z", 0), ("2026-01-01T11:00:00Z", 0)];
    for (slot, want) in slots {
        let new = scheduler.plan[0].new_job(0, at(slot));
        let claimed = scheduler.store.write(at(NOW), |tx| tx.claim_jobs(&[new])).expect("a store");
        assert_eq!(claimed.len(), want, "{slot}");
    }
}

#[test]
fn a_definition_that_cannot_be_read_is_set_aside_and_stops_nobody() {
    let mut scheduler = scheduler(&[source("a", ""), source("b", "")]);
    scheduler.tick(at("2026-01-01T09:00:00Z"), &Taker::with_room(0)).expect("a tick");
    let bad = "UPDATE source_definitions SET definition = 'name: [' WHERE name = 'a'";
    scheduler.store.execute_for_test(bad);
    let dispatch = Taker::with_room(9);
    scheduler.tick(at(NOW), &dispatch).expect("a tick");
    assert_eq!(dispatch.names(), ["b"]);
    let row = scheduler.store.source("a").expect("a store").expect("the row");
    assert!(row.error.is_some());
}

#[test]
fn a_clock_that_is_not_set_fetches_nothing_until_it_is() {
    let mut scheduler = scheduler(&[source("a", "")]);
    let dispatch = Taker::with_room(9);
    let ticked = scheduler.tick(at("1970-01-01T00:01:00Z"), &dispatch).expect("a tick");
    assert_eq!((dispatch.names().len(), ticked.sleep), (0, Duration::from_secs(30)));
    scheduler.tick(at(NOW), &dispatch).expect("a tick");
    assert_eq!(dispatch.names(), ["a"]);
}

#[test]
fn a_clock_that_jumps_a_year_forward_makes_each_source_due_once() {
    let mut scheduler = scheduler(&["a", "b"].map(|name| source(name, "schedule: interval:1m")));
    for name in ["a", "b"] {
        complete(&mut scheduler, name, "2026-01-01T10:00:00Z");
    }
    let dispatch = Taker::with_room(9);
    for _ in 0..5 {
        scheduler.tick(at("2027-01-01T10:00:30Z"), &dispatch).expect("a tick");
    }
    assert_eq!(dispatch.names(), ["a", "b"]);
}

#[test]
fn a_clock_set_back_is_no_silence_and_no_stampede() {
    let mut scheduler = scheduler(&[source("a", "schedule: hourly")]);
    complete(&mut scheduler, "a", "2027-01-01T10:00:00Z");
    let dispatch = Taker::with_room(9);
    for (now, want) in [(NOW, 0), ("2026-01-01T10:59:00Z", 0), ("2026-01-01T11:00:30Z", 1)] {
        scheduler.tick(at(now), &dispatch).expect("a tick");
        assert_eq!(dispatch.names().len(), want, "{now}");
    }
}
