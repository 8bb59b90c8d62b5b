//! What each policy did, counted.

mod denials;
mod index;
mod keys;
mod peaks;
mod policy;
mod sketch;
mod steps;
mod windows;

pub(crate) use index::{Index, KeyHash, KeyHasher};
pub(crate) use keys::{Keys, Seen, Worst};
pub(crate) use peaks::peaks;
pub(crate) use policy::{Decided, PolicyTally, lists_of, shortest};
pub(crate) use steps::Steps;
