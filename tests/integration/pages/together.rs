//! Small quick pages that are stored together: what a transaction shares is its `created_at`.

use super::{ids, run};
use crate::scene::age;
use crate::util::{Gate, Hermes, Reply, Site, hermes_with, lines, things};

const PAGED: &str = "pagination: { page: { param: page, limit: 2 } }\n";

fn transactions(hermes: &Hermes) -> i64 {
    lines(hermes, "SELECT count(DISTINCT created_at) FROM things")[0].parse().unwrap()
}

fn page(ids: [i64; 2]) -> Reply {
    Reply::json(format!(r#"{{"data":[{{"id":{},"title":"a"}},{{"id":{},"title":"b"}}]}}"#, ids[0], ids[1]))
}

#[test]
fn small_quick_pages_share_transactions_and_each_record_is_stored_once() {
    let site = Site::new();
    site.pages("/things", 81, "page", 2);
    let hermes = hermes_with(&site, &things(PAGED));
    hermes.once().done();
    assert_eq!(ids(&hermes), (1..=81).collect::<Vec<_>>());
    assert_eq!(run(&hermes), "'completed' 41 81 null");
    assert_eq!(lines(&hermes, "SELECT inserted FROM fetchlogs"), ["81"]);
    assert!(transactions(&hermes) < 41, "{} transactions", transactions(&hermes));
}

/// Those that are known are looked for in another order than they came in.
#[test]
fn what_is_missing_among_known_records_is_stored_in_the_order_of_the_answer() {
    let site = Site::new();
    site.pages("/things", 81, "page", 2);
    let hermes = hermes_with(&site, &things(PAGED));
    hermes.once().done();
    hermes.exec("DELETE FROM things WHERE id % 3 = 1");
    age(&hermes, "things", 61);
    hermes.command(&["run", "things"]).done();
    let last = lines(&hermes, "SELECT records, inserted FROM fetchlogs ORDER BY rowid DESC LIMIT 1");
    assert_eq!(last, ["81 27"]);
    let missing: Vec<String> = (0..27).map(|third| (third * 3 + 1).to_string()).collect();
    assert_eq!(lines(&hermes, "SELECT id FROM things ORDER BY rowid LIMIT 27 OFFSET 54"), missing);
}

#[test]
fn the_first_page_is_there_while_the_second_is_awaited() {
    let (site, gate) = (Site::new(), Gate::new());
    site.on_fn("/things", {
        let gate = gate.clone();
        move |asked| match asked.param("page") {
            Some("1") => page([1, 2]),
            _ => Reply::gated(&gate, Reply::json(r#"{"data":[]}"#)),
        }
    });
    let hermes = hermes_with(&site, &things(PAGED));
    let daemon = hermes.start(&[]);
    daemon.until("rows before the second answer", || gate.waiting() == 1 && ids(&hermes) == [1, 2]);
    gate.open();
    daemon.until("the end", || run(&hermes) == "'completed' 2 2 null");
}

/// Pages 2 to 4 wait together when the third of them turns out to be refused.
#[test]
fn a_refused_record_keeps_the_pages_that_waited_with_it() {
    let site = Site::new();
    site.on_each("/things", vec![page([1, 2]), page([3, 4]), page([5, -6]), page([7, 8])]);
    let hermes = hermes_with(&site, &things(PAGED));
    hermes.exec(
        "CREATE TABLE things (id INTEGER CHECK (id > 0), title TEXT, source_name TEXT NOT NULL,
         created_at TEXT NOT NULL, record_hash BLOB NOT NULL, UNIQUE (source_name, record_hash))",
    );
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(ids(&hermes), [1, 2, 3, 4]);
    let text = run(&hermes);
    assert!(text.starts_with("'failed' 2 4 'page 3, record 2: "), "{text}");
}

#[test]
fn pages_that_wait_are_kept_when_a_later_one_fails() {
    let site = Site::new();
    let pages = vec![page([1, 2]), page([3, 4]), page([5, 6]), Reply::json("{}").status(500)];
    site.on_each("/things", pages);
    let hermes = hermes_with(&site, &things(PAGED));
    assert_eq!(hermes.once().code, Some(1));
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5, 6]);
    assert!(run(&hermes).starts_with("'failed' 3 6 'answered 500"), "{}", run(&hermes));
}

/// A limit may hold up the next page for long.
#[test]
fn pages_of_a_domain_with_limits_are_stored_one_by_one() {
    let site = Site::new();
    site.pages("/things", 10, "page", 2);
    let limits = "---\nkind: provider\ndomain: 127.0.0.1\nlimits: [ { requests: 3, per: 1d } ]\n";
    let hermes = hermes_with(&site, &(things(PAGED) + limits));
    hermes.once().done();
    assert_eq!(ids(&hermes), [1, 2, 3, 4, 5, 6]);
    assert_eq!(transactions(&hermes), 3);
}

/// What stands outside the records is in each row: these pages of 200 KB are rows of 40 MB.
#[test]
fn small_pages_of_large_rows_are_not_held_in_memory() {
    let site = Site::new();
    site.on_fn("/things", |asked| {
        let page: i64 = asked.param("page").and_then(|page| page.parse().ok()).unwrap();
        let records: Vec<String> = (0..200).map(|n| format!(r#"{{"id":{}}}"#, page * 1000 + n)).collect();
        let records = if page > 2 { String::new() } else { records.join(",") };
        Reply::json(format!(r#"{{"note":"{}","data":[{records}]}}"#, "x".repeat(200_000)))
    });
    let fields = "fields: [ { source: id, target: id }, { source: $.note, target: note } ]";
    let paged = "pagination: { page: { param: page } }\n";
    let document = things(paged).replace("fields: { id: id, title: title }", fields);
    let hermes = hermes_with(&site, &document);
    let daemon = hermes.start(&[]);
    daemon.until("all pages", || run(&hermes).starts_with("'completed' 3 400"));
    assert_eq!(ids(&hermes).len(), 400);
    assert!(daemon.rss_peak_kb() < 40_000, "{} KB", daemon.rss_peak_kb());
}
