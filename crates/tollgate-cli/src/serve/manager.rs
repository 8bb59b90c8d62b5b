//! What the service manager is told (`sd_notify(3)`).

use std::ffi::OsString;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// The service manager, if there is one that wants to know.
#[derive(Clone)]
pub(super) struct Manager(Option<OsString>);

impl Manager {
    pub(super) fn from_environment() -> Self {
        Self(std::env::var_os("NOTIFY_SOCKET").filter(|name| !name.is_empty()))
    }

    /// Tells it a state, such as `READY=1`.
    pub(super) fn say(&self, state: &str) {
        let Some(name) = &self.0 else { return };
        let address = match name.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name),
            _ => SocketAddr::from_pathname(name),
        };
        let told = address.and_then(|address| {
            let socket = UnixDatagram::unbound()?;
            // It may be busy; it is not waited for.
            socket.set_nonblocking(true)?;
            socket.send_to_addr(state.as_bytes(), &address)
        });
        if let Err(error) = told {
            tracing::warn!(%error, state, "the service manager cannot be told");
        }
    }
}
