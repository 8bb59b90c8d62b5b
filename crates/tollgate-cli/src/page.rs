//! A page of headings and rows, wrapped to the width of who reads it.

use textwrap::{Options, WordSeparator, WordSplitter};

/// How far rows stand in.
const INDENT: usize = 2;
/// The width of labels.
const LABEL: usize = 13;
/// The width up to which long labels have their texts aligned.
const WIDEST_LABEL: usize = 32;

/// Collects what is printed.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    width: usize,
    is_coloured: bool,
}

impl Page {
    pub(crate) const fn new(width: usize, is_coloured: bool) -> Self {
        Self {
            text: String::new(),
            width,
            is_coloured,
        }
    }

    /// A line of its own, after an empty one: a name, and what is said of it.
    pub(crate) fn heading(&mut self, name: &str, rest: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let hanging = " ".repeat(INDENT);
        let line = format!("{name}{rest}");
        let wrapped = textwrap::fill(&line, self.options("", &hanging));
        // What was wrapped begins with the name as it was, unless that is wider than the page.
        match wrapped.strip_prefix(name) {
            Some(rest) if self.is_coloured => {
                self.text.push_str(&format!("\x1b[1m{name}\x1b[0m{rest}\n"));
            }
            _ => self.push_line(&wrapped),
        }
    }

    /// A label and a text beside it. An empty label continues the row before it.
    pub(crate) fn row(&mut self, label: &str, text: &str) {
        self.row_beside(label, text, LABEL);
    }

    /// Rows whose labels are of any length, aligned with each other.
    pub(crate) fn rows(&mut self, rows: &[(String, String)]) {
        let widest = rows.iter().map(|(label, _)| label.len()).max();
        let width = widest.unwrap_or(0).clamp(LABEL, WIDEST_LABEL);
        for (label, text) in rows {
            self.row_beside(label, text, width);
        }
    }

    fn row_beside(&mut self, label: &str, text: &str, width: usize) {
        let gap = width.saturating_sub(label.len()) + 1;
        let beginning = format!("{:INDENT$}{label}{:gap$}", "", "");
        let hanging = " ".repeat(INDENT + width + 1);
        let wrapped = textwrap::fill(text, self.options(&beginning, &hanging));
        if self.is_coloured && !label.is_empty() {
            let painted = wrapped.replacen(label, &format!("\x1b[36m{label}\x1b[0m"), 1);
            self.push_line(&painted);
        } else {
            self.push_line(&wrapped);
        }
    }

    /// A line that is shown as it is, for what must not be wrapped.
    pub(crate) fn verbatim(&mut self, line: &str) {
        self.push_line(&format!("{:INDENT$}{line}", ""));
    }

    /// Text that has its own form.
    pub(crate) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn push_line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn options<'o>(&self, beginning: &'o str, hanging: &'o str) -> Options<'o> {
        Options::new(self.width)
            .initial_indent(beginning)
            .subsequent_indent(hanging)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation)
            // A path or an address that is cut in two could not be copied.
            .break_words(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_wrap_beside_their_label() {
        let mut page = Page::new(34, false);
        page.heading("api", "");
        page.row("limits", "60/min: one every second, up to 60 at once");
        page.row("", "and so on");
        page.heading("next", ", which is told of in more than a line");
        assert_eq!(
            page.into_text(),
            "api
  limits        60/min: one every
                second, up to 60
                at once
                and so on

next, which is told of in more
  than a line
"
        );
    }

    #[test]
    fn colours_add_nothing_but_colours() {
        let write = |is_coloured| {
            let mut page = Page::new(40, is_coloured);
            page.heading("api", " is off");
            page.row("limits", "limits of every kind, which do not fit here");
            page.into_text()
        };
        let coloured = write(true);
        assert!(
            coloured.contains("\x1b[1mapi\x1b[0m is off\n"),
            "{coloured}"
        );
        assert!(coloured.contains("  \x1b[36mlimits\x1b[0m  "), "{coloured}");
        let plain = coloured
            .replace("\x1b[1m", "")
            .replace("\x1b[36m", "")
            .replace("\x1b[0m", "");
        assert_eq!(plain, write(false));
    }
}
