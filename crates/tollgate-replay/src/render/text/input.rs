//! What was read.

use super::columns::{Align, Cell, Columns};
use super::paint::Tone;
use super::paper::Paper;
use crate::render::numbers::{count, grouped};
use crate::render::prose::Prose;
use crate::render::says;
use crate::render::shown::shown;
use crate::report::{FileReport, InputReport, Report};

/// So many examples of each reason are shown.
const EXAMPLES: usize = 3;

pub(super) fn write(paper: &mut Paper, report: &Report) {
    let input = &report.input;
    paper.heading("What was read", "");
    paper.say_below(&says::files(input));
    for said in says::times(input)
        .into_iter()
        .chain(says::limited_already(report))
    {
        paper.say_below(&said);
    }
    if report.anonymized {
        paper.say_below(&Prose::new(
            "Addresses, users and other values of keys are replaced by keyed hashes.",
        ));
    }
    files(paper, input);
    rejects(paper, input);
}

fn files(paper: &mut Paper, input: &InputReport) {
    if input.files.is_empty() {
        return;
    }
    let mut columns = Columns::default()
        .yielding("log")
        .needed("requests", Align::Right)
        .needed("rejected", Align::Right)
        .optional("form", Align::Left);
    for file in &input.files {
        let rejected = if file.rejected > 0 {
            Tone::Warning
        } else {
            Tone::Plain
        };
        columns.row(vec![
            Cell::new(Tone::Name, shown(&file.name)),
            grouped(file.requests).into(),
            Cell::new(rejected, grouped(file.rejected)),
            forms(file).into(),
        ]);
    }
    paper.columns(&columns);
    for file in &input.files {
        if let Some(error) = &file.error {
            let said = Prose::default()
                .name(&file.name)
                .plain(format!(" was not read to its end: {}.", shown(error)));
            paper.say_below(&said);
        }
    }
}

/// The forms of a log and how it is compressed: `combined, gzip`.
fn forms(file: &FileReport) -> String {
    let several = file.formats.len() > 1;
    let forms = file.formats.iter().map(|form| {
        if several {
            format!("{} ({})", shown(&form.format), grouped(form.lines))
        } else {
            shown(&form.format)
        }
    });
    let compression = file.compression.iter().map(|name| shown(name));
    forms.chain(compression).collect::<Vec<_>>().join(", ")
}

fn rejects(paper: &mut Paper, input: &InputReport) {
    for reject in &input.rejects {
        paper.blank();
        paper.say_below(
            &Prose::default()
                .strong(count(reject.count, "line"))
                .plain(" rejected: ")
                .plain(shown(&reject.meaning))
                .plain("."),
        );
        for example in reject.examples.iter().take(EXAMPLES) {
            let place = format!("{}:{}", shown(&example.file), example.line);
            let place = paper.paint(Tone::Name, &place);
            let text = example.text.as_deref().map_or_else(String::new, shown);
            let text = super::paper::cut(&text, paper.width.saturating_sub(4));
            paper.wrapped(&place, "    ");
            if !text.is_empty() {
                let text = paper.paint(Tone::Faint, &text);
                paper.line(&format!("    {text}"));
            }
        }
    }
}
