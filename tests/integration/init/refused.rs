//! Where no document can be written: what is said, and with which exit code.

use crate::util::{Hermes, Reply, Site};

fn said(reply: Reply, more: &str) -> (Option<i32>, String) {
    let (site, hermes) = (Site::new(), Hermes::new());
    site.on("/x", reply);
    let output = hermes.plain(&["init", &format!("curl {}{more}", site.url("/x"))]);
    assert_eq!(output.stdout, "", "{output}");
    (output.code, output.stderr.replace(&site.authority(), "SITE"))
}

#[test]
fn an_answer_without_data_says_what_it_is() {
    for (reply, want) in [
        (Reply::text("text/html", "<!DOCTYPE html><html></html>"), "a web page (HTML), not data"),
        (Reply::text("text/xml", "<?xml version=\"1.0\"?><a/>"), "the answer is XML"),
        (Reply::text("text/plain", "Hello there\u{1b}[31m"), "it begins with `Hello there [31m`"),
        (Reply::json("{\"a\": [1,"), "the answer is no JSON: EOF"),
        (Reply::json(""), "the answer is empty"),
        (Reply::json("[]"), "no records now"),
        (Reply::json(r#"{"results": []}"#), "`results` is an empty list"),
        (Reply::json("[1, 2]"), "a list of bare values"),
        (Reply::json(r#"[["a", "b"], [1, 2]]"#), "a list of lists"),
        (Reply::bytes("image/png", [0x89, 0x50, 0xff].to_vec()), "not text in UTF-8"),
        (Reply::empty(204), "the answer is empty"),
    ] {
        let (code, stderr) = said(reply, "");
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.starts_with("hermes: SITE: ") && stderr.contains(want), "{want}: {stderr}");
    }
}

#[test]
fn a_refusal_has_a_hint_and_no_secret() {
    let echo = Reply::json(r#"{"message": "bad key s3cret-key"}"#);
    for (status, want) in
        [(401, "a key is missing or refused"), (403, "a key is missing"), (404, "check the url")]
    {
        let (code, stderr) = said(echo.clone().status(status), " -H 'X-API-Key: s3cret-key'");
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(&format!("answered {status}: {want}")), "{stderr}");
        assert!(stderr.contains("bad key ***") && !stderr.contains("s3cret"), "{stderr}");
    }
}

#[test]
fn an_answer_that_repeats_the_secret_is_not_written_down() {
    let reply = Reply::json(r#"[{"id": 1, "s3cret-key": 2}]"#);
    let (code, stderr) = said(reply, " -H 'X-API-Key: s3cret-key'");
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("repeats the secret") && !stderr.contains("s3cret"), "{stderr}");
}

#[test]
fn a_site_that_is_not_there_is_named() {
    let output = Hermes::new().plain(&["init", "http://127.0.0.1:9/x"]);
    assert_eq!(output.code, Some(1), "{output}");
    assert!(output.stderr.contains("127.0.0.1:9"), "{output}");
}

#[test]
fn a_bad_command_line_is_wrong_input_and_asks_nobody() {
    let hermes = Hermes::new();
    for (args, want) in [
        (&["init"][..], "give a url"),
        (&["init", "curl"], "there is no url"),
        (&["init", "curl -k https://a.example/"], "always checks certificates"),
        (&["init", "curl --proxy x https://a.example/"], "--proxy"),
        (&["init", "curl 'https://a.example/"], "not closed"),
        (&["init", "curl https://a.example/ | jq"], "`|`"),
        (&["init", "ftp://a.example/"], "http"),
        (&["init", "http://127.0.0.1:9/", "--nmae", "x"], "--nmae"),
        (&["init", "http://127.0.0.1:9/", "another"], "another"),
        (&["init", "http://127.0.0.1:9/", "--name", "A B"], "--name"),
        (&["init", "http://127.0.0.1:9/", "--table", "retries"], "--table"),
        (&["init", "http://127.0.0.1:9/", "--schedule", "sometimes"], "--schedule"),
        (&["init", "http://127.0.0.1:9/?key=${env:NOT_SET}"], "NOT_SET"),
    ] {
        let output = hermes.plain(args);
        assert_eq!(output.code, Some(2), "{output}");
        assert!(output.stderr.contains(want) && output.stdout.is_empty(), "{want}: {output}");
    }
}
