//! Keeps secrets out of messages, and what is a part of one.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use super::MASK;
use crate::file::suggestion::printable;

/// The shortest value that is kept out, in bytes. Shorter ones are no secrets, and would hide what is
/// none.
const MIN_HIDDEN: usize = 4;

/// So many characters in a row are told of no longer value. A message quotes what the parser made of
/// a text and cuts what is long, so that a secret may stand in it in part.
const RUN: usize = 6;

/// What no message may say: values as they are, and as messages print them.
#[derive(Debug, Default)]
pub(super) struct Hidden(BTreeSet<String>);

impl Hidden {
    pub(super) fn insert(&mut self, value: &str) {
        if value.len() >= MIN_HIDDEN && !self.0.contains(value) {
            self.0.insert(printable(value.chars()));
            self.0.insert(value.to_owned());
        }
    }

    pub(super) fn mask(&self) -> Mask<'_> {
        let is_long = |text: &&String| text.chars().nth(RUN - 1).is_some();
        let (long, mut short): (Vec<&String>, Vec<_>) = self.0.iter().partition(is_long);
        // A part that is hidden alone would show the rest.
        short.sort_by_key(|text| Reverse(text.len()));
        let of_long = long.into_iter().flat_map(|text| runs(text));
        Mask {
            all: &self.0,
            short,
            runs: of_long.map(|(_, run)| run).collect(),
        }
    }
}

/// What covers hidden values.
pub(super) struct Mask<'h> {
    all: &'h BTreeSet<String>,
    /// Values shorter than a run.
    short: Vec<&'h String>,
    /// All runs of the others.
    runs: HashSet<&'h str>,
}

impl Mask<'_> {
    /// True if a hidden value is in a text, or the text is a part of one.
    pub(super) fn concerns(&self, text: &str) -> bool {
        let is_run = text.chars().nth(RUN - 1).is_some();
        self.all
            .iter()
            .any(|hidden| text.contains(hidden.as_str()) || is_run && hidden.contains(text))
    }

    /// The text with a mask in place of each secret or part of one.
    pub(super) fn masked(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut end = 0;
        for (start, run) in runs(text) {
            if !self.runs.contains(run) {
                continue;
            }
            if start > end || shown.is_empty() {
                shown.push_str(text.get(end..start).unwrap_or(""));
                shown.push_str(MASK);
            }
            end = start + run.len();
        }
        shown.push_str(text.get(end..).unwrap_or(""));
        for short in &self.short {
            if shown.contains(short.as_str()) {
                shown = shown.replace(short.as_str(), MASK);
            }
        }
        shown
    }
}

/// Each so many characters in a row, and where they begin.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = text.char_indices().map(|(at, _)| at);
    let ends = starts.clone().chain([text.len()]).skip(RUN);
    let runs = starts.zip(ends);
    runs.filter_map(|(start, end)| Some((start, text.get(start..end)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(hidden: &[&str], text: &str) -> String {
        let mut values = Hidden::default();
        hidden.iter().for_each(|value| values.insert(value));
        values.mask().masked(text)
    }

    #[test]
    fn hides_values_and_their_parts() {
        let secret = ["correct horse"];
        for (text, shown) in [
            ("`correct horse` is", "`***` is"),
            ("`redis://correct h...` is", "`redis://***...` is"),
            ("`ect horse@h` is", "`***@h` is"),
            ("`rect hor` is", "`***` is"),
            ("`correct horsecorrect horse`", "`***`"),
            ("correct horse, correct horse", "***, ***"),
            ("`corre` and `horse`", "`corre` and `horse`"),
            ("", ""),
        ] {
            assert_eq!(masked(&secret, text), shown);
        }
    }

    #[test]
    fn hides_short_values_as_a_whole() {
        assert_eq!(
            masked(&["pass", "pw"], "`xpassx` and `pas` and `pw`"),
            "`x***x` and `pas` and `pw`"
        );
        assert_eq!(masked(&["pässä"], "pässä, päss"), "***, päss");
        assert_eq!(masked(&["abcd", "xabcd"], "xabcd"), "***");
    }

    #[test]
    fn hides_values_as_they_are_printed() {
        assert_eq!(masked(&["a\tb\u{0}cdefg"], "`\\tb\\0cde`"), "`***`");
    }
}
