//! A decision in extensions.

use std::ops::Deref;
use std::sync::Arc;

use tollgate_policy::Decision;

/// The decision on a request, in the extensions of the request and of its response.
///
/// The layer puts it there, for handlers and for middleware outside, such as one that counts
/// denials. It is cheap to clone. Of stacked layers, the request shows the innermost; the response
/// shows the innermost that had a limit to check.
///
/// With the feature `axum` it is an extractor.
#[derive(Clone, Debug)]
pub struct Decided(Arc<Decision>);

impl From<Decision> for Decided {
    fn from(decision: Decision) -> Self {
        Self(Arc::new(decision))
    }
}

impl From<Arc<Decision>> for Decided {
    fn from(decision: Arc<Decision>) -> Self {
        Self(decision)
    }
}

impl Deref for Decided {
    type Target = Decision;

    fn deref(&self) -> &Decision {
        &self.0
    }
}
