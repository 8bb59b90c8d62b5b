//! The text form of limits: `20/s burst 60`.

mod error;
mod suggestion;

pub use error::{LimitProblem, ParseLimitError};

use alloc::borrow::ToOwned;
use core::fmt;
use core::ops::Range;
use core::str::FromStr;
use core::time::Duration;

use super::{Limit, LimitErrorKind};
use crate::algorithm::{Algorithm, Anchor};
use error::Problem;

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
                        Some((_, span)) => return Err((span, Problem::UnknownAnchor)),
                        None => return Err((span, Problem::NoAnchor)),
                    };
                    let span = span.start..self.position;
                    if anchor_span.replace(span.clone()).is_some() {
                        return Err((span, Problem::Twice("anchor")));
                    }
                    builder = builder.anchor(anchor);
                }
                "," | ";" => return Err((span, Problem::Several)),
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
            Some((word, span))
                if ["block", "unlimited"]
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(word)) =>
            {
                Err((span, Problem::Block))
            }
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
        let count = self.number()?;
        let missing = match &count {
            Some((_, span)) => (span.clone(), Problem::NoTimeUnit),
            None => (start..self.position, Problem::NoPeriod),
        };
        let (name, span) = self.word().ok_or(missing)?;
        let count = count.map_or(1, |(count, _)| count);
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
        let attached = rest
            .get(length..)
            .unwrap_or("")
            .split(|c: char| c.is_whitespace() || c == '/')
            .next()
            .unwrap_or("");
        if digits.ends_with('_') || digits.contains("__") || continues_number(attached) {
            let span = self.position..self.position + length + attached.len();
            return Err((span, Problem::NotWhole));
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

    /// The characters up to the next space, slash, comma or semicolon.
    fn word(&mut self) -> Option<(&'a str, Range<usize>)> {
        self.skip_spaces();
        let rest = self.rest();
        // A slash ends a word but also begins one, so that every character is consumed; a comma
        // stands for itself.
        let is_comma = |c: char| matches!(c, ',' | ';');
        let length = rest
            .char_indices()
            .find(|(at, c)| {
                *at > 0
                    && (c.is_whitespace()
                        || *c == '/'
                        || is_comma(*c)
                        || rest.starts_with(is_comma))
            })
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

/// True for what follows the digits of `1.5`, `1,000`, `1e3` and `10k`.
fn continues_number(attached: &str) -> bool {
    let mut characters = attached.chars();
    match characters.next() {
        Some('.' | ',' | 'e' | 'E') => characters.next().is_some_and(|c| c.is_ascii_digit()),
        Some('k' | 'K' | 'M' | 'G' | 'T') => characters.next().is_none(),
        _ => false,
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
