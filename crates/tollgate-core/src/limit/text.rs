//! The text form of limits: `20/s burst 60`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::ops::Range;
use core::str::FromStr;
use core::time::Duration;

use super::{Limit, LimitError, LimitErrorKind};
use crate::algorithm::{Algorithm, Anchor};

/// The units of time, largest first, with their length in milliseconds.
const TIME_UNITS: [(&str, u64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("min", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::TokenBucket,
    Algorithm::FixedWindow(Anchor::Epoch),
    Algorithm::SlidingWindow,
    Algorithm::SlidingLog,
];

/// Words that people write and the word that is meant.
const NEAR_MISSES: [(&str, &str); 23] = [
    ("m", "min"),
    ("mins", "min"),
    ("minute", "min"),
    ("minutes", "min"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("hr", "h"),
    ("hour", "h"),
    ("hours", "h"),
    ("day", "d"),
    ("days", "d"),
    ("millisecond", "ms"),
    ("milliseconds", "ms"),
    ("gcra", "token-bucket"),
    ("leaky-bucket", "token-bucket"),
    ("bucket", "token-bucket"),
    ("fixed", "fixed-window"),
    ("window", "fixed-window"),
    ("sliding", "sliding-window"),
    ("log", "sliding-log"),
    ("bursts", "burst"),
];

/// A text that is no limit: what is wrong, and which characters are.
///
/// `{}` prints one line; `{:#}` adds the text with the characters underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseLimitError {
    text: String,
    span: Range<usize>,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Empty,
    Block,
    NoUnits,
    NoSlash,
    NoPeriod,
    NumberTooLarge,
    UnknownTimeUnit,
    UnknownWord,
    Twice(&'static str),
    NoNumber(&'static str),
    NoAnchor,
    Limit(LimitError),
}

impl ParseLimitError {
    /// The bytes of the text that are wrong.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    fn offending(&self) -> &str {
        self.text.get(self.span.clone()).unwrap_or("")
    }

    fn suggestion(&self) -> Option<&'static str> {
        let word = self.offending();
        NEAR_MISSES
            .iter()
            .find(|(miss, _)| miss.eq_ignore_ascii_case(word))
            .map(|(_, meant)| *meant)
            .or_else(|| {
                let names = TIME_UNITS.iter().map(|(name, _)| *name);
                let algorithms = ALGORITHMS.iter().map(|algorithm| algorithm.name());
                names
                    .chain(algorithms)
                    .chain(["burst", "anchor"])
                    .find(|name| same_letters(name, word))
            })
    }
}

/// True if two words differ in case, `-` and `_` only.
fn same_letters(left: &str, right: &str) -> bool {
    let letters = |word: &str| {
        word.chars()
            .filter(|c| !matches!(c, '-' | '_'))
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    letters(left) == letters(right)
}

impl fmt::Display for ParseLimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.offending();
        match &self.problem {
            Problem::Empty => {
                f.write_str("a limit is empty; write units and a period, such as `10/min`")?;
            }
            Problem::Block => write!(
                f,
                "`{word}` is not a limit; a policy says `block` or `unlimited` instead of limits"
            )?,
            Problem::NoUnits => write!(
                f,
                "`{word}` is not a number of units; a limit begins with one, such as `10/min`"
            )?,
            Problem::NoSlash => write!(
                f,
                "a `/` and a period must follow the units, such as `10/min`"
            )?,
            Problem::NoPeriod => f.write_str(
                "a period must follow the `/`: ms, s, min, h or d, such as `10/min` or `3/10s`",
            )?,
            Problem::NumberTooLarge => write!(f, "`{word}` is too large a number")?,
            Problem::UnknownTimeUnit => {
                write!(f, "`{word}` is not a unit of time; use ms, s, min, h or d")?;
            }
            Problem::UnknownWord => write!(
                f,
                "`{word}` means nothing here; after the period may stand `burst N`, `anchor first-request` and one of token-bucket, fixed-window, sliding-window, sliding-log"
            )?,
            Problem::Twice(what) => write!(f, "`{word}`: the {what} is given twice")?,
            Problem::NoNumber(what) => write!(f, "a number must follow `{what}`")?,
            Problem::NoAnchor => f.write_str("`epoch` or `first-request` must follow `anchor`")?,
            Problem::Limit(error) => error.fmt(f)?,
        }
        if let Some(meant) = self.suggestion() {
            write!(f, " (did you mean `{meant}`?)")?;
        }
        let column = self
            .text
            .get(..self.span.start)
            .map_or(1, |before| before.chars().count() + 1);
        write!(f, ", in `{}` at column {column}", self.text.escape_debug())?;
        if f.alternate() && !self.text.contains(char::is_control) {
            let width = word.chars().count().max(1);
            write!(f, "\n  {}\n  {:>column$}", self.text, '^')?;
            for _ in 1..width {
                f.write_str("^")?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for ParseLimitError {}

impl FromStr for Limit {
    type Err = ParseLimitError;

    fn from_str(text: &str) -> Result<Self, ParseLimitError> {
        Parser { text, position: 0 }
            .limit()
            .map_err(|(span, problem)| ParseLimitError {
                text: text.to_owned(),
                span,
                problem,
            })
    }
}

type Parsed<T> = Result<T, (Range<usize>, Problem)>;

struct Parser<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Parser<'a> {
    fn limit(mut self) -> Parsed<Limit> {
        let (units, units_span) = self.units()?;
        self.slash()?;
        let (period, period_span) = self.period()?;
        let mut builder = Limit::builder(units, period);

        let mut burst_span = None;
        let mut anchor_span = None;
        let mut algorithm_span = None;
        while let Some((word, span)) = self.word() {
            match word {
                "burst" => {
                    let (burst, _) = self
                        .number()?
                        .ok_or_else(|| (span.clone(), Problem::NoNumber("burst")))?;
                    let span = span.start..self.position;
                    if burst_span.replace(span.clone()).is_some() {
                        return Err((span, Problem::Twice("burst")));
                    }
                    builder = builder.burst(burst);
                }
                "anchor" => {
                    let anchor = match self.word() {
                        Some(("epoch", _)) => Anchor::Epoch,
                        Some(("first-request", _)) => Anchor::FirstRequest,
                        Some((_, span)) => return Err((span, Problem::NoAnchor)),
                        None => return Err((span, Problem::NoAnchor)),
                    };
                    let span = span.start..self.position;
                    if anchor_span.replace(span.clone()).is_some() {
                        return Err((span, Problem::Twice("anchor")));
                    }
                    builder = builder.anchor(anchor);
                }
                name => {
                    let algorithm = ALGORITHMS
                        .into_iter()
                        .find(|algorithm| algorithm.name() == name)
                        .ok_or_else(|| (span.clone(), Problem::UnknownWord))?;
                    if algorithm_span.replace(span.clone()).is_some() {
                        return Err((span, Problem::Twice("algorithm")));
                    }
                    builder = builder.algorithm(algorithm);
                }
            }
        }

        builder.build().map_err(|error| {
            let whole = 0..self.text.trim_end().len();
            let span = match error.kind() {
                LimitErrorKind::Units => units_span,
                LimitErrorKind::Period | LimitErrorKind::PeriodNotWholeMillis => period_span,
                LimitErrorKind::Burst | LimitErrorKind::BurstAlgorithm | LimitErrorKind::Refill => {
                    burst_span.unwrap_or(whole)
                }
                LimitErrorKind::Anchor => anchor_span.unwrap_or(whole),
                LimitErrorKind::NoExactTick { .. } => whole,
            };
            (span, Problem::Limit(error))
        })
    }

    fn units(&mut self) -> Parsed<(u64, Range<usize>)> {
        if let Some(number) = self.number()? {
            return Ok(number);
        }
        match self.word() {
            None => Err((0..self.text.len(), Problem::Empty)),
            Some(("block" | "unlimited", span)) => Err((span, Problem::Block)),
            Some((_, span)) => Err((span, Problem::NoUnits)),
        }
    }

    fn slash(&mut self) -> Parsed<()> {
        self.skip_spaces();
        if self.rest().starts_with('/') {
            self.position += 1;
            return Ok(());
        }
        let start = self.position;
        let end = self.word().map_or(start, |(_, span)| span.end);
        Err((start..end, Problem::NoSlash))
    }

    fn period(&mut self) -> Parsed<(Duration, Range<usize>)> {
        self.skip_spaces();
        let start = self.position;
        let count = self.number()?.map_or(1, |(count, _)| count);
        let (name, span) = self
            .word()
            .ok_or((start..self.position, Problem::NoPeriod))?;
        let (_, millis) = TIME_UNITS
            .into_iter()
            .find(|(unit, _)| *unit == name)
            .ok_or((span, Problem::UnknownTimeUnit))?;
        // A saturated period is far above the bound, which `build` names.
        let period = Duration::from_millis(count.saturating_mul(millis));
        Ok((period, start..self.position))
    }

    /// Digits at the position, with single underscores between them.
    fn number(&mut self) -> Parsed<Option<(u64, Range<usize>)>> {
        self.skip_spaces();
        let rest = self.rest();
        let length = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_digit() || *byte == b'_')
            .count();
        let digits = rest.get(..length).unwrap_or("");
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        let span = self.position..self.position + length;
        self.position = span.end;
        let mut number: u64 = 0;
        for digit in digits.bytes().filter(|byte| *byte != b'_') {
            number = number
                .checked_mul(10)
                .and_then(|number| number.checked_add(u64::from(digit - b'0')))
                .ok_or_else(|| (span.clone(), Problem::NumberTooLarge))?;
        }
        Ok(Some((number, span)))
    }

    /// The characters up to the next space or slash.
    fn word(&mut self) -> Option<(&'a str, Range<usize>)> {
        self.skip_spaces();
        let rest = self.rest();
        // A slash ends a word, but a slash alone is one, so that every character is consumed.
        let length = rest
            .char_indices()
            .find(|(at, c)| *at > 0 && (c.is_whitespace() || *c == '/'))
            .map_or(rest.len(), |(at, _)| at);
        if length == 0 {
            return None;
        }
        let span = self.position..self.position + length;
        self.position = span.end;
        Some((rest.get(..length).unwrap_or(""), span))
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or("")
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.period.as_micros() / 1_000;
        let (name, length) = TIME_UNITS
            .into_iter()
            .find(|(_, length)| millis.is_multiple_of(*length))
            .unwrap_or(("ms", 1));
        write!(f, "{}/", self.units)?;
        if millis != length {
            write!(f, "{}", millis / length)?;
        }
        f.write_str(name)?;
        if self.algorithm != Algorithm::TokenBucket {
            write!(f, " {}", self.algorithm)?;
        }
        if self.burst != self.units {
            write!(f, " burst {}", self.burst)?;
        }
        if self.algorithm == Algorithm::FixedWindow(Anchor::FirstRequest) {
            f.write_str(" anchor first-request")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
