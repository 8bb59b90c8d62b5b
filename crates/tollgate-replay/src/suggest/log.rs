//! The first time through the log: from when to when it is, and its paths.

use tollgate::Micros;
use tollgate_policy::{AttributeName, Attributes, normalize_path};

use super::group::READS;
use super::tree::Tree;
use crate::engine::{Few, Proxies};
use crate::{Request, Requests};

/// Nothing is known of hours from a log that covers less.
const SHORTEST: Micros = Micros::from_secs(3 * 3_600);
/// So much of a silence counts as covered: one request that came days later, or whose time is wrong,
/// does not make a log of an hour one of days.
const COVERED: Micros = Micros::from_secs(3_600);

/// What is found the first time.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) requests: u64,
    pub(super) answered_429: u64,
    pub(super) from: Option<u64>,
    pub(super) to: Option<u64>,
    /// How much time it covers, in microseconds.
    covered: u64,
    /// True if there are requests that are not in the tree.
    pub(super) has_others: bool,
    pub(super) tree: Tree,
    proxies: Proxies,
}

impl Log {
    pub(super) fn read<R: Requests>(requests: &mut R) -> Result<Self, R::Error> {
        let mut log = Self::default();
        requests.for_each(&mut |request: &Request| log.add(request))?;
        Ok(log)
    }

    fn add(&mut self, request: &Request) {
        let at = request.at.as_micros();
        self.requests += 1;
        self.answered_429 += u64::from(request.status == Some(429));
        self.proxies.see(request.client());
        self.from.get_or_insert(at);
        let silence = at.saturating_sub(self.to.unwrap_or(at));
        self.covered += silence.min(COVERED.as_micros());
        self.to = Some(at);
        // There is no such path, so that it tells nothing of the paths that there are.
        if matches!(request.status, Some(400 | 404 | 405)) {
            self.has_others = true;
            return;
        }
        let path = request.attribute(&AttributeName::Path);
        self.has_others |= path.is_none();
        if let Some(path) = path {
            let method = request.attribute(&AttributeName::Method);
            let is_read = method.is_some_and(|method| READS.contains(&&*method));
            self.tree.add(&normalize_path(&path), is_read);
        }
    }

    /// A few addresses that sent so much that they are hardly clients.
    pub(super) fn few(&mut self) -> Option<Few> {
        self.proxies.few()
    }

    /// True if limits an hour cannot be derived from it.
    pub(super) const fn is_short(&self) -> bool {
        self.covered < SHORTEST.as_micros()
    }
}
