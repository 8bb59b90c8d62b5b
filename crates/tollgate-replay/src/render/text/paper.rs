//! What is written on: lines of a width.

use textwrap::core::display_width;

use super::TextOptions;
use super::columns::Columns;
use super::paint::{OFF, Tone};
use crate::render::prose::{Piece, Prose};
use crate::render::shown::shown;

/// Wider lines are hard to read, and narrower ones impossible.
const BOUNDS: (usize, usize) = (50, 120);

/// Lines that are not wider than asked for.
#[derive(Debug)]
pub(super) struct Paper {
    text: String,
    pub(super) width: usize,
    pub(super) is_coloured: bool,
}

impl Paper {
    pub(super) fn new(options: &TextOptions) -> Self {
        Self {
            text: String::new(),
            width: options.width.clamp(BOUNDS.0, BOUNDS.1),
            is_coloured: options.colour,
        }
    }

    /// An empty line, unless there is one, or nothing before.
    pub(super) fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A line as it is.
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A heading, with an empty line before it.
    pub(super) fn heading(&mut self, text: &str, after: &str) {
        self.blank();
        let after = cut(after, self.width / 2);
        let room = self.width.saturating_sub(display_width(&after) + 2);
        let text = cut(text, room);
        let heading = self.paint(Tone::Strong, &text);
        let after = self.paint(Tone::Faint, &after);
        self.line(&format!("{heading}  {after}"));
    }

    /// Sentences, as wide as the paper.
    pub(super) fn say(&mut self, prose: &Prose) {
        self.wrap(&self.painted(prose), "", "");
    }

    /// Sentences, indented under a heading.
    pub(super) fn say_below(&mut self, prose: &Prose) {
        self.wrap(&self.painted(prose), "  ", "  ");
    }

    /// A text of somebody else's after a word that says what it is.
    pub(super) fn labelled(&mut self, label: &str, tone: Tone, text: &str) {
        let text = format!("{}{}", self.paint(tone, label.trim_end()), " ") + &shown(text);
        self.wrap(&text, "", "  ");
    }

    /// A text that is safe already, indented.
    pub(super) fn wrapped(&mut self, text: &str, indent: &str) {
        self.wrap(text, indent, indent);
    }

    /// Rows in columns, indented, with an empty line before them.
    pub(super) fn columns(&mut self, columns: &Columns) {
        self.blank();
        for line in columns.lines(self.width.saturating_sub(2), self.is_coloured) {
            self.line(&format!("  {line}"));
        }
    }

    pub(super) fn paint(&self, tone: Tone, text: &str) -> String {
        tone.paint(text, self.is_coloured)
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    fn wrap(&mut self, text: &str, first: &str, others: &str) {
        let options = textwrap::Options::new(self.width)
            .initial_indent(first)
            .subsequent_indent(others)
            .break_words(true);
        let mut open = "";
        for line in textwrap::wrap(text, options) {
            // A word that was too long for a line goes on in its colour on the next.
            let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
            let begun = format!("{indent}{open}{rest}");
            open = colour_at_end(rest, open);
            let end = if open.is_empty() { "" } else { OFF };
            self.line(&format!("{begun}{end}"));
        }
    }

    /// Words are painted one by one, so that no colour goes on over the end of a line.
    fn painted(&self, prose: &Prose) -> String {
        let pieces = prose.pieces().iter().map(|piece| match piece {
            Piece::Plain(text) => text.clone(),
            Piece::Strong(text) => self.words(Tone::Strong, text),
            Piece::Name(text) => self.words(Tone::Name, &format!("\"{text}\"")),
        });
        pieces.collect()
    }

    fn words(&self, tone: Tone, text: &str) -> String {
        let words = text.split(' ').map(|word| self.paint(tone, word));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// The sequence in force at the end of a line; nothing if it was ended.
fn colour_at_end<'l>(line: &'l str, before: &'l str) -> &'static str {
    let last = line.rfind("\x1b[").and_then(|at| line.get(at..));
    Tone::begun_by(last.unwrap_or(before))
}

/// A text in at most so many columns, with a mark where something is left out.
pub(super) fn cut(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 1;
    for character in text.chars() {
        let mut buffer = [0; 4];
        used += display_width(character.encode_utf8(&mut buffer));
        if used > width {
            break;
        }
        cut.push(character);
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_says_so_and_is_as_wide_as_it_may_be() {
        assert_eq!(cut("198.51.100.7", 12), "198.51.100.7");
        assert_eq!(cut("198.51.100.7", 8), "198.51.…");
        assert_eq!(cut("日本語です", 6), "日本…");
    }

    #[test]
    fn a_long_word_does_not_leave_the_paper() {
        let mut paper = Paper::new(&TextOptions {
            width: 50,
            colour: true,
        });
        paper.say(&Prose::new("By ").name(&"x".repeat(200)).plain("."));
        let text = paper.into_text();
        assert!(text.lines().all(|line| display_width(line) <= 50), "{text}");
    }
}
