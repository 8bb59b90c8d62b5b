//! What happens when the store fails, as a file says it.

use super::report::Report;
use super::suggestion::quoted;
use super::text::Text;
use crate::OnStoreFailure;

/// The most digits of a number in a share, so that no product overflows.
const MAX_DIGITS: usize = 6;

/// What a request gets when the store makes no decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoreFailure {
    Deny,
    Allow,
    Local(Share),
}

/// A part of each limit: above 0 and at most 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) numerator: u32,
    pub(super) denominator: u32,
}

impl StoreFailure {
    /// The same, for a builder.
    pub(super) fn to_setting(self) -> OnStoreFailure {
        match self {
            Self::Deny => OnStoreFailure::Deny,
            Self::Allow => OnStoreFailure::Allow,
            // A policy cannot decide locally yet: deny is the answer that lets nobody exceed.
            Self::Local(Share { .. }) => OnStoreFailure::Deny,
        }
    }
}

impl Share {
    /// `1/4`, `0.25` or `25%`.
    pub(super) fn read(text: &Text, report: &mut Report) -> Option<Self> {
        let value = text.value();
        let share = fraction(value);
        let Some(share) = share else {
            report
                .error(text.span(), format!("{} is not a share", quoted(value)))
                .help("write a fraction such as `\"1/4\"`, or a percentage such as `\"25%\"`");
            return None;
        };
        if share.numerator == 0 || share.numerator > share.denominator {
            report
                .error(text.span(), format!("the share {} is not above 0 and at most 1", quoted(value)))
                .help("with four instances write `\"1/4\"`; to give nothing write `on_store_failure = \"deny\"`");
            return None;
        }
        Some(share)
    }
}

fn fraction(text: &str) -> Option<Share> {
    if let Some((numerator, denominator)) = text.split_once('/') {
        return Some(Share {
            numerator: number(numerator.trim())?,
            denominator: number(denominator.trim())?,
        });
    }
    let (text, hundred) = text.strip_suffix('%').map_or((text, 1), |text| (text, 100));
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let scale = 10_u32.checked_pow(u32::try_from(decimals.len()).ok()?)?;
    let decimals = if decimals.is_empty() && !text.ends_with('.') {
        0
    } else {
        number(decimals)?
    };
    Some(Share {
        numerator: number(whole)?.checked_mul(scale)?.checked_add(decimals)?,
        denominator: scale.checked_mul(hundred)?,
    })
}

fn number(text: &str) -> Option<u32> {
    let is_number =
        (1..=MAX_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fractions_decimals_and_percentages() {
        let read = |text| fraction(text).map(|share| (share.numerator, share.denominator));
        assert_eq!(read("1/4"), Some((1, 4)));
        assert_eq!(read("25%"), Some((25, 100)));
        assert_eq!(read("0.25"), Some((25, 100)));
        assert_eq!(read("12.5%"), Some((125, 1_000)));
        assert_eq!(read("1"), Some((1, 1)));
        for text in [
            "",
            "/",
            "1/",
            "a",
            "-1/4",
            "1.",
            ".5",
            "1/1/1",
            "1234567/1",
            "0.12345678901",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
