//! Seconds as they are written: decimal and exact.

use std::fmt;

use anyhow::anyhow;
use tollgate::{Micros, Timestamp};

use crate::output::shown;

/// A span or an instant as decimal seconds, exact, without trailing zeros.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seconds(pub(crate) Micros);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (
            self.0.as_micros() / 1_000_000,
            self.0.as_micros() % 1_000_000,
        );
        if part == 0 {
            return f.pad(&whole.to_string());
        }
        let text = format!("{whole}.{part:06}");
        f.pad(text.trim_end_matches('0'))
    }
}

/// An instant in decimal seconds since the Unix epoch, exactly.
pub(crate) fn parse_instant(text: &str) -> anyhow::Result<Timestamp> {
    let wrong = || {
        let text = shown(text);
        anyhow!("`{text}` is no number of seconds, such as 0, 12 or 1.250000")
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(part) {
        return Err(wrong());
    }
    let part = match part.split_at_checked(6) {
        Some((micros, rest)) if rest.bytes().any(|byte| byte != b'0') => {
            return Err(anyhow!(
                "`{}` is more exact than a microsecond; write {}.{micros}",
                shown(text),
                shown(whole)
            ));
        }
        Some((micros, _)) => micros.to_owned(),
        None => format!("{part:0<6}"),
    };
    let seconds: u64 = whole.parse().map_err(|_| wrong())?;
    let micros: u64 = part.parse().map_err(|_| wrong())?;
    let at = Micros::from_secs(seconds)
        .as_micros()
        .saturating_add(micros);
    if at > Timestamp::MAX.as_micros() {
        return Err(anyhow!("{} seconds lie after the year 2255", shown(text)));
    }
    Ok(Timestamp::from_micros(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact() {
        let text = |micros| Seconds(Micros::new(micros)).to_string();
        assert_eq!(text(0), "0");
        assert_eq!(text(1), "0.000001");
        assert_eq!(text(10_500_000), "10.5");
        assert_eq!(text(100_000_000), "100");
        assert_eq!(text((1 << 53) - 1), "9007199254.740991");
    }
}
