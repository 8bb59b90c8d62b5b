//! Connections: where they come from, which thread serves them, how they end.

mod accept;
mod address;
mod alarm;
mod backoff;
pub(crate) mod http2;
mod idle;
mod inherited;
mod lasting;
mod listener;
mod opening;
mod peers;
mod refuse;
mod socket;
mod stream;
mod tls;
mod workers;

pub(crate) use accept::{Door, Protocol};
pub use address::{ListenAddress, ListenAddressError};
pub(crate) use alarm::Alarm;
pub(crate) use inherited::Inherited;
pub(crate) use lasting::Lasting;
pub(crate) use listener::{BindOptions, Listener};
pub(crate) use socket::Peer;
pub(crate) use stream::Stream;
#[cfg(feature = "opentelemetry")]
pub(crate) use tls::pem;
pub use tls::{Certificates, TlsError, TlsFiles};
pub(crate) use workers::Workers;
