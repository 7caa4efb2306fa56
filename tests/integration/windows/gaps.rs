//! `hermes gaps`: what no completed job covers.

use super::{added, age_windows, by_file, covered, site, windowed};
use crate::util::Hermes;
use serde_json::{Value, json};

fn gaps(hermes: &Hermes, args: &[&str]) -> Value {
    hermes.command(&[&["gaps", "--json"], args].concat()).json()
}

#[test]
fn a_hole_between_two_back_fills_is_a_gap() {
    let site = site();
    let hermes = added(&site, &windowed("schedule: daily\nstartup: wait\n"));
    assert_eq!(gaps(&hermes, &[]), json!([]), "nothing is covered yet");
    hermes.command(&["run", "a", "--from", "2026-01-01", "--to", "2026-01-03"]).done();
    hermes.command(&["run", "a", "--from", "2026-01-05", "--to", "2026-01-06"]).done();
    let gap = json!([{
        "source_name": "a", "window_from": "2026-01-03T00:00:00.000Z", "window_to": "2026-01-05T00:00:00.000Z",
    }]);
    assert_eq!(gaps(&hermes, &["a"]), gap);
    assert_eq!(gaps(&hermes, &[]), gap);
    let table = hermes.command(&["gaps"]);
    assert!(
        table.done().contains("source_name") && table.stdout.contains("2026-01-03T00:00:00.000Z"),
        "{table}"
    );
    hermes.command(&["run", "a", "--from", "2026-01-01", "--to", "2026-01-06", "--step", "1d"]).done();
    assert_eq!(
        (gaps(&hermes, &["a"]), site.count("/a")),
        (json!([]), 4),
        "only the two days that were missing"
    );
}

#[test]
fn an_outage_is_a_gap_until_the_next_run() {
    for catch_up in ["latest", "each"] {
        let site = site();
        let hermes = by_file(&site, &format!("schedule: hourly\ncatchUp: {catch_up}\n"));
        hermes.once().done();
        assert_eq!(gaps(&hermes, &["a"]), json!([]), "{catch_up}");
        age_windows(&hermes, 3 * 60 + 10);
        let (from, covered_to) = covered(&hermes).remove(0);
        let found = gaps(&hermes, &["a"]);
        let gap = |column: &str| found[0][column].as_str().unwrap().replace(".000Z", "Z");
        assert_eq!((found.as_array().unwrap().len(), gap("window_from")), (1, covered_to), "{catch_up}");
        assert_eq!(super::length(&hermes, &(gap("window_from"), gap("window_to"))), 3 * 60, "{catch_up}");
        hermes.once().done();
        assert_eq!(gaps(&hermes, &["a"]), json!([]), "{catch_up}");
        assert_eq!(super::length(&hermes, &covered(&hermes)[0]), 4 * 60, "{catch_up} from {from}");
    }
}

#[test]
fn a_name_that_is_not_there_is_wrong_input() {
    let hermes = added(&site(), &windowed("schedule: daily\n"));
    assert_eq!(hermes.command(&["gaps", "b"]).code, Some(2));
}
