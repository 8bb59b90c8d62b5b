//! Where a request stands in a trace (W3C Trace Context).

use http::HeaderMap;

/// The field that says it; what gRPC calls metadata are the same fields.
const TRACEPARENT: &str = "traceparent";
/// The bit of the flags that says that the caller records.
const SAMPLED: u8 = 1;

/// What a caller says of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parent {
    pub(super) trace: u128,
    pub(super) span: u64,
    pub(super) is_sampled: bool,
}

impl Parent {
    /// What the fields of a request say, if it is there once and well-formed: otherwise a trace begins
    /// here, as the recommendation has it (section 4.3).
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let mut lines = headers.get_all(TRACEPARENT).iter();
        let (Some(line), None) = (lines.next(), lines.next()) else {
            return None;
        };
        Self::read(line.as_bytes())
    }

    /// `version-trace-parent-flags`, in lower-case hexadecimal digits (section 3.2). Later versions
    /// may have more after it.
    fn read(text: &[u8]) -> Option<Self> {
        let (head, rest) = text.split_first_chunk::<55>()?;
        let version = hex(head.get(..2)?)?;
        match (version, rest) {
            (0xff, _) | (0, [_, ..]) => return None,
            (_, [] | [b'-', ..]) => {}
            _ => return None,
        }
        if [2, 35, 52].iter().any(|at| head.get(*at) != Some(&b'-')) {
            return None;
        }
        let trace = hex(head.get(3..35)?)?;
        let span = u64::try_from(hex(head.get(36..52)?)?).ok()?;
        let flags = u8::try_from(hex(head.get(53..55)?)?).ok()?;
        (trace != 0 && span != 0).then_some(Self {
            trace,
            span,
            is_sampled: flags & SAMPLED != 0,
        })
    }
}

fn hex(digits: &[u8]) -> Option<u128> {
    digits.iter().try_fold(0, |number: u128, digit| {
        let digit = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        Some(number << 4 | u128::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;
    const SPAN: u64 = 0x00f0_67aa_0ba9_02b7;

    #[test]
    fn a_parent_is_what_the_recommendation_says() {
        let ids = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
        for (text, is_sampled) in [
            (format!("00-{ids}-01"), Some(true)),
            (format!("00-{ids}-00"), Some(false)),
            (format!("00-{ids}-03"), Some(true)),
            (format!("cc-{ids}-01"), Some(true)),
            (format!("cc-{ids}-01-more"), Some(true)),
            (format!("cc-{ids}-01more"), None),
            (format!("00-{ids}-01-more"), None),
            (format!("ff-{ids}-01"), None),
            (format!("00-{ids}-0"), None),
            (format!("00-{ids}-0g"), None),
            (format!("00_{ids}-01"), None),
            (format!("00-{}-01", ids.to_uppercase()), None),
            (format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)), None),
            (
                format!("00-4bf92f3577b34da6a3ce929d0e0e4736-{}-01", "0".repeat(16)),
                None,
            ),
            (String::new(), None),
        ] {
            let expected = is_sampled.map(|is_sampled| Parent {
                trace: TRACE,
                span: SPAN,
                is_sampled,
            });
            assert_eq!(Parent::read(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn two_parents_are_none() {
        let line = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let mut headers = HeaderMap::new();
        assert_eq!(Parent::of(&headers), None);
        headers.append(TRACEPARENT, line.parse().unwrap());
        assert!(Parent::of(&headers).is_some());
        headers.append(TRACEPARENT, line.parse().unwrap());
        assert_eq!(Parent::of(&headers), None);
    }
}
