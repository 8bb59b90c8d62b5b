//! Requests, one a line.

use std::io::BufRead;

use anyhow::{Context, anyhow};
use tollgate::Timestamp;

use crate::seconds::parse_instant;

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
    line: String,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The requests of `input`, which messages call `name`.
    pub(super) fn new(name: &str, input: R) -> Self {
        Self {
            name: name.to_owned(),
            input,
            line: String::new(),
            number: 0,
        }
    }

    /// The next request, or `None` at the end.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<Request>> {
        loop {
            self.line.clear();
            self.number += 1;
            let place = || format!("{}:{}", self.name, self.number);
            if self.input.read_line(&mut self.line).with_context(place)? == 0 {
                return Ok(None);
            }
            // A byte order mark, which some editors put first.
            let text = self.line.trim_start_matches('\u{feff}');
            let text = text.split('#').next().unwrap_or_default().trim();
            if !text.is_empty() {
                return parse(text).with_context(place).map(Some);
            }
        }
    }
}

fn parse(text: &str) -> anyhow::Result<Request> {
    let mut words = text.split_whitespace();
    let seconds = words.next().unwrap_or_default();
    let at = parse_instant(seconds)?;
    let rest: Vec<&str> = words.collect();
    let (cost, key) = match *rest {
        [] => (1, ""),
        [word] => match cost(word) {
            Some(cost) => (cost?, ""),
            None => (1, word),
        },
        [word, key] => match cost(word) {
            Some(cost) => (cost?, key),
            None => return Err(anyhow!("{word:?} is no cost; write seconds, cost and key")),
        },
        [..] => {
            return Err(anyhow!(
                "there are {} words; write seconds, then if need be a cost and a key without blanks",
                rest.len() + 1
            ));
        }
    };
    Ok(Request {
        at,
        cost,
        key: key.to_owned(),
    })
}

/// A cost, if the word is a number; an error if it is too large for one.
fn cost(word: &str) -> Option<anyhow::Result<u64>> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| {
        word.parse()
            .with_context(|| format!("the cost {word} is too large"))
    })
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
        let text =
            "\u{feff}# a trace\n0\r\n1.5 2\n\n  2.000001\tann # late\n3.25 0 17\n4.1000000 bob";
        let expected = [
            request(0, 1, ""),
            request(1_500_000, 2, ""),
            request(2_000_001, 1, "ann"),
            request(3_250_000, 0, "17"),
            request(4_100_000, 1, "bob"),
        ];
        assert_eq!(read(text).unwrap(), expected);
    }

    #[test]
    fn says_where_a_line_is_wrong_and_how() {
        for (text, wrong) in [
            (
                "0\nten",
                "trace:2: \"ten\" is no number of seconds, such as 0, 12 or 1.250000",
            ),
            (
                "-1",
                "trace:1: \"-1\" is no number of seconds, such as 0, 12 or 1.250000",
            ),
            (
                "1.",
                "trace:1: \"1.\" is no number of seconds, such as 0, 12 or 1.250000",
            ),
            (
                "1e3",
                "trace:1: \"1e3\" is no number of seconds, such as 0, 12 or 1.250000",
            ),
            (
                "0.1234567",
                "trace:1: \"0.1234567\" is more exact than a microsecond; write 0.123456",
            ),
            (
                "99999999999",
                "trace:1: 99999999999 seconds lie after the year 2255",
            ),
            (
                "0 ann 3",
                "trace:1: \"ann\" is no cost; write seconds, cost and key",
            ),
            (
                "0 1 ann lee",
                "trace:1: there are 4 words; write seconds, then if need be a cost and a key without blanks",
            ),
            (
                "0 99999999999999999999",
                "trace:1: the cost 99999999999999999999 is too large: number too large to fit in target type",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(format!("{error:#}"), wrong);
        }
    }
}
