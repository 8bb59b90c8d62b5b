//! Memory for what requests keep until they have ended.
//!
//! On a connection of HTTP/2 many requests are under way at a time, each of which can be kept from
//! ending: its message does not arrive, or its answer is not taken. So what each keeps is counted:
//!
//! * what a connection needs in ordinary use is its own ([`OF_CONNECTION`]), whatever others do;
//! * what is beyond that is of the surface's [`Memory`], which all of its connections share;
//! * no connection has more of it than [`MOST_OF_CONNECTION`].
//!
//! Who finds none left is refused, as with too many requests; nothing waits for memory. What has been
//! decided is answered in any case, since it was charged: such an answer may take more than there is,
//! and until that is paid back nothing new is begun with it.

mod arriving;
mod kept;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;
use http::HeaderMap;

pub(crate) use arriving::{Arriving, is_left};
pub(crate) use kept::Kept;

/// What each connection has of its own, in bytes: enough for 16 ordinary requests at a time.
pub(crate) const OF_CONNECTION: usize = 64 << 10;
/// The most that one connection has, in bytes: a few of the longest messages.
pub(crate) const MOST_OF_CONNECTION: usize = 4 << 20;
/// What a request needs beside its fields: its place on the connection, its task, and its answer.
const REQUEST: usize = 2 << 10;
/// What a field of a head needs beside its bytes.
const FIELD: usize = 128;
/// What a message needs that does not come at once. A few of its bytes can hold the whole piece of
/// memory that they were read into.
pub(crate) const UNFINISHED: usize = 8 << 10;

/// The memory of a surface.
#[derive(Debug)]
pub(crate) struct Memory {
    /// Below zero as long as answers have taken more than there was.
    left: AtomicIsize,
}

impl Memory {
    /// So many bytes for all connections together, beside what each has of its own.
    pub(crate) fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Self {
            left: AtomicIsize::new(signed(bytes)),
        })
    }

    /// For a connection that has just begun.
    pub(crate) fn portion(self: &Arc<Self>) -> Portion {
        Portion(Arc::new(OfConnection {
            memory: Arc::clone(self),
            used: AtomicUsize::new(0),
            idle: AtomicWaker::new(),
        }))
    }

    fn take(&self, bytes: usize) -> bool {
        let left = |left: isize| (left >= signed(bytes)).then(|| left - signed(bytes));
        bytes == 0
            || self
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left)
                .is_ok()
    }

    fn give_back(&self, bytes: usize) {
        if bytes > 0 {
            self.left.fetch_add(signed(bytes), Ordering::Relaxed);
        }
    }
}

/// No memory has more bytes than this can hold.
fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).unwrap_or(isize::MAX)
}

/// There is no memory left for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "requests that have not ended take all memory that there is for them; try again in a second"
)]
pub(crate) struct Exhausted;

impl Exhausted {
    /// True for it, and for what was caused by it.
    pub(crate) fn is_cause_of(error: &(dyn std::error::Error + 'static)) -> bool {
        std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<Self>())
    }
}

/// What one connection has of a surface's memory. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Portion(Arc<OfConnection>);

#[derive(Debug)]
struct OfConnection {
    memory: Arc<Memory>,
    used: AtomicUsize,
    /// Whom to wake when nothing is used any more.
    idle: AtomicWaker,
}

impl Portion {
    /// Ready if no request is under way.
    pub(crate) fn poll_idle(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.idle.register(cx.waker());
        match self.0.used.load(Ordering::Acquire) {
            0 => Poll::Ready(()),
            _ => Poll::Pending,
        }
    }

    /// Takes what a request with this head needs.
    ///
    /// # Errors
    ///
    /// There is none left.
    pub(crate) fn hold(&self, head: &HeaderMap) -> Result<Arc<Held>, Exhausted> {
        let bytes = head
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len() + FIELD);
        let bytes = REQUEST + bytes.sum::<usize>();
        self.0.take(bytes)?;
        Ok(Arc::new(Held {
            portion: self.clone(),
            bytes: AtomicUsize::new(bytes),
            was_refused: AtomicBool::new(false),
            is_unread: AtomicBool::new(false),
        }))
    }
}

impl OfConnection {
    fn take(&self, bytes: usize) -> Result<(), Exhausted> {
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let then = used.saturating_add(bytes);
            let more = beyond(then) - beyond(used);
            if then > MOST_OF_CONNECTION || !self.memory.take(more) {
                return Err(Exhausted);
            }
            match self
                .used
                .compare_exchange_weak(used, then, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return Ok(()),
                Err(changed) => {
                    self.memory.give_back(more);
                    used = changed;
                }
            }
        }
    }

    fn take_anyway(&self, bytes: usize) {
        let used = self.used.fetch_add(bytes, Ordering::Relaxed);
        let more = beyond(used.saturating_add(bytes)) - beyond(used);
        self.memory.left.fetch_sub(signed(more), Ordering::Relaxed);
    }

    fn give_back(&self, bytes: usize) {
        let used = self.used.fetch_sub(bytes, Ordering::Release);
        let then = used.saturating_sub(bytes);
        self.memory.give_back(beyond(used) - beyond(then));
        if then == 0 {
            self.idle.wake();
        }
    }
}

/// What of a connection's bytes is not of its own.
const fn beyond(used: usize) -> usize {
    used.saturating_sub(OF_CONNECTION)
}

/// What one request keeps, until this is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    portion: Portion,
    bytes: AtomicUsize,
    was_refused: AtomicBool,
    is_unread: AtomicBool,
}

impl Held {
    /// Takes more.
    ///
    /// # Errors
    ///
    /// There is none left. What it has it keeps.
    pub(crate) fn grow(&self, bytes: usize) -> Result<(), Exhausted> {
        let taken = self.portion.0.take(bytes);
        match taken {
            Ok(()) => _ = self.bytes.fetch_add(bytes, Ordering::Relaxed),
            Err(_) => self.was_refused.store(true, Ordering::Relaxed),
        }
        taken
    }

    /// Takes more for an answer, whether or not there is any left.
    pub(crate) fn answer(&self, bytes: usize) {
        self.portion.0.take_anyway(bytes);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Gives back some of it.
    pub(crate) fn shrink(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.portion.0.give_back(bytes);
    }

    /// Its body is dropped before it has ended, and with it the connection.
    fn leave_unread(&self) {
        self.is_unread.store(true, Ordering::Relaxed);
    }

    /// True if its body was not read, and the connection ends for that.
    pub(crate) fn is_unread(&self) -> bool {
        self.is_unread.load(Ordering::Relaxed)
    }

    /// True if there was no memory for it once.
    pub(crate) fn was_refused(&self) -> bool {
        self.was_refused.load(Ordering::Relaxed)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.portion.0.give_back(*self.bytes.get_mut());
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn left(memory: &Memory) -> isize {
        memory.left.load(Ordering::Relaxed)
    }

    fn head() -> HeaderMap {
        HeaderMap::new()
    }

    #[test]
    fn what_was_held_is_given_back() {
        let memory = Memory::new(1 << 20);
        let portion = memory.portion();
        let held = portion.hold(&head()).unwrap();
        assert_eq!(left(&memory), 1 << 20, "it is of the connection's own");
        held.grow(OF_CONNECTION).unwrap();
        assert_eq!(left(&memory), (1 << 20) - signed(REQUEST));
        let other = portion.hold(&head()).unwrap();
        drop(held);
        assert_eq!(left(&memory), 1 << 20);
        drop(other);
        assert_eq!(portion.0.used.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_connection_has_what_is_its_own_whatever_others_take() {
        let memory = Memory::new(1_000);
        let greedy = memory.portion().hold(&head()).unwrap();
        greedy.grow(OF_CONNECTION - REQUEST + 1_000).unwrap();
        assert_eq!(greedy.grow(1), Err(Exhausted));
        let other = memory.portion().hold(&head()).unwrap();
        assert_eq!(other.grow(OF_CONNECTION), Err(Exhausted));
        other.grow(OF_CONNECTION - REQUEST).unwrap();
        // What was refused was not taken, either.
        drop(greedy);
        assert_eq!(left(&memory), 1_000);
    }

    #[test]
    fn no_connection_has_all() {
        let memory = Memory::new(usize::MAX >> 1);
        let portion = memory.portion();
        let held = portion.hold(&head()).unwrap();
        held.grow(MOST_OF_CONNECTION - REQUEST).unwrap();
        assert_eq!(held.grow(1), Err(Exhausted));
        assert_eq!(portion.hold(&head()).unwrap_err(), Exhausted);
        assert!(memory.portion().hold(&head()).is_ok());
    }

    #[test]
    fn a_head_costs_what_its_fields_are_and_something_for_each() {
        let memory = Memory::new(0);
        let portion = memory.portion();
        let mut head = head();
        head.insert("x-a", HeaderValue::from_static("four"));
        let _held = portion.hold(&head).unwrap();
        let used = portion.0.used.load(Ordering::Relaxed);
        assert_eq!(used, REQUEST + 3 + 4 + FIELD);
    }

    #[test]
    fn an_answer_takes_what_is_not_there_and_nothing_begins_until_it_is_given_back() {
        let memory = Memory::new(1_000);
        let portion = memory.portion();
        let held = portion.hold(&head()).unwrap();
        held.answer(MOST_OF_CONNECTION);
        assert!(left(&memory) < 0);
        assert_eq!(portion.hold(&head()).unwrap_err(), Exhausted);
        // What is another connection's own is not touched.
        let other = memory.portion().hold(&head()).unwrap();
        assert_eq!(other.grow(OF_CONNECTION), Err(Exhausted));
        drop((held, other));
        assert_eq!(left(&memory), 1_000);
        assert!(portion.hold(&head()).is_ok());
    }

    #[test]
    fn threads_leave_as_much_as_there_was() {
        let memory = Memory::new(100_000);
        let portion = memory.portion();
        std::thread::scope(|scope| {
            for thread in 1..=4 {
                let portion = &portion;
                scope.spawn(move || {
                    for round in 0..10_000 {
                        if let Ok(held) = portion.hold(&HeaderMap::new()) {
                            let _ = held.grow(thread * round * 7 % 90_000);
                        }
                    }
                });
            }
        });
        assert_eq!(left(&memory), 100_000);
        assert_eq!(portion.0.used.load(Ordering::Relaxed), 0);
    }
}
