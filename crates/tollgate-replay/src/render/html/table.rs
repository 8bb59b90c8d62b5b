//! Tables.

use super::markup::Markup;

/// A row: its cells, the first of which names it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Where the chart shows it, from 0 to 1.
    pub(super) at: Option<f64>,
    pub(super) cells: Vec<String>,
}

/// Rows under heads. All columns but the first are numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    heads: Vec<String>,
    rows: Vec<Row>,
    /// The last column is words, and no number.
    has_words_last: bool,
}

impl Table {
    pub(super) fn new(heads: &[&str]) -> Self {
        Self {
            heads: heads.iter().map(|head| (*head).to_owned()).collect(),
            rows: Vec::new(),
            has_words_last: false,
        }
    }

    /// The last column is words too.
    pub(super) const fn with_words_last(mut self) -> Self {
        self.has_words_last = true;
        self
    }

    pub(super) fn row(&mut self, at: Option<f64>, cells: Vec<String>) {
        self.rows.push(Row { at, cells });
    }

    /// In an element that is opened by whoever wants it.
    pub(super) fn write_folded(&self, page: &mut Markup, caption: &str) {
        if self.rows.is_empty() {
            return;
        }
        page.put("<details><summary>As a table</summary>\n");
        self.write(page, caption);
        page.put("</details>\n");
    }

    /// In a box that scrolls by itself where the screen is narrow.
    pub(super) fn write(&self, page: &mut Markup, caption: &str) {
        page.put("<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"")
            .text(caption);
        page.put("\"><table>\n<caption class=\"unseen\">")
            .text(caption)
            .put("</caption>\n<thead><tr>");
        for (index, head) in self.heads.iter().enumerate() {
            page.put("<th scope=\"col\"")
                .put(self.class(index))
                .put(">");
            page.text(head).put("</th>");
        }
        page.put("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            page.put("<tr");
            if let Some(at) = row.at {
                page.put(" data-at=\"").number(at * 100.0).put("\"");
            }
            page.put(">");
            for (index, cell) in row.cells.iter().enumerate() {
                if index == 0 {
                    page.put("<th scope=\"row\"><bdi>")
                        .text(cell)
                        .put("</bdi></th>");
                } else {
                    page.put("<td").put(self.class(index)).put(">");
                    page.text(cell).put("</td>");
                }
            }
            page.put("</tr>\n");
        }
        page.put("</tbody></table></div>\n");
    }

    fn class(&self, column: usize) -> &'static str {
        let is_last = column + 1 == self.heads.len();
        if column == 0 || (is_last && self.has_words_last) {
            " class=\"words\""
        } else {
            ""
        }
    }
}
