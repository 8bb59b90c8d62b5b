//! What a limiter decides by at one moment.

use std::fmt;
use std::sync::Arc;

use arc_swap::Guard;
use tollgate_policy::{ClientIdentity, PolicyLimiter};

use super::{Current, HttpLimiter};

/// Policies and client identity of one moment, for requests that are no HTTP requests: what
/// [`HttpLimiter::replace_with`] puts in place meanwhile is not seen.
///
/// Looking costs next to nothing. Do not keep it while you wait for something: clone the
/// [`policies`](Self::policies) for that.
pub struct InForce<S>(Guard<Arc<Current<S>>>);

impl<S> HttpLimiter<S> {
    /// What is in force now.
    #[must_use]
    pub fn in_force(&self) -> InForce<S> {
        InForce(self.shared.current.load())
    }
}

impl<S> InForce<S> {
    /// The policies, and the store.
    #[must_use]
    pub fn policies(&self) -> &PolicyLimiter<S> {
        &self.0.policies
    }

    /// Who is trusted to name the client, and how addresses are counted.
    #[must_use]
    pub fn identity(&self) -> &ClientIdentity {
        &self.0.options.identity
    }
}

impl<S> fmt::Debug for InForce<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InForce")
            .field("policies", self.policies().policies())
            .field("identity", self.identity())
            .finish()
    }
}
