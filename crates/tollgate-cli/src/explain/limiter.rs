//! What decides: the policies of the file, over a store that has counted nothing.

use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_engine::limiter_of;
use tollgate_http::HttpLimiter;
use tollgate_policy::PolicyLimiter;
use tollgate_policy::file::PolicyFile;

/// The limiter of a file, on a clock that stands still.
pub(super) type Limiter = HttpLimiter<MemoryStore<ManualClock>>;

pub(super) fn of_file(file: &PolicyFile, at: Timestamp) -> Limiter {
    let store = MemoryStore::with_clock(ManualClock::new(at));
    limiter_of(PolicyLimiter::new(file.policies.clone(), store), file)
}
