//! One field of a cron expression: text to a set of numbers, a bit each. What
//! the numbers mean together is the calendar's to know.

use crate::definition::problem::shorten;

#[derive(Debug)]
pub(super) struct Field {
    name: &'static str,
    /// What `*` stands for.
    all: (u8, u8),
    /// The largest number that may be written: 7 is Sunday as well.
    largest: u8,
    /// From the first number on; any case.
    names: &'static [&'static str],
}

pub(super) const MINUTE: Field = Field { name: "minute", all: (0, 59), largest: 59, names: &[] };
pub(super) const HOUR: Field = Field { name: "hour", all: (0, 23), largest: 23, names: &[] };
pub(super) const DAY: Field = Field { name: "day", all: (1, 31), largest: 31, names: &[] };
pub(super) const MONTH: Field = Field {
    name: "month",
    all: (1, 12),
    largest: 12,
    names: &["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
};
pub(super) const WEEKDAY: Field = Field {
    name: "weekday",
    all: (0, 6),
    largest: 7,
    names: &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
};

impl Field {
    /// `1,5-9,*/15`: the union of its items.
    pub(super) fn parse(&self, text: &str) -> Result<u64, String> {
        text.split(',').try_fold(0, |set, item| Ok(set | self.item(item)?))
    }

    /// `*`, `5`, `5-9`, and the first and the last with a step.
    fn item(&self, item: &str) -> Result<u64, String> {
        let (range, step) = match item.split_once('/') {
            Some((range, step)) => (range, self.step(item, range, step)?),
            None => (item, 1),
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => self.all,
            Some((from, to)) => self.range(item, from, to)?,
            None => self.number(range).map(|number| (number, number))?,
        };
        Ok((from..=to).step_by(step).fold(0, |set, number| set | 1 << number))
    }

    /// `5/15` is refused: crons disagree on whether it is 5, 20, 35, 50 or 5 alone.
    fn step(&self, item: &str, range: &str, step: &str) -> Result<usize, String> {
        let most = self.all.1;
        if range != "*" && !range.contains('-') {
            let example = format!("{}-{most}/{}", shorten(range), shorten(step));
            return Err(self.wrong(item, &format!("has a step without a range; {example} has both")));
        }
        match digits(step) {
            Some(step) if (1..=most).contains(&step) => Ok(step.into()),
            _ => Err(self.wrong(item, &format!("has a step that is not between 1 and {most}"))),
        }
    }

    fn range(&self, item: &str, from: &str, to: &str) -> Result<(u8, u8), String> {
        let (from, mut to_number) = (self.number(from)?, self.number(to)?);
        // FRI-SUN: the week may end with its Sunday.
        if from > 0 && to.eq_ignore_ascii_case("SUN") {
            to_number = 7;
        }
        if from > to_number {
            return Err(self.wrong(item, "runs backwards"));
        }
        Ok((from, to_number))
    }

    fn number(&self, text: &str) -> Result<u8, String> {
        let first = self.all.0;
        let named = self.names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let number = named.map(|at| at as u8 + first).or_else(|| digits(text));
        number.filter(|number| (first..=self.largest).contains(number)).ok_or_else(|| {
            let or_name = self.names.first().map(|name| format!(" or a name such as {name}"));
            let or_name = or_name.unwrap_or_default();
            self.wrong(text, &format!("is not a number from {first} to {}{or_name}", self.largest))
        })
    }

    fn wrong(&self, what: &str, why: &str) -> String {
        format!("{} `{}` {why}", self.name, shorten(what))
    }
}

/// `05` is 5; `+5` and `1.5` are nothing.
fn digits(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
