//! The sliding logs of one shard, which do not fit into its table.

use tollgate_core::sliding_log;

use super::room::Bounds;

/// Logs by number; the numbers of removed ones are used again.
#[derive(Debug, Default)]
pub(super) struct Logs {
    logs: Vec<Log>,
    free: Vec<u32>,
}

#[derive(Debug, Default)]
struct Log {
    state: sliding_log::State,
    /// The bytes that the store's bounds know of.
    accounted: usize,
}

impl Logs {
    /// Makes a place for a log and tells its number; [`put`](Self::put) must follow.
    pub(super) fn reserve(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.logs.push(Log::default());
            u32::try_from(self.logs.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// The log of a number.
    pub(super) fn get(&self, number: u32) -> Option<&sliding_log::State> {
        self.logs.get(index(number)).map(|log| &log.state)
    }

    /// Moves a log out; [`put`](Self::put) must follow.
    pub(super) fn take(&mut self, number: u32) -> sliding_log::State {
        self.logs
            .get_mut(index(number))
            .map(|log| std::mem::take(&mut log.state))
            .unwrap_or_default()
    }

    /// Puts a log where it was or was just given a number, and accounts for its bytes.
    pub(super) fn put(&mut self, number: u32, state: sliding_log::State, bounds: &Bounds) {
        if let Some(log) = self.logs.get_mut(index(number)) {
            bounds.account_for_log(log.accounted, state.heap_bytes());
            log.accounted = state.heap_bytes();
            log.state = state;
        }
    }

    /// The bytes of all logs that the store's bounds know of.
    pub(super) fn accounted(&self) -> usize {
        self.logs.iter().map(|log| log.accounted).sum()
    }

    /// Drops a log and frees its number.
    pub(super) fn remove(&mut self, number: u32, bounds: &Bounds) {
        self.put(number, sliding_log::State::default(), bounds);
        self.free.push(number);
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
