//! Times as logs write them.

pub(crate) mod civil;
mod last_minute;
pub(crate) mod number;
pub(crate) mod text;
pub(crate) mod zone;
