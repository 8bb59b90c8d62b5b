//! The answers to what was read together.

use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use tollgate_resp::{Replies, Version};

use super::decided::Decided;
use super::tally::Tally;

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
    pub(super) tally: Tally,
    waiting: Vec<Waiting>,
    /// The answers when all have come, if some were waited for.
    ordered: Replies,
}

/// A decision that must be waited for.
pub(super) type Later = Pin<Box<dyn Future<Output = Decided> + Send>>;

struct Waiting {
    /// Where among the answers that are there its own belongs.
    at: usize,
    /// How it is to be written: the client may have chosen another way since.
    version: Version,
    state: State,
}

enum State {
    Asked(Later),
    Decided(Decided),
}

impl Batch {
    /// Answers at this place when a decision has been made. The store is asked now, so that it is
    /// asked in the order of the commands.
    pub(super) fn wait_for(&mut self, mut later: Later) {
        let mut nobody = Context::from_waker(Waker::noop());
        match later.as_mut().poll(&mut nobody) {
            Poll::Ready(decided) => {
                decided.write(&mut self.replies);
            }
            // It is polled again before anything is waited for.
            Poll::Pending => self.waiting.push(Waiting {
                at: self.replies.bytes().len(),
                version: self.replies.version(),
                state: State::Asked(later),
            }),
        }
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
        let mut waiting = mem::take(&mut self.waiting);
        poll_fn(|cx| poll_all(&mut waiting, cx)).await;
        let mut written = 0;
        for Waiting { at, version, state } in waiting {
            let between = self.replies.bytes().get(written..at);
            self.ordered.raw(between.unwrap_or_default());
            self.ordered.set_version(version);
            if let State::Decided(decided) = state {
                decided.write(&mut self.ordered);
            }
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

/// Polls in the order of the commands, so that what could not be asked at once is asked in that
/// order later. There are few, and a store answers many of them at a time.
fn poll_all(waiting: &mut [Waiting], cx: &mut Context<'_>) -> Poll<()> {
    let mut all = Poll::Ready(());
    for Waiting { state, .. } in waiting {
        if let State::Asked(later) = state {
            match later.as_mut().poll(cx) {
                Poll::Ready(decided) => *state = State::Decided(decided),
                Poll::Pending => all = Poll::Pending,
            }
        }
    }
    all
}
