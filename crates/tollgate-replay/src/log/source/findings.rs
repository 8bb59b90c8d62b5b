//! What was found in a log.

use std::collections::BTreeMap;

use super::example;
use crate::log::wrapper::Wrapper;
use crate::log::{Form, Reject, Skipped};
use crate::report::{Example, FileReport, FormatCount, RejectCount, SkippedCount};

/// The most examples that are kept of each reason.
const EXAMPLES: usize = 3;

/// What was found in a log so far. Every line is a request, or rejected, or skipped.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    name: String,
    compression: Option<&'static str>,
    lines: u64,
    requests: u64,
    rejects: BTreeMap<Reject, (u64, Vec<Example>)>,
    skipped: BTreeMap<Skipped, u64>,
    forms: Vec<((Wrapper, Form), u64)>,
    error: Option<String>,
}

impl Findings {
    pub(super) fn new(name: String, compression: Option<&'static str>) -> Self {
        Self {
            name,
            compression,
            ..Self::default()
        }
    }

    pub(super) fn request(&mut self, wrapper: Wrapper, form: Form) {
        self.lines += 1;
        self.requests += 1;
        // The form of the line before, nearly always: the first.
        let found = self
            .forms
            .iter_mut()
            .find(|(known, _)| *known == (wrapper, form));
        match found {
            Some((_, lines)) => *lines += 1,
            None => self.forms.push(((wrapper, form), 1)),
        }
    }

    pub(super) fn skip(&mut self, kind: Skipped) {
        self.lines += 1;
        *self.skipped.entry(kind).or_default() += 1;
    }

    pub(super) fn reject(&mut self, number: u64, line: &[u8], reason: Reject) {
        self.lines += 1;
        let (count, examples) = self.rejects.entry(reason).or_default();
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(Example {
                file: self.name.clone(),
                line: number,
                text: Some(example::shown(line)),
            });
        }
    }

    /// Rejects a line of parts whose last one never came; that one counts as the line.
    pub(super) fn reject_unfinished(&mut self, number: u64, text: &[u8]) {
        if let Some(parts) = self.skipped.get_mut(&Skipped::Partial) {
            *parts = parts.saturating_sub(1);
            self.lines = self.lines.saturating_sub(1);
        }
        self.skipped.retain(|_, count| *count > 0);
        self.reject(number, text, Reject::Unfinished);
    }

    pub(super) fn fail(&mut self, error: String) {
        self.error = Some(error);
    }

    /// Its lines. A run of zeros counts as one, though a line of text may follow it without a break.
    #[must_use]
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// Lines that are requests.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// Lines that were rejected.
    #[must_use]
    pub fn rejected(&self) -> u64 {
        self.rejects.values().map(|(count, _)| count).sum()
    }

    /// Why reading ended before its end.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Why lines were rejected, the most frequent reason first.
    #[must_use]
    pub fn rejects(&self) -> Vec<RejectCount> {
        let mut rejects: Vec<RejectCount> = self
            .rejects
            .iter()
            .map(|(reason, (count, examples))| RejectCount {
                reason: reason.as_str(),
                meaning: reason.to_string(),
                count: *count,
                examples: examples.clone(),
            })
            .collect();
        rejects.sort_by_key(|reject| std::cmp::Reverse(reject.count));
        rejects
    }

    /// Lines that are rightly no requests, by kind.
    #[must_use]
    pub fn skipped(&self) -> Vec<SkippedCount> {
        let skipped = self.skipped.iter();
        skipped
            .map(|(kind, count)| SkippedCount {
                kind: kind.as_str(),
                count: *count,
            })
            .collect()
    }

    /// The same as part of a report.
    #[must_use]
    pub fn file_report(&self, bytes: u64) -> FileReport {
        let mut formats: Vec<FormatCount> = self
            .forms
            .iter()
            .map(|((wrapper, form), lines)| FormatCount {
                format: match wrapper {
                    Wrapper::None => form.to_string(),
                    wrapper => format!("{} {form}", wrapper.as_str()),
                },
                lines: *lines,
            })
            .collect();
        formats.sort_by_key(|format| std::cmp::Reverse(format.lines));
        FileReport {
            name: self.name.clone(),
            compression: self.compression.map(str::to_owned),
            formats,
            lines: self.lines,
            bytes,
            requests: self.requests,
            rejected: self.rejected(),
            error: self.error.clone(),
        }
    }
}
