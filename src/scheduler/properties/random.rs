//! Random numbers that a seed repeats, and definitions made of them. It knows
//! nothing of what they are used for.

use std::fmt::Write;

/// SplitMix64: small, and good enough to choose with.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    pub(super) fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    pub(super) fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// 1 to 6 sources and 0 to 3 deployments, as documents.
pub(super) fn documents(random: &mut Random) -> Vec<String> {
    let names: Vec<String> = (0..random.between(1, 6)).map(|at| format!("s{at}")).collect();
    let deployments = random.below(4);
    let mut documents: Vec<String> =
        names.iter().map(|name| source(random, name, deployments == 0)).collect();
    for at in 0..deployments {
        let mut of: Vec<&str> = names.iter().map(String::as_str).filter(|_| !random.one_in(3)).collect();
        if of.is_empty() {
            of.push(&names[0]);
        }
        let schedule = schedule(random);
        let offset = random.pick(&["0", "1", "24"]);
        documents.push(format!(
            "kind: deployment\nname: d{at}\nschedule: \"{schedule}\"\ntemporalOffset: {offset}\nsources: [{}]\n{}",
            of.join(", "),
            slots(random),
        ));
    }
    documents
}

/// Every period is short enough to be over within the healthy end of a world.
fn source(random: &mut Random, name: &str, needs_schedule: bool) -> String {
    let mut text = format!(
        "name: {name}\nurl: http://api.example/{name}\ntable: t\nresponse: {{ fields: {{ a: a }} }}\n\
         execution: {{ maxRetries: {}, retryResetPeriod: {}m }}\n{}",
        random.between(1, 6),
        random.between(1, 120),
        slots(random),
    );
    if needs_schedule || random.one_in(2) {
        writeln!(text, "schedule: \"{}\"", schedule(random)).expect("a string takes it");
    }
    text
}

fn schedule(random: &mut Random) -> String {
    match random.below(8) {
        0 => "daily".into(),
        1 => "hourly".into(),
        2 => format!("interval:{}s", random.between(1, 59)),
        3 => format!("interval:{}s", random.between(60, 7_200)),
        4 => format!("interval:{}m", random.between(1, 120)),
        _ => {
            random.pick(&["*/7 * * * *", "0 3 * * *", "30 */6 * * 1-5", "* * * * *", "15,45 * * * *"]).into()
        }
    }
}

fn slots(random: &mut Random) -> String {
    let catch_up = random.pick(&["each", "latest", "latest", "latest"]);
    format!("catchUp: {catch_up}\nstartup: {}\n", random.pick(&["now", "wait"]))
}
