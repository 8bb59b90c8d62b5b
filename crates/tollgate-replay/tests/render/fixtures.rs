//! Reports as a replay might make them, and as it had better not.

mod extreme;
mod nothing;
mod partial;
mod parts;
mod rich;
mod shadow;

use tollgate_replay::report::Report;

pub(crate) use extreme::{NASTY, extreme};
pub(crate) use nothing::{allowed, empty};
pub(crate) use partial::{WARNINGS, partial};
pub(crate) use rich::rich;
pub(crate) use shadow::shadow;

/// All of them, by name.
pub(crate) fn all() -> [(&'static str, Report); 6] {
    [
        ("rich", rich()),
        ("empty", empty()),
        ("allowed", allowed()),
        ("partial", partial()),
        ("extreme", extreme()),
        ("shadow", shadow()),
    ]
}
