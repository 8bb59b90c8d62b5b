//! Instants for people.

use jiff::Timestamp;

use super::shown::shown;

/// An instant of a report, RFC 3339, as it is shown: `2026-05-04 12:00:03`, in UTC, which is said
/// elsewhere. Fractions of a second are left out.
pub(super) fn instant(text: &str) -> String {
    parse(text).map_or_else(|| shown(text), |at| format(at, "%Y-%m-%d %H:%M:%S"))
}

/// The same, without the day if all of the report is of one day.
pub(super) fn instant_within(text: &str, day: Option<&str>) -> String {
    let full = instant(text);
    match day.and_then(|day| full.strip_prefix(day)) {
        Some(time) => time.trim_start().to_owned(),
        None => full,
    }
}

/// The day that two instants have in common, as [`instant`] shows it.
pub(super) fn common_day(from: Option<&str>, to: Option<&str>) -> Option<String> {
    let day = |text| parse(text).map(|at| format(at, "%Y-%m-%d"));
    let (from, to) = (day(from?)?, day(to?)?);
    (from == to).then_some(from)
}

/// Seconds since the epoch.
pub(super) fn seconds(text: &str) -> Option<i64> {
    parse(text).map(Timestamp::as_second)
}

/// Seconds since the epoch, in a pattern of `strftime`; nothing if there is no such time.
pub(super) fn at(seconds: i64, pattern: &str) -> String {
    Timestamp::from_second(seconds).map_or_else(|_| String::new(), |at| format(at, pattern))
}

fn parse(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

fn format(at: Timestamp, pattern: &str) -> String {
    at.strftime(pattern).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_shown_to_the_second() {
        assert_eq!(instant("2026-05-04T12:00:03.250Z"), "2026-05-04 12:00:03");
        assert_eq!(instant("yesterday\n"), "yesterday\\n");
    }

    #[test]
    fn a_day_that_all_share_is_not_repeated() {
        let (from, to) = ("2026-05-04T00:00:01Z", "2026-05-04T23:59:58Z");
        let day = common_day(Some(from), Some(to));
        assert_eq!(instant_within(to, day.as_deref()), "23:59:58");
        let day = common_day(Some(from), Some("2026-05-05T00:00:00Z"));
        assert_eq!(instant_within(to, day.as_deref()), "2026-05-04 23:59:58");
    }
}
