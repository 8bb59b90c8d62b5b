//! Numbers in words.

/// A number with its thousands apart.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", number(count))
}

/// A share with three digits that tell something: `0.12 %`.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let text = if percent >= 10.0 {
        format!("{percent:.1}")
    } else if percent >= 0.1 {
        format!("{percent:.2}")
    } else {
        format!("{percent:.4}")
    };
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{text} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(number).join(" "),
            "0 999 1,000 1,234,567"
        );
        assert_eq!(counted(1, "client"), "1 client");
        assert_eq!(counted(0, "client"), "0 clients");
        let shares = [0.0, 0.000_012, 0.001, 0.0123, 0.5, 1.0].map(percent);
        assert_eq!(
            shares.join(", "),
            "0 %, 0.0012 %, 0.1 %, 1.23 %, 50 %, 100 %"
        );
    }
}
