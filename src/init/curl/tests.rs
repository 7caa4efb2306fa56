use super::*;
use crate::init::words;

fn parsed(line: &str) -> Result<Wanted, String> {
    parse(&words::split(line)?)
}

#[test]
fn a_command_becomes_a_request() {
    let wanted = parsed(
        "-sSL --compressed 'https://a.example/x?y=1' -H 'X-API-Key: k' -H 'sec-fetch-mode: cors' -b 'a=b' -A ua -e r",
    )
    .expect("a command");
    assert_eq!((wanted.method, wanted.url.as_str()), (Method::Get, "https://a.example/x?y=1"));
    let headers: Vec<&str> = wanted.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(headers, ["X-API-Key", "Cookie", "User-Agent", "Referer"]);
    assert_eq!(wanted.left_out, ["sec-fetch-mode"]);
}

#[test]
fn data_is_a_body_or_a_query() {
    let get = parsed("-G https://a.example/ -d a=1 --data-urlencode 'q=x y'").expect("a GET");
    assert_eq!((get.method, get.url.as_str()), (Method::Get, "https://a.example/?a=1&q=x+y"));
    let post = parsed(r#"https://a.example/ -H 'Content-Type: application/json' --data-raw '{"a":1}'"#)
        .expect("a POST");
    assert_eq!((post.method, post.body.as_deref()), (Method::Post, Some(r#"{"a":1}"#)));
    assert!(post.headers.is_empty());
    let user = parsed("--url=https://u:p%40@a.example/x#f -XGET").expect("a user");
    assert_eq!(user.basic, Some(("u".into(), "p@".into())));
    assert_eq!(user.url, "https://a.example/x");
    assert_eq!(parsed("-u key: a.example").expect("a host").basic, Some(("key".into(), String::new())));
}

#[test]
fn what_cannot_be_kept_is_refused_by_name() {
    for (line, named) in [
        ("-k https://a.example/", "-k"),
        ("--insecure https://a.example/", "--insecure"),
        ("-F a=b https://a.example/", "-F"),
        ("--proxy x https://a.example/", "--proxy"),
        ("-d @file https://a.example/", "@"),
        ("-b cookies.txt https://a.example/", "file"),
        ("-d a=b https://a.example/", "JSON"),
        ("-X DELETE https://a.example/", "DELETE"),
        ("-H", "-H"),
        ("-s", "url"),
        ("https://a.example/ https://b.example/", "more than one"),
        ("ftp://a.example/", "http"),
    ] {
        let error = parsed(line).expect_err(line);
        assert!(error.contains(named), "{line}: {error}");
    }
}
