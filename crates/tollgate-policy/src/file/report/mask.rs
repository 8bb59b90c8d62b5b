//! Keeps secrets out of messages, and what is a part of one.

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
        let is_long = |text: &&str| text.chars().nth(RUN - 1).is_some();
        let all = self.0.iter().map(String::as_str);
        let (long, short): (Vec<&str>, Vec<&str>) = all.partition(is_long);
        Mask {
            short: short.into_iter().collect(),
            runs: long
                .into_iter()
                .flat_map(runs)
                .map(|(_, run)| run)
                .collect(),
        }
    }
}

/// What covers hidden values. It takes time for the text that is looked at, not for the values.
pub(super) struct Mask<'h> {
    /// Values shorter than a run.
    short: HashSet<&'h str>,
    /// All runs of the others.
    runs: HashSet<&'h str>,
}

impl Mask<'_> {
    /// True if a hidden value is in a text, or a part of one.
    pub(super) fn concerns(&self, text: &str) -> bool {
        runs(text).any(|(_, run)| self.runs.contains(run)) || self.without_short(text) != text
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
        self.without_short(&shown)
    }

    /// The text with a mask in place of each value that is shorter than a run; the longest first,
    /// since a part that is hidden alone would show the rest.
    fn without_short(&self, text: &str) -> String {
        if self.short.is_empty() {
            return text.to_owned();
        }
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let ends = rest
                .char_indices()
                .map(|(at, c)| at + c.len_utf8())
                .take(RUN - 1);
            let found = ends.filter(|end| {
                rest.get(..*end)
                    .is_some_and(|part| self.short.contains(part))
            });
            let length = match found.last() {
                Some(length) => {
                    // How many stand beside each other, is not told.
                    if !shown.ends_with(MASK) {
                        shown.push_str(MASK);
                    }
                    length
                }
                None => {
                    shown.push(first);
                    first.len_utf8()
                }
            };
            rest = rest.get(length..).unwrap_or("");
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
