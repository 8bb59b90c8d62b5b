//! Reports as a replay might make them, and as it had better not.

mod extreme;
mod nothing;
mod partial;
mod parts;
mod rich;

use tollgate_replay::report::Report;

pub(crate) use extreme::{NASTY, extreme};
pub(crate) use nothing::{allowed, empty};
pub(crate) use partial::{WARNINGS, partial};
pub(crate) use rich::rich;

/// All of them, by name.
pub(crate) fn all() -> [(&'static str, Report); 5] {
    [
        ("rich", rich()),
        ("empty", empty()),
        ("allowed", allowed()),
        ("partial", partial()),
        ("extreme", extreme()),
    ]
}
