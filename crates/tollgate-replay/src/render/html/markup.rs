//! Markup in which nobody else's text is markup.

use crate::render::numbers::trimmed;
use crate::render::prose::{Piece, Prose};
use crate::render::shown::shown;

/// HTML that is being written. Only what stands in this program is taken as it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Markup of this program's.
    pub(super) fn put(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// A text, as a text or between the quotes of an attribute.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                other => self.0.push(other),
            }
        }
        self
    }

    /// A number, as coordinates have them.
    pub(super) fn number(&mut self, number: f64) -> &mut Self {
        let number = if number.is_finite() { number } else { 0.0 };
        self.0.push_str(&trimmed(number, 2));
        self
    }

    /// A name or a value of somebody else's, apart from the order of the text around it.
    pub(super) fn name(&mut self, name: &str) -> &mut Self {
        self.put("<bdi class=\"name\">")
            .text(&shown(name))
            .put("</bdi>")
    }

    /// A text in which names stand between backticks. One that has no second stays as it is.
    pub(super) fn marked(&mut self, text: &str) -> &mut Self {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('`') {
            let Some((name, after)) = after.split_once('`') else {
                break;
            };
            self.text(before).put("<bdi class=\"name\">").text(name);
            self.put("</bdi>");
            rest = after;
        }
        self.text(rest)
    }

    /// Sentences.
    pub(super) fn prose(&mut self, prose: &Prose) -> &mut Self {
        for piece in prose.pieces() {
            match piece {
                Piece::Plain(text) => self.text(text),
                Piece::Strong(text) => self.put("<strong>").text(text).put("</strong>"),
                Piece::Name(text) => self.put("<bdi class=\"name\">").text(text).put("</bdi>"),
            };
        }
        self
    }

    /// Sentences as a paragraph.
    pub(super) fn paragraph(&mut self, prose: &Prose) -> &mut Self {
        self.put("<p>").prose(prose).put("</p>\n")
    }

    /// Several of them as one paragraph.
    pub(super) fn sentences(&mut self, said: &[Prose]) -> &mut Self {
        if said.is_empty() {
            return self;
        }
        self.put("<p>");
        for (index, prose) in said.iter().enumerate() {
            self.put(if index == 0 { "" } else { " " }).prose(prose);
        }
        self.put("</p>\n")
    }

    /// Markup that was written apart.
    pub(super) fn append(&mut self, other: &Self) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_no_markup_in_an_element_nor_in_an_attribute() {
        let mut markup = Markup::default();
        markup
            .put("<p title=\"")
            .text("\" onclick='x' a=\"")
            .put("\">");
        markup.name("</p><script>\u{202e}&amp;").put("</p>");
        assert_eq!(
            markup.into_string(),
            "<p title=\"&quot; onclick=&#39;x&#39; a=&quot;\"><bdi class=\"name\">&lt;/p&gt;&lt;script&gt;\\u{202e}&amp;amp;</bdi></p>"
        );
    }

    #[test]
    fn names_between_backticks_are_marked_and_are_no_markup() {
        for (text, page) in [
            ("none", "none"),
            (
                "`a` and `<b>`.",
                "<bdi class=\"name\">a</bdi> and <bdi class=\"name\">&lt;b&gt;</bdi>.",
            ),
            ("`a` or `b", "<bdi class=\"name\">a</bdi> or `b"),
            ("`<i>", "`&lt;i&gt;"),
        ] {
            let mut markup = Markup::default();
            markup.marked(text);
            assert_eq!(markup.into_string(), page);
        }
    }

    #[test]
    fn a_number_is_one_at_any_size() {
        for (number, text) in [
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
            (1.0 / 3.0, "0.33"),
            (200.0, "200"),
        ] {
            let mut markup = Markup::default();
            markup.number(number);
            assert_eq!(markup.into_string(), text);
        }
    }
}
