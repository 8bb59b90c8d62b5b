//! Spans of time for people.

use super::numbers::trimmed;

/// A span of time, in its largest unit and the next: `250 ms`, `5 min`, `2 d 3 h`.
pub(super) fn span(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s")];
    if !seconds.is_finite() || seconds <= 0.0 {
        return "0 s".to_owned();
    }
    if seconds < 0.001 {
        return format!("{} µs", trimmed(seconds * 1e6, 0));
    }
    if seconds < 1.0 {
        return format!("{} ms", trimmed(seconds * 1e3, 0));
    }
    if seconds < 59.95 {
        return format!("{} s", trimmed(seconds, 1));
    }
    let seconds = seconds.round();
    let mut units = UNITS.iter().zip(&UNITS[1..]);
    let found = units.find(|((length, _), _)| seconds >= *length);
    let Some(((length, unit), (smaller, smaller_unit))) = found else {
        return format!("{} s", trimmed(seconds, 1));
    };
    let whole = (seconds / length).floor();
    let rest = ((seconds - whole * length) / smaller).floor();
    if rest > 0.0 {
        format!("{whole} {unit} {rest} {smaller_unit}")
    } else {
        format!("{whole} {unit}")
    }
}

/// The length of a window after a number: `min` in `10/min`, `5 min` in `10/5 min`.
pub(super) fn each(seconds: f64) -> String {
    let span = span(seconds);
    match span.strip_prefix("1 ") {
        Some(unit) if !unit.contains(' ') => unit.to_owned(),
        _ => span,
    }
}

/// The length of a window in a sentence: `minute`, `5 min`.
pub(super) fn window(seconds: f64) -> String {
    let each = each(seconds);
    match each.as_str() {
        "s" => "second".to_owned(),
        "min" => "minute".to_owned(),
        "h" => "hour".to_owned(),
        "d" => "day".to_owned(),
        _ => each,
    }
}

/// The same with its article: `a minute`, `5 min`.
pub(super) fn a_window(seconds: f64) -> String {
    let window = window(seconds);
    match window.as_str() {
        "second" | "minute" | "day" => format!("a {window}"),
        "hour" => format!("an {window}"),
        _ => window,
    }
}

/// The windows in which peaks are counted: they begin at multiples of a quarter of their length, and a
/// window that begins in between may have more.
pub(super) fn counted_windows(seconds: f64) -> String {
    format!(
        "windows of {} that begin every {}",
        span(seconds),
        span(seconds / 4.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_its_largest_unit_and_the_next() {
        for (seconds, text) in [
            (0.0, "0 s"),
            (f64::INFINITY, "0 s"),
            (0.000_25, "250 µs"),
            (0.25, "250 ms"),
            (1.0, "1 s"),
            (1.25, "1.2 s"),
            (59.99, "1 min"),
            (60.0, "1 min"),
            (90.0, "1 min 30 s"),
            (3_600.0, "1 h"),
            (3_725.0, "1 h 2 min"),
            (183_600.0, "2 d 3 h"),
        ] {
            assert_eq!(span(seconds), text, "{seconds}");
        }
        assert_eq!(
            (each(60.0), window(60.0)),
            ("min".to_owned(), "minute".to_owned())
        );
        assert_eq!(a_window(3_600.0), "an hour");
        assert_eq!(each(300.0), "5 min");
        assert_eq!(each(90.0), "1 min 30 s");
        assert_eq!(
            counted_windows(60.0),
            "windows of 1 min that begin every 15 s"
        );
    }
}
