//! The numbers that announce lengths.

/// The most digits of a length: any such number fits.
const MAX_DIGITS: usize = 18;

/// A number as Redis writes it: digits without a zero before them, perhaps after a minus sign.
/// `None` for everything else.
pub(crate) fn parse(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    match digits {
        [] => return None,
        [b'0'] => return (!is_negative).then_some(0),
        [b'0', ..] => return None,
        digits if digits.len() > MAX_DIGITS => return None,
        _ => {}
    }
    let mut number: i64 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number * 10 + i64::from(digit - b'0');
    }
    Some(if is_negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_number_is_read_in_its_one_form() {
        for (text, number) in [
            ("0", Some(0)),
            ("7", Some(7)),
            ("-1", Some(-1)),
            ("65536", Some(65_536)),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("9999999999999999999", None),
            ("", None),
            ("-", None),
            ("-0", None),
            ("+1", None),
            ("01", None),
            (" 1", None),
            ("1 ", None),
            ("1a", None),
            ("0x10", None),
        ] {
            assert_eq!(parse(text.as_bytes()), number, "{text:?}");
        }
    }
}
