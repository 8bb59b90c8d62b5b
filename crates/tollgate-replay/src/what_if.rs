//! What other numbers would have done: the same requests, decided again in a thread of its own.

mod curve;
mod event;
mod factors;
mod states;

pub(crate) use event::Event;

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use curve::Curve;
use tollgate_policy::{Mode, Policy, PolicySet};

use crate::report;

/// Events that are sent together.
const TOGETHER: usize = 4_096;
/// How many times as many may wait.
const WAITING: usize = 8;
/// What the counts of all policies may take, together.
const MAX_BYTES: usize = 128 << 20;

/// Sends events to the thread that decides them again.
#[derive(Debug)]
pub(crate) struct WhatIf {
    events: Vec<Event>,
    sender: SyncSender<Vec<Event>>,
    /// Lists that were decided, to be filled again.
    empty: Receiver<Vec<Event>>,
    thread: JoinHandle<Vec<Option<report::Curve>>>,
}

impl WhatIf {
    /// Begins the curves of all policies.
    pub(crate) fn begin(policies: &PolicySet) -> Self {
        let policies = policies.policies();
        let on = |policy: &&Policy| policy.mode() != Mode::Off;
        let count = policies.iter().filter(on).count().max(1);
        let mut curves: Vec<Option<Curve>> = policies
            .iter()
            .map(|policy| {
                Some(policy)
                    .filter(on)
                    .and_then(|policy| Curve::new(policy, MAX_BYTES / count))
            })
            .collect();
        let (sender, receiver) = sync_channel::<Vec<Event>>(WAITING);
        let (used, empty) = sync_channel(WAITING);
        let thread = thread::spawn(move || {
            for mut events in receiver {
                for event in events.drain(..) {
                    if let Some(Some(curve)) = curves.get_mut(usize::from(event.policy)) {
                        curve.decide(&event);
                    }
                }
                // Nobody needs it if it does not fit.
                let _ = used.try_send(events);
            }
            curves
                .iter()
                .map(|curve| Some(curve.as_ref()?.report()))
                .collect()
        });
        Self {
            events: Vec::with_capacity(TOGETHER),
            sender,
            empty,
            thread,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, event: Event) {
        self.events.push(event);
        if self.events.len() == TOGETHER {
            self.send();
        }
    }

    fn send(&mut self) {
        let next = self.empty.try_recv();
        let next = next.unwrap_or_else(|_| Vec::with_capacity(TOGETHER));
        let events = std::mem::replace(&mut self.events, next);
        // The thread ends only when this is dropped, unless it has panicked: `finish` tells.
        let _ = self.sender.send(events);
    }

    /// The curve of each policy; `None` for those that limit nothing.
    pub(crate) fn finish(mut self) -> Vec<Option<report::Curve>> {
        self.send();
        drop(self.sender);
        self.thread.join().unwrap_or_default()
    }
}
