//! A socket that is listened on.

use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::{Mode, fchmod};
use tokio::net::{TcpListener, TcpSocket, UnixListener, UnixSocket, UnixStream};

use super::socket::Accepted;
use super::{Inherited, ListenAddress};

/// How many connections wait to be accepted, at most; the system may allow fewer.
const BACKLOG: u32 = 1024;

/// How to make a socket.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BindOptions {
    /// Whether other processes of this user may listen on the same port, too.
    pub(crate) reuse_port: bool,
    /// Who may connect to a Unix socket, as `chmod` has it.
    pub(crate) unix_mode: Option<u32>,
}

/// A socket that is listened on. A Unix socket that was made here goes with it.
pub(crate) struct Listener {
    /// Goes first: while the socket is open, nobody else takes the path.
    path: Option<OwnPath>,
    socket: ListeningSocket,
    /// What it was made from, unless that was a port.
    address: Option<ListenAddress>,
}

/// What the system has for it.
pub(super) enum ListeningSocket {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    pub(crate) async fn bind(
        address: &ListenAddress,
        options: BindOptions,
        inherited: &mut Option<Inherited>,
    ) -> io::Result<Self> {
        let (socket, path) = match address {
            ListenAddress::Tcp(address) => {
                let socket = tcp(*address, options.reuse_port)?;
                return Ok(Self {
                    socket: ListeningSocket::Tcp(socket),
                    address: None,
                    path: None,
                });
            }
            ListenAddress::Unix(path) => {
                remove_abandoned(path).await?;
                let socket = unix(path, options.unix_mode)?;
                (ListeningSocket::Unix(socket), Some(OwnPath(path.clone())))
            }
            ListenAddress::Inherited(name) => {
                let inherited = inherited.get_or_insert_with(Inherited::take);
                (inherited.socket(name)?, None)
            }
        };
        Ok(Self {
            socket,
            address: Some(address.clone()),
            path,
        })
    }

    /// Where it listens, with the port that was taken.
    pub(crate) fn address(&self) -> io::Result<ListenAddress> {
        match (&self.address, &self.socket) {
            (None, ListeningSocket::Tcp(listener)) => {
                Ok(ListenAddress::Tcp(listener.local_addr()?))
            }
            (Some(address), _) => Ok(address.clone()),
            (None, ListeningSocket::Unix(_)) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// True if what comes may come over a network.
    pub(crate) const fn is_tcp(&self) -> bool {
        matches!(self.socket, ListeningSocket::Tcp(_))
    }

    pub(crate) async fn accept(&self) -> io::Result<Accepted> {
        match &self.socket {
            ListeningSocket::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                Ok(Accepted::Tcp(stream.into_std()?, peer))
            }
            ListeningSocket::Unix(listener) => {
                Ok(Accepted::Unix(listener.accept().await?.0.into_std()?))
            }
        }
    }

    /// Ends listening, and gives what has connected and was not accepted yet: the system would reset
    /// it. What waits at a socket of the service manager's waits for the next process.
    pub(crate) fn finish(self) -> Vec<Accepted> {
        let mut waiting = Vec::new();
        if matches!(self.address, Some(ListenAddress::Inherited(_))) {
            return waiting;
        }
        drop(self.path);
        // These ask the system itself, which may know more than the runtime has seen.
        match self.socket {
            ListeningSocket::Tcp(listener) => {
                let listener = listener.into_std();
                while let Ok((stream, peer)) =
                    listener.as_ref().map_or_else(no_more, |it| it.accept())
                {
                    waiting.push(Accepted::Tcp(stream, peer));
                }
            }
            ListeningSocket::Unix(listener) => {
                let listener = listener.into_std();
                while let Ok((stream, _)) = listener.as_ref().map_or_else(no_more, |it| it.accept())
                {
                    waiting.push(Accepted::Unix(stream));
                }
            }
        }
        waiting
    }
}

fn no_more<T>(_: &io::Error) -> io::Result<T> {
    Err(io::ErrorKind::WouldBlock.into())
}

fn tcp(address: std::net::SocketAddr, reuse_port: bool) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    // A port whose connections have only just ended can be taken again.
    socket.set_reuseaddr(true)?;
    if reuse_port {
        socket.set_reuseport(true)?;
    }
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn unix(path: &Path, mode: Option<u32>) -> io::Result<UnixListener> {
    let socket = UnixSocket::new_stream()?;
    if let Some(mode) = mode {
        // The path is made with what its socket has, so that there is no moment at which more may
        // connect. The process's mask may have taken some away, which is given back.
        fchmod(&socket, Mode::from_raw_mode(mode))?;
        socket.bind(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    } else {
        socket.bind(path)?;
    }
    socket.listen(BACKLOG)
}

/// The path of a socket, which is removed with this.
struct OwnPath(PathBuf);

impl Drop for OwnPath {
    fn drop(&mut self) {
        // Whoever removed it before has done no harm.
        let _ = fs::remove_file(&self.0);
    }
}

/// Removes a socket that a process has left behind, and nothing else.
async fn remove_abandoned(path: &Path) -> io::Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    if found.file_type().is_socket() && UnixStream::connect(path).await.is_err() {
        return fs::remove_file(path);
    }
    Err(io::Error::new(
        io::ErrorKind::AddrInUse,
        "there is something at this path already, and it is not an abandoned socket",
    ))
}
