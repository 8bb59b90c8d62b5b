//! Collects diagnostics while a file is read.

mod mask;
mod quotes;

use std::ops::Range;

use super::secrets::{self, MASK};
use super::suggestion::quoted;
use super::text::Text;
use super::written::Written;
use super::{Diagnostic, Severity};
use crate::AttributeName;
use mask::Hidden;

pub(super) use quotes::{about, fixed, quotation};

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    list: Vec<Diagnostic>,
    errors: usize,
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
    pub(super) fn without_secrets_of(text: &str) -> Self {
        let mut report = Self::default();
        for secret in secrets::in_messages(text) {
            report.hidden.insert(secret);
        }
        report.secrets = secrets::in_file(text);
        report
    }

    /// The name of a field, or of an attribute that is tested, for a message. It is no secret, which
    /// hiding it would make of it, unless it stands where a secret does: what is not TOML may be read
    /// so.
    pub(super) fn quoted_name(&self, name: &str, span: &Range<usize>) -> String {
        let at = self
            .secrets
            .partition_point(|secret| secret.end <= span.start);
        let secret = self.secrets.get(at);
        let is_secret = secret.is_some_and(|secret| secret.start < span.end);
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
        self.push(Diagnostic::new(Severity::Error, span, message.as_ref()))
    }

    pub(super) fn warning(
        &mut self,
        span: Range<usize>,
        message: impl AsRef<str>,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::new(Severity::Warning, span, message.as_ref()))
    }

    /// An error about something that is not there: where the text could not be read as a whole, it
    /// may be.
    pub(super) fn missing(
        &mut self,
        span: Range<usize>,
        message: impl AsRef<str>,
    ) -> &mut Diagnostic {
        self.missing.push(self.list.len());
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
        for secret in secrets::in_messages(value) {
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
