//! The shapes of real APIs, with invented values: each is a trap that some
//! mapping fell into.

use jiff::tz::TimeZone;
use serde_json::json;

use super::testing::{field, path, read, rows, source, typed};
use crate::definition::mapping::{Shape, TimeFormat};
use crate::definition::{Field, FieldType, Response, Source};

fn timestamp(zone: TimeZone) -> FieldType {
    FieldType::Timestamp { format: TimeFormat::Guess, zone }
}

fn with(source: Source, change: impl FnOnce(&mut Response)) -> Source {
    let mut source = source;
    change(&mut source.response);
    source
}

/// All numbers are text, -1 and -999 mean none, date and time are two values
/// of Bangkok, and parts of a station may be missing.
#[test]
fn air4thai() {
    let nulls = vec![json!(""), json!("-1"), json!(-999)];
    let bangkok = TimeZone::fixed(jiff::tz::offset(7));
    let source = source(
        "stations",
        vec![
            field("id", "stationID"),
            field("name", "nameTH"),
            Field { nulls: nulls.clone(), ..typed("lat", "lat", FieldType::Real) },
            Field { nulls: nulls.clone(), ..typed("pm25", "AQILast.PM25.value", FieldType::Real) },
            Field { nulls, ..typed("at", "AQILast.date+AQILast.time", timestamp(bangkok)) },
        ],
    );
    let body = r#"{"stations":[
        {"stationID":"02t","nameTH":"ริมถนน ","lat":"13.73","long":"100.48",
         "AQILast":{"date":"2026-11-15","time":"23:00","PM25":{"color_id":"2","aqi":"52","value":"-999"}}},
        {"stationID":"03t","nameTH":"วัด","lat":"","AQILast":{"date":"2026-11-15","time":" 07:00 ","PM25":{"value":"21.4"}}},
        {"stationID":"05t","nameTH":"x","AQILast":{"date":"2026-11-15","time":"-1","PM25":{"value":"-1.0"}}},
        {"stationID":"08t","nameTH":"y","lat":"7.5","AQILast":""}]}"#;
    let want = [
        "'02t' 'ริมถนน ' 13.73 null '2026-11-15T16:00:00.000Z'",
        "'03t' 'วัด' null 21.4 '2026-11-15T00:00:00.000Z'",
        "'05t' 'x' null null null",
        "'08t' 'y' 7.5 null null",
    ];
    assert_eq!(rows(&source, body), Ok(want.map(String::from).into()));
}

/// Rows under columns whose names have dots; short rows; the names and a
/// value of the root stand after the records.
#[test]
fn purpleair() {
    let fields = vec![
        field("sensor", "sensor_index"),
        typed("pm25", "\"pm2.5\"", FieldType::Real),
        typed("seen", "last_seen", timestamp(TimeZone::UTC)),
        typed("at", "$.data_time_stamp", timestamp(TimeZone::UTC)),
    ];
    let source = with(source("data", fields), |response| response.records = Shape::Columns(path("fields")));
    let body = r#"{"api_version":"V1","data":[[11,1794786000,4.5],[12,null,7],[13]],
        "fields":["sensor_index","last_seen","pm2.5"],"data_time_stamp":1794786113}"#;
    let want = [
        "11 4.5 '2026-11-15T23:40:00.000Z' '2026-11-15T23:41:53.000Z'",
        "12 7.0 null '2026-11-15T23:41:53.000Z'",
        "13 null null '2026-11-15T23:41:53.000Z'",
    ];
    assert_eq!(rows(&source, body), Ok(want.map(String::from).into()));
    for (why, body, want) in [
        (
            "a column is gone",
            r#"{"fields":["sensor_index","pm2.5"],"data":[[1]]}"#,
            "no column `last_seen`; the answer has: `sensor_index`, `pm2.5`",
        ),
        ("no names", r#"{"data":[[1]]}"#, "columnsPath `fields`: no such key"),
        (
            "names that are none",
            r#"{"fields":{"a":1},"data":[[1]]}"#,
            "columnsPath `fields`: `{\"a\":1}` is not a list of names",
        ),
        (
            "an object for a row",
            r#"{"fields":["sensor_index","pm2.5","last_seen"],"data":[{"a":1}]}"#,
            "record 1: an object is not a list of values",
        ),
        (
            "one object",
            r#"{"fields":[],"data":{"a":1}}"#,
            "dataPath `data`: an object is not a list of lists",
        ),
    ] {
        assert_eq!(rows(&source, body), Err(want.to_owned()), "{why}");
    }
    assert_eq!(rows(&source, r#"{"fields":[],"data":[]}"#), Ok(vec![]), "no rows need no columns");
}

#[test]
fn openaq() {
    let source = source(
        "results",
        vec![
            typed("value", "value", FieldType::Real),
            typed("at", "datetime.utc", timestamp(TimeZone::UTC)),
            field("lat", "coordinates.latitude"),
            field("sensor", "sensorsId"),
        ],
    );
    let body = r#"{"meta":{"name":"openaq-api","page":1,"limit":1000,"found":">100"},"results":[
        {"datetime":{"utc":"2026-11-15T23:00:00Z","local":"2026-11-16T06:00:00+07:00"},"value":-0.4,
         "coordinates":{"latitude":13.7,"longitude":100.5},"sensorsId":4202,"locationsId":8118},
        {"datetime":{"utc":"2026-11-15T23:00:00Z"},"value":12,"coordinates":null,"sensorsId":4203}]}"#;
    let want = ["-0.4 '2026-11-15T23:00:00.000Z' 13.7 4202", "12.0 '2026-11-15T23:00:00.000Z' null 4203"];
    assert_eq!(rows(&source, body), Ok(want.map(String::from).into()));
}

/// Keys with `@`, the site's code only above the records, and one record
/// comes as an object.
#[test]
fn laqn() {
    let source = source(
        "AirQualityData.Data",
        vec![
            field("site", "$.AirQualityData.@SiteCode"),
            field("species", "@SpeciesCode"),
            Field { nulls: vec![json!("")], ..typed("value", "@Value", FieldType::Real) },
        ],
    );
    let one = r#"{"AirQualityData":{"Data":{"@SpeciesCode":"NO2","@Value":"31.5"},"@SiteCode":"MY1"}}"#;
    assert_eq!(rows(&source, one), Ok(vec!["'MY1' 'NO2' 31.5".into()]));
    let two = r#"{"AirQualityData":{"@SiteCode":"MY1","Data":[{"@SpeciesCode":"NO2","@Value":""},
        {"@SpeciesCode":"O3","@Value":"8"}]}}"#;
    assert_eq!(rows(&source, two), Ok(vec!["'MY1' 'NO2' null".into(), "'MY1' 'O3' 8.0".into()]));
}

/// A list at the root; over quota, an object in its place.
#[test]
fn fmp_articles() {
    let fields = vec![
        field("headline", "title"),
        typed("at", "date", timestamp(TimeZone::UTC)),
        typed("tickers", "tickers", FieldType::Json),
        field("provider", "=fmp"),
    ];
    let source = with(source(".", fields), |response| response.error_path = Some(path("Error Message")));
    let body = r#"[{"title":"<p>\"Up\" & away</p>","date":"2026-11-15 23:41:53","tickers":["NYSE:A", "B"]}]"#;
    let want = r#"'<p>"Up" & away</p>' '2026-11-15T23:41:53.000Z' '["NYSE:A", "B"]' 'fmp'"#;
    assert_eq!(rows(&source, body), Ok(vec![want.into()]));
    let answer = read(&source, r#"{"Error Message": "Limit Reach. Please upgrade"}"#).expect("an answer");
    assert_eq!(answer.facts.error.as_deref(), Some("Limit Reach. Please upgrade"));
    assert!(answer.rows.is_empty());
    assert_eq!(rows(&source, "[]"), Ok(vec![]));
}

/// The symbol only at the root, and `{}` where there is nothing.
#[test]
fn fmp_historical() {
    let source = source(
        "historical",
        vec![field("symbol", "$.symbol"), field("day", "date"), field("close", "close")],
    );
    let body = r#"{"symbol":"AAPL","historical":[{"date":"2026-11-13","close":1.5},{"date":"2026-11-12","close":2}]}"#;
    assert_eq!(
        rows(&source, body),
        Ok(vec!["'AAPL' '2026-11-13' 1.5".into(), "'AAPL' '2026-11-12' 2".into()])
    );
    assert_eq!(rows(&source, "{}"), Ok(vec![]));
}

/// An object keyed by day, keys like `1. open`, and a note instead of data.
#[test]
fn alpha_vantage() {
    let fields = vec![
        typed("day", "$key", timestamp(TimeZone::UTC)),
        typed("open", "\"1. open\"", FieldType::Real),
        field("symbol", "$.\"Meta Data\".\"2. Symbol\""),
    ];
    let source = with(source("\"Time Series (Daily)\"", fields), |response| {
        response.records = Shape::Map;
        response.error_path = Some(path("Note"));
    });
    let body = r#"{"Meta Data":{"1. Information":"Daily","2. Symbol":"IBM"},"Time Series (Daily)":{
        "2026-11-13":{"1. open":"229.40","2. high":"231"},"2026-11-12":{"1. open":"228.00"}}}"#;
    let want = ["'2026-11-13T00:00:00.000Z' 229.4 'IBM'", "'2026-11-12T00:00:00.000Z' 228.0 'IBM'"];
    assert_eq!(rows(&source, body), Ok(want.map(String::from).into()));
    let answer = read(&source, r#"{"Note": "25 requests a day"}"#).expect("an answer");
    assert_eq!(answer.facts.error.as_deref(), Some("25 requests a day"));
    let error = rows(&source, r#"{"Information": "premium"}"#);
    assert_eq!(
        error,
        Err("dataPath: there is no `Time Series (Daily)` in the answer; it has: `Information`".into())
    );
}
