//! Servers that fail under policies, a guard and a store: what requests get, and that nothing stays
//! broken or is counted wrongly. Each test breaks servers of its own.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

mod failover;
mod given;
mod hiccups;
mod processes;
mod refusals;
mod shares;
mod silence;
