//! What is due later, in order of time.

use std::collections::BTreeMap;

/// Things with the instant at which each is due, in microseconds. Those of one instant are in the order
/// in which they came.
#[derive(Debug)]
pub(crate) struct Later<T> {
    things: BTreeMap<(u64, u64), T>,
    /// How many ever came.
    count: u64,
}

impl<T> Default for Later<T> {
    fn default() -> Self {
        Self {
            things: BTreeMap::new(),
            count: 0,
        }
    }
}

impl<T> Later<T> {
    /// Keeps a thing. If that makes more of them than `most`, the first one is given back, which is due
    /// too early then.
    pub(crate) fn push(&mut self, due: u64, thing: T, most: usize) -> Option<T> {
        self.count += 1;
        self.things.insert((due, self.count), thing);
        if self.things.len() <= most {
            return None;
        }
        self.things.pop_first().map(|(_, thing)| thing)
    }

    /// Takes the first thing that is due by `now`, with its instant.
    pub(crate) fn pop_due(&mut self, now: u64) -> Option<(u64, T)> {
        let first = self.things.first_entry()?;
        let (due, _) = *first.key();
        (due <= now).then(|| (due, first.remove()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_due_comes_in_order_of_time_and_then_of_coming() {
        let mut later = Later::default();
        for (due, thing) in [(5, 'a'), (3, 'b'), (5, 'c'), (9, 'd')] {
            assert_eq!(later.push(due, thing, 10), None);
        }
        assert_eq!(later.pop_due(2), None);
        for expected in [(3, 'b'), (5, 'a'), (5, 'c')] {
            assert_eq!(later.pop_due(5), Some(expected));
        }
        assert_eq!(later.pop_due(8), None);
        assert_eq!(later.pop_due(9), Some((9, 'd')));
    }

    #[test]
    fn the_first_one_makes_room() {
        let mut later = Later::default();
        assert_eq!(later.push(5, 'a', 2), None);
        assert_eq!(later.push(7, 'b', 2), None);
        assert_eq!(later.push(6, 'c', 2), Some('a'));
        assert_eq!(later.pop_due(10), Some((6, 'c')));
    }
}
