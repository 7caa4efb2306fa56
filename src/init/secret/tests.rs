use super::*;
use crate::init::{curl, words};

fn asked(line: &str) -> Asked {
    let wanted = curl::parse(&words::split(line).expect(line)).expect(line);
    let mut secrets = Secrets::new(|name| (name == "MINE").then(|| "m1ne".to_owned()));
    of(wanted, "things", &mut secrets).expect(line)
}

#[test]
fn secrets_become_variables_of_their_site() {
    for (line, auth, variables) in [
        (
            "https://api.openaq.org/v3 -H 'X-API-Key: s3cret'",
            Auth::Header { name: "X-API-Key".into(), value: "${env:OPENAQ_KEY}".into() },
            vec!["OPENAQ_KEY"],
        ),
        (
            "https://api.example.com/?q=1&apikey=s3cret",
            Auth::Query { name: "apikey".into(), value: "${env:EXAMPLE_KEY}".into() },
            vec!["EXAMPLE_KEY"],
        ),
        (
            "https://example.com/ -H 'authorization: Bearer s3cret'",
            Auth::Bearer("${env:EXAMPLE_TOKEN}".into()),
            vec!["EXAMPLE_TOKEN"],
        ),
        (
            "https://example.com/ -H 'Authorization: Token s3cret'",
            Auth::Header { name: "Authorization".into(), value: "Token ${env:EXAMPLE_TOKEN}".into() },
            vec!["EXAMPLE_TOKEN"],
        ),
        (
            "http://127.0.0.1:8/ -u me:s3cret",
            Auth::Basic { user: "me".into(), password: "${env:THINGS_PASSWORD}".into() },
            vec!["THINGS_PASSWORD"],
        ),
        (
            "http://127.0.0.1:8/ -u s3cret:",
            Auth::Basic { user: "${env:THINGS_KEY}".into(), password: String::new() },
            vec!["THINGS_KEY"],
        ),
        (
            "https://example.com/ -H \"X-Key: $MINE\"",
            Auth::Header { name: "X-Key".into(), value: "${env:MINE}".into() },
            vec![],
        ),
    ] {
        let mut asked = asked(line);
        let names: Vec<&str> = asked.variables.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, variables, "{line}");
        assert!(!format!("{asked:?} {:?} {:?}", asked.params, asked.headers).contains("s3cret"), "{line}");
        assert_eq!(asked.take_auth(), Some(auth), "{line}");
    }
}

#[test]
fn what_is_secret_is_told_by_its_name() {
    for (name, value, want) in [
        ("api_key", "x", true),
        ("x-rapidapi-key", "x", true),
        ("access_token", "x", true),
        ("appid", "x", true),
        ("Ocp-Apim-Subscription-Key", "x", true),
        ("map_key", "0123456789abcdef", true),
        ("sort_key", "date", false),
        ("pageToken", "x", false),
        ("next_token", "x", false),
        ("keyword", "x", false),
        ("limit", "20", false),
    ] {
        assert_eq!(is_secret(name, value, true), want, "{name}");
    }
}

#[test]
fn the_texts_of_a_body_are_hidden_too() {
    let asked = asked(r#"https://example.com/ -d '{"q":"x","auth":{"token":"s3cret"}}'"#);
    let shown = format!("{:?}", asked.shown_body);
    assert!(shown.contains("${env:EXAMPLE_TOKEN}") && !shown.contains("s3cret"), "{shown}");
}
