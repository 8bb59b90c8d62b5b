//! What only some know, and what may become another while the daemon runs.

use std::sync::{Arc, PoisonError, RwLock};

use subtle::ConstantTimeEq as _;

/// A secret. Clones are the same: all of them become what one is replaced by. It is not shown.
#[derive(Clone)]
pub(crate) struct Secret(Arc<RwLock<Box<str>>>);

impl Secret {
    pub(crate) fn new(text: &str) -> Self {
        Self(Arc::new(RwLock::new(text.into())))
    }

    /// True if it is this secret. How long that takes tells nothing but the secret's length.
    pub(crate) fn is(&self, given: &[u8]) -> bool {
        let text = self.0.read().unwrap_or_else(PoisonError::into_inner);
        text.as_bytes().ct_eq(given).into()
    }

    /// Becomes what `other` is.
    pub(crate) fn become_as(&self, other: &Self) {
        let text = other.0.read().unwrap_or_else(PoisonError::into_inner);
        let text = text.clone();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = text;
    }
}
