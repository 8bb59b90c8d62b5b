//! Times as logs write them.

pub(crate) mod number;
