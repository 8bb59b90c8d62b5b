//! Texts of a file that remember where each byte comes from.

use std::ops::Range;

/// A text as it is meant, with escapes and variables resolved, and where each of its bytes stands
/// in the file.
#[derive(Clone, Debug)]
pub(super) struct Text {
    value: String,
    /// For each byte of the value.
    origins: Vec<Range<usize>>,
    /// Where it begins and ends in the file, inside its quotes.
    body: Range<usize>,
    /// The value with `${NAME}` in place of what the environment says, if it is expanded.
    shown: String,
    is_expanded: bool,
}

impl Text {
    /// A value that was read from `source[span]`, with its quotes.
    pub(super) fn read(value: &str, source: &str, span: Range<usize>) -> Self {
        let raw = source.get(span.clone()).unwrap_or("");
        let quotes = ["\"\"\"", "'''", "\"", "'"];
        let quote = quotes.into_iter().find(|quote| raw.starts_with(quote));
        let quote = quote.unwrap_or("");
        let inner = raw.strip_prefix(quote).unwrap_or(raw);
        let inner = inner.strip_suffix(quote).unwrap_or(inner);
        let start = span.start + quote.len();
        let body = start..start + inner.len();
        let origins = align(value, inner, quote.starts_with('"'))
            .into_iter()
            .map(|origin| start + origin.start..start + origin.end)
            .collect();
        Self {
            value: value.to_owned(),
            origins,
            body,
            shown: String::new(),
            is_expanded: false,
        }
    }

    pub(super) fn value(&self) -> &str {
        &self.value
    }

    /// The value with `${NAME}` in place of what the environment says: what may be shown.
    pub(super) fn shown(&self) -> &str {
        if self.is_expanded {
            &self.shown
        } else {
            &self.value
        }
    }

    /// Words that quote it in backticks, in which it stands as it is shown. What is shorter than any
    /// secret is left where more is quoted, because it may stand there by chance.
    pub(super) fn as_shown(&self, words: &str) -> String {
        const SHORTEST: usize = 4;
        if self.shown() == self.value {
            return words.to_owned();
        }
        if self.value.contains('`') {
            return words.replace(&self.value, self.shown());
        }
        let pieces = words.split('`').enumerate().map(|(number, piece)| {
            let is_quoted = number % 2 == 1;
            if is_quoted && (piece == self.value || self.value.len() >= SHORTEST) {
                piece.replace(&self.value, self.shown())
            } else {
                piece.to_owned()
            }
        });
        pieces.collect::<Vec<_>>().join("`")
    }

    /// True if a part of it is the value of a variable.
    pub(super) fn is_expanded(&self) -> bool {
        self.is_expanded
    }

    /// Where some bytes of the value stand in the file.
    pub(super) fn span_of(&self, range: Range<usize>) -> Range<usize> {
        let start = self
            .origins
            .get(range.start)
            .map_or(self.body.end, |origin| origin.start);
        let end = match range.end.checked_sub(1) {
            Some(last) if range.end > range.start => self
                .origins
                .get(last)
                .map_or(self.body.end, |origin| origin.end),
            _ => start,
        };
        start..end.max(start)
    }

    /// Where all of it stands, inside the quotes.
    pub(super) fn span(&self) -> Range<usize> {
        self.body.clone()
    }

    /// One of the same place, without a value yet.
    pub(super) fn emptied(&self) -> Self {
        Self {
            value: String::new(),
            origins: Vec::new(),
            body: self.body.clone(),
            shown: String::new(),
            is_expanded: false,
        }
    }

    pub(super) fn push_part(&mut self, of: &Self, range: Range<usize>) {
        let part = of.value.get(range.clone()).unwrap_or("");
        self.value.push_str(part);
        self.shown.push_str(part);
        self.origins
            .extend_from_slice(of.origins.get(range).unwrap_or(&[]));
    }

    /// Appends what stands for `origin`, and is shown in a form of its own.
    pub(super) fn push_value(&mut self, value: &str, shown: &str, origin: Range<usize>) {
        self.value.push_str(value);
        self.shown.push_str(shown);
        self.origins
            .extend(std::iter::repeat_n(origin, value.len()));
        self.is_expanded = true;
    }
}

/// For each byte of a value, which bytes of the raw text it comes from. What was decoded is taken
/// for the truth: where the two do not go together, all that follows comes from all that follows.
fn align(value: &str, raw: &str, has_escapes: bool) -> Vec<Range<usize>> {
    let mut origins = Vec::with_capacity(value.len());
    let mut at = 0;
    for character in value.chars() {
        let length = match matching(raw.get(at..).unwrap_or(""), character, has_escapes) {
            Some((skipped, length)) => {
                at += skipped;
                length
            }
            None => {
                let rest = at.min(raw.len())..raw.len();
                let missing = value.len() - origins.len();
                origins.extend(std::iter::repeat_n(rest, missing));
                return origins;
            }
        };
        let origin = at..at + length;
        origins.extend(std::iter::repeat_n(origin.clone(), character.len_utf8()));
        at = origin.end;
    }
    origins
}

/// How many raw bytes stand for nothing, and then how many for a character.
fn matching(raw: &str, character: char, has_escapes: bool) -> Option<(usize, usize)> {
    let mut skipped = 0;
    loop {
        let rest = raw.get(skipped..)?;
        let mut characters = rest.chars();
        let first = characters.next()?;
        let escape = (first == '\\' && has_escapes).then(|| characters.next());
        match escape {
            // A line that is continued on the next.
            Some(Some(blank)) if blank.is_whitespace() => {
                let below = rest.get(1..)?.trim_start();
                skipped = raw.len() - below.len();
                continue;
            }
            Some(escape) => {
                let length = match escape? {
                    'x' => 4,
                    'u' => 6,
                    'U' => 10,
                    other => 1 + other.len_utf8(),
                };
                return rest.get(..length).map(|escape| (skipped, escape.len()));
            }
            None if first == character => return Some((skipped, character.len_utf8())),
            // The first line break of a text of several lines, or a carriage return.
            None if matches!(first, '\r' | '\n') => skipped += 1,
            None => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin<'s>(value: &str, source: &'s str, part: &str) -> &'s str {
        let text = Text::read(value, source, 0..source.len());
        let start = value.find(part).unwrap();
        &source[text.span_of(start..start + part.len())]
    }

    #[test]
    fn knows_where_each_part_stands() {
        assert_eq!(origin("10/min", "\"10/min\"", "min"), "min");
        assert_eq!(origin("a\u{e9}b", "\"a\\u00e9b\"", "\u{e9}"), "\\u00e9");
        assert_eq!(origin("a\u{e9}b", "\"a\\u00e9b\"", "b"), "b");
        assert_eq!(origin("a\\b", "'a\\b'", "b"), "b");
        assert_eq!(origin("ab", "\"\"\"\r\na\\\n   b\"\"\"", "b"), "b");
        assert_eq!(origin("10/min", "10/min", "10"), "10");
        assert_eq!(origin("\u{e9}x", "\"\u{e9}x\"", "x"), "x");
    }

    #[test]
    fn nothing_stands_where_it_would() {
        let text = Text::read("ab", "'ab'", 0..4);
        assert_eq!(text.span_of(1..1), 2..2);
        assert_eq!(text.span_of(2..2), 3..3);
    }
}
