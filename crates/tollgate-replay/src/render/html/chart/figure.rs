//! What all charts have: a title, axes, a legend, and a table of the same numbers.

use crate::render::html::markup::Markup;
use crate::render::html::table::Table;

use super::ticks::Tick;

/// The height of what is drawn, in pixels. The width is the page's.
pub(super) const HEIGHT: f64 = 200.0;
/// The width in which shapes are drawn, before they are stretched.
pub(super) const WIDTH: f64 = 1_000.0;

/// A chart, before it is written.
#[derive(Debug)]
pub(super) struct Chart {
    /// What tells it from the others of the page.
    pub(super) id: String,
    pub(super) title: String,
    /// What it shows, for who does not see it.
    pub(super) description: String,
    /// What is counted upwards, with its unit.
    pub(super) up: String,
    /// What goes from left to right, with its unit.
    pub(super) across: String,
    pub(super) up_ticks: Vec<Tick>,
    pub(super) across_ticks: Vec<Tick>,
    pub(super) legend: Vec<Legend>,
    /// Shapes that are stretched, in [`WIDTH`] by [`HEIGHT`].
    pub(super) shapes: Markup,
    /// Marks that are not, across in percent.
    pub(super) marks: Markup,
    /// The same numbers. Rows that are to be found by pointing at the chart say where they are.
    pub(super) table: Table,
}

/// What a colour means.
#[derive(Debug)]
pub(super) struct Legend {
    /// The class that has the colour.
    pub(super) class: &'static str,
    pub(super) meaning: &'static str,
}

impl Chart {
    pub(super) fn write(&self, page: &mut Markup) {
        page.put("<figure class=\"chart\">\n<figcaption id=\"")
            .text(&self.id)
            .put("\">");
        page.text(&self.title).put("</figcaption>\n");
        self.write_legend(page);
        page.put("<p class=\"axis up\" aria-hidden=\"true\">")
            .text(&self.up)
            .put("</p>\n");
        page.put("<div class=\"plot\" role=\"img\" aria-labelledby=\"")
            .text(&self.id);
        page.put("\" aria-describedby=\"")
            .text(&self.id)
            .put("-says\">\n");
        self.write_up(page);
        self.write_area(page);
        page.put("</div>\n<p class=\"axis across\" aria-hidden=\"true\">");
        page.text(&self.across).put("</p>\n");
        page.put("<p class=\"unseen\" id=\"")
            .text(&self.id)
            .put("-says\">");
        page.text(&self.description).put("</p>\n");
        page.put("<p class=\"readout\" aria-live=\"polite\" hidden></p>\n");
        self.table.write_folded(page, &self.title);
        page.put("</figure>\n");
    }

    fn write_legend(&self, page: &mut Markup) {
        if self.legend.is_empty() {
            return;
        }
        page.put("<ul class=\"legend\">");
        for Legend { class, meaning } in &self.legend {
            page.put("<li><svg class=\"swatch\" aria-hidden=\"true\" viewBox=\"0 0 16 12\"><path class=\"");
            page.put(class);
            // A line where the chart has a line, a field where it has a field.
            page.put(if class.starts_with("line") {
                "\" d=\"M0 6H16\"/></svg>"
            } else {
                "\" d=\"M0 0H16V12H0Z\"/></svg>"
            });
            page.text(meaning).put("</li>");
        }
        page.put("</ul>\n");
    }

    fn write_up(&self, page: &mut Markup) {
        page.put("<svg class=\"ups\" aria-hidden=\"true\">");
        for tick in &self.up_ticks {
            page.put("<text x=\"100%\" y=\"")
                .number(y(tick.at) + 4.0)
                .put("\">");
            page.text(&tick.label).put("</text>");
        }
        page.put("</svg>\n");
    }

    fn write_area(&self, page: &mut Markup) {
        page.put("<svg class=\"area\" aria-hidden=\"true\">");
        for tick in &self.up_ticks {
            page.put("<line class=\"grid\" x2=\"100%\" y1=\"")
                .number(y(tick.at));
            page.put("\" y2=\"").number(y(tick.at)).put("\"/>");
        }
        page.put("<svg width=\"100%\" height=\"200\" viewBox=\"0 0 1000 200\" preserveAspectRatio=\"none\">");
        page.append(&self.shapes).put("</svg>\n");
        page.put("<line class=\"ground\" x2=\"100%\" y1=\"200\" y2=\"200\"/>");
        for tick in &self.across_ticks {
            let class = if tick.is_minor {
                " class=\"minor\""
            } else {
                ""
            };
            page.put("<g")
                .put(class)
                .put("><line class=\"ground\" x1=\"");
            page.number(tick.at * 100.0)
                .put("%\" x2=\"")
                .number(tick.at * 100.0);
            page.put("%\" y1=\"200\" y2=\"205\"/><text y=\"219\" x=\"")
                .number(tick.at * 100.0);
            page.put("%\"").put(anchor(tick.at)).put(">");
            page.text(&tick.label).put("</text></g>");
        }
        page.append(&self.marks);
        page.put("<line class=\"cursor\" y2=\"200\" visibility=\"hidden\"/></svg>\n");
    }
}

/// A place between 0 and 1 upwards, in pixels downwards.
pub(super) fn y(at: f64) -> f64 {
    HEIGHT * (1.0 - at)
}

/// Texts at the ends stay within the chart.
pub(super) const fn anchor(at: f64) -> &'static str {
    if at < 0.06 {
        " text-anchor=\"start\""
    } else if at > 0.94 {
        " text-anchor=\"end\""
    } else {
        " text-anchor=\"middle\""
    }
}

/// A vertical line that is named: the limit.
pub(super) fn upright(marks: &mut Markup, at: f64, name: &str) {
    marks
        .put("<line class=\"limit\" y2=\"200\" x1=\"")
        .number(at * 100.0);
    marks
        .put("%\" x2=\"")
        .number(at * 100.0)
        .put("%\"/><text class=\"limit-name\" y=\"-6\" x=\"");
    let side = if at < 0.2 {
        " text-anchor=\"start\""
    } else if at > 0.8 {
        " text-anchor=\"end\""
    } else {
        " text-anchor=\"middle\""
    };
    marks
        .number(at * 100.0)
        .put("%\"")
        .put(side)
        .put(">")
        .text(name)
        .put("</text>");
}
