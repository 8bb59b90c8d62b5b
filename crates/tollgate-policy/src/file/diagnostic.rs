//! What is wrong with a file, and where, as data.

use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::report::{NotKept, in_two};
use super::{Source, render};

/// The most that are printed: whoever has more has one mistake many times.
const MAX_PRINTED: usize = 200;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but something in it is probably a mistake.
    Warning,
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: a sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The bytes of the file that are wrong. Empty where something is missing.
    pub span: Range<usize>,
    /// Other places that matter, and why.
    pub related: Vec<Related>,
}

/// Another place that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The bytes of the file.
    pub span: Range<usize>,
    /// Why they matter.
    pub message: String,
}

/// All that is wrong with a file, in the order of the file, with the file.
///
/// `{}` prints them as plain text, and so does `{:?}`, by which a `main` that returns them tells
/// people: each with file, line and column, the line, and a mark under the
/// place, or with the file alone where it could not be read; of more than 200 the first. Passwords and secrets in the file are not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostics {
    source: Arc<Source>,
    list: Vec<Diagnostic>,
    not_kept: NotKept,
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl Diagnostic {
    pub(super) fn new(severity: Severity, span: Range<usize>, message: &str) -> Self {
        Self {
            severity,
            message: message.to_owned(),
            help: None,
            span,
            related: Vec::new(),
        }
    }

    /// What somebody else says is wrong, as it is, and after the first `; ` what to do.
    pub(super) fn of_words(severity: Severity, span: Range<usize>, words: &str) -> Self {
        let (message, help) = in_two(words);
        Self {
            severity,
            message: message.to_owned(),
            help: help.map(ToOwned::to_owned),
            span,
            related: Vec::new(),
        }
    }

    pub(super) fn help(&mut self, help: impl AsRef<str>) -> &mut Self {
        self.help = Some(help.as_ref().to_owned());
        self
    }

    pub(super) fn related(&mut self, span: Range<usize>, message: &str) -> &mut Self {
        self.related.push(Related {
            span,
            message: message.to_owned(),
        });
        self
    }
}

impl Diagnostics {
    pub(super) fn new(source: Arc<Source>, mut list: Vec<Diagnostic>) -> Self {
        for diagnostic in &mut list {
            diagnostic.span = source.clamp(&diagnostic.span);
            for related in &mut diagnostic.related {
                related.span = source.clamp(&related.span);
            }
        }
        list.sort_by_key(|diagnostic| diagnostic.span.start);
        Self {
            source,
            list,
            not_kept: NotKept::default(),
        }
    }

    /// These, and so many that were not kept.
    pub(super) fn and_more(mut self, not_kept: NotKept) -> Self {
        self.not_kept.add(not_kept);
        self
    }

    /// These and another one.
    pub(super) fn with(&self, another: Diagnostic) -> Self {
        let list = self.list.iter().cloned().chain([another]);
        Self::new(Arc::clone(&self.source), list.collect()).and_more(self.not_kept)
    }

    /// The file.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Each that is kept, in the order of the file: at most a few hundred.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// How many there are, with those that are not kept.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.list.len() + self.not_kept.errors + self.not_kept.warnings
    }

    /// True if there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many are errors, with those that are not kept.
    #[must_use]
    pub fn errors(&self) -> usize {
        let of_errors = |found: &&Diagnostic| found.severity == Severity::Error;
        self.iter().filter(of_errors).count() + self.not_kept.errors
    }

    /// The first of this severity in one line, for a log: where, what, and what to write instead.
    #[cfg(feature = "tracing")]
    pub(crate) fn first_line(&self, severity: Severity) -> Option<String> {
        let found = self.iter().find(|found| found.severity == severity)?;
        let help = found.help.as_ref().map(|help| format!("; {help}"));
        Some(format!(
            "{}: {}{}",
            self.source.place(found.span.start),
            found.message,
            help.unwrap_or_default()
        ))
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.iter().take(MAX_PRINTED).enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            render::write(f, &self.source, diagnostic)?;
        }
        match self.len() - self.list.len().min(MAX_PRINTED) {
            0 => Ok(()),
            more => writeln!(f, "\nand {more} more"),
        }
    }
}

/// As `Display`: it is what people see of a `main` that returns an error.
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Diagnostics {}
