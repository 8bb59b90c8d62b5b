//! Puts requests in order of time, as far as a bounded number of them allows.

use crate::batch::{Batch, Entry, View};
use crate::wanted::Wanted;

/// The most batches that are held before those with the fewest requests left are put together: so
/// that a batch of which one request is far ahead does not keep its memory until that one's time.
const MAX_RUNS: usize = 64;

/// Holds requests, and gives out the earliest only while there are more than a number of them.
///
/// Batches are put in order one by one and merged as they are given out, which takes next to nothing
/// for requests that are in order already.
#[derive(Debug)]
pub(crate) struct Order {
    wanted: Wanted,
    capacity: usize,
    runs: Vec<Run>,
    held: usize,
    last: u64,
    late: u64,
    latest_by: u64,
}

/// A batch in order, and how many of it were given out.
#[derive(Debug)]
struct Run {
    batch: Batch,
    next: usize,
}

impl Order {
    pub(crate) const fn new(wanted: Wanted, capacity: usize) -> Self {
        Self {
            wanted,
            capacity,
            runs: Vec::new(),
            held: 0,
            last: 0,
            late: 0,
            latest_by: 0,
        }
    }

    /// Takes a batch, and gives out the earliest requests until no more are held than may be. No
    /// request is given out that began after `floor`: logs are behind in which there may be earlier
    /// ones.
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
        if !batch.entries.is_empty() {
            self.runs.push(Run { batch, next: 0 });
        }
        self.give(self.capacity, floor, &mut each);
        if self.runs.len() > MAX_RUNS {
            self.put_together();
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

    fn give(&mut self, keep: usize, floor: u64, each: &mut impl FnMut(u64, View<'_>)) {
        while self.held > keep {
            let Some((first, until)) = self.first() else {
                return;
            };
            let Some(run) = self.runs.get_mut(first) else {
                return;
            };
            let mut given = 0;
            let rest = run.batch.entries.get(run.next..).unwrap_or_default();
            for entry in rest {
                let comes_first = until.is_none_or(|until| entry.rank() < until);
                if self.held - given <= keep || entry.at > floor || !comes_first {
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
            run.next += given;
            self.held -= given;
            if run.next >= run.batch.entries.len() {
                self.runs.swap_remove(first);
            } else if given == 0 {
                return;
            }
        }
    }

    /// The run whose next request is the earliest, and the rank of the next one of any other.
    fn first(&self) -> Option<(usize, Option<(u64, u32, u64)>)> {
        let mut first: Option<((u64, u32, u64), usize)> = None;
        let mut second = None;
        for (place, run) in self.runs.iter().enumerate() {
            let Some(rank) = run.head().map(Entry::rank) else {
                continue;
            };
            match first {
                Some((least, _)) if least < rank => {
                    second = Some(second.map_or(rank, |second: (u64, u32, u64)| second.min(rank)));
                }
                _ => {
                    second = first.map(|(least, _)| least);
                    first = Some((rank, place));
                }
            }
        }
        first.map(|(_, place)| (place, second))
    }

    /// Makes one run of the half of the runs that have the fewest requests left.
    fn put_together(&mut self) {
        self.runs.sort_by_key(|run| std::cmp::Reverse(run.left()));
        let few = self.runs.split_off(self.runs.len() / 2);
        let mut together = Batch::default();
        for run in &few {
            for entry in run.batch.entries.get(run.next..).unwrap_or_default() {
                together.copy(entry, &run.batch, &self.wanted);
            }
        }
        together.entries.sort_unstable_by_key(Entry::rank);
        self.runs.push(Run {
            batch: together,
            next: 0,
        });
    }
}

impl Run {
    fn head(&self) -> Option<&Entry> {
        self.batch.entries.get(self.next)
    }

    fn left(&self) -> usize {
        self.batch.entries.len() - self.next
    }
}

#[cfg(test)]
mod tests;
