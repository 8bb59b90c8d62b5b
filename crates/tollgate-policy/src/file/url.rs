//! Where a store is.

use std::fmt;

use super::invisible::visible;
use super::report::Report;
use super::secrets::masked_url;
use super::suggestion::{nearest, quoted};
use super::text::Text;

/// Which kind of store a scheme means.
const SCHEMES: [(&str, StoreKind); 16] = [
    ("memory", StoreKind::Memory),
    ("redis", StoreKind::Redis),
    ("rediss", StoreKind::Redis),
    ("valkey", StoreKind::Redis),
    ("valkeys", StoreKind::Redis),
    ("redis+unix", StoreKind::Redis),
    ("valkey+unix", StoreKind::Redis),
    ("unix", StoreKind::Redis),
    ("redis-sentinel", StoreKind::Redis),
    ("rediss-sentinel", StoreKind::Redis),
    ("valkey-sentinel", StoreKind::Redis),
    ("valkeys-sentinel", StoreKind::Redis),
    ("redis-cluster", StoreKind::Redis),
    ("rediss-cluster", StoreKind::Redis),
    ("valkey-cluster", StoreKind::Redis),
    ("valkeys-cluster", StoreKind::Redis),
];

/// The URL of a store. `Debug` and `Display` hide user, password, query and fragment.
///
/// Its scheme is one that there is; the rest is read by the crate of that store.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl {
    text: String,
    kind: StoreKind,
}

/// The kinds of stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StoreKind {
    /// The memory of the process.
    Memory,
    /// Redis or Valkey: a server, one that Sentinel watches, or a cluster.
    Redis,
}

/// True if this is the scheme of a store.
pub(super) fn is_scheme(name: &str) -> bool {
    SCHEMES.iter().any(|(known, _)| *known == name)
}

impl StoreUrl {
    /// The whole URL, **with the password**: to connect with, not to show.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Which kind of store it is.
    #[must_use]
    pub const fn kind(&self) -> StoreKind {
        self.kind
    }

    pub(super) fn read(text: &Text, report: &mut Report) -> Option<Self> {
        let value = text.value();
        let scheme_end = value.find(':').unwrap_or(value.len());
        let scheme = value.get(..scheme_end).unwrap_or("");
        let rest = value.get(scheme_end..).unwrap_or("");
        let of_scheme = text.span_of(0..scheme_end);
        let Some((_, kind)) = SCHEMES.iter().find(|(name, _)| *name == scheme) else {
            // No other text of the URL is repeated, as it may hold a password.
            let is_host = !rest.starts_with("://");
            let meant = nearest(SCHEMES.iter().map(|(name, _)| *name), scheme);
            let help = match meant {
                _ if value.starts_with('/') => {
                    "write `redis+unix://` before the path of a socket".to_owned()
                }
                Some(meant) if !is_host => format!("did you mean `{meant}://`?"),
                Some("memory") => "write `memory:`, or leave `url` out".to_owned(),
                _ if is_host => "write a scheme before it: `redis://HOST:PORT`, or `memory:` to count in memory".to_owned(),
                _ => "write `redis`, `rediss` (TLS), `redis+unix`, `redis-sentinel`, `redis-cluster` or `memory`".to_owned(),
            };
            let message = if is_host {
                "the URL of the store has no scheme".to_owned()
            } else {
                format!("{} is not the scheme of a store", quoted(scheme))
            };
            report.error(of_scheme, message).help(help);
            return None;
        };
        let place = rest.strip_prefix("://");
        let problem = match (kind, place) {
            (StoreKind::Memory, _) if matches!(rest, ":" | "://") => None,
            (StoreKind::Memory, _) if rest.is_empty() => Some((
                "the URL of the store has no `:` after its scheme",
                "write `memory:`, or leave `url` out",
            )),
            (StoreKind::Memory, _) => Some((
                "the memory of the process has no host and no path",
                "write `memory:` and nothing after it",
            )),
            (StoreKind::Redis, None) => Some((
                "the URL of the store has no `//` after its scheme",
                "write it like `redis://127.0.0.1:6379`",
            )),
            (StoreKind::Redis, Some("" | "/")) => Some((
                "the URL of the store has no host",
                "write it like `redis://127.0.0.1:6379`",
            )),
            (StoreKind::Redis, Some(place)) if place.contains(char::is_whitespace) => Some((
                "the URL of the store has a space in it",
                "remove it, or write `%20` if it belongs to the password",
            )),
            (StoreKind::Redis, Some(_)) => None,
        };
        if let Some((message, help)) = problem {
            report.error(text.span(), message).help(help);
            return None;
        }
        Some(Self {
            text: value.to_owned(),
            kind: *kind,
        })
    }
}

/// The memory of the process.
impl Default for StoreUrl {
    fn default() -> Self {
        Self {
            text: "memory:".to_owned(),
            kind: StoreKind::Memory,
        }
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&masked_url(&self.text)))
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
