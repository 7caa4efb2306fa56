//! `hermes preview SCHEDULE`: when it would fire. It opens no database.

use argh::{ArgsInfo, FromArgs};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::{print_json, print_text};
use crate::clock::{self, Clock, SystemClock};
use crate::definition::Schedule;
use crate::definition::units::parse_zone;
use crate::error::{Error, ExitCode, Result};

/// Nobody reads more, and a rare slot takes a search of years.
const MOST: usize = 1_000;

/// When a schedule fires next: "*/15 * * * *", daily, interval:15m.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    subcommand,
    name = "preview",
    example = "hermes preview \"30 6 * * mon-fri\" --timezone Europe/Berlin --count 3"
)]
pub(super) struct Preview {
    #[argh(positional)]
    schedule: String,
    /// of cron, such as Europe/Berlin (UTC)
    #[argh(option, arg_name = "zone")]
    timezone: Option<String>,
    /// after this time: 2026-11-15T23:41, in the time zone unless it ends in Z (now)
    #[argh(option, arg_name = "time")]
    from: Option<String>,
    /// how many (10)
    #[argh(option, arg_name = "n", default = "10")]
    count: usize,
    /// an array of times in UTC
    #[argh(switch)]
    json: bool,
}

pub(super) fn preview(options: &Preview) -> Result<ExitCode> {
    let zone =
        options.timezone.as_deref().map_or(Ok(TimeZone::UTC), parse_zone).map_err(bad("--timezone"))?;
    let schedule = Schedule::parse(&options.schedule, &zone).map_err(Error::Input)?;
    let from = options.from.as_deref().map_or(Ok(SystemClock.now()), |text| time(text, &zone));
    let slots = slots(&schedule, from.map_err(bad("--from"))?, options.count)?;
    if options.json {
        print_json(&slots.iter().map(|slot| Value::from(clock::to_text(*slot))).collect());
    } else {
        print_text(&slots.iter().map(|slot| line(*slot, &zone) + "\n").collect::<String>());
    }
    Ok(ExitCode::Done)
}

fn bad(option: &str) -> impl FnOnce(String) -> Error + '_ {
    move |message| Error::Input(format!("{option}: {message}"))
}

/// What is no cron is shown as if it first ran at `from`.
fn slots(schedule: &Schedule, from: Timestamp, count: usize) -> Result<Vec<Timestamp>> {
    if !(1..=MOST).contains(&count) {
        return Err(Error::Input(format!("--count: {count} is not between 1 and {MOST}")));
    }
    Ok(schedule.slots_after(schedule.first_slot(from)).take(count).collect())
}

/// Without an offset it is a time of the zone.
fn time(text: &str, zone: &TimeZone) -> std::result::Result<Timestamp, String> {
    let local = || zone.to_timestamp(text.parse::<DateTime>().ok()?).ok();
    let time = text.parse::<Timestamp>().ok().or_else(local);
    time.ok_or_else(|| {
        format!("`{text}` is no time; 2026-11-15, 2026-11-15T23:41 and 2026-11-15T23:41:53Z are")
    })
}

/// In UTC, and where that is another time in the zone, by its clocks.
fn line(slot: Timestamp, zone: &TimeZone) -> String {
    let utc = clock::to_text(slot);
    if *zone == TimeZone::UTC {
        return utc;
    }
    let local = strtime::format("%Y-%m-%dT%H:%M:%S%:z", &slot.to_zoned(zone.clone()));
    format!("{utc}  {}", local.expect("every time in a zone has these parts"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_moment_or_one_of_the_zone() {
        let berlin = parse_zone("Europe/Berlin").expect("a zone");
        for (text, want) in [
            ("2026-07-01T12:00:00Z", Some("2026-07-01T12:00:00.000Z")),
            ("2026-07-01T12:00-04:00", Some("2026-07-01T16:00:00.000Z")),
            ("2026-07-01T12:00", Some("2026-07-01T10:00:00.000Z")),
            ("2026-07-01 12:00", Some("2026-07-01T10:00:00.000Z")),
            ("2026-07-01", Some("2026-06-30T22:00:00.000Z")),
            ("tomorrow", None),
            ("", None),
            ("12:00", None),
        ] {
            assert_eq!(time(text, &berlin).ok().map(clock::to_text).as_deref(), want, "{text}");
        }
    }
}
