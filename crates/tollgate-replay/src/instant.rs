//! Instants as text.

use tollgate::Timestamp;

/// Microseconds since the Unix epoch as RFC 3339, in UTC.
pub(crate) fn rfc3339(micros: u64) -> String {
    let micros = Timestamp::from_micros(micros).as_micros();
    // Both bounds hold for every instant there is: it is less than 2^53.
    i64::try_from(micros)
        .ok()
        .and_then(|micros| jiff::Timestamp::from_microsecond(micros).ok())
        .map_or_else(String::new, |instant| instant.to_string())
}

/// A span of microseconds in seconds.
#[expect(
    clippy::cast_precision_loss,
    reason = "reports have seconds as floats, and 2^53 microseconds are 285 years"
)]
pub(crate) fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

/// A part of a whole, from 0 to 1; 0 of nothing.
#[expect(
    clippy::cast_precision_loss,
    reason = "reports have shares as floats, for people to read"
)]
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_in_utc_with_the_decimals_it_takes() {
        assert_eq!(rfc3339(1_793_860_702_000_000), "2026-11-05T06:38:22Z");
        assert_eq!(rfc3339(1_793_860_702_524_000), "2026-11-05T06:38:22.524Z");
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(u64::MAX), rfc3339(Timestamp::MAX.as_micros()));
    }
}
