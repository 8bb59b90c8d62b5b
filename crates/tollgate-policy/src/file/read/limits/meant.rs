//! The limit that was probably meant by a text that is none: `5 per minute`, `10 req/s`, `5rpm`.

use tollgate::Limit;

/// The longest text that is looked at: no limit in words is longer.
const LONGEST: usize = 100;

/// What people call units.
const NOUNS: [&str; 24] = [
    "attempt", "attempts", "call", "calls", "hit", "hits", "message", "messages", "op", "ops",
    "queries", "query", "r", "req", "reqs", "request", "requests", "time", "times", "token",
    "tokens", "unit", "units", "x",
];

/// What people write for the `/`.
const SLASHES: [&str; 8] = ["/", ":", "a", "an", "each", "every", "in", "per"];

/// What people write for units and a period in one word.
const RATES: [(&str, &str); 12] = [
    ("rps", "s"),
    ("qps", "s"),
    ("tps", "s"),
    ("rpm", "min"),
    ("qpm", "min"),
    ("tpm", "min"),
    ("rph", "h"),
    ("qph", "h"),
    ("rpd", "d"),
    ("qpd", "d"),
    ("hourly", "h"),
    ("daily", "d"),
];

/// What people write for a unit of time, with its name and its length in milliseconds.
const TIMES: [(&[&str], u64); 8] = [
    (&["ms", "msec", "millisecond", "milliseconds"], 1),
    (&["s", "sec", "secs", "second", "seconds"], 1_000),
    (&["m", "min", "mins", "minute", "minutes"], 60_000),
    (&["h", "hr", "hrs", "hour", "hours"], 3_600_000),
    (&["d", "day", "days"], 86_400_000),
    (&["w", "week", "weeks"], 604_800_000),
    (&["month", "months"], 2_592_000_000),
    (&["y", "yr", "year", "years"], 31_536_000_000),
];

/// What a text that is no limit probably means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// One limit, or several that belong into texts of their own.
    Limits(Vec<String>),
    /// A limit in seconds, if the period, which has no unit, is one of seconds.
    Seconds(String),
    /// So many units, and nothing says in which time.
    Units(u64),
}

impl Meant {
    /// What was meant, if that is clear.
    pub(super) fn by(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        if let Some(meant) = one(text) {
            return Some(meant);
        }
        let parts: Vec<&str> = text.split([',', ';', '&']).collect();
        // `20/s, burst 60` is one limit.
        if parts.len() > 1
            && let Some(Self::Limits(limits)) = one(&parts.join(" "))
        {
            return Some(Self::Limits(limits));
        }
        let mut limits = Vec::with_capacity(parts.len());
        for part in &parts {
            match one(part) {
                Some(Self::Limits(limit)) => limits.extend(limit),
                _ => return None,
            }
        }
        Some(Self::Limits(limits))
    }

    /// The advice.
    pub(super) fn help(&self) -> String {
        match self {
            Self::Limits(limits) => {
                let limits: Vec<String> = limits
                    .iter()
                    .map(|limit| format!("`\"{limit}\"`"))
                    .collect();
                let each = if limits.len() > 1 {
                    "each as a text of its own: "
                } else {
                    ""
                };
                format!("write {each}{}", limits.join(", "))
            }
            Self::Seconds(limit) => format!(
                "write a unit of time: `\"{limit}\"` for seconds; `ms`, `min`, `h` and `d` are the others"
            ),
            Self::Units(units) => {
                format!(
                    "write a period too: `\"{units}/s\"`, `\"{units}/min\"` or `\"{units}/h\"`, for example"
                )
            }
        }
    }
}

/// One limit in other words, or as limits are written.
fn one(text: &str) -> Option<Meant> {
    if let Ok(limit) = text.parse::<Limit>() {
        return Some(Meant::Limits(vec![limit.to_string()]));
    }
    let text = text.to_ascii_lowercase();
    let mut words = Words { rest: &text };
    let units = words.number()?;
    let rate = RATES
        .into_iter()
        .find(|(rate, _)| words.take(|word| word == *rate));
    if let Some((_, period)) = rate {
        return checked(&format!("{units}/{period} {}", words.rest));
    }
    words.take(|word| NOUNS.contains(&word));
    let mut has_slash = false;
    while words.take(|word| SLASHES.contains(&word)) {
        has_slash = true;
    }
    if words.is_at_end() {
        return Some(Meant::Units(units));
    }
    if !has_slash {
        return None;
    }
    let mut millis: u64 = 0;
    loop {
        let before = words.rest;
        let count = words.number();
        let time = TIMES
            .into_iter()
            .find(|(names, _)| words.take(|word| names.contains(&word)));
        match (count, time) {
            (count, Some((_, length))) => {
                millis = millis.checked_add(count.unwrap_or(1).checked_mul(length)?)?;
            }
            (Some(count), None) if millis == 0 && words.is_at_end() => {
                let seconds = format!("{units}/{count}s");
                return seconds
                    .parse::<Limit>()
                    .ok()
                    .map(|_| Meant::Seconds(seconds));
            }
            _ => {
                words.rest = before;
                break;
            }
        }
        // `1h30m` is a sum, `1 h 30` is not.
        if !words.rest.starts_with(|c: char| c.is_ascii_digit()) {
            break;
        }
    }
    checked(&format!("{units}/{millis}ms {}", words.rest))
}

/// The limit as it is best written, if it is one.
fn checked(text: &str) -> Option<Meant> {
    let limit = text.parse::<Limit>().ok()?;
    Some(Meant::Limits(vec![limit.to_string()]))
}

/// A text in small letters that is read from its beginning.
struct Words<'t> {
    rest: &'t str,
}

impl Words<'_> {
    /// Digits, with `_` or, in groups of three, `,` between them; then `k` for thousands.
    fn number(&mut self) -> Option<u64> {
        let rest = self.rest.trim_start();
        let length = rest
            .find(|c: char| !c.is_ascii_digit() && c != '_' && c != ',')
            .unwrap_or(rest.len());
        let (digits, after) = rest.split_at_checked(length)?;
        let mut groups = digits.split(',');
        let first = groups.next()?;
        let are_thousands = groups.all(|group| group.len() == 3 && !group.contains('_'));
        if !first.starts_with(|c: char| c.is_ascii_digit()) || !are_thousands {
            return None;
        }
        let number: u64 = digits.replace(['_', ','], "").parse().ok()?;
        let thousands = after.strip_prefix('k');
        let thousands = thousands.filter(|after| !after.starts_with(char::is_alphanumeric));
        self.rest = thousands.unwrap_or(after);
        match thousands {
            Some(_) => number.checked_mul(1_000),
            None => Some(number),
        }
    }

    /// Takes the next word, or the next sign, if it is one of those that are looked for.
    fn take(&mut self, is_meant: impl FnOnce(&str) -> bool) -> bool {
        let rest = self.rest.trim_start();
        let letters = rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(rest.len());
        let sign = rest.chars().next().map_or(0, char::len_utf8);
        let length = if letters == 0 { sign } else { letters };
        match rest.split_at_checked(length) {
            Some((word, after)) if !word.is_empty() && is_meant(word) => {
                self.rest = after;
                true
            }
            _ => false,
        }
    }

    fn is_at_end(&self) -> bool {
        self.rest.trim().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(text: &str) -> Option<String> {
        Meant::by(text).map(|meant| meant.help())
    }

    #[test]
    fn finds_the_limit_in_other_words() {
        for (text, limit) in [
            ("5 per minute", "5/min"),
            ("5 per min", "5/min"),
            ("5/minute", "5/min"),
            ("5 / Minutes", "5/min"),
            ("5/m", "5/min"),
            ("10 per 1m", "10/min"),
            ("10 requests per second", "10/s"),
            ("10 req/s", "10/s"),
            ("10r/m", "10/min"),
            ("10 times in 5 seconds", "10/5s"),
            ("1 request every 6 s", "1/6s"),
            ("60 per 60 seconds", "60/min"),
            ("5rpm", "5/min"),
            ("5 RPS", "5/s"),
            ("5rps burst 20", "5/s burst 20"),
            ("100 daily", "100/d"),
            ("10:min", "10/min"),
            ("10/1h30m", "10/90min"),
            ("10/week", "10/7d"),
            ("10k/h", "10000/h"),
            ("1,000 per hour", "1000/h"),
            ("1_000 an hour", "1000/h"),
            ("5 per minute fixed-window", "5/min fixed-window"),
            ("20/s, burst 60", "20/s burst 60"),
        ] {
            assert_eq!(help(text), Some(format!("write `\"{limit}\"`")), "{text}");
        }
        assert_eq!(
            help("10 per minute, 5/s").unwrap(),
            "write each as a text of its own: `\"10/min\"`, `\"5/s\"`"
        );
    }

    #[test]
    fn asks_for_what_is_not_said() {
        assert!(help("10/60").unwrap().contains("`\"10/60s\"` for seconds"));
        for text in ["60", "60/", "60 requests", "60 per"] {
            assert!(help(text).unwrap().contains("`\"60/min\"`"), "{text}");
        }
    }

    #[test]
    fn does_not_guess() {
        for text in [
            "",
            "min",
            "ten/min",
            "1.5/s",
            "1,5/s",
            "10 min",
            "-5/min",
            "5/fortnight",
            "5 per minute please",
            "0 per minute",
            "5/min burst x",
            "99999999999999999999 per min",
            "1000000000000k per min",
            "5/99999999999999999999s",
            "5/18446744073709551615y",
            "\u{b5}",
            "5\u{b5}s",
            "10, min",
        ] {
            assert_eq!(help(text), None, "{text}");
        }
        assert_eq!(help(&"9 ".repeat(60)), None);
    }
}
