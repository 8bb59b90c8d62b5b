//! Instants as logs write them.

use tollgate::Timestamp;

use super::put;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// An instant in parts, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Civil {
    pub(super) year: u64,
    pub(super) month: u64,
    pub(super) day: u64,
    pub(super) hour: u64,
    pub(super) minute: u64,
    pub(super) second: u64,
    pub(super) micros: u64,
}

impl Civil {
    /// At an offset from UTC, in minutes.
    pub(super) fn new(at: Timestamp, offset: i64) -> Self {
        let seconds = (at.as_micros() / 1_000_000)
            .checked_add_signed(offset * 60)
            .expect("logs are younger than 1970");
        // Days since 0000-03-01, so that a leap day is the last of its year; in eras of 400 years.
        let days = seconds / 86_400 + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        Self {
            year: era * 400 + year + u64::from(month >= 10),
            month: if month < 10 { month + 3 } else { month - 9 },
            day: day - (153 * month + 2) / 5 + 1,
            hour: seconds / 3600 % 24,
            minute: seconds / 60 % 60,
            second: seconds % 60,
            micros: at.as_micros() % 1_000_000,
        }
    }

    fn utc(at: Timestamp) -> Self {
        Self::new(at, 0)
    }

    fn month_name(&self) -> &'static str {
        usize::try_from(self.month - 1)
            .ok()
            .and_then(|month| MONTHS.get(month))
            .expect("there are twelve months")
    }
}

/// `05/Nov/2026:06:25:02 +0100`, at an offset in minutes.
pub(super) fn clf(out: &mut String, at: Timestamp, offset: i64) {
    let it = Civil::new(at, offset);
    put!(
        out,
        "{:02}/{}/{}:{:02}:{:02}:{:02} ",
        it.day,
        it.month_name(),
        it.year,
        it.hour,
        it.minute,
        it.second
    );
    let sign = if offset < 0 { '-' } else { '+' };
    let offset = offset.unsigned_abs();
    put!(out, "{sign}{:02}{:02}", offset / 60, offset % 60);
}

/// `05/Nov/2026:06:25:02.310`, which does not say where.
pub(super) fn haproxy(out: &mut String, at: Timestamp) {
    let it = Civil::utc(at);
    put!(
        out,
        "{:02}/{}/{}:{:02}:{:02}:{:02}.{:03}",
        it.day,
        it.month_name(),
        it.year,
        it.hour,
        it.minute,
        it.second,
        it.micros / 1000
    );
}

/// `Nov  5 06:25:02`.
pub(super) fn syslog(out: &mut String, at: Timestamp) {
    let it = Civil::utc(at);
    put!(
        out,
        "{} {:>2} {:02}:{:02}:{:02}",
        it.month_name(),
        it.day,
        it.hour,
        it.minute,
        it.second
    );
}

/// `2026-11-05T06:25:02.310Z`, with so many digits after the point.
pub(super) fn rfc3339(out: &mut String, at: Timestamp, digits: usize) {
    seconds_of_rfc3339(out, at);
    let nanos = format!("{:09}", at.as_micros() % 1_000_000 * 1000);
    put!(out, ".{}Z", &nanos[..digits]);
}

/// As Go writes it: nanoseconds without the zeros at the end.
pub(super) fn rfc3339_nano(out: &mut String, at: Timestamp, nanos: u64) {
    seconds_of_rfc3339(out, at);
    let all = format!(".{:09}", at.as_micros() % 1_000_000 * 1000 + nanos);
    out.push_str(all.trim_end_matches('0').trim_end_matches('.'));
    out.push('Z');
}

/// `2026-11-05T06:25:02`.
fn seconds_of_rfc3339(out: &mut String, at: Timestamp) {
    let it = Civil::utc(at);
    put!(
        out,
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        it.year,
        it.month,
        it.day,
        it.hour,
        it.minute,
        it.second
    );
}

/// `2026-11-05` and `06:25:02`, with something between them.
pub(super) fn date_and_time(out: &mut String, at: Timestamp, between: char) {
    let it = Civil::utc(at);
    put!(
        out,
        "{:04}-{:02}-{:02}{between}{:02}:{:02}:{:02}",
        it.year,
        it.month,
        it.day,
        it.hour,
        it.minute,
        it.second
    );
}

/// Seconds with a fraction as short as possible, as Go writes a float.
pub(super) fn float_seconds(micros: u64) -> String {
    let all = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    all.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Seconds with three digits, cut off.
pub(super) fn millis(micros: u64) -> String {
    format!("{}.{:03}", micros / 1_000_000, micros / 1000 % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let day = |seconds: u64| {
            let mut out = String::new();
            rfc3339(&mut out, Timestamp::from_secs(seconds), 0);
            out
        };
        // By `date --utc --date=@…`.
        assert_eq!(day(0), "1970-01-01T00:00:00.Z");
        assert_eq!(day(951_782_400), "2000-02-29T00:00:00.Z");
        assert_eq!(day(1_709_251_199), "2024-02-29T23:59:59.Z");
        assert_eq!(day(1_793_859_902), "2026-11-05T06:25:02.Z");
        assert_eq!(day(4_107_542_400), "2100-03-01T00:00:00.Z");
    }

    #[test]
    fn offsets_move_the_date_too() {
        let mut out = String::new();
        clf(&mut out, Timestamp::from_secs(1_793_836_800 - 60), 330);
        out.push(' ');
        clf(&mut out, Timestamp::from_secs(1_793_836_800), -210);
        assert_eq!(out, "05/Nov/2026:05:29:00 +0530 04/Nov/2026:20:30:00 -0330");
    }
}
