//! What is an expression, and what is not.

use jiff::tz::TimeZone;

use crate::definition::cron::Cron;

fn parse(text: &str) -> Result<Cron, String> {
    Cron::parse(text, &TimeZone::UTC)
}

#[test]
fn these_are_expressions() {
    for text in [
        "* * * * *",
        "0-59 0-23 1-31 1-12 0-7",
        "*/59 */23 */31 */12 */6",
        "*/15,7 * * * *",
        "*,5 * * * *",
        "0-30/10,45 1-5/2,9 * * *",
        "05 09 01 01 00",
        "0\t9  *   * *",
        "0 0 * jan,FEB,mAr-aPr Mon,tue,5-7",
        "0 0 29 2 *",
        "0 0 30,31 2,4 *",
        "0 0 31 2 1",
        "0 0 31 2 */2",
    ] {
        assert!(parse(text).is_ok(), "{text}: {:?}", parse(text));
    }
}

#[test]
fn different_spellings_are_one_expression() {
    for (one, other) in [
        ("0 0 * * 0", "0 0 * * 7"),
        ("0 0 * * SUN", "0 0 * * sun"),
        ("0 0 * * 5-7", "0 0 * * FRI-SUN"),
        ("0 0 * * 0-7", "0 0 * * SUN-SAT"),
        ("0 0 * * SUN-SUN", "0 0 * * 0"),
        ("0 0 * * 6,7", "0 0 * * 0,6"),
        ("0 0 * * 1-7/3", "0 0 * * 1,4,0"),
        ("0 0 * DEC *", "0 0 * 12 *"),
        ("0 0 * 1-12/5 *", "0 0 * */5 *"),
        ("*/20 * * * *", "0,20,40 * * * *"),
        ("5-59/15 * * * *", "5,20,35,50 * * * *"),
        ("0 */1 * * *", "0 0-23 * * *"),
        ("3,1,2,2 * * * *", "1-3 * * * *"),
        (" 0 0 * * * ", "0 0 * * *"),
    ] {
        assert_eq!(parse(one), parse(other), "{one} is {other}");
    }
}

#[test]
fn these_are_not() {
    let whole = ["", " ", "\t", "*", "* * * *", "0 * * * * *", "0 0 1 1 * 2026", "@hourly", "@daily"];
    let minutes = [
        "60",
        "-1",
        "1-",
        "-",
        "--",
        "1-2-3",
        "50-10",
        "1,",
        ",1",
        "1,,2",
        ",",
        "*/0",
        "*/60",
        "*/",
        "/5",
        "/",
        "*/-1",
        "*/1.5",
        "*/5/5",
        "1-30/0",
        "5/15",
        "1.5",
        "+5",
        "*/+5",
        "?",
        "L",
        "W",
        "H",
        "#",
        "x",
        "JAN",
        "**",
        "*5",
        "5*",
        "*-5",
        "5-*",
        "0x5",
        "256",
        "99999999999999999999",
        "٣",
        "½",
        "é",
    ];
    let hours = ["24", "*/24", "0-24", "MON"];
    let days = ["0", "32", "?", "L", "L-3", "15W", "LW", "1W", "*/32", "JAN", "0-5"];
    let months = ["0", "13", "MON", "JANUARY", "JA", "*/13", "DEC-JAN", "JAN/2", "?"];
    let weekdays = ["8", "5L", "5#2", "MON#1", "L", "?", "*/7", "JAN", "MONDAY", "SAT-MON", "5-0", "7-1"];
    let never = ["0 0 31 2 *", "0 0 30 FEB *", "0 0 30-31 2 *", "0 0 31 4,6,9,11 *", "* * 31 2,4 *"];
    let all = (whole.iter().chain(&never).map(|text| text.to_string()))
        .chain(minutes.iter().map(|field| format!("{field} * * * *")))
        .chain(hours.iter().map(|field| format!("0 {field} * * *")))
        .chain(days.iter().map(|field| format!("0 0 {field} * *")))
        .chain(months.iter().map(|field| format!("0 0 * {field} *")))
        .chain(weekdays.iter().map(|field| format!("0 0 * * {field}")));
    for text in all {
        assert!(parse(&text).is_err(), "{text}");
    }
}

#[test]
fn a_problem_is_short_and_of_one_line_whatever_was_written() {
    for text in
        ["9".repeat(100_000) + " * * * *", "a\u{1b}[31m * * * *".into(), "1,".repeat(9_999) + " * * * *"]
    {
        let why = parse(&text).expect_err("no number");
        assert!(why.len() < 200 && !why.contains(char::is_control), "{why}");
    }
}
