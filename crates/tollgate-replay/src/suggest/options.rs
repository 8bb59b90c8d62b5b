//! What to suggest.

use crate::Share;

/// So many clients are looked at, unless said otherwise.
const CLIENTS: usize = 300_000;

/// What to suggest limits for, and how many clients they may deny.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "options do nothing by themselves"]
pub struct Options {
    pub(super) key: Vec<String>,
    pub(super) groups: Vec<String>,
    pub(super) deny_at_most: Share,
    pub(super) max_clients: usize,
    pub(super) trusted_proxies: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            key: Vec::new(),
            groups: Vec::new(),
            deny_at_most: Share::PER_MILLE,
            max_clients: CLIENTS,
            trusted_proxies: Vec::new(),
        }
    }
}

impl Options {
    /// Limits by client address for groups that are found in the log, each of which would have
    /// denied at most one in a thousand clients.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part to the key by which requests are counted, as policies have it: `user`, or
    /// `user or client.ip`. Without any, it is `client.ip`.
    pub fn key(mut self, part: &str) -> Self {
        self.key.push(part.to_owned());
        self
    }

    /// Adds a group: the requests whose path a pattern matches. Without any, groups are found.
    pub fn group(mut self, path: &str) -> Self {
        self.groups.push(path.to_owned());
        self
    }

    /// The share of its clients that each policy may deny. The default is 0.1 %.
    pub const fn deny_at_most(mut self, share: Share) -> Self {
        self.deny_at_most = share;
        self
    }

    /// So many clients are looked at, counted once for each group; of more, a part that is chosen by
    /// chance. One takes up to a kilobyte. The default is 300 000.
    pub const fn max_clients(mut self, clients: usize) -> Self {
        self.max_clients = clients;
        self
    }

    /// A network of trusted proxies, which the written file is to have. Requests know their clients
    /// already.
    pub fn trusted_proxy(mut self, network: &str) -> Self {
        self.trusted_proxies.push(network.to_owned());
        self
    }

    /// The parts of the key.
    pub(super) fn parts(&self) -> Vec<String> {
        if self.key.is_empty() {
            vec!["client.ip".to_owned()]
        } else {
            self.key.clone()
        }
    }
}
