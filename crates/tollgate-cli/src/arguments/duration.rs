//! Lengths of time.

use std::time::Duration;

/// The longest: a day. More is a mistake.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// `250ms`, `10s`, `5m` or `1h`; `0s` is none.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || "write a number and its unit, such as `250ms`, `10s`, `5m` or `1h`".to_owned();
    let end = text.find(|it: char| !it.is_ascii_digit());
    let (number, unit) = text.split_at(end.ok_or_else(wrong)?);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    let time = Duration::from_millis(number.saturating_mul(millis));
    if time > LONGEST {
        return Err("it may be a day at most: 24h".to_owned());
    }
    Ok(time)
}

/// The same, but not none.
pub(super) fn parse_some(text: &str) -> Result<Duration, String> {
    let time = parse(text)?;
    if time.is_zero() {
        return Err("it would end at once; the longest time is `24h`".to_owned());
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_with_its_unit() {
        for (text, millis) in [
            ("0s", 0),
            ("250ms", 250),
            ("10s", 10_000),
            ("5m", 300_000),
            ("5min", 300_000),
            ("24h", 86_400_000),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn where_none_would_be_useless_it_is_refused() {
        assert_eq!(parse_some("1ms"), Ok(Duration::from_millis(1)));
        assert!(parse_some("0s").unwrap_err().contains("24h"));
        assert!(parse_some("1").unwrap_err().contains("5m"));
    }

    #[test]
    fn what_is_no_time_is_told_with_what_to_write() {
        for text in [
            "",
            "10",
            "s",
            "-1s",
            "1.5s",
            "10 s",
            "1d",
            "25h",
            "99999999999999999999s",
        ] {
            let told = parse(text).unwrap_err();
            assert!(
                told.contains("5m") || told.contains("24h"),
                "{text}: {told}"
            );
        }
    }
}
