//! Answers that are not what they say they are.

use super::{Case, source};
use crate::util::{Reply, Site};

#[test]
fn an_answer_cut_short_is_not_taken_for_a_whole_one() {
    let case = Case::new(Reply::cut_short(r#"[{"id":1}]"#, 1_000), "10s");
    case.fails_with("the answer was cut short by SITE");
    case.was_asked(1);
}

#[test]
fn a_content_length_that_lies_by_terabytes_reserves_nothing() {
    let case = Case::new(Reply::cut_short(r#"[{"id":1}]"#, 1 << 42), "10s");
    case.fails_with("the answer was cut short by SITE");
}

#[test]
fn a_content_length_that_is_too_small_ends_the_answer_there() {
    let raw = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[{\"id\":1}]";
    let case = Case::new(Reply::raw(raw), "10s");
    case.fails_with("page 1: the answer is cut off: EOF while parsing a string at line 1 column 5");
}

#[test]
fn a_chunk_that_never_comes_is_not_an_end() {
    let raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n[{\"id\":1}]\r\n";
    let case = Case::new(Reply::raw(raw), "10s");
    case.fails_with("the answer was cut short by SITE");
}

#[test]
fn gzip_that_is_none_is_an_error() {
    let case = Case::new(Reply::json("[]").header("Content-Encoding", "gzip"), "10s");
    case.fails_with("the answer of SITE is broken or cut short (gzip)");
}

#[test]
fn a_page_of_html_is_quoted_in_a_line() {
    let case = Case::new(Reply::text("text/html", "<html><title>Welcome</title>\n<p>hello"), "10s");
    case.fails_with("page 1: not JSON: expected value at line 1 column 1; the answer begins with `<html><title>Welcome</title> <p>hello`");
}

#[test]
fn an_empty_answer_is_no_list_of_records() {
    let case = Case::new(Reply::json(""), "10s");
    case.fails_with("page 1: not JSON: EOF while parsing a value at line 1 column 0; the answer is empty");
}

#[test]
fn json_that_breaks_off_is_said_to_be_cut_off() {
    let case = Case::new(Reply::json(r#"[{"id":1},{"id""#), "10s");
    case.fails_with("page 1: the answer is cut off: EOF while parsing an object at line 1 column 15");
}

#[test]
fn text_after_the_json_is_an_error() {
    let case = Case::new(Reply::json(r#"[{"id":1}] [{"id":2}]"#), "10s");
    case.fails_with("page 1: not JSON: trailing characters at line 1 column 12");
}

#[test]
fn wrong_utf8_is_an_error_and_not_stored_as_something_else() {
    let case = Case::new(Reply::bytes("application/json", &b"[{\"id\":\"\xff\xfe\"}]"[..]), "10s");
    case.fails_with("page 1: not UTF-8: the byte 0xff at offset 8 begins no character");
}

#[test]
fn a_status_line_of_garbage_is_an_error() {
    let case = Case::new(Reply::raw("\x1b[31mSSH-2.0-OpenSSH_9.6\0\r\n\r\n"), "10s");
    case.fails_with("SITE sent no valid HTTP (protocol: http parse fail: invalid HTTP version)");
}

#[test]
fn headers_of_garbage_are_an_error() {
    let case = Case::new(Reply::raw(b"HTTP/1.1 200 OK\r\n\x01\x02: \xff\r\nno colon\r\n\r\n[]"), "10s");
    case.fails_with("SITE sent no valid HTTP (protocol: http parse fail: invalid header name)");
}

#[test]
fn a_site_that_closes_at_once_is_an_error() {
    let case = Case::new(Reply::raw(""), "10s");
    case.fails_with("SITE closed the connection without an answer, or its headers are larger than 64 KiB");
}

#[test]
fn a_refused_connection_is_the_failure_of_that_source_alone() {
    let gone = Site::new();
    let (url, authority) = (gone.url("/bad"), gone.authority());
    drop(gone);
    let case = Case::with(Site::new(), &source("bad", &url, "10s"));
    case.fails_with(&format!("connection refused by {authority}"));
    case.was_asked(0);
}
