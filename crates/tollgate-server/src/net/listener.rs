//! A socket that is listened on.

use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tokio::net::{TcpListener, UnixListener, UnixStream};

use super::ListenAddress;
use super::stream::Accepted;

/// A socket that is listened on. A Unix socket goes with it.
pub(crate) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

impl Listener {
    pub(crate) async fn bind(address: &ListenAddress) -> io::Result<Self> {
        match address {
            ListenAddress::Tcp(address) => Ok(Self::Tcp(TcpListener::bind(address).await?)),
            ListenAddress::Unix(path) => {
                remove_abandoned(path).await?;
                Ok(Self::Unix(UnixListener::bind(path)?, path.clone()))
            }
        }
    }

    /// Where it listens, with the port that was taken.
    pub(crate) fn address(&self) -> io::Result<ListenAddress> {
        match self {
            Self::Tcp(listener) => Ok(ListenAddress::Tcp(listener.local_addr()?)),
            Self::Unix(_, path) => Ok(ListenAddress::Unix(path.clone())),
        }
    }

    pub(crate) async fn accept(&self) -> io::Result<Accepted> {
        match self {
            Self::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                Accepted::tcp(stream, peer)
            }
            Self::Unix(listener, _) => Accepted::unix(listener.accept().await?.0),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Self::Unix(_, path) = self {
            // Whoever removed it before has done no harm.
            let _ = fs::remove_file(path);
        }
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
