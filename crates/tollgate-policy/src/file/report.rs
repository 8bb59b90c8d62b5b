//! Collects diagnostics while a file is read.

mod mask;
mod quotes;

use std::ops::Range;

use super::secrets::{self, MASK, Secrets};
use super::suggestion::quoted;
use super::text::Text;
use super::written::Written;
use super::{Diagnostic, Severity};
use crate::AttributeName;
use mask::Hidden;

pub(super) use quotes::{about, fixed, quotation};

/// The most errors that are kept of a file, and the most warnings: whoever has more has one mistake
/// many times.
const MAX_KEPT: usize = 100;

/// What was found and not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NotKept {
    pub(super) errors: usize,
    pub(super) warnings: usize,
}

impl NotKept {
    pub(super) const fn add(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
    }
}

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    not_kept: NotKept,
    /// What is written to in place of what is not kept.
    spare: Option<Diagnostic>,
    /// Which of the list are about something that is not there.
    missing: Vec<usize>,
    /// What no message may say.
    hidden: Hidden,
    written: Written,
    /// Where secrets stand.
    secrets: Vec<Range<usize>>,
}

impl Report {
    /// An empty one, whose messages will not tell the secrets that a file is seen to hold.
    pub(super) fn without(secrets: &Secrets) -> Self {
        let mut report = Self::default();
        for secret in &secrets.values {
            report.hidden.insert(secret);
        }
        report.secrets = secrets.spans.clone();
        report
    }

    /// The name of a field, or of an attribute that is tested, for a message. It is no secret, which
    /// hiding it would make of it, unless it stands where a secret does: what is not TOML may be read
    /// so.
    pub(super) fn quoted_name(&self, name: &str, span: &Range<usize>) -> String {
        let at = self
            .secrets
            .partition_point(|secret| secret.end <= span.start);
        let is_secret = self
            .secrets
            .get(at)
            .is_some_and(|secret| secret.start < span.end);
        let quoted = quoted(name);
        if is_secret || secrets::masked(name) != name {
            return quoted;
        }
        fixed(&quoted)
    }

    pub(super) fn error(
        &mut self,
        span: Range<usize>,
        message: impl AsRef<str>,
    ) -> &mut Diagnostic {
        self.errors += 1;
        if self.has_enough_errors() {
            self.not_kept.errors += 1;
            return self.spare(Severity::Error);
        }
        self.push(Diagnostic::new(Severity::Error, span, message.as_ref()))
    }

    pub(super) fn warning(
        &mut self,
        span: Range<usize>,
        message: impl AsRef<str>,
    ) -> &mut Diagnostic {
        self.warnings += 1;
        if self.warnings > MAX_KEPT {
            self.not_kept.warnings += 1;
            return self.spare(Severity::Warning);
        }
        self.push(Diagnostic::new(Severity::Warning, span, message.as_ref()))
    }

    /// An error about something that is not there: where the text could not be read as a whole, it
    /// may be.
    pub(super) fn missing(
        &mut self,
        span: Range<usize>,
        message: impl AsRef<str>,
    ) -> &mut Diagnostic {
        if self.errors < MAX_KEPT {
            self.missing.push(self.list.len());
        }
        self.error(span, message)
    }

    /// An error whose text says what is wrong and, after the first `; `, what to do, and may quote
    /// `value`.
    pub(super) fn error_in_words(
        &mut self,
        span: Range<usize>,
        words: &str,
        value: &str,
    ) -> &mut Diagnostic {
        let (message, help) = in_two(words);
        let diagnostic = self.error(span, about(message, value));
        diagnostic.help = help.map(|help| about(help, value));
        diagnostic
    }

    /// Keeps the value of a variable out of all messages, or the secrets of the URL that it is.
    pub(super) fn hide(&mut self, value: &str, is_secret: bool) {
        if is_secret {
            self.hidden.insert(value);
        }
        for secret in secrets::in_variable(value) {
            self.hidden.insert(secret);
        }
    }

    /// Remembers how a value of a test stands in the file.
    pub(super) fn remember(&mut self, attribute: &AttributeName, text: &Text) {
        self.written.insert(attribute, text);
    }

    pub(super) fn take_written(&mut self) -> Written {
        std::mem::take(&mut self.written)
    }

    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// True if no more errors will be kept than have been counted: what is said of them is in vain.
    pub(super) const fn has_enough_errors(&self) -> bool {
        self.errors > MAX_KEPT
    }

    pub(super) const fn not_kept(&self) -> NotKept {
        self.not_kept
    }

    pub(super) fn into_list(mut self) -> Vec<Diagnostic> {
        let mut list = std::mem::take(&mut self.list);
        if list.is_empty() {
            return list;
        }
        let mask = self.hidden.mask();
        for found in &mut list {
            found.message = quotes::shown(&found.message, &mask);
            found.help = found.help.as_ref().map(|help| quotes::shown(help, &mask));
        }
        list
    }

    /// All that is not about something that is missing.
    pub(super) fn into_found(mut self) -> impl Iterator<Item = Diagnostic> {
        let missing = std::mem::take(&mut self.missing);
        let numbered = self.into_list().into_iter().enumerate();
        numbered
            .filter(move |(number, _)| missing.binary_search(number).is_err())
            .map(|(_, found)| found)
    }

    fn spare(&mut self, severity: Severity) -> &mut Diagnostic {
        self.spare.insert(Diagnostic::new(severity, 0..0, ""))
    }

    fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        let at = self.list.len();
        self.list.push(diagnostic);
        // It has just been pushed.
        &mut self.list[at]
    }
}

/// What is wrong, and what to do about it.
pub(super) fn in_two(words: &str) -> (&str, Option<&str>) {
    match words.split_once("; ") {
        Some((message, help)) => (message, Some(help)),
        None => (words, None),
    }
}
