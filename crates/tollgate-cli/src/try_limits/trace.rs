//! Requests, one a line.

use std::io::{BufRead, Read};

use anyhow::{Context, anyhow, bail};
use tollgate::{MAX_UNITS, Timestamp};

use crate::output::shown;
use crate::seconds::parse_instant;

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 1 << 16;

/// A request of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) at: Timestamp,
    pub(super) cost: u64,
    pub(super) key: String,
}

/// The requests of a text, with where they stand.
#[derive(Debug)]
pub(super) struct Lines<R> {
    name: String,
    input: R,
    line: Vec<u8>,
    number: u64,
    is_empty: bool,
}

impl<R: BufRead> Lines<R> {
    /// The requests of `input`, which messages call `name`.
    pub(super) fn new(name: &str, input: R) -> Self {
        Self {
            name: name.to_owned(),
            input,
            line: Vec::new(),
            number: 0,
            is_empty: true,
        }
    }

    /// The next request, or `None` at the end.
    ///
    /// # Errors
    ///
    /// If there is none at all, a line is no request, or the input cannot be read.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<Request>> {
        while self.read_line()? {
            let request = text(&self.line).and_then(|text| match text {
                "" => Ok(None),
                text => parse(text).map(Some),
            });
            if let Some(request) = request.with_context(|| self.place())? {
                self.is_empty = false;
                return Ok(Some(request));
            }
        }
        if self.is_empty {
            bail!(
                "{} has no requests; write a line for each, such as `0`, or `1.5 2 ann` with a cost and a key",
                self.name
            );
        }
        Ok(None)
    }

    /// Reads a line; false at the end.
    fn read_line(&mut self) -> anyhow::Result<bool> {
        self.line.clear();
        self.number += 1;
        let most = u64::try_from(MAX_LINE)?.saturating_add(1);
        let mut input = self.input.by_ref().take(most);
        let read = input.read_until(b'\n', &mut self.line);
        let length = read.with_context(|| format!("cannot read {}", self.name))?;
        if length > MAX_LINE {
            let error = anyhow!(
                "the line is longer than {MAX_LINE} bytes; write each request on a line of its own"
            );
            return Err(error.context(self.place()));
        }
        Ok(length > 0)
    }

    fn place(&self) -> String {
        format!("{}:{}", self.name, self.number)
    }
}

/// What a line says, without a comment.
fn text(line: &[u8]) -> anyhow::Result<&str> {
    let text = std::str::from_utf8(line)
        .map_err(|_| anyhow!("the line is not UTF-8; save the trace as UTF-8"))?;
    // A byte order mark, which some editors put first.
    let text = text.trim_start_matches('\u{feff}');
    Ok(text.split('#').next().unwrap_or_default().trim())
}

fn parse(text: &str) -> anyhow::Result<Request> {
    let mut words = text.split_whitespace();
    let seconds = words.next().unwrap_or_default();
    let at = parse_instant(seconds)?;
    let rest: Vec<&str> = words.collect();
    let (cost, key) = match *rest {
        [] => (1, ""),
        [word] => match cost(word)? {
            Some(cost) => (cost, ""),
            None => (1, word),
        },
        [word, key] => match cost(word)? {
            Some(cost) => (cost, key),
            None => bail!("`{}` is no cost; write seconds, cost and key", shown(word)),
        },
        [..] => bail!(
            "there are {} words; write seconds, then if need be a cost and a key without blanks",
            rest.len() + 1
        ),
    };
    Ok(Request {
        at,
        cost,
        key: key.to_owned(),
    })
}

/// A cost, if the word is a number of units. Another number is no key either, as whoever writes it
/// means a cost.
fn cost(word: &str) -> anyhow::Result<Option<u64>> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        let cost = word.parse().ok().filter(|cost| *cost <= MAX_UNITS);
        return match cost {
            Some(cost) => Ok(Some(cost)),
            None => bail!(
                "the cost {} is too large; the largest is {MAX_UNITS}",
                shown(word)
            ),
        };
    }
    if word.parse::<f64>().is_ok() {
        let word = shown(word);
        bail!("`{word}` is no cost; write a whole number of units, or `1 {word}` if it is a key");
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(micros: u64, cost: u64, key: &str) -> Request {
        Request {
            at: Timestamp::from_micros(micros),
            cost,
            key: key.to_owned(),
        }
    }

    fn read(text: &str) -> anyhow::Result<Vec<Request>> {
        let mut lines = Lines::new("trace", text.as_bytes());
        std::iter::from_fn(|| lines.next().transpose()).collect()
    }

    #[test]
    fn reads_seconds_costs_and_keys() {
        let text = "\u{feff}# a trace\n0\r\n1.5 2\n\n  2.000001\tann # late\n3.25 0 17\n4.1000000 bob\n5 1 1.5";
        let expected = [
            request(0, 1, ""),
            request(1_500_000, 2, ""),
            request(2_000_001, 1, "ann"),
            request(3_250_000, 0, "17"),
            request(4_100_000, 1, "bob"),
            request(5_000_000, 1, "1.5"),
        ];
        assert_eq!(read(text).unwrap(), expected);
    }

    #[test]
    fn says_where_a_line_is_wrong_and_how() {
        for (text, wrong) in [
            (
                "0\nten",
                "trace:2: `ten` is no number of seconds, such as 0, 12 or 1.250000",
            ),
            (
                "-1",
                "trace:1: `-1` is no number of seconds, such as 0, 12 or 1.250000",
            ),
            (
                "1.",
                "trace:1: `1.` is no number of seconds, such as 0, 12 or 1.250000",
            ),
            (
                "1e3",
                "trace:1: `1e3` is no number of seconds, such as 0, 12 or 1.250000",
            ),
            (
                "0.1234567",
                "trace:1: `0.1234567` is more exact than a microsecond; write 0.123456",
            ),
            (
                "99999999999",
                "trace:1: 99999999999 seconds lie after the year 2255",
            ),
            (
                "0 ann 3",
                "trace:1: `ann` is no cost; write seconds, cost and key",
            ),
            (
                "0 1 ann lee",
                "trace:1: there are 4 words; write seconds, then if need be a cost and a key without blanks",
            ),
            (
                "0 99999999999999999999",
                "trace:1: the cost 99999999999999999999 is too large; the largest is 1000000000000",
            ),
            (
                "0 1000000000001",
                "trace:1: the cost 1000000000001 is too large; the largest is 1000000000000",
            ),
            (
                "0 -1",
                "trace:1: `-1` is no cost; write a whole number of units, or `1 -1` if it is a key",
            ),
            (
                "0 1.5 ann",
                "trace:1: `1.5` is no cost; write a whole number of units, or `1 1.5` if it is a key",
            ),
            (
                "# nothing\n\n",
                "trace has no requests; write a line for each, such as `0`, or `1.5 2 ann` with a cost and a key",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(format!("{error:#}"), wrong);
        }
    }
}
