//! What keys did, counted for many requests at once.

use super::Room;
use crate::tally::{PolicyTally, Seen};

/// How many requests are counted at once: enough that the memory of many keys is fetched side by side,
/// few enough that it is still at hand when they are counted.
const TOGETHER: usize = 64;

/// The requests whose keys are still to be counted, by policy.
#[derive(Debug, Default)]
pub(super) struct Later {
    policies: Vec<Few>,
}

#[derive(Debug, Default)]
struct Few {
    seen: Vec<(Seen, Text)>,
    texts: String,
}

/// The bytes of a key; none of one that was admitted, which nobody will ask for.
#[derive(Clone, Copy, Debug)]
struct Text {
    start: usize,
    end: usize,
}

impl Later {
    pub(super) fn new(policies: usize) -> Self {
        Self {
            policies: (0..policies).map(|_| Few::default()).collect(),
        }
    }

    /// Adds a request to be counted.
    #[inline]
    pub(super) fn push(
        &mut self,
        (policy, tally): (usize, &mut PolicyTally),
        seen: Seen,
        key: &str,
        room: &mut Room,
    ) {
        let Some(few) = self.policies.get_mut(policy) else {
            return;
        };
        let start = few.texts.len();
        if seen.denied.is_some() {
            few.texts.push_str(key);
        }
        let end = few.texts.len();
        few.seen.push((seen, Text { start, end }));
        if few.seen.len() >= TOGETHER {
            few.count(policy, tally, room);
        }
    }

    /// Counts what is left.
    pub(super) fn finish(&mut self, tallies: &mut [PolicyTally], room: &mut Room) {
        for (policy, (few, tally)) in self.policies.iter_mut().zip(tallies).enumerate() {
            few.count(policy, tally, room);
        }
    }
}

impl Few {
    fn count(&mut self, policy: usize, tally: &mut PolicyTally, room: &mut Room) {
        let texts = &self.texts;
        let seen = self.seen.iter().map(|(seen, text)| {
            let text = texts.get(text.start..text.end);
            (*seen, text.unwrap_or_default())
        });
        tally.keys.see_all(seen, &mut || room.take(policy));
        self.seen.clear();
        self.texts.clear();
    }
}
