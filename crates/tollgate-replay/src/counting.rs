//! What each key does, counted in a thread of its own: its denials, its peaks, and what other numbers
//! would have done.

mod curve;
mod event;
mod factors;
mod room;
mod states;

pub(crate) use event::Event;

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use curve::Curve;
use room::Room;
use tollgate::{Limit, Micros};
use tollgate_policy::{Mode, Policy, PolicySet};

use crate::report;
use crate::tally::{Keys, shortest};

/// Events that are sent together.
const TOGETHER: usize = 4_096;
/// How many times as many may wait.
const WAITING: usize = 8;
/// Events whose keys are fetched from memory side by side.
const SIDE_BY_SIDE: usize = 64;
/// What the curves of all policies may take, together.
const MAX_BYTES: usize = 160 << 20;

/// Sends events to the thread that counts them.
#[derive(Debug)]
pub(crate) struct Counting {
    events: Events,
    sender: SyncSender<Events>,
    /// Lists that were counted, to be filled again.
    empty: Receiver<Events>,
    thread: JoinHandle<Counted>,
}

/// What keys did. Of each policy.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) keys: Vec<Keys>,
    /// `None` for those that limit nothing.
    pub(crate) curves: Vec<Option<report::Curve>>,
}

/// Requests that are counted by a key, and the texts of the keys that are denied: nobody asks for the
/// others.
#[derive(Debug, Default)]
struct Events {
    /// Each with the end of its key's text.
    all: Vec<(Event, usize)>,
    texts: String,
}

impl Counting {
    /// Begins to count: no more keys than `max_keys` one by one, and with other numbers only if that is
    /// wanted.
    pub(crate) fn begin(policies: &PolicySet, max_keys: usize, what_if: bool) -> Self {
        let policies = policies.policies();
        let on = |policy: &&Policy| policy.mode() != Mode::Off;
        let curve = |policy| {
            Some(policy)
                .filter(on)
                .filter(|_| what_if)
                .and_then(Curve::new)
        };
        let window = |policy| shortest(policy).map_or(Micros::SECOND, Limit::period);
        let mut counts = Counts {
            keys: policies
                .iter()
                .map(|policy| Keys::new(window(policy)))
                .collect(),
            curves: policies.iter().map(curve).collect(),
            room: Room::new(max_keys, policies.len(), policies.iter().filter(on).count()),
        };
        let (sender, receiver) = sync_channel::<Events>(WAITING);
        let (used, empty) = sync_channel(WAITING);
        let thread = thread::spawn(move || {
            for mut events in receiver {
                let mut texts = Texts::new(&events.texts);
                for some in events.all.chunks(SIDE_BY_SIDE) {
                    counts.count(some, &mut texts);
                }
                counts.keep_bounds();
                events.all.clear();
                events.texts.clear();
                // Nobody needs it if it does not fit.
                let _ = used.try_send(events);
            }
            counts.finish()
        });
        Self {
            events: Events::default(),
            sender,
            empty,
            thread,
        }
    }

    /// Counts a request by its key.
    #[inline]
    pub(crate) fn push(&mut self, event: Event, key: &str) {
        let is_denied = event.seen.denied.is_some();
        self.events.texts.push_str(if is_denied { key } else { "" });
        self.events.all.push((event, self.events.texts.len()));
        if self.events.all.len() >= TOGETHER {
            self.send();
        }
    }

    fn send(&mut self) {
        let next = self.empty.try_recv().unwrap_or_default();
        let events = std::mem::replace(&mut self.events, next);
        // The thread ends only when this is dropped, unless it has panicked: `finish` tells.
        let _ = self.sender.send(events);
    }

    /// Ends, and gives what was counted.
    pub(crate) fn finish(mut self) -> Counted {
        self.send();
        drop(self.sender);
        self.thread
            .join()
            .unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// Texts that stand one after the other.
struct Texts<'t> {
    all: &'t str,
    start: usize,
}

impl<'t> Texts<'t> {
    const fn new(all: &'t str) -> Self {
        Self { all, start: 0 }
    }

    /// The next one, by its end.
    #[inline]
    fn up_to(&mut self, end: usize) -> &'t str {
        let text = self.all.get(self.start..end).unwrap_or_default();
        self.start = end;
        text
    }
}

/// What the thread has.
struct Counts {
    keys: Vec<Keys>,
    curves: Vec<Option<Curve>>,
    room: Room,
}

impl Counts {
    /// Counts events. Their keys lie all over the memory, so that nearly each of them has to be waited
    /// for: all are looked at first, one independently of the other, which the processor does side by
    /// side.
    fn count(&mut self, events: &[(Event, usize)], texts: &mut Texts<'_>) {
        let mut touched = 0;
        for itself in [false, true] {
            for (event, _) in events {
                let policy = usize::from(event.policy);
                if let Some(keys) = self.keys.get(policy) {
                    touched ^= keys.touch(event.seen.hash, itself);
                }
                if let Some(Some(curve)) = self.curves.get(policy) {
                    touched ^= curve.touch(event, itself);
                }
            }
        }
        std::hint::black_box(touched);
        for (event, end) in events {
            let policy = usize::from(event.policy);
            let text = texts.up_to(*end);
            if let Some(keys) = self.keys.get_mut(policy) {
                keys.see(&event.seen, text, || self.room.take(policy));
            }
            if let Some(Some(curve)) = self.curves.get_mut(policy) {
                curve.decide(event);
            }
        }
    }

    /// Lets the curve that takes the most memory be one of fewer keys, as long as all take too much.
    fn keep_bounds(&mut self) {
        loop {
            let bytes: usize = self.curves.iter().flatten().map(Curve::bytes).sum();
            if bytes <= MAX_BYTES {
                return;
            }
            let curves = self.curves.iter_mut().flatten();
            let largest = curves.max_by_key(|curve| curve.bytes());
            let Some(largest) = largest.filter(|largest| largest.bytes() > 0) else {
                return;
            };
            largest.halve();
        }
    }

    fn finish(self) -> Counted {
        let curves = self.curves.iter();
        Counted {
            curves: curves.map(|curve| Some(curve.as_ref()?.report())).collect(),
            keys: self.keys,
        }
    }
}
