//! Connections: where they come from, which thread serves them, how they end.

mod accept;
mod address;
mod listener;
mod stream;
mod workers;

pub(crate) use accept::{Protocol, accept};
pub use address::{ListenAddress, ListenAddressError};
pub(crate) use listener::Listener;
pub(crate) use stream::{Peer, Stream};
pub(crate) use workers::Workers;
