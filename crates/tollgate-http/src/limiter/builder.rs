//! The options of a limiter.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use arc_swap::ArcSwap;
use tollgate::Micros;
use tollgate_policy::{ClientIdentity, PolicyLimiter, PolicySet};

use super::{Current, HttpLimiter, Options, Shared};
use crate::announcements::Announcements;
use crate::{Headers, Peer, RequestAttributes, RequestHead};

/// How long clients are told to wait when the store has failed.
const OUTAGE_RETRY_AFTER: Micros = Micros::from_secs(5);

/// Builds an [`HttpLimiter`].
#[must_use = "a builder does nothing until `build` is called"]
pub struct HttpLimiterBuilder<S> {
    policies: PolicyLimiter<S>,
    options: Options,
}

impl<S> HttpLimiterBuilder<S> {
    pub(super) fn new(policies: PolicyLimiter<S>) -> Self {
        Self {
            policies,
            options: Options {
                identity: ClientIdentity::default(),
                headers: Headers::default(),
                expose_headers: false,
                count_preflight: false,
                outage_retry_after: OUTAGE_RETRY_AFTER,
                peer: None,
                attributes: None,
            },
        }
    }

    /// Who is trusted to name the client. The default is nobody: the peer is the client.
    pub fn identity(mut self, identity: ClientIdentity) -> Self {
        self.options.identity = identity;
        self
    }

    /// The rate-limit fields of responses. The default is [`Headers::default`].
    pub fn headers(mut self, headers: Headers) -> Self {
        self.options.headers = headers;
        self
    }

    /// Whether responses let pages of other origins read the fields, by
    /// `Access-Control-Expose-Headers` (Fetch standard). The default is false: without other CORS
    /// fields it means nothing, and with them it tells every allowed origin.
    pub fn expose_headers(mut self, expose: bool) -> Self {
        self.options.expose_headers = expose;
        self
    }

    /// Whether CORS-preflight requests count. The default is false: then they are passed on
    /// without a decision, and reach the handler also where a policy blocks. Say true, or answer
    /// them in a CORS layer outside, if an `OPTIONS` request must not get there.
    pub fn count_preflight(mut self, count: bool) -> Self {
        self.options.count_preflight = count;
        self
    }

    /// The `Retry-After` of a request that is denied because the store has failed: a guess, in
    /// whole seconds rounded up, at least 1. The default is 5 s.
    pub fn outage_retry_after(mut self, wait: Duration) -> Self {
        self.options.outage_retry_after = Micros::from_duration(wait);
        self
    }

    /// Where the peer of a request is found. The default is the extension [`Peer`], then, with the
    /// feature `axum`, axum's `ConnectInfo<SocketAddr>`.
    ///
    /// `None` says that nobody knows; `Some(Peer(None))` that the peer has no address, as on a Unix
    /// socket.
    pub fn peer_from(
        mut self,
        peer: impl Fn(RequestHead<'_>) -> Option<Peer> + Send + Sync + 'static,
    ) -> Self {
        self.options.peer = Some(Box::new(peer));
        self
    }

    /// Computes further attributes of each request, which go before those of a
    /// [`RequestAttributes`] in its extensions.
    pub fn attributes_from(
        mut self,
        attributes: impl Fn(RequestHead<'_>) -> RequestAttributes + Send + Sync + 'static,
    ) -> Self {
        self.options.attributes = Some(Box::new(attributes));
        self
    }

    /// The limiter.
    #[must_use]
    pub fn build(self) -> HttpLimiter<S> {
        let Self { policies, options } = self;
        // No policies are always a set: there is no name to be there twice.
        let uncounted = PolicySet::new([]).map_or_else(
            |_| policies.clone(),
            |nothing| policies.with_policies(nothing),
        );
        HttpLimiter {
            shared: Arc::new(Shared {
                current: ArcSwap::from_pointee(Current {
                    uncounted,
                    announcements: Arc::new(Announcements::of_set(policies.policies())),
                    policies,
                    options: Arc::new(options),
                }),
                generation: AtomicU64::new(1),
            }),
        }
    }
}

impl<S> fmt::Debug for HttpLimiterBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpLimiterBuilder").finish_non_exhaustive()
    }
}
