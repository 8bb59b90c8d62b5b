//! Whether the store is asked.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

/// Closed: the store is asked. Open: it is not.
///
/// One word holds the generation, which each change of state moves on (closed if even, open if
/// odd), and the failures in a row of this generation. A call carries the generation in which it was
/// made, and what becomes of it later is of no account in another one: calls that hung when the
/// breaker opened cannot open it again once it has closed.
#[derive(Debug)]
pub(super) struct Breaker {
    word: AtomicU64,
    /// How many calls were answered, in any generation: it tells whether the store was silent.
    answers: AtomicU64,
    threshold: NonZeroU32,
}

/// What a call remembers of the instant at which it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    generation: Generation,
    answers: u64,
}

/// Counts changes of state. It wraps: nothing waits through four billion of them.
pub(super) type Generation = u32;

/// Why the breaker is to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// Nothing was answered since a call that has timed out was made.
    Silence,
    /// So many calls in a row have failed.
    Failures(u32),
}

impl Breaker {
    pub(super) const fn new(threshold: NonZeroU32) -> Self {
        Self {
            word: AtomicU64::new(0),
            answers: AtomicU64::new(0),
            threshold,
        }
    }

    /// Notes that a call is about to be made; `None` if it must not be.
    #[inline]
    pub(super) fn ask(&self) -> Option<Asked> {
        let generation = generation(self.word.load(Ordering::Acquire));
        (!is_open(generation)).then(|| Asked {
            generation,
            answers: self.answers.load(Ordering::Relaxed),
        })
    }

    /// Notes that a call was answered.
    #[inline]
    pub(super) fn answered(&self, asked: Asked) {
        self.answers.fetch_add(1, Ordering::Relaxed);
        if failures(self.word.load(Ordering::Relaxed)) > 0 {
            self.end_row(asked.generation);
        }
    }

    #[cold]
    fn end_row(&self, of: Generation) {
        let _ = self.change(of, |_| word(of, 0));
    }

    /// Notes that a call has failed, and says why the breaker is to be opened, if it is.
    pub(super) fn failed(&self, asked: Asked, timed_out: bool) -> Option<Cause> {
        let of = asked.generation;
        let row = self.change(of, |failures| word(of, failures.saturating_add(1)))?;
        let row = row.saturating_add(1);
        if timed_out && self.answers.load(Ordering::Relaxed) == asked.answers {
            return Some(Cause::Silence);
        }
        (row >= self.threshold.get()).then_some(Cause::Failures(row))
    }

    /// Opens it; false if it is not in the generation of the call any more.
    pub(super) fn open(&self, asked: Asked) -> bool {
        let of = asked.generation;
        self.change(of, |_| word(of.wrapping_add(1), 0)).is_some()
    }

    /// The generation, if it is open.
    pub(super) fn open_generation(&self) -> Option<Generation> {
        let generation = generation(self.word.load(Ordering::SeqCst));
        is_open(generation).then_some(generation)
    }

    /// Closes it because a probe was answered; false if it is not in that generation any more.
    pub(super) fn close(&self, of: Generation) -> bool {
        self.answers.fetch_add(1, Ordering::Relaxed);
        self.change(of, |_| word(of.wrapping_add(1), 0)).is_some()
    }

    /// Changes the word if it is of a generation, and tells how many failures there were.
    fn change(&self, of: Generation, to: impl Fn(u32) -> u64) -> Option<u32> {
        let changed = self
            .word
            .fetch_update(Ordering::SeqCst, Ordering::Acquire, |old| {
                (generation(old) == of).then(|| to(failures(old)))
            });
        changed.ok().map(failures)
    }
}

const fn is_open(generation: Generation) -> bool {
    generation % 2 == 1
}

fn word(generation: Generation, failures: u32) -> u64 {
    u64::from(generation) << 32 | u64::from(failures)
}

const fn generation(word: u64) -> Generation {
    (word >> 32) as u32
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn failures(word: u64) -> u32 {
    word as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker(threshold: u32) -> Breaker {
        Breaker::new(NonZeroU32::new(threshold).unwrap())
    }

    #[test]
    fn a_timeout_opens_if_nothing_was_answered_since_it_was_asked() {
        let breaker = breaker(5);
        let asked = breaker.ask().unwrap();
        assert_eq!(breaker.failed(asked, true), Some(Cause::Silence));
        let (early, other) = (breaker.ask().unwrap(), breaker.ask().unwrap());
        breaker.answered(other);
        assert_eq!(breaker.failed(early, true), None);
    }

    #[test]
    fn failures_in_a_row_open_and_an_answer_ends_the_row() {
        let breaker = breaker(3);
        let fail = || breaker.failed(breaker.ask().unwrap(), false);
        assert_eq!((fail(), fail()), (None, None));
        breaker.answered(breaker.ask().unwrap());
        assert_eq!((fail(), fail()), (None, None));
        assert_eq!(fail(), Some(Cause::Failures(3)));
    }

    #[test]
    fn calls_of_an_earlier_generation_are_of_no_account() {
        let breaker = breaker(1);
        let (first, hung) = (breaker.ask().unwrap(), breaker.ask().unwrap());
        assert!(breaker.failed(first, true).is_some() && breaker.open(first));
        assert!(breaker.ask().is_none());
        assert_eq!(breaker.failed(hung, true), None);
        assert!(!breaker.open(hung));
        let opened = breaker.open_generation().unwrap();
        assert!(breaker.close(opened) && !breaker.close(opened));
        // It hung since before, and fails only now.
        assert_eq!(breaker.failed(hung, true), None);
        assert!(!breaker.open(hung) && breaker.ask().is_some());
    }

    #[test]
    fn a_late_answer_of_an_earlier_generation_ends_no_row() {
        let breaker = breaker(2);
        let (first, hung) = (breaker.ask().unwrap(), breaker.ask().unwrap());
        assert!(breaker.open(first) && breaker.close(breaker.open_generation().unwrap()));
        assert_eq!(breaker.failed(breaker.ask().unwrap(), false), None);
        breaker.answered(hung);
        let second = breaker.failed(breaker.ask().unwrap(), false);
        assert_eq!(second, Some(Cause::Failures(2)));
    }

    #[test]
    fn threads_open_and_close_it_by_turns() {
        let breaker = breaker(2);
        let (opened, closed) = (AtomicU64::new(0), AtomicU64::new(0));
        let changes = |asked: Asked| {
            // Both see the same generation, and one of them changes it.
            opened.fetch_add(u64::from(breaker.open(asked)), Ordering::SeqCst);
            if let Some(generation) = breaker.open_generation() {
                closed.fetch_add(u64::from(breaker.close(generation)), Ordering::SeqCst);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for number in 0..20_000 {
                        let Some(asked) = breaker.ask() else { continue };
                        if number % 3 == 0 {
                            breaker.answered(asked);
                        } else if breaker.failed(asked, false).is_some() {
                            changes(asked);
                        }
                    }
                });
            }
        });
        let is_open = u64::from(breaker.open_generation().is_some());
        let (opened, closed) = (opened.into_inner(), closed.into_inner());
        assert!(opened > 0);
        assert_eq!(opened, closed + is_open);
        let changes = u64::from(generation(breaker.word.into_inner()));
        assert_eq!(opened + closed, changes);
    }
}
