//! Policies over HTTP requests.

mod builder;
mod in_force;
mod tell;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwap;
use http::header::{CACHE_CONTROL, HeaderMap, HeaderValue};
use http::{Response, StatusCode};
use tollgate::{MemoryStore, Micros, Outcome, Outcomes, Store, StoreError};
use tollgate_policy::{
    Attributes, ClientAddress, ClientIdentity, Decision, Mode, NoAddress, PolicyDecision,
    PolicyLimiter, Reason, Undecided,
};

use crate::announcements::{Announcements, Limits};
use crate::preflight::is_preflight;
use crate::request::{View, peer_of};
use crate::{Decided, Denial, Headers, Peer, RequestAttributes, RequestHead, fields};

pub use builder::HttpLimiterBuilder;
pub use in_force::InForce;

/// Decides HTTP requests by policies, and writes what responses say about it.
///
/// It is what [`RateLimitLayer`](crate::RateLimitLayer) is made of. By itself, it sits in a
/// service's state, and the service makes its own answer:
///
/// ```
/// use tollgate::MemoryStore;
/// use tollgate_http::{HttpLimiter, Peer};
/// use tollgate_policy::{Policy, PolicyLimiter, PolicySet};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let policy = Policy::builder("all").key("client.ip").limit("10/min".parse()?).build()?;
/// let policies = PolicyLimiter::new(PolicySet::new([policy])?, MemoryStore::default());
/// let limiter = HttpLimiter::new(policies);
///
/// let mut request = http::Request::new(());
/// request.extensions_mut().insert(Peer(Some("198.51.100.7:4711".parse()?)));
/// let decision = limiter.check(&request).await;
/// let mut response = http::Response::new(if decision.is_allowed() { "done" } else { "wait" });
/// limiter.write_headers(&decision, response.headers_mut());
/// assert_eq!(response.headers()["x-ratelimit-remaining"], "9");
/// # Ok(())
/// # }
/// ```
///
/// Clones share everything, also what [`replace_with`](Self::replace_with) puts in place while
/// requests go on.
pub struct HttpLimiter<S = MemoryStore> {
    shared: Arc<Shared<S>>,
}

struct Shared<S> {
    /// Requests look at it without a lock; each sees one or the other, never a mixture.
    current: ArcSwap<Current<S>>,
    generation: AtomicU64,
}

/// What is in force.
struct Current<S> {
    policies: PolicyLimiter<S>,
    /// The same store without policies: what decides requests that are not counted.
    uncounted: PolicyLimiter<S>,
    announcements: Arc<Announcements>,
    options: Arc<Options>,
}

type PeerHook = Box<dyn Fn(RequestHead<'_>) -> Option<Peer> + Send + Sync>;
type AttributesHook = Box<dyn Fn(RequestHead<'_>) -> RequestAttributes + Send + Sync>;

struct Options {
    identity: ClientIdentity,
    headers: Headers,
    expose_headers: bool,
    count_preflight: bool,
    outage_retry_after: Micros,
    peer: Option<PeerHook>,
    attributes: Option<AttributesHook>,
}

impl<S> HttpLimiter<S> {
    /// A limiter with every option at its default: nobody's forwarding header is trusted.
    pub fn new(policies: PolicyLimiter<S>) -> Self {
        Self::builder(policies).build()
    }

    /// Begins a limiter with options.
    pub fn builder(policies: PolicyLimiter<S>) -> HttpLimiterBuilder<S> {
        HttpLimiterBuilder::new(policies)
    }

    /// The policies in force, and the store.
    #[must_use]
    pub fn policies(&self) -> PolicyLimiter<S> {
        self.shared.current.load().policies.clone()
    }

    /// Puts the policies and the options of another limiter in place of this one's, at once and for
    /// all clones. Requests that are being decided go on by what they began with.
    ///
    /// What was used is kept if the other limiter has the same store, as one has that was made by
    /// [`PolicyLimiter::with_policies`] of [`policies`](Self::policies).
    pub fn replace_with(&self, other: &Self) {
        self.shared.current.store(other.shared.current.load_full());
        self.shared.generation.fetch_add(1, Ordering::AcqRel);
    }

    /// How often something was put in place: 1 for what the limiter was built with, and one more
    /// for each [`replace_with`](Self::replace_with).
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.shared.generation.load(Ordering::Acquire)
    }

    /// The client of a request, as the client identity says; `None` if nobody says who the peer is,
    /// or no address can be had.
    #[must_use]
    pub fn client<'r>(&self, request: impl Into<RequestHead<'r>>) -> Option<ClientAddress> {
        let head = request.into();
        self.shared.current.load().client(head).ok()
    }

    /// A request as policies see it: what [`check`](Self::check) decides by, for whoever wants to
    /// tell why.
    pub fn attributes<'r, R: Into<RequestHead<'r>>>(
        &self,
        request: R,
    ) -> impl Attributes + use<'r, S, R> {
        self.shared.current.load().view(request.into())
    }
}

impl<S> Current<S> {
    fn client(&self, head: RequestHead<'_>) -> Result<ClientAddress, NoAddress> {
        let options = &self.options;
        let peer = match &options.peer {
            Some(peer) => peer(head),
            None => peer_of(head),
        };
        let Peer(peer) = peer.ok_or(NoAddress::PeerUnknown)?;
        let peer = peer.as_ref().map(SocketAddr::ip);
        let identity = &options.identity;
        if !identity.trusts(peer) {
            // Nothing that the request says matters.
            return identity.resolve(peer, []);
        }
        let lines = head.headers.get_all(identity.header_name());
        identity.resolve(peer, lines.iter().map(HeaderValue::as_bytes))
    }

    fn passes(&self, head: RequestHead<'_>) -> bool {
        !self.options.count_preflight && is_preflight(head)
    }

    fn view<'r>(&self, head: RequestHead<'r>) -> View<'r> {
        let computed = self.options.attributes.as_ref();
        View::new(
            head,
            self.client(head),
            computed.map(|attributes| attributes(head)),
        )
    }
}

impl<S> HttpLimiter<S> {
    /// Writes what a response says about a decision: for a denial `Retry-After`, where waiting
    /// helps, and `Cache-Control: no-store` (RFC 6585, section 4); and the rate-limit fields of
    /// every limit that was decided, unless its policy hides its numbers or is in shadow.
    ///
    /// Fields that are there are left alone, so that it does no harm to call it twice.
    pub fn write_headers(&self, decision: &Decision, headers: &mut HeaderMap) {
        self.write_headers_together(decision, [decision], headers);
    }

    /// Writes what a response says about several decisions that were made
    /// [together](PolicyLimiter::decide_together), as [`write_headers`](Self::write_headers): the
    /// list fields of all of them, everything else of the one that decides. A limit that several of
    /// them were counted by is told once for each.
    pub fn write_headers_together<'d>(
        &self,
        decision: &Decision,
        all: impl IntoIterator<Item = &'d Decision>,
        headers: &mut HeaderMap,
    ) {
        let current = self.shared.current.load();
        let Current {
            announcements,
            options,
            ..
        } = &**current;
        if !decision.is_allowed() {
            if let Some(wait) = self.denial(decision).retry_after() {
                fields::write_retry_after(wait, headers);
            }
            headers
                .entry(CACHE_CONTROL)
                .or_insert(HeaderValue::from_static("no-store"));
        }
        if options.headers != Headers::none() && decision.at().is_some() {
            // At once, since a map that grows is hashed anew.
            headers.reserve(5);
        }
        if options.headers.writes_ietf() {
            let mut limits = Limits::new();
            for policy in all.into_iter().flat_map(announced) {
                announcements.collect(&policy, &mut limits);
            }
            fields::write_ietf(&limits, headers);
        }
        if let Some(reset) = options.headers.x_ratelimit_reset()
            && let Some(outcome) = described(decision)
        {
            fields::write_x_ratelimit(reset, &outcome, headers);
        }
        if options.expose_headers {
            fields::write_exposed(options.headers, headers);
        }
    }

    /// A decision against a request, for a service that makes its own answer.
    #[must_use]
    pub fn denial<'d>(&self, decision: &'d Decision) -> Denial<'d> {
        let current = self.shared.current.load();
        let outage = current.options.outage_retry_after;
        Denial::new(decision, Arc::clone(&current.announcements), outage)
    }

    /// Writes the fields of a response and puts the decision into its extensions, unless a limiter
    /// closer to the handler has spoken.
    pub(crate) fn finish<B>(&self, decision: Decided, response: &mut Response<B>) {
        let inner = response.extensions().get::<Decided>();
        let (denied, limited) = inner.map_or((false, false), |inner| {
            (!inner.is_allowed(), is_limited(inner.reason()))
        });
        // Another limiter's denial says what it has to say, also if that is nothing: numbers of
        // limits that have admitted the request would only mislead.
        if !denied {
            self.write_headers(&decision, response.headers_mut());
        }
        if !limited {
            response.extensions_mut().insert(decision);
        }
    }

    /// True for a CORS-preflight request that the options do not count: the layer passes it on, and
    /// adds nothing to its response.
    #[must_use]
    pub fn passes<'r>(&self, request: impl Into<RequestHead<'r>>) -> bool {
        self.shared.current.load().passes(request.into())
    }
}

impl<S: Store> HttpLimiter<S> {
    /// Decides a request, given as a reference to it or to its parts. Never fails: each policy says
    /// what happens when the store does.
    ///
    /// A request that is admitted is charged from then on, whatever becomes of the response. A
    /// CORS-preflight request is neither counted nor denied, not even by a policy that blocks, unless
    /// the options say so.
    pub fn check<'r>(
        &self,
        request: impl Into<RequestHead<'r>>,
    ) -> impl Future<Output = Decision> + Send {
        let head = request.into();
        let current = self.shared.current.load();
        let limiter = if current.passes(head) {
            current.uncounted.clone()
        } else {
            current.policies.clone()
        };
        let undecided = limiter.matching(&current.view(head));
        async move { Arc::unwrap_or_clone(limiter.decide_later(undecided).await) }
    }

    /// Decides a request that is to be counted, if that takes no waiting.
    pub(crate) fn check_at_once(&self, head: RequestHead<'_>) -> Result<Decided, Undecided> {
        let current = self.shared.current.load();
        let decision = current.policies.decide_at_once(&current.view(head))?;
        Ok(Decided::from(decision))
    }

    /// Gives back what the request was charged by policies that count failures only, if `status`
    /// is none: call it once, when the response is known.
    ///
    /// # Errors
    ///
    /// If the store could not give back. The request stays counted until its window ends.
    pub async fn settle(&self, decision: &Decision, status: StatusCode) -> Result<(), StoreError> {
        self.policies().settle(decision, status.as_u16()).await
    }
}

impl<S> Clone for HttpLimiter<S> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<S> fmt::Debug for HttpLimiter<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let current = self.shared.current.load();
        f.debug_struct("HttpLimiter")
            .field("policies", current.policies.policies())
            .field("identity", &current.options.identity)
            .field("headers", &current.options.headers)
            .finish_non_exhaustive()
    }
}

/// The policies whose numbers may be told.
fn announced(decision: &Decision) -> impl Iterator<Item = PolicyDecision<'_>> {
    decision
        .policies()
        .filter(|policy| policy.mode() == Mode::Enforce && !policy.policy().hides_numbers())
}

/// What the single-valued fields describe: the limit that decided; if its policy hides its
/// numbers, of the others the one that is closest to exhaustion, but nothing on a denial, whose
/// numbers those are not.
fn described(decision: &Decision) -> Option<Outcome> {
    let decided_by = decision.decided_by()?;
    if !decided_by.policy().hides_numbers() {
        return decided_by.deciding().map(|(_, outcome)| *outcome);
    }
    if !decision.is_allowed() {
        return None;
    }
    let visible = announced(decision).filter_map(|policy| policy.deciding());
    let visible = visible.map(|(_, outcome)| (*outcome, true));
    Outcomes::new(decision.at()?, visible).deciding().copied()
}

/// True if limits, or their lack of a store, had a say.
const fn is_limited(reason: Reason) -> bool {
    match reason {
        Reason::NoPolicy | Reason::Unlimited | Reason::MissingKeySkipped => false,
        Reason::Allowed
        | Reason::StoreFailedAllow
        | Reason::StoreFailedLocalAllow
        | Reason::NotChecked
        | Reason::LimitExceeded
        | Reason::NeverFits
        | Reason::MissingKey
        | Reason::Blocked
        | Reason::StoreFailedDeny
        | Reason::StoreFailedLocalDeny => true,
    }
}
