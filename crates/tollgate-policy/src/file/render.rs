//! Diagnostics as plain text.

use std::fmt;
use std::ops::Range;

use super::invisible::is_invisible;
use super::secrets::MASK;
use super::{Diagnostic, Source};

/// The widest part of a line that is shown.
const MAX_WIDTH: usize = 120;

/// Writes one diagnostic: what, where, the lines, and the help.
pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    source: &Source,
    diagnostic: &Diagnostic,
) -> fmt::Result {
    let spans = diagnostic.related.iter().map(|related| &related.span);
    let last = spans
        .chain([&diagnostic.span])
        .map(|span| source.position(span.start).line)
        .max();
    let gutter = last.unwrap_or(1).to_string().len();
    writeln!(f, "{}: {}", diagnostic.severity.name(), diagnostic.message)?;
    place(f, source, &diagnostic.span, gutter, '^', "")?;
    for related in &diagnostic.related {
        place(f, source, &related.span, gutter, '-', &related.message)?;
    }
    if let Some(help) = &diagnostic.help {
        writeln!(f, "{:gutter$} = help: {help}", "")?;
    }
    Ok(())
}

/// The line of a span with a mark under it.
fn place(
    f: &mut fmt::Formatter<'_>,
    source: &Source,
    span: &Range<usize>,
    gutter: usize,
    mark: char,
    label: &str,
) -> fmt::Result {
    let position = source.position(span.start);
    writeln!(f, "{:gutter$}--> {}", "", source.place(span.start))?;
    let line = Shown::of(source, position.line, span);
    if line.text.trim().is_empty() && label.is_empty() {
        return Ok(());
    }
    writeln!(f, "{:gutter$} |", "")?;
    writeln!(f, "{:gutter$} | {}", position.line, line.text.trim_end())?;
    write!(f, "{:gutter$} | {:indent$}", "", "", indent = line.before)?;
    for _ in 0..line.marked.max(1) {
        write!(f, "{mark}")?;
    }
    if !label.is_empty() {
        write!(f, " {label}")?;
    }
    writeln!(f)
}

/// What is looked at of a line, which may be the whole file: what is shown and more.
fn window(source: &Source, line: Range<usize>, span: &Range<usize>) -> Range<usize> {
    const REACH: usize = 16 * MAX_WIDTH;
    let start = span.start.saturating_sub(REACH).max(line.start);
    let end = span.start.saturating_add(REACH).min(line.end);
    source.clamp(&(start..end.max(start)))
}

/// A line as it is shown: tabs as spaces, control characters as dots, secrets hidden, and not
/// endless.
struct Shown {
    text: String,
    /// The width of what stands before the mark, and of what is marked.
    before: usize,
    marked: usize,
}

impl Shown {
    fn of(source: &Source, number: usize, span: &Range<usize>) -> Self {
        let line = window(source, source.line(number), span);
        let text = source.text().get(line.clone()).unwrap_or("");
        let mut shown = Self {
            text: String::new(),
            before: 0,
            marked: 0,
        };
        let mut width = 0;
        let mut was_secret = false;
        for (at, character) in text.char_indices() {
            let at = line.start + at;
            let is_secret = source.is_secret(at);
            let piece = match character {
                _ if is_secret && was_secret => String::new(),
                _ if is_secret => MASK.to_owned(),
                '\u{feff}' if at == 0 => String::new(),
                '\t' => " ".repeat(4 - width % 4),
                control if is_invisible(control) => "\u{b7}".to_owned(),
                other => other.to_string(),
            };
            was_secret = is_secret;
            let added = piece.chars().count();
            width += added;
            if at < span.start {
                shown.before += added;
            } else if at < span.end {
                shown.marked += added;
            }
            shown.text.push_str(&piece);
        }
        shown.cut(width);
        shown
    }

    /// Cuts a long line around its mark.
    fn cut(&mut self, width: usize) {
        if width <= MAX_WIDTH {
            return;
        }
        let from = self.before.saturating_sub(MAX_WIDTH / 2);
        let cut: String = self.text.chars().skip(from).take(MAX_WIDTH).collect();
        let dots = if from > 0 { "..." } else { "" };
        self.before = self.before - from + dots.len();
        self.marked = self
            .marked
            .min((MAX_WIDTH + dots.len()).saturating_sub(self.before));
        self.text = format!("{dots}{cut}");
    }
}
