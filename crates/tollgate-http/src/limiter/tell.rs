//! What a response says about decisions, for whoever has no map to put it in.

use http::header::{CACHE_CONTROL, HeaderName};
use tollgate_policy::Decision;

use super::{HttpLimiter, announced, described};
use crate::announcements::Limits;
use crate::fields::told;

impl<S> HttpLimiter<S> {
    /// Tells the fields that [`write_headers_together`](Self::write_headers_together) writes into an
    /// empty map, in the same order, one after another: for protocols that send them as texts.
    pub fn tell_headers_together<'d>(
        &self,
        decision: &Decision,
        all: impl IntoIterator<Item = &'d Decision>,
        mut tell: impl FnMut(&str, &str),
    ) {
        let mut tell = |name: HeaderName, value: &str| tell(name.as_str(), value);
        let current = self.shared.current.load();
        let options = &current.options;
        if !decision.is_allowed() {
            if let Some(wait) = self.denial(decision).retry_after() {
                told::retry_after(wait, &mut tell);
            }
            tell(CACHE_CONTROL, "no-store");
        }
        if options.headers.writes_ietf() {
            let mut limits = Limits::new();
            for policy in all.into_iter().flat_map(announced) {
                current.announcements.collect(&policy, &mut limits);
            }
            told::ietf(&limits, &mut tell);
        }
        if let Some(reset) = options.headers.x_ratelimit_reset()
            && let Some(outcome) = described(decision)
        {
            told::x_ratelimit(reset, &outcome, &mut tell);
        }
        if options.expose_headers {
            told::exposed(options.headers, &mut tell);
        }
    }
}
