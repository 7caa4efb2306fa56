use super::*;
use crate::init::shape::{self, Shape};
use crate::init::{fields, tree::Json};

fn unique(text: &str) -> Vec<String> {
    let tree: Json = serde_json::from_str(text).expect(text);
    let layout = if text.starts_with('[') { Layout::List } else { shape::find(&tree).expect(text).layout };
    let shape = Shape { path: Vec::new(), layout, notes: Vec::new() };
    let records = shape::records(&tree, &shape);
    find(&fields::find(&records, &tree, &[], false).fields, &records, &shape.layout).targets
}

#[test]
fn an_identity_is_present_and_distinct_in_every_record() {
    for (why, text, want) in [
        ("an id", r#"[{"id":1,"t":"2026-11-15T00:00:00Z"},{"id":2,"t":"2026-11-15T00:00:00Z"}]"#, vec!["id"]),
        ("an id that repeats", r#"[{"id":1,"a":"x"},{"id":1,"a":"y"}]"#, vec![]),
        ("an id that is null once", r#"[{"id":1,"a":"x"},{"id":null,"a":"y"}]"#, vec![]),
        (
            "whose and when",
            r#"[{"station":"a","component":"x","time":"2026-11-15T00:00:00Z","value":1},
                {"station":"a","component":"y","time":"2026-11-15T00:00:00Z","value":1}]"#,
            vec!["station", "component", "time"],
        ),
        (
            "a station's id goes with the time",
            r#"[{"stationId":1,"time":"2026-11-15T00:00:00Z"},{"stationId":2,"time":"2026-11-15T00:00:00Z"}]"#,
            vec!["station_id", "time"],
        ),
        (
            "an id that is measured again goes with the time",
            r#"[{"id":1,"last_seen":1794786113,"pm":1.5},{"id":2,"last_seen":1794786113,"pm":2.5}]"#,
            vec!["id", "last_seen"],
        ),
        (
            "one record, each time another",
            r#"{"id":1,"name":"x","dt":1794786113,"temp":2.5}"#,
            vec!["id", "dt"],
        ),
        ("one record without a time", r#"{"id":1,"name":"x","temp":2.5}"#, vec![]),
        ("a map by day", r#"{"2026-11-15":{"o":1.5},"2026-11-14":{"o":1.5}}"#, vec!["date"]),
        ("a map of things", r#"{"a1":{"n":"x"},"a2":{"n":"y"},"a3":{"n":"z"}}"#, vec!["key"]),
        (
            "a map of what is measured",
            r#"{"a":{"usd":1.5,"updated_at":1794786113},"b":{"usd":1.5,"updated_at":1794786113},
                "c":{"usd":1.5,"updated_at":1794786113}}"#,
            vec!["key", "updated_at"],
        ),
        ("a map of numbers", r#"{"a":{"usd":1.5},"b":{"usd":1.5},"c":{"usd":1.5}}"#, vec![]),
        ("a day", r#"[{"date":"2026-11-15","open":1},{"date":"2026-11-14","open":1}]"#, vec!["date"]),
        ("a link", r#"[{"title":"a","link":"http://x/1"},{"title":"b","link":"http://x/2"}]"#, vec!["link"]),
        (
            "an order's number",
            r#"[{"orderNumber":"a","status":"x"},{"orderNumber":"b","status":"x"}]"#,
            vec!["order_number"],
        ),
        ("a key of somebody else", r#"[{"user_id":1,"text":"x"},{"user_id":2,"text":"x"}]"#, vec![]),
        (
            "two events may share a time",
            r#"[{"ts":1794786113,"msg":"x"},{"ts":1794786114,"msg":"y"}]"#,
            vec![],
        ),
        (
            "a date and an hour",
            r#"[{"date":"2026-11-15","hour":1,"area":"a","v":1.5},{"date":"2026-11-15","hour":2,"area":"a","v":1.5}]"#,
            vec!["area", "date", "hour"],
        ),
        (
            "a key inside of a measurement is none",
            r#"[{"station":"a","time":"2026-11-15T00:00:00Z","pm":{"color_id":"1"}},
                {"station":"b","time":"2026-11-15T00:00:00Z","pm":{"color_id":"2"}}]"#,
            vec!["station", "time"],
        ),
        ("nothing", r#"[{"title":"a"},{"title":"b"}]"#, vec![]),
    ] {
        assert_eq!(unique(text), want, "{why}");
    }
}
