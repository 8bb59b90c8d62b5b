//! Which rate-limit fields go on responses.

/// Which rate-limit fields go on every limited response, allowed or denied.
///
/// The default is [`Headers::ietf`] and, for the clients of today,
/// [`x_ratelimit`](Headers::x_ratelimit) with [`Reset::Epoch`]. `Retry-After` and `Cache-Control`
/// of a denial are not affected: they are part of the answer.
///
/// ```
/// use tollgate_http::{Headers, Reset};
///
/// let both = Headers::none().ietf().x_ratelimit(Reset::Delta);
/// assert_ne!(both, Headers::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "options do nothing until a limiter is built with them"]
pub struct Headers {
    ietf: bool,
    x_ratelimit: Option<Reset>,
}

/// What `X-RateLimit-Reset` counts in: whole seconds either way, rounded up.
///
/// No standard defines that field, and servers differ; clients that guess take a number above
/// 10^9 for an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reset {
    /// Seconds since the Unix epoch, by the store's clock.
    Epoch,
    /// Seconds from the decision.
    Delta,
}

impl Headers {
    /// No rate-limit fields.
    pub const fn none() -> Self {
        Self {
            ietf: false,
            x_ratelimit: None,
        }
    }

    /// Adds `RateLimit-Policy` and `RateLimit`, lists of every limit that applied
    /// (draft-ietf-httpapi-ratelimit-headers).
    pub const fn ietf(mut self) -> Self {
        self.ietf = true;
        self
    }

    /// Adds `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, which describe
    /// the one limit that decided, or else the one closest to exhaustion.
    pub const fn x_ratelimit(mut self, reset: Reset) -> Self {
        self.x_ratelimit = Some(reset);
        self
    }

    /// True if the fields of the IETF draft are written.
    #[must_use]
    pub const fn writes_ietf(&self) -> bool {
        self.ietf
    }

    /// What the reset of the `X-RateLimit` fields counts in, if they are written.
    #[must_use]
    pub const fn x_ratelimit_reset(&self) -> Option<Reset> {
        self.x_ratelimit
    }
}

impl Default for Headers {
    fn default() -> Self {
        Self::none().ietf().x_ratelimit(Reset::Epoch)
    }
}
