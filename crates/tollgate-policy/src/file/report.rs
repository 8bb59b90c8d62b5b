//! Collects diagnostics while a file is read.

use std::ops::Range;

use super::{Diagnostic, Severity};

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Report {
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

    /// An error whose text says what is wrong and, after the first `; `, what to do.
    pub(super) fn error_in_words(&mut self, span: Range<usize>, words: &str) -> &mut Diagnostic {
        let (message, help) = in_two(words);
        let diagnostic = self.error(span, message);
        diagnostic.help = help.map(ToOwned::to_owned);
        diagnostic
    }

    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    pub(super) fn into_list(self) -> Vec<Diagnostic> {
        self.list
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
