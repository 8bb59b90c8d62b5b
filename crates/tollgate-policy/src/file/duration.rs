//! Times and sizes with units.

use std::ops::Range;
use std::time::Duration;

use super::report::Report;
use super::suggestion::{nearest, quoted};
use super::text::Text;

/// Units of time in milliseconds.
const TIMES: [(&str, u64); 5] = [
    ("ms", 1),
    ("s", 1_000),
    ("min", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
];

/// Units of size in bytes.
const SIZES: [(&str, u64); 4] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// What people write for a unit, and what is meant.
const WORDS: [(&str, &str); 15] = [
    ("m", "min"),
    ("mins", "min"),
    ("minute", "min"),
    ("minutes", "min"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("hour", "h"),
    ("hours", "h"),
    ("millis", "ms"),
    ("milliseconds", "ms"),
    ("KB", "KiB"),
    ("MB", "MiB"),
    ("GB", "GiB"),
];

/// A time from `least` to `most`; another one is reported.
pub(super) fn read(
    text: &Text,
    field: &str,
    least: Duration,
    most: Duration,
    report: &mut Report,
) -> Option<Duration> {
    let millis = quantity(text, "time", "100ms", &TIMES, report)?;
    let time = Duration::from_millis(millis);
    if time < least || time > most {
        report
            .error(
                text.span(),
                format!("`{field}` cannot be {}", quoted(text.value())),
            )
            .help(format!(
                "write a time from {} to {}",
                shown(least),
                shown(most)
            ));
        return None;
    }
    Some(time)
}

/// A time in the largest unit that it is a whole number of.
fn shown(time: Duration) -> String {
    let millis = time.as_millis();
    let mut units = TIMES.iter().rev();
    let unit = units.find(|(_, length)| millis.is_multiple_of(u128::from(*length)));
    let (name, length) = unit.unwrap_or(&("ms", 1));
    format!("{}{name}", millis / u128::from(*length))
}

/// A size in bytes, from 1 KiB to 1 TiB.
pub(super) fn read_size(text: &Text, field: &str, report: &mut Report) -> Option<usize> {
    let bytes = quantity(text, "size", "64MiB", &SIZES, report)?;
    let size = usize::try_from(bytes).ok();
    let size = size.filter(|_| (1 << 10..=1 << 40).contains(&bytes));
    if size.is_none() {
        report
            .error(
                text.span(),
                format!("`{field}` cannot be {}", quoted(text.value())),
            )
            .help("write a size from 1KiB to 1024GiB");
    }
    size
}

/// Digits and a unit.
fn quantity(
    text: &Text,
    what: &str,
    example: &str,
    units: &[(&'static str, u64)],
    report: &mut Report,
) -> Option<u64> {
    let value = text.value();
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = value.split_at_checked(digits)?;
    let unit = unit.trim_start();
    let names = || units.iter().map(|(name, _)| *name);
    let unit_span: Range<usize> = text.span_of(value.len() - unit.len()..value.len());
    if number.is_empty() || unit.starts_with(['.', ',', '_']) {
        report
            .error(text.span(), format!("{} is not a {what}", quoted(value)))
            .help(format!(
                "write a whole number and a unit, such as \"{example}\""
            ));
        return None;
    }
    if unit.is_empty() {
        report
            .error(text.span(), format!("{} has no unit", quoted(value)))
            .help(format!(
                "write one of {} after it",
                names().collect::<Vec<_>>().join(", ")
            ));
        return None;
    }
    let Some((_, factor)) = units.iter().find(|(name, _)| *name == unit) else {
        let known = WORDS.iter().find(|(word, meant)| {
            word.eq_ignore_ascii_case(unit) && names().any(|name| name == *meant)
        });
        let meant = known
            .map(|(_, meant)| *meant)
            .or_else(|| nearest(names(), unit));
        let all = names().collect::<Vec<_>>().join(", ");
        let help = match meant {
            Some(meant) => format!(
                "did you mean {}? The units are {all}",
                quoted(&format!("{number}{meant}"))
            ),
            None => format!("the units are {all}"),
        };
        report
            .error(
                unit_span,
                format!("{} is not a unit of {what}", quoted(unit)),
            )
            .help(help);
        return None;
    };
    // What does not fit is above every bound.
    let number: u64 = number.parse().unwrap_or(u64::MAX);
    Some(number.saturating_mul(*factor))
}
