//! What was read.

use crate::render::numbers::grouped;
use crate::render::says;
use crate::render::shown::shown;
use crate::report::{FileReport, InputReport, Report};

use super::markup::Markup;
use super::table::Table;

pub(super) fn write(page: &mut Markup, report: &Report) {
    let input = &report.input;
    page.put("<section aria-labelledby=\"input\">\n<h2 id=\"input\">What was read</h2>\n");
    page.paragraph(&says::files(input));
    let mut said = says::times(input);
    said.extend(says::limited_already(report));
    page.sentences(&said);
    files(page, input);
    rejects(page, input);
    page.put("</section>\n");
}

fn files(page: &mut Markup, input: &InputReport) {
    if input.files.is_empty() {
        return;
    }
    let mut table =
        Table::new(&["log", "lines", "requests", "rejected", "bytes", "form"]).with_words_last();
    for file in &input.files {
        table.row(
            None,
            vec![
                shown(&file.name),
                grouped(file.lines),
                grouped(file.requests),
                grouped(file.rejected),
                grouped(file.bytes),
                form(file),
            ],
        );
    }
    table.write(page, "Logs");
}

/// Its forms, how it is compressed, and why it was not read to its end.
fn form(file: &FileReport) -> String {
    let several = file.formats.len() > 1;
    let forms = file.formats.iter().map(|form| {
        if several {
            format!("{} ({})", shown(&form.format), grouped(form.lines))
        } else {
            shown(&form.format)
        }
    });
    let compression = file.compression.iter().map(|name| shown(name));
    let error = file
        .error
        .iter()
        .map(|error| format!("not read to its end: {}", shown(error)));
    forms
        .chain(compression)
        .chain(error)
        .collect::<Vec<_>>()
        .join(", ")
}

fn rejects(page: &mut Markup, input: &InputReport) {
    if input.rejects.is_empty() {
        return;
    }
    page.put("<h3>Rejected lines</h3>\n");
    for reject in &input.rejects {
        page.put("<p><strong>")
            .text(&grouped(reject.count))
            .put("</strong>: ");
        page.text(&shown(&reject.meaning))
            .put(".</p>\n<ul class=\"examples\">\n");
        for example in &reject.examples {
            page.put("<li>")
                .name(&example.file)
                .put(", line ")
                .text(&grouped(example.line));
            if let Some(text) = &example.text {
                page.put("<br><code><bdi>")
                    .text(&shown(text))
                    .put("</bdi></code>");
            }
            page.put("</li>\n");
        }
        page.put("</ul>\n");
    }
}
