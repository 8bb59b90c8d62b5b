//! How often who may call, as the service's own policy file says.

mod clients;
pub(crate) mod given;
mod outages;
mod panics;
mod policies;
mod program;
mod reloads;
mod rows;
