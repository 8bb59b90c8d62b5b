//! Policies: which requests are limited, for whom, by how much, and who the client is.
//!
//! ```
//! use tollgate::MemoryStore;
//! use tollgate_policy::{AttributeMap, AttributeName, Policy, PolicyLimiter, PolicySet};
//!
//! let auth = Policy::builder("auth").path("/auth/**").key("client.ip").limit("10/min".parse()?);
//! let limiter = PolicyLimiter::new(PolicySet::new([auth.build()?])?, MemoryStore::default());
//! let login = AttributeMap::new()
//!     .with(AttributeName::Path, "/auth/login")
//!     .with_client_ip("198.51.100.7".parse()?);
//! for _ in 0..10 {
//!     assert!(limiter.decide_now(&login).is_allowed());
//! }
//! assert!(!limiter.decide_now(&login).is_allowed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Use it to limit requests of a protocol of your own, as [`Attributes`]. For HTTP there is
//! `tollgate-http`; to count without policies, the `Limiter` of `tollgate` is enough.
//!
//! # Ideas
//!
//! * A request is a set of named facts ([`Attributes`]). Nothing here knows a protocol.
//! * A [`Policy`] says which requests it matches, by what [key](KeyPart) it counts them, and its
//!   limits. A request must satisfy every policy that matches it; all of their charges are decided
//!   by the store in one atomic step, and spent together or not at all.
//! * A [`Decision`] says what was decided, by which limit of which policy, and why ([`Reason`]).
//! * [`ClientIdentity`] finds the client's address: from trusted proxies only.
//!
//! # Guarantees
//!
//! * Two requests share a key exactly if the attributes of their keys agree in name and value
//!   (addresses: in the network). Keys are printable ASCII of bounded length, and hold secrets
//!   only as a keyed hash.
//! * No spelling of a path evades a policy: paths are compared as a router takes them that resolves
//!   dot segments and merges slashes, as one that does neither, and as lenient ones do
//!   ([`normalize_path`]).
//! * No address, no user, no value: a missing key, never an empty one that strangers share.
//! * A denial by one policy spends nothing of any other, and a failing store never denies unless
//!   the policy says so.
//!
//! # Features
//!
//! * `metrics`: decisions are counted, through the facade of that name.
//! * `tracing`: denials are told, at most one a second for each policy after the first ten.
//! * `file` reads policies and their settings from a TOML file: the module `file`. It brings a parser
//!   of TOML.

mod attribute;
mod client_identity;
mod condition;
mod decision;
#[cfg(feature = "file")]
pub mod file;
mod key;
mod limiter;
mod network;
mod observe;
mod path;
mod policy;
mod secret_names;
mod set;

pub use attribute::{
    AttributeMap, AttributeName, Attributes, ParseAttributeNameError, query_value,
};
pub use client_identity::{
    AddressSource, ClientAddress, ClientIdentity, ClientIdentityBuilder, ClientIdentityError,
    ForwardingHeader, NoAddress, WhenHeaderMissing,
};
pub use condition::{Patterns, When};
pub use decision::{Decision, Decisions, PolicyDecision, Reason, Undecided, UndecidedTogether};
pub use key::KeyPart;
pub use limiter::{PolicyLimiter, Question, ResetError, ResetErrorKind};
pub use network::{IpNetwork, ParseNetworkError};
#[cfg(feature = "metrics")]
pub use observe::describe_metrics;
pub use path::normalize_path;
pub use policy::{
    Allowance, Cost, Count, LocalShare, LocalShareError, Mismatch, MissingKey, Mode,
    OnStoreFailure, Policy, PolicyBuilder, PolicyError, PolicyErrorKind, PolicyWarning, Statuses,
};
pub use set::PolicySet;

/// The examples of the guides are compiled.
#[cfg(all(doctest, feature = "file"))]
mod guides {
    #[doc = include_str!("../../../docs/policy-file.md")]
    struct PolicyFile;
    #[doc = include_str!("../../../docs/features.md")]
    struct Features;
}
