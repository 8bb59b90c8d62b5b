//! Charts: drawings that stretch with the page while their letters do not, each with a table of the
//! same numbers.

mod curve;
mod figure;
mod peaks;
mod scale;
mod ticks;
mod time;
mod timeline;
mod worst;

pub(super) use curve::curve;
pub(super) use peaks::peaks;
pub(super) use timeline::{policy_timeline, timeline};
pub(super) use worst::worst;
