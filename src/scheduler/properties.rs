//! What must hold whatever happens: random worlds, each repeated by its seed.
//! What is looked at as it happens is in `world`; here is how a world ends.

mod random;
mod world;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::SignedDuration;

use self::world::World;
use crate::definition::due::Decision;

const STEPS: usize = 300;

#[test]
fn whatever_happens_nothing_runs_twice_leaves_a_gap_or_starves() {
    live_all(0..50);
}

#[test]
#[ignore = "takes minutes"]
fn whatever_happens_in_many_more_worlds() {
    live_all(50..2_000);
}

fn live_all(seeds: Range<u64>) {
    let failing: Vec<u64> =
        seeds.filter(|&seed| catch_unwind(AssertUnwindSafe(|| live(seed))).is_err()).collect();
    assert!(failing.is_empty(), "the seeds {failing:?} fail; what they found is above");
}

fn live(seed: u64) {
    let mut world = World::new(seed);
    for step in 0..STEPS {
        world.step();
        if step % 50 == 0 {
            world.check_bounds();
        }
    }
    get_well(&mut world);
    nothing_starves(&mut world);
    world.check_bounds();
}

/// Longer than any retry period, `Retry-After` and rate window, and than two
/// days: where the clock was set back, a daily slot that was done in the future
/// counts once more as that time comes.
const HEALTHY_HOURS: i64 = 53;

/// Every run completes; the clock goes on in large steps.
fn get_well(world: &mut World) {
    for hours in [0, 3, 25, 25] {
        world.now += SignedDuration::from_secs(hours * 3_600 + 40);
        let mut ticks = 0;
        while world.tick().is_busy || world.is_anything_due() {
            ticks += 1;
            assert!(ticks < 2_000, "there is no end of what is due");
            while world.start_next() {}
            world.complete_all();
        }
    }
}

/// Of each deployment of each source the latest slot is done.
fn nothing_starves(world: &mut World) {
    let now = world.now;
    let healthy_since = now - SignedDuration::from_hours(HEALTHY_HOURS);
    let mut entries = Vec::new();
    for planned in &world.scheduler().plan {
        assert!(planned.state.open_job.is_none(), "{planned:?} has an open job");
        assert!(matches!(planned.decide(now), Decision::NotDue { .. }), "{planned:?} is due");
        for (at, entry) in planned.active_entries().enumerate() {
            let latest = planned.new_job(at, entry.schedule.first_slot(now));
            entries.push((latest, entry.schedule.clone()));
        }
    }
    for (latest, schedule) in entries {
        let is_cron = schedule.text.contains(' ');
        if is_cron && world.completed.contains_key(&latest.key) {
            continue;
        }
        let last = world.last.get(&(latest.source_name.clone(), latest.deployment.clone()));
        let last = last.unwrap_or_else(|| panic!("{} never completed", latest.key));
        assert!(last.at >= healthy_since, "{} starves since {}", latest.key, last.at);
        assert!(schedule.next_slot(last.slot) > now, "{} is late: {}", latest.key, last.slot);
    }
}
