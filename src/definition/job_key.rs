//! The key of a job: one source at one slot, whoever dispatches it.

use jiff::Timestamp;
use jiff::fmt::strtime;

/// How finely a slot is told from its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    Minute,
    /// Of a schedule under a minute, and of a run that a person asked for.
    Second,
}

/// `YYYY-MM-DD/prefix/prefix-YYYYMMDDHHMM`, in UTC; `source` where the
/// deployment has several.
pub fn job_key(prefix: &str, slot: Timestamp, precision: Precision, source: Option<&str>) -> String {
    let time = match precision {
        Precision::Minute => "%Y%m%d%H%M",
        Precision::Second => "%Y%m%d%H%M%S",
    };
    let format = |pattern| strtime::format(pattern, slot).expect("every timestamp has these parts");
    let source = source.map(|name| format!("/{name}")).unwrap_or_default();
    format!("{}/{prefix}/{prefix}-{}{source}", format("%Y-%m-%d"), format(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_day_the_prefix_and_the_slot() {
        let slot = "2026-11-15T23:41:53Z".parse().expect("a time");
        for (precision, source, want) in [
            (Precision::Minute, None, "2026-11-15/air/air-202611152341"),
            (Precision::Second, None, "2026-11-15/air/air-20261115234153"),
            (Precision::Minute, Some("one"), "2026-11-15/air/air-202611152341/one"),
        ] {
            assert_eq!(job_key("air", slot, precision, source), want);
        }
    }
}
