//! Texts on a drawing, and how much room they take.

/// The size of a title, in pixels, unless it is long.
const TITLE: f64 = 14.0;
/// A smaller one could not be read.
const SMALLEST: f64 = 9.0;
/// How wide a bold letter is, of its size.
const BOLD: f64 = 0.66;

/// About how wide a label is, in pixels.
pub(super) fn width(label: &str) -> f64 {
    label.chars().map(|_| 7.5).sum()
}

/// A number of units, short: `80M` beside an axis, where 80000000 has no room.
pub(super) fn units(number: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let unit = units.into_iter().find(|(unit, _)| number >= *unit);
    match unit {
        Some((unit, name)) if number >= 1e4 => format!("{}{name}", rounded(number / unit)),
        _ => rounded(number),
    }
}

/// A mark without the noise of binary fractions.
pub(super) fn rounded(mark: f64) -> String {
    let text = format!("{mark:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A title that fits into so many pixels, and its size if that is not the usual one.
pub(super) fn title(text: &str, room: f64) -> (String, Option<f64>) {
    let letters: f64 = text.chars().map(|_| 1.0).sum();
    let size = (room / (letters * BOLD)).min(TITLE);
    if size >= TITLE {
        return (text.to_owned(), None);
    }
    let size = size.max(SMALLEST);
    let mut left = room / (size * BOLD) - 1.0;
    let fitting = text.chars().take_while(|_| {
        left -= 1.0;
        left >= 0.0
    });
    let mut fitting: String = fitting.collect();
    if fitting.len() < text.len() && size <= SMALLEST {
        fitting.push('…');
    } else {
        text.clone_into(&mut fitting);
    }
    (fitting, Some(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (60.0, "60"),
            (5_000.0, "5000"),
            (20_000.0, "20k"),
            (1.5e6, "1.5M"),
            (8e7, "80M"),
            (5e9, "5G"),
            (2e12, "2T"),
        ] {
            assert_eq!(units(number), text);
        }
    }

    #[test]
    fn titles_fit() {
        assert_eq!(title("10/min", 640.0), ("10/min".to_owned(), None));
        for length in [10, 60, 70, 90, 110, 500] {
            let (shown, size) = title(&"x".repeat(length), 640.0);
            let letters: f64 = shown.chars().map(|_| 1.0).sum();
            assert!(
                letters * size.unwrap_or(TITLE) * BOLD <= 640.001,
                "{length}"
            );
            assert_eq!(shown.ends_with('…'), length >= 110, "{length}");
        }
    }
}
