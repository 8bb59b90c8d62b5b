//! The answers to what was read together.

use std::pin::Pin;

use futures_util::future::join_all;
use tollgate_resp::{Replies, Version};

use super::decided::Decided;

/// How much room for answers a connection keeps.
const KEPT: usize = 16 << 10;
/// From how many bytes of answers on they are written before more is asked.
const MAX_BYTES: usize = 64 << 10;
/// How many decisions of a connection are waited for at the same time.
const MAX_WAITING: usize = 256;

/// Answers in the order of their commands. Those that must be waited for have a place in it: they
/// are asked for at the same time, and all of them before anything is written.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) replies: Replies,
    waiting: Vec<Waiting>,
    /// The answers when all have come, if some were waited for.
    ordered: Replies,
}

/// A decision that must be waited for.
pub(super) type Later = Pin<Box<dyn Future<Output = Decided> + Send>>;

struct Waiting {
    /// Where among the answers that are there its own belongs.
    at: usize,
    version: Version,
    later: Later,
}

impl Batch {
    /// Answers at this place when a decision has been made.
    pub(super) fn wait_for(&mut self, later: Later) {
        self.waiting.push(Waiting {
            at: self.replies.bytes().len(),
            version: self.replies.version(),
            later,
        });
    }

    /// True if it is to be written before more is asked.
    pub(super) fn is_full(&self) -> bool {
        self.replies.bytes().len() >= MAX_BYTES || self.waiting.len() >= MAX_WAITING
    }

    /// All answers, when all have come.
    pub(super) async fn answers(&mut self) -> &[u8] {
        if self.waiting.is_empty() {
            return self.replies.bytes();
        }
        let (places, decisions): (Vec<_>, Vec<_>) = self
            .waiting
            .drain(..)
            .map(|waiting| ((waiting.at, waiting.version), waiting.later))
            .unzip();
        let mut written = 0;
        for ((at, version), decided) in places.into_iter().zip(join_all(decisions).await) {
            let between = self.replies.bytes().get(written..at);
            self.ordered.raw(between.unwrap_or_default());
            self.ordered.set_version(version);
            decided.write(&mut self.ordered);
            written = at;
        }
        let rest = self.replies.bytes().get(written..);
        self.ordered.raw(rest.unwrap_or_default());
        self.ordered.bytes()
    }

    /// Forgets answers that were written.
    pub(super) fn clear(&mut self) {
        self.replies.clear(KEPT);
        self.ordered.clear(KEPT);
    }
}
