//! Lines that could not be read, told by commands whose report is about something else.

use std::io::{Write, stderr};

use serde::Serialize;
use tollgate_replay::report::{FileReport, InputReport, RejectCount};

use crate::output::shown;

/// What programs are told of what was read.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<'r> {
    files: &'r [FileReport],
    lines: u64,
    requests: u64,
    rejected: u64,
    rejects: Vec<RejectCount>,
}

/// What programs are told of what was read; without the text of lines, if addresses are hidden.
pub(crate) fn summary(input: &InputReport, hides: bool) -> Summary<'_> {
    Summary {
        files: &input.files,
        lines: input.lines,
        requests: input.requests,
        rejected: input.rejected,
        rejects: rejects(input, hides),
    }
}

/// Why lines were rejected; without their text, if addresses are hidden.
fn rejects(input: &InputReport, hides: bool) -> Vec<RejectCount> {
    let mut rejects = input.rejects.clone();
    if hides {
        let examples = rejects.iter_mut().flat_map(|reject| &mut reject.examples);
        examples.for_each(|example| example.text = None);
    }
    rejects
}

/// Tells on standard error what could not be read.
pub(crate) fn tell(input: &InputReport, hides: bool) {
    for line in lines(input, hides) {
        // How it ends says it too, if nobody reads it.
        let _ = writeln!(stderr(), "tollgate: warning: {line}");
    }
}

fn lines(input: &InputReport, hides: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for file in &input.files {
        if let Some(error) = &file.error {
            lines.push(format!(
                "{} could not be read to its end: {error}",
                shown(&file.name)
            ));
        }
    }
    for reject in rejects(input, hides) {
        let first = reject.examples.first().map(|first| {
            let text = first
                .text
                .as_deref()
                .map(|text| format!(" `{}`", shown(text)));
            let text = text.unwrap_or_default();
            format!(", the first is {}:{}{text}", shown(&first.file), first.line)
        });
        lines.push(format!(
            "{} of {} lines could not be read: {}{}",
            reject.count,
            input.lines,
            reject.meaning,
            first.unwrap_or_default()
        ));
    }
    if input.late > 0 {
        lines.push(format!(
            "{} requests came too late to be put in order, by up to {} s; --reorder holds more",
            input.late, input.latest_by
        ));
    }
    lines
}
