//! The word that was probably meant.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{ALGORITHMS, TIME_UNITS};

/// What may stand where the unknown word stands.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    TimeUnit,
    /// An algorithm, a burst or an anchor.
    Option,
    Anchor,
}

/// Words that people write for a unit of time, and what is meant.
const TIME_WORDS: [(&str, &str); 22] = [
    ("m", "min"),
    ("mins", "min"),
    ("minute", "min"),
    ("minutes", "min"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("hr", "h"),
    ("hrs", "h"),
    ("hour", "h"),
    ("hours", "h"),
    ("day", "d"),
    ("days", "d"),
    ("millisecond", "ms"),
    ("milliseconds", "ms"),
    ("w", "7d"),
    ("week", "7d"),
    ("month", "30d"),
    ("y", "365d"),
    ("yr", "365d"),
    ("year", "365d"),
];

/// Words that people write for an algorithm, and what is meant.
const OPTION_WORDS: [(&str, &str); 8] = [
    ("gcra", "token-bucket"),
    ("leaky-bucket", "token-bucket"),
    ("bucket", "token-bucket"),
    ("token", "token-bucket"),
    ("fixed", "fixed-window"),
    ("window", "fixed-window"),
    ("sliding", "sliding-window"),
    ("log", "sliding-log"),
];

pub(super) fn suggestion(expected: Expected, word: &str) -> Option<String> {
    match expected {
        Expected::TimeUnit => {
            let units = TIME_UNITS.iter().map(|(name, _)| *name);
            known(&TIME_WORDS, word).or_else(|| nearest(units, word))
        }
        Expected::Option => {
            if word.bytes().all(|byte| byte.is_ascii_digit()) {
                return Some(format!("burst {word}"));
            }
            if let Some((name, value)) = word.split_once(['=', ':']) {
                let name = nearest(["burst", "anchor"].into_iter(), name)?;
                return Some(format!("{name} {value}"));
            }
            let algorithms = ALGORITHMS.iter().map(|algorithm| algorithm.name());
            known(&OPTION_WORDS, word)
                .or_else(|| nearest(algorithms.chain(["burst", "anchor"]), word))
        }
        Expected::Anchor => nearest(["epoch", "first-request"].into_iter(), word),
    }
}

fn known(words: &[(&str, &str)], word: &str) -> Option<String> {
    words
        .iter()
        .find(|(miss, _)| miss.eq_ignore_ascii_case(word))
        .map(|(_, meant)| (*meant).to_owned())
}

/// The name that differs from `word` in case, `-` and `_` only, or else in a slip or two.
fn nearest(names: impl Iterator<Item = &'static str>, word: &str) -> Option<String> {
    let word = letters(word);
    names
        .map(|name| (slips(&letters(name), &word), name))
        .filter(|(slips, name)| *slips <= name.len() / 3)
        .min()
        .map(|(_, name)| name.to_owned())
}

fn letters(word: &str) -> Vec<char> {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .take(32)
        .collect()
}

/// How many letters must be added, left out, changed or swapped with their neighbour.
fn slips(left: &[char], right: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for row in 0..=left.len() {
        let mut costs: Vec<usize> = Vec::new();
        for column in 0..=right.len() {
            let at = |back: usize, left: usize| -> Option<usize> {
                rows.get(row.checked_sub(back)?)?
                    .get(column.checked_sub(left)?)
                    .copied()
            };
            let same = |a: usize, b: usize| -> bool {
                let left = row.checked_sub(a).and_then(|at| left.get(at));
                left.is_some() && left == column.checked_sub(b).and_then(|at| right.get(at))
            };
            let changed = at(1, 1).map(|cost| cost + usize::from(!same(1, 1)));
            let left_out = at(1, 0).map(|cost| cost + 1);
            let added = column
                .checked_sub(1)
                .and_then(|before| costs.get(before))
                .map(|cost| cost + 1);
            let swapped = at(2, 2)
                .filter(|_| same(1, 2) && same(2, 1))
                .map(|cost| cost + 1);
            let cost = [changed, left_out, added, swapped]
                .into_iter()
                .flatten()
                .min();
            costs.push(cost.unwrap_or(0));
        }
        rows.push(costs);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(0)
}
