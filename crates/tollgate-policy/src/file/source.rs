//! The text of a policy file, and where things stand in it.

use std::fmt;
use std::ops::Range;

use super::invisible::visible;
use super::secrets::Secrets;

/// The text of a policy file under its name.
///
/// `Debug` shows no text, which may hold passwords.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    /// Whether the text is that of the file.
    is_read: bool,
    /// Where each line begins.
    lines: Vec<usize>,
    /// What must not be shown, in order.
    secrets: Vec<Range<usize>>,
}

/// A place in a file, as people and editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1. A tab is one character.
    pub column: usize,
}

impl Source {
    pub(super) fn new(name: &str, text: &str, secrets: &Secrets) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            is_read: true,
            lines: std::iter::once(0)
                .chain(ends.map(|(at, _)| at + 1))
                .collect(),
            secrets: secrets.spans.clone(),
        }
    }

    /// A file that could not be read: what is wrong with it stands nowhere in it.
    pub(super) fn unread(name: &str) -> Self {
        Self {
            is_read: false,
            ..Self::new(name, "", &Secrets::default())
        }
    }

    /// Whether the file could be read. If not, no position in it means anything.
    #[must_use]
    pub const fn is_read(&self) -> bool {
        self.is_read
    }

    /// What the file was called when it was read.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where a byte of the file stands. What is past the end stands at the end.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let number = self.line_number(offset);
        let start = self.lines.get(number - 1).copied().unwrap_or(0);
        let end = self.floor(offset);
        let before = self.text.get(start..end).unwrap_or("");
        // A byte order mark is no character of the line.
        let before = before.strip_prefix('\u{feff}').unwrap_or(before);
        Position {
            line: number,
            column: before.chars().count() + 1,
        }
    }

    /// The name and the position of a byte for people to see, as `NAME:LINE:COLUMN`; the name alone if
    /// the file could not be read.
    pub(super) fn place(&self, offset: usize) -> String {
        let name = visible(&self.name);
        if self.is_read {
            format!("{name}:{}", self.position(offset))
        } else {
            name
        }
    }

    /// The number of the line of a byte, from 1.
    pub(super) fn line_number(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset).max(1)
    }

    /// The bytes of a line, numbered from 1, without what ends it.
    pub(super) fn line(&self, number: usize) -> Range<usize> {
        let begins = |line: usize| self.lines.get(line).copied();
        let start = begins(number.saturating_sub(1)).unwrap_or(self.text.len());
        let end = begins(number).unwrap_or(self.text.len());
        let line = self.text.get(start..end).unwrap_or("");
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        start..start + line.len()
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A span within the text that begins and ends between characters.
    pub(super) fn clamp(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.floor(span.start);
        let mut end = span.end.clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }

    pub(super) fn is_secret(&self, offset: usize) -> bool {
        let at = self.secrets.partition_point(|secret| secret.end <= offset);
        self.secrets
            .get(at)
            .is_some_and(|secret| secret.contains(&offset))
    }

    /// The next place between characters, going back.
    pub(super) fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
