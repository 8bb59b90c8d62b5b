//! Sockets that the service manager has opened (`sd_listen_fds(3)`).

use std::io;

use listenfd::ListenFd;
use tokio::net::{TcpListener, UnixListener};

use super::listener::ListeningSocket;

/// The sockets that this process was started with, each for one listener.
pub(crate) struct Inherited {
    sockets: ListenFd,
    names: Vec<String>,
}

impl Inherited {
    /// Takes them over. A process has them once.
    pub(crate) fn take() -> Self {
        // Read first: what is taken is removed from the environment.
        let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
        Self {
            sockets: ListenFd::from_env(),
            names: names.split(':').map(ToOwned::to_owned).collect(),
        }
    }

    /// The socket of this name, which `FileDescriptorName=` of its unit gives it.
    pub(super) fn socket(&mut self, name: &str) -> io::Result<ListeningSocket> {
        let count = self.sockets.len();
        let place = (0..count).find(|place| self.names.get(*place).is_some_and(|it| it == name));
        let Some(place) = place else {
            return Err(io::Error::new(io::ErrorKind::NotFound, self.missing()));
        };
        if let Ok(Some(listener)) = self.sockets.take_tcp_listener(place) {
            listener.set_nonblocking(true)?;
            return Ok(ListeningSocket::Tcp(TcpListener::from_std(listener)?));
        }
        match self.sockets.take_unix_listener(place)? {
            Some(listener) => {
                listener.set_nonblocking(true)?;
                Ok(ListeningSocket::Unix(UnixListener::from_std(listener)?))
            }
            None => Err(io::Error::new(
                io::ErrorKind::AddrInUse,
                "another listener has this socket already",
            )),
        }
    }

    fn missing(&self) -> String {
        if self.sockets.len() == 0 {
            return "the service manager has passed no socket; start it by a unit of the type socket"
                .to_owned();
        }
        let names = self.names.join("`, `");
        format!(
            "the service manager has passed no socket of this name, but `{names}`; \
             FileDescriptorName= of the socket's unit gives the name"
        )
    }
}
