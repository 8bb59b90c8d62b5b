//! What a report says in sentences, the same in every form.

mod input;
mod policy;
mod verdict;

pub(super) use input::{files, limited_already, times};
pub(super) use policy::{beginning, denials, obeying, others, peaks, resolution};
pub(super) use verdict::{headline, interrupted, verdict};
