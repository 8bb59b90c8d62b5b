//! What a file says beside its policies, checked.

use std::fmt;
use std::time::Duration;

use super::StoreUrl;

/// Where counts live: the table `[store]`.
///
/// Each field is what the file says, or its default.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreSettings {
    /// The store.
    pub url: StoreUrl,
    /// How long a decision may take.
    pub timeout: Duration,
    /// How many decisions may wait for the store at the same time, at least 1.
    pub max_waiting: usize,
    /// How many decisions in a row must fail until the store is not asked any more, at least 1.
    pub max_failures: u32,
    /// How many denials are remembered in the process; 0 for none.
    pub denial_cache: usize,
    /// What all keys in the store begin with.
    pub prefix: String,
    /// The secret under which secrets in keys are hashed. The file's policies hash with it already.
    pub hash_secret: Option<Secret>,
    /// How many keys the memory holds, at least 1.
    pub max_keys: usize,
    /// How many bytes of memory all sliding logs take together.
    pub max_log_bytes: usize,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self {
            url: StoreUrl::default(),
            timeout: Duration::from_millis(100),
            max_waiting: 1_024,
            max_failures: 5,
            denial_cache: 100_000,
            prefix: "tollgate".to_owned(),
            hash_secret: None,
            max_keys: 1_000_000,
            max_log_bytes: 64 << 20,
        }
    }
}

impl StoreSettings {
    /// The fields that are other ones than in `other` and that a running store cannot take on. The
    /// hash secret is none of them: it goes with the policies.
    pub(super) fn fixed_fields_unlike(&self, other: &Self) -> Vec<&'static str> {
        // Taken apart so that a new field cannot be forgotten here.
        let Self {
            url,
            timeout,
            max_waiting,
            max_failures,
            denial_cache,
            prefix,
            hash_secret: _,
            max_keys,
            max_log_bytes,
        } = self;
        [
            ("url", *url != other.url),
            ("timeout", *timeout != other.timeout),
            ("max_waiting", *max_waiting != other.max_waiting),
            ("max_failures", *max_failures != other.max_failures),
            ("denial_cache", *denial_cache != other.denial_cache),
            ("prefix", *prefix != other.prefix),
            ("max_keys", *max_keys != other.max_keys),
            ("max_log_size", *max_log_bytes != other.max_log_bytes),
        ]
        .into_iter()
        .filter_map(|(name, differs)| differs.then_some(name))
        .collect()
    }
}

/// A secret. `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub(super) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The secret itself: to use, not to show.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// What responses say: the table `[response]`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResponseSettings {
    /// Whether `RateLimit-Policy` and `RateLimit` are written.
    pub ietf: bool,
    /// What `X-RateLimit-Reset` counts in, if the `X-RateLimit` fields are written.
    pub x_ratelimit: Option<ResetUnit>,
    /// Whether pages of other origins may read the fields.
    pub expose: bool,
    /// Whether CORS preflight requests count.
    pub count_preflight: bool,
    /// The `Retry-After` of a request that is denied because the store has failed.
    pub outage_retry_after: Duration,
}

impl Default for ResponseSettings {
    fn default() -> Self {
        Self {
            ietf: true,
            x_ratelimit: Some(ResetUnit::Epoch),
            expose: false,
            count_preflight: false,
            outage_retry_after: Duration::from_secs(5),
        }
    }
}

/// What `X-RateLimit-Reset` counts in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResetUnit {
    /// Seconds since the Unix epoch.
    #[default]
    Epoch,
    /// Seconds from the decision.
    Delta,
}
