//! Sorting, stable, by a number or a text. The standard sorts are 8 KB of code
//! for each type that is sorted; these are one sort for each kind of key.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value};

pub fn by_number<T>(items: &mut Vec<T>, key: impl Fn(&T) -> i64) {
    arrange(items, key);
}

pub fn by_text<T>(items: &mut Vec<T>, key: impl Fn(&T) -> String) {
    arrange(items, key);
}

/// `None` comes first.
pub fn by_time<T>(items: &mut Vec<T>, key: impl Fn(&T) -> Option<Timestamp>) {
    by_number(items, |item| key(item).map_or(i64::MIN, Timestamp::as_microsecond));
}

/// One by one: collecting them would sort them first.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

/// The same of a JSON object.
pub fn object(members: impl IntoIterator<Item = (String, Value)>) -> Value {
    let mut object = Map::new();
    object.extend(members);
    Value::Object(object)
}

/// No two are equal, with their places: so the quicker sort is stable as well.
fn arrange<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let mut order: Vec<(K, usize)> = items.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    let mut places: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|(_, at)| places[at].take()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_in_the_order_of_their_keys_and_equal_ones_stay_as_they_were() {
        let mut items = vec![("b", 2), ("a", 1), ("c", 1), ("a", -5), ("b", 1)];
        by_number(&mut items, |item| item.1);
        assert_eq!(items, [("a", -5), ("a", 1), ("c", 1), ("b", 1), ("b", 2)]);
        by_text(&mut items, |item| item.0.to_owned());
        assert_eq!(items, [("a", -5), ("a", 1), ("b", 1), ("b", 2), ("c", 1)]);
        let time = |second| Timestamp::from_second(second).expect("a time");
        let mut times = vec![Some(time(2)), None, Some(time(-1))];
        by_time(&mut times, |time| *time);
        assert_eq!(times, [None, Some(time(-1)), Some(time(2))]);
    }
}
