//! Numbers for people.

/// A count with its thousands apart: `1,203,441`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of things, by the name of one: `no requests`, `1 request`, `1,203 requests`.
pub(super) fn count(number: u64, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{} {thing}s", grouped(number)),
    }
}

/// `1 request was`, `1,203 requests were`.
pub(super) fn were(number: u64) -> String {
    let verb = if number == 1 { "was" } else { "were" };
    format!("{} {verb}", count(number, "request"))
}

/// A text that begins a sentence.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(characters).collect()
    })
}

/// A count in few characters, for the marks of an axis: `950`, `1.2k`, `18.4E`.
pub(super) fn short(number: f64) -> String {
    const PREFIXES: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
    let mut rest = number;
    let mut prefixes = PREFIXES.iter();
    let mut prefix = prefixes.next();
    while rest >= 999.5 {
        let Some(next) = prefixes.next() else { break };
        rest /= 1_000.0;
        prefix = Some(next);
    }
    let digits = if rest < 99.95 { 1 } else { 0 };
    let prefix = prefix.copied().unwrap_or_default();
    format!("{}{prefix}", trimmed(rest, digits))
}

/// A share of 1 in percent, with as many digits as tell something. What is not quite nothing or not
/// quite all never looks as if it were.
pub(super) fn share(share: f64) -> String {
    let percent = share * 100.0;
    if !percent.is_finite() || percent <= 0.0 {
        return "0%".to_owned();
    }
    if percent < 0.01 {
        return "<0.01%".to_owned();
    }
    if percent > 99.9 && share < 1.0 {
        return ">99.9%".to_owned();
    }
    let digits = if percent < 0.995 { 2 } else { 1 };
    format!("{}%", trimmed(percent, digits))
}

/// A part of a whole, in percent.
pub(super) fn part(part: u64, whole: u64) -> String {
    let of_1 = ratio(part, whole);
    // So near to all that a float does not tell them apart.
    let is_nearly_all = part < whole && of_1 >= 1.0;
    share(if is_nearly_all {
        1.0 - f64::EPSILON
    } else {
        of_1
    })
}

/// A part of a whole; nothing of nothing is nothing.
pub(super) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    float(part) / float(whole)
}

/// By what a limit is multiplied: `×1.5`, `×16k`, `×1/512`.
pub(super) fn times(factor: f64) -> String {
    if factor >= 1_000.0 {
        format!("×{}", short(factor))
    } else if factor > 0.0 && factor < 0.05 {
        format!("×1/{}", short(factor.recip()))
    } else {
        format!("×{}", trimmed(factor, 2))
    }
}

/// With at most so many decimals, without zeros that say nothing.
pub(super) fn trimmed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// For a share or a drawing, the nearest float will do.
#[expect(clippy::cast_precision_loss, reason = "a pixel is coarser")]
pub(super) const fn float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_203_441, "1,203,441"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn a_share_never_looks_like_nothing_or_all_unless_it_is() {
        for (of_1, text) in [
            (0.0, "0%"),
            (f64::NAN, "0%"),
            (1e-9, "<0.01%"),
            (0.0001, "0.01%"),
            (0.00123, "0.12%"),
            (0.00996, "1%"),
            (0.1239, "12.4%"),
            (0.5, "50%"),
            (0.9989, "99.9%"),
            (0.9999, ">99.9%"),
            (1.0, "100%"),
        ] {
            assert_eq!(share(of_1), text, "{of_1}");
        }
        assert_eq!(part(u64::MAX - 1, u64::MAX), ">99.9%");
        assert_eq!(part(1, u64::MAX), "<0.01%");
        assert_eq!(part(0, 0), "0%");
    }

    #[test]
    fn a_factor_is_short_at_any_size() {
        for (factor, text) in [
            (0.25, "×0.25"),
            (1.0, "×1"),
            (16_384.0, "×16.4k"),
            (0.001, "×1/1k"),
        ] {
            assert_eq!(times(factor), text);
        }
    }

    #[test]
    fn marks_are_short_at_any_height() {
        for (number, text) in [
            (0.0, "0"),
            (2.5, "2.5"),
            (999.0, "999"),
            (999.9, "1k"),
            (1_250.0, "1.2k"),
            (150_000.0, "150k"),
            (18_446_744_073_709_551_615.0, "18.4E"),
        ] {
            assert_eq!(short(number), text);
        }
    }
}
