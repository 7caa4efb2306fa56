use super::*;
use crate::init::shape;

fn found(text: &str, query: &str, link: Option<&str>, is_post: bool) -> Found {
    let tree: Json = serde_json::from_str(text).expect(text);
    let shape = shape::find(&tree).expect(text);
    let records = shape::records(&tree, &shape).len();
    let params: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    find(&Signs { tree: &tree, shape: &shape, records, params: &params, link, is_json: true, is_post })
}

/// The way, whether it is guessed, and the parameters that it sends.
fn way(found: &Found) -> (&'static str, bool, Vec<&str>) {
    let way = match &found.paging {
        None => "none",
        Some(Paging::Link) => "link",
        Some(Paging::NextUrl(_)) => "next url",
        Some(Paging::Cursor { .. }) => "cursor",
        Some(Paging::Page(_)) => "page",
        Some(Paging::Offset(_)) => "offset",
    };
    let params = found.paging.iter().flat_map(Paging::params).collect();
    (way, found.note.is_some(), params)
}

#[test]
fn the_next_page_is_found_by_what_is_said() {
    let records = r#""data":[{"a":1},{"a":2}]"#;
    type Case = (&'static str, &'static str, &'static str, (&'static str, bool, Vec<&'static str>));
    let cases: Vec<Case> = vec![
        ("nothing", "", "", ("none", false, vec![])),
        ("a url", r#""next":"http://x/?p=2""#, "", ("next url", false, vec![])),
        ("a relative one", r#""links":{"next":{"href":"/x?p=2"}}"#, "", ("next url", false, vec![])),
        ("none left", r#""next":null,"previous":"/x""#, "", ("next url", true, vec![])),
        ("null alone says nothing", r#""next":null"#, "", ("none", false, vec![])),
        ("a cursor", r#""meta":{"next_cursor":"x"}"#, "", ("cursor", true, vec!["cursor"])),
        (
            "its parameter shown",
            r#""next_cursor":"x""#,
            "cursor=a&limit=2",
            ("cursor", false, vec!["cursor", "limit"]),
        ),
        ("a page in the url", "", "page=1&limit=2", ("page", false, vec!["page", "limit"])),
        ("a later page in the url", "", "page=7", ("page", true, vec!["page"])),
        ("an offset in the url", "", "offset=0&limit=2", ("offset", false, vec!["offset", "limit"])),
        ("a moment is no offset", "", "from=1794786113&limit=9", ("none", false, vec![])),
        ("a year is no offset", "", "start=2026", ("none", false, vec![])),
        ("a day is no offset", "", "from=2026-11-15", ("none", false, vec![])),
        ("a page in the answer", r#""page":1,"total_pages":3"#, "", ("page", true, vec!["page"])),
        ("a page without an end", r#""page":1"#, "", ("none", false, vec![])),
        ("an offset in the answer", r#""offset":0,"total":9"#, "", ("offset", true, vec!["offset"])),
        ("a usual pair", "", "per_page=2", ("page", true, vec!["page", "per_page"])),
        ("a page that is not full", "", "per_page=5", ("none", false, vec![])),
        ("full, and no more is said", "", "limit=2", ("none", true, vec![])),
        ("more, and no way is said", r#""total":9"#, "", ("none", true, vec![])),
    ];
    for (why, around, query, want) in cases {
        let comma = if around.is_empty() { "" } else { "," };
        let text = format!("{{{around}{comma}{records}}}");
        assert_eq!(way(&found(&text, query, None, false)), want, "{why}");
    }
}

#[test]
fn a_link_header_goes_first_and_a_body_cannot_be_paged() {
    let text = r#"{"next_cursor":"x","data":[{"a":1},{"a":2}]}"#;
    assert_eq!(way(&found(text, "", Some("</x>; rel=next"), false)).0, "link");
    assert_eq!(way(&found(text, "", Some("</x>; rel=prev"), false)).0, "cursor");
    assert_eq!(way(&found(text, "", None, true)), ("none", true, vec![]));
    assert_eq!(way(&found(r#"{"a":1,"next":"/x"}"#, "", None, false)).0, "none");
}
