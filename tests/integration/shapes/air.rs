//! Air quality: stations, sensors and their readings.

use super::{KEY, answer, failed, fetched, fixture, shape};
use crate::util::{Reply, lines};

/// Every number is text, -1 and -999 mean none, date and time are two values of Bangkok, and parts of a
/// station are empty or missing.
#[test]
fn air4thai() {
    let path = "/services/getNewAQI_JSON.php";
    let (site, hermes) = shape("air4thai", path, answer("air4thai.json"));
    let sql = "SELECT station, name, latitude, longitude, measured_at, pm25, aqi FROM air ORDER BY station";
    let want = [
        "'91t' 'สวนทดสอบ ' 13.5001 100.2502 '2026-11-15T16:00:00.000Z' 27.3 48",
        "'92t' 'ริมน้ำ' null null '2026-11-14T23:00:00.000Z' null null",
        "'93t' 'เนินเขา' null 99.75 null null null",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    assert_eq!(site.asked_paths(), [path]);
}

/// Rows under column names with dots, epoch seconds, short rows.
#[test]
fn purpleair() {
    let (site, hermes) = shape("purpleair", "/v1/sensors", answer("purpleair.json"));
    let sql = "SELECT sensor, name, pm25, pm25_hour, seen_at, read_at FROM purpleair ORDER BY sensor";
    let read_at = "'2026-11-15T23:41:53.000Z'";
    let want = [
        format!("70001 'Porch, north' 4.5 5.25 '2026-11-15T23:40:00.000Z' {read_at}"),
        format!("70002 'Shed' null 12.0 '2026-11-15T23:39:00.000Z' {read_at}"),
        format!("70003 'Roof' null null '2026-11-15T23:38:00.000Z' {read_at}"),
    ];
    assert_eq!(fetched(&hermes, sql), want);
    let asked = &site.asked()[0];
    assert_eq!(asked.header("x-api-key"), Some(KEY));
    assert_eq!(asked.param("fields"), Some("last_seen,name,pm2.5,pm2.5_60minute"));
}

/// A total instead of a has-more flag, null coordinates, negative values.
#[test]
fn openaq_latest() {
    let path = "/v3/locations/9001/latest";
    let (site, hermes) = shape("openaq-latest", path, answer("openaq-latest.json"));
    let sql = "SELECT sensor, location, value, measured_at, latitude, longitude FROM air ORDER BY sensor";
    let want = [
        "5001 9001 11.25 '2026-11-15T22:00:00.000Z' 60.5 24.75",
        "5002 9001 -0.4 '2026-11-15T22:00:00.000Z' null null",
        "5003 9001 0.0 '2026-11-15T21:00:00.000Z' null null",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    assert_eq!((site.asked().len(), site.asked()[0].header("x-api-key")), (1, Some(KEY)));
    assert_eq!(site.asked()[0].target, "/v3/locations/9001/latest?page=1&limit=1000");
    let counted = "SELECT period_seconds, request_count FROM rate_limiter_state ORDER BY period_seconds";
    assert_eq!(lines(&hermes, counted), ["60 1", "3600 1"], "both limits of the provider count");
}

/// The total is first `>2`, then a number; records have no id of their own.
#[test]
fn openaq_measurements() {
    let path = "/v3/sensors/5001/measurements";
    let (site, hermes) = shape("openaq-measurements", path, Reply::empty(500));
    site.on_fn(path, |asked| match asked.param("page") {
        Some("1") => answer("openaq-measurements.json"),
        _ => answer("openaq-measurements-2.json"),
    });
    let sql = "SELECT sensor, parameter, units, value, began_at, ended_at, flagged FROM measurements ORDER BY began_at";
    let want = [
        "5001 'pm25' 'µg/m³' 8.5 '2026-11-15T20:00:00.000Z' '2026-11-15T21:00:00.000Z' 0",
        "5001 'pm25' 'µg/m³' -1.5 '2026-11-15T21:00:00.000Z' '2026-11-15T22:00:00.000Z' 1",
        "5001 'pm25' 'µg/m³' 9.0 '2026-11-15T22:00:00.000Z' '2026-11-15T23:00:00.000Z' 0",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    let asked: Vec<String> = site.asked().into_iter().map(|asked| asked.target).collect();
    assert_eq!(asked, [1, 2].map(|page| format!("{path}?page={page}&limit=2")));
    assert!(site.asked().iter().all(|asked| asked.header("x-api-key") == Some(KEY)));
}

/// A root list; the date has a blank at its end, the hour is a number beside it.
#[test]
fn airnow() {
    let path = "/aq/observation/zipCode/current/";
    let (site, hermes) = shape("airnow", path, answer("airnow.json"));
    let sql = "SELECT observed_at, area, state, parameter, aqi, category FROM airnow ORDER BY parameter";
    let want = [
        "'2026-07-15T16:00:00.000Z' 'Sample Valley' 'CA' 'O3' 31 'Good'",
        "'2026-07-15T16:00:00.000Z' 'Sample Valley' 'CA' 'PM2.5' null 'Unavailable'",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    let want = format!("{path}?format=application%2Fjson&zipCode=00501&distance=25&API_KEY={KEY}");
    assert_eq!(site.asked()[0].target, want);
}

/// Lines with bars and no header are neither JSON nor CSV with named columns.
#[test]
fn a_file_of_airnow_fails_and_says_what_it_is_instead() {
    let path = "/airnow/today/HourlyData_2026111522.dat";
    let file = || Reply::text("text/plain", fixture("airnow-file.dat"));
    let (_site, hermes) = shape("airnow-file", path, file());
    let text = failed(&hermes, "airnow");
    assert!(["page 1", "not JSON", "11/15/26|22:00"].iter().all(|part| text.contains(part)), "{text}");

    let (site, hermes) = shape("airnow-file", path, file());
    let as_csv = fixture("airnow-file.yaml").replace("response:", "response:\n  format: csv");
    hermes.write_source("source.yaml", &as_csv.replace("SITE", &site.authority()));
    let text = failed(&hermes, "airnow");
    assert!(["no column", "AQSID", "990010001"].iter().all(|part| text.contains(part)), "{text}");
}

/// An object keyed by id in place of a list.
#[test]
fn clarity_datasources() {
    let (site, hermes) = shape("clarity", "/v1/open/datasources", answer("clarity.json"));
    let sql = "SELECT datasource, name, kind, latitude FROM datasources ORDER BY datasource";
    let want = [
        "'DAAAA0001' 'School roof' 'CLARITY_NODE' 51.25",
        "'DAAAA0002' null 'REFERENCE' null",
        "'DAAAA0003' 'Depot' 'CLARITY_NODE' null",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    assert_eq!(site.asked()[0].header("x-api-key"), Some(KEY));
}

/// A value that is null while the raw one is there; a second list beside the records.
#[test]
fn clarity_measurements() {
    let path = "/v1/open/all-recent-measurement/pm25/individual";
    let (_site, hermes) = shape("clarity-measurements", path, answer("clarity-measurements.json"));
    let sql = "SELECT datasource, measured_at, value, raw, qc FROM clarity ORDER BY datasource";
    let want = [
        "'DAAAA0001' '2026-11-15T22:00:00.000Z' 7.5 9.1 'valid'",
        "'DAAAA0003' '2026-11-15T22:00:00.000Z' null 31.0 'invalid'",
    ];
    assert_eq!(fetched(&hermes, sql), want);
}

/// Keys with an at sign, the site's code only at the parent, empty text for none; and one record comes
/// as an object, not as a list.
#[test]
fn laqn() {
    let path = "/AirQuality/Data/Site/SiteCode=XX9/StartDate=15Nov2026/EndDate=16Nov2026/Json";
    let sql = "SELECT site, species, measured_at, value FROM laqn ORDER BY rowid";
    let (site, hermes) = shape("laqn", path, answer("laqn.json"));
    let want = [
        "'XX9' 'NO2' '2026-11-15T00:00:00.000Z' 21.5",
        "'XX9' 'NO2' '2026-11-15T01:00:00.000Z' null",
        "'XX9' 'PM10' '2026-11-15T00:00:00.000Z' -0.3",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    assert_eq!(site.asked_paths(), [path]);

    let (_site, hermes) = shape("laqn", path, answer("laqn-single.json"));
    assert_eq!(fetched(&hermes, sql), ["'XX9' 'NO2' '2026-11-15T02:00:00.000Z' 19.0"]);
}

/// Integers and reals mixed in one field, nulls, and a token in the query.
#[test]
fn airgradient() {
    let path = "/public/api/v1/locations/measures/current";
    let (site, hermes) = shape("airgradient", path, answer("airgradient.json"));
    let sql = "SELECT location, name, pm02, co2, temperature, measured_at FROM airgradient ORDER BY location";
    let want = [
        "41001 'Kitchen' 5 640 24 '2026-11-15T23:41:00.000Z'",
        "41002 'Balcony' 5.25 null 27.9 '2026-11-15T23:41:30.000Z'",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    assert_eq!(site.asked()[0].target, format!("{path}?token={KEY}"));
}

#[test]
fn airgradient_refuses_a_token_and_repeats_it_but_hermes_does_not() {
    let path = "/public/api/v1/locations/measures/current";
    let refusal = Reply::json(format!(r#"{{"message":"the token {KEY} is not known"}}"#)).status(401);
    let (_site, hermes) = shape("airgradient", path, refusal);
    let text = failed(&hermes, "airgradient");
    assert!(text.contains("answered 401") && text.contains("is not known"), "{text}");
}

/// Offsets of summer and winter; text beyond ASCII in the query as well.
#[test]
fn nilu() {
    let (site, hermes) = shape("nilu", "/aq/utd", answer("nilu.json"));
    let sql = "SELECT station, component, measured_at, value, unit FROM nilu ORDER BY station";
    let want = [
        "'Lia' 'PM2.5' '2026-11-15T22:00:00.000Z' 6.125 'µg/m³'",
        "'Åsen' 'NO2' '2026-07-15T21:00:00.000Z' 14.0 'µg/m³'",
    ];
    assert_eq!(fetched(&hermes, sql), want);
    assert_eq!(site.asked()[0].target, "/aq/utd?areas=Pr%C3%B8vedal&components=pm2.5%3Bno2");
}
