//! Why no decision could be made.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// No decision could be made. Never a denial: that is a value.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    message: Cow<'static, str>,
    is_partial: bool,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// What kept a store from deciding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// The store could not be reached, or does not serve at the moment.
    Unavailable,
    /// The store did not answer in time. What was asked may still be counted.
    Timeout,
    /// The store has no room for the state of this charge, and nothing that matters less.
    Full,
    /// The store answered something that cannot be understood.
    Protocol,
    /// The store was not asked, because as many calls as may be are waiting for it already.
    Overloaded,
}

impl StoreError {
    /// An error of a kind, with what happened in words: lower case, no full stop, no secrets.
    pub fn new(kind: StoreErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            message: message.into(),
            is_partial: false,
            source: None,
        }
    }

    /// Says that only a part of the store failed, while the rest of it decides: one server of a
    /// cluster. Such an error is no outage of the store.
    #[must_use]
    pub fn of_a_part(mut self) -> Self {
        self.is_partial = true;
        self
    }

    /// Adds the error below this one. Its text must not be repeated in the message.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What kept the store from deciding.
    #[must_use]
    pub const fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// True if only a part of the store failed: charges of other keys may well be decided.
    #[must_use]
    pub const fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// True if the store did not answer in time.
    #[must_use]
    pub const fn is_timeout(&self) -> bool {
        matches!(self.kind, StoreErrorKind::Timeout)
    }

    /// True if asking again later may succeed without anyone changing anything.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        matches!(
            self.kind,
            StoreErrorKind::Timeout
                | StoreErrorKind::Unavailable
                | StoreErrorKind::Full
                | StoreErrorKind::Overloaded
        )
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}
