//! Puts requests in order of time, as far as a bounded number of them allows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::batch::{Batch, Entry, View};
use crate::wanted::Wanted;

/// The most batches that are held before the smaller half of them is put together.
const MAX_RUNS: usize = 1_024;

/// More requests than are read of a log at once.
const OF_A_LOG: usize = 32_768;

/// By what requests are ordered: time, then the order of the logs, then that of their lines.
type Rank = (u64, u32, u64);

/// Holds requests, and gives out the earliest only while there are more than a number of them.
///
/// Batches are put in order one by one and merged as they are given out, which takes next to nothing
/// for requests that are in order already.
#[derive(Debug)]
pub(crate) struct Order {
    wanted: Wanted,
    capacity: usize,
    /// The most that is held for logs that are behind.
    most: usize,
    /// What is left of the batches, the one with the earliest request first.
    runs: BinaryHeap<Reverse<Run>>,
    /// Requests that were not given out.
    held: usize,
    /// Those, and the ones that were given out but take memory still.
    kept: usize,
    last: u64,
    late: u64,
    latest_by: u64,
}

/// A batch in order, of which some requests were given out.
#[derive(Debug)]
struct Run {
    /// The rank of the next request.
    head: Rank,
    batch: Batch,
    next: usize,
}

impl Order {
    /// Holds so many requests, of so many logs.
    pub(crate) fn new(wanted: Wanted, capacity: usize, logs: usize) -> Self {
        let side_by_side = OF_A_LOG.saturating_mul(logs.min(64));
        Self {
            wanted,
            capacity,
            most: capacity.saturating_mul(2).saturating_add(side_by_side),
            runs: BinaryHeap::new(),
            held: 0,
            kept: 0,
            last: 0,
            late: 0,
            latest_by: 0,
        }
    }

    /// Takes a batch, and gives out the earliest requests until no more are held than may be. No
    /// request is given out that began after `floor`, unless far too many are held: logs are behind in
    /// which there may be earlier ones.
    ///
    /// Each request comes with the instant to decide it at, which is never before that of the one
    /// before: that of its begin, unless it came too late to be put in order.
    pub(crate) fn push(
        &mut self,
        mut batch: Batch,
        floor: u64,
        mut each: impl FnMut(u64, View<'_>),
    ) {
        batch.sort();
        self.held += batch.entries.len();
        self.kept += batch.entries.len();
        self.put(batch, 0);
        self.give(self.capacity, floor, &mut each);
        self.give(self.most, u64::MAX, &mut each);
        // One request that is far ahead would keep the memory of its whole batch.
        if self.kept > 2 * self.held + self.capacity {
            self.put_together(|run| run.left() <= run.batch.entries.len() / 2);
        }
        if self.runs.len() > MAX_RUNS {
            let mut left: Vec<usize> = self.runs.iter().map(|Reverse(run)| run.left()).collect();
            left.sort_unstable();
            let median = left.get(left.len() / 2).copied().unwrap_or(0);
            self.put_together(|run| run.left() <= median);
        }
    }

    /// Gives out all that is left.
    pub(crate) fn finish(&mut self, mut each: impl FnMut(u64, View<'_>)) {
        self.give(0, u64::MAX, &mut each);
    }

    /// Requests that came too late to be put in order.
    pub(crate) const fn late(&self) -> u64 {
        self.late
    }

    /// The most that such a request lay behind, in microseconds.
    pub(crate) const fn latest_by(&self) -> u64 {
        self.latest_by
    }

    fn put(&mut self, batch: Batch, next: usize) {
        match batch.entries.get(next).map(Entry::rank) {
            Some(head) => self.runs.push(Reverse(Run { head, batch, next })),
            None => self.kept -= batch.entries.len(),
        }
    }

    fn give(&mut self, keep: usize, floor: u64, each: &mut impl FnMut(u64, View<'_>)) {
        while self.held > keep {
            let Some(Reverse(run)) = self.runs.pop() else {
                return;
            };
            let until = self.runs.peek().map(|Reverse(other)| other.head);
            let rest = run.batch.entries.get(run.next..).unwrap_or_default();
            let most = self.held - keep;
            let mut given = 0;
            for entry in rest.iter().take(most) {
                // Ranks differ, but for the same line read twice.
                let comes_first = until.is_none_or(|until| entry.rank() <= until);
                if entry.at > floor || !comes_first {
                    break;
                }
                if entry.at < self.last {
                    self.late += 1;
                    self.latest_by = self.latest_by.max(self.last - entry.at);
                }
                self.last = self.last.max(entry.at);
                let view = View {
                    batch: &run.batch,
                    entry,
                    wanted: &self.wanted,
                };
                each(self.last, view);
                given += 1;
            }
            self.held -= given;
            self.put(run.batch, run.next + given);
            if given == 0 {
                return;
            }
        }
    }

    /// Makes one run of some runs.
    #[cold]
    fn put_together(&mut self, is_chosen: impl Fn(&Run) -> bool) {
        let mut together = Batch::default();
        for Reverse(run) in std::mem::take(&mut self.runs) {
            if !is_chosen(&run) {
                self.runs.push(Reverse(run));
                continue;
            }
            for entry in run.batch.entries.get(run.next..).unwrap_or_default() {
                together.copy(entry, &run.batch, &self.wanted);
            }
            self.kept -= run.batch.entries.len();
        }
        together.entries.sort_unstable_by_key(Entry::rank);
        self.kept += together.entries.len();
        self.put(together, 0);
    }
}

impl Run {
    fn left(&self) -> usize {
        self.batch.entries.len() - self.next
    }
}

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        self.head == other.head
    }
}

impl Eq for Run {}

impl PartialOrd for Run {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Run {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.head.cmp(&other.head)
    }
}

#[cfg(test)]
mod tests;
