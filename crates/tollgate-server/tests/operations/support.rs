//! A daemon of a test's own, and clients of it.

use std::fs;
use std::net::SocketAddr;
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tollgate_engine::Engine;
use tollgate_server::{Addresses, Certificates, ListenAddress, Server, ServerSettings};

const POLICY: &str = "[[policy]]\nname = 'all'\nkey = ['client.ip']\nlimits = ['10/min']\n";

/// A daemon that serves.
pub(crate) struct Daemon {
    pub(crate) addresses: Addresses,
    pub(crate) certificates: Option<Certificates>,
    stop: oneshot::Sender<()>,
    hurry: oneshot::Sender<()>,
    running: JoinHandle<bool>,
    _folder: TempDir,
}

pub(crate) fn engine() -> (TempDir, Engine) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tollgate.toml");
    fs::write(&path, POLICY).unwrap();
    (folder, Engine::open(path).unwrap())
}

/// Settings with HTTP at a free port, and others.
pub(crate) fn settings(change: impl FnOnce(&mut ServerSettings)) -> ServerSettings {
    let mut settings = ServerSettings::default();
    settings.http = Some("127.0.0.1:0".parse().unwrap());
    settings.workers = 1;
    change(&mut settings);
    settings
}

impl Daemon {
    pub(crate) async fn start(settings: ServerSettings) -> Self {
        let (folder, engine) = engine();
        let server = Server::bind(engine, settings).await.unwrap();
        let (addresses, certificates) = (server.addresses(), server.certificates());
        let (stop, stopped) = oneshot::channel::<()>();
        let (hurry, hurried) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            // Whoever is gone asks for nothing.
            let hurried = async {
                if hurried.await.is_err() {
                    std::future::pending::<()>().await;
                }
            };
            server.run_until(stopped, hurried).await.unwrap()
        });
        Self {
            addresses,
            certificates,
            stop,
            hurry,
            running,
            _folder: folder,
        }
    }

    pub(crate) fn http(&self) -> SocketAddr {
        port(self.addresses.http.as_ref())
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.http()).await.unwrap()
    }

    /// Tells it to stop, and gives what makes it hurry and what waits for its end.
    pub(crate) fn stop(self) -> (oneshot::Sender<()>, JoinHandle<bool>, TempDir) {
        self.stop.send(()).unwrap();
        (self.hurry, self.running, self._folder)
    }
}

pub(crate) fn port(address: Option<&ListenAddress>) -> SocketAddr {
    match address {
        Some(ListenAddress::Tcp(address)) => *address,
        other => panic!("{other:?}"),
    }
}

/// Waits, but not for ever: what never comes is a failure, and not a test that hangs.
pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    let patience = Duration::from_secs(30);
    timeout(patience, future).await.unwrap()
}

/// True once the other end has closed the connection.
pub(crate) async fn is_closed(stream: &mut (impl AsyncRead + Unpin)) -> bool {
    let read = within(stream.read(&mut [0])).await;
    read.unwrap_or(0) == 0
}

/// Asks for a path, and reads one whole answer, whose connection may go on.
pub(crate) async fn ask(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    path: &str,
) -> std::io::Result<String> {
    let request = format!("GET {path} HTTP/1.1\r\nhost: tollgate\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    answer(stream).await
}

/// Reads one whole answer.
pub(crate) async fn answer(stream: &mut (impl AsyncRead + Unpin)) -> std::io::Result<String> {
    let mut answer = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&answer);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|line| line.split_once(": "))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .map_or(0, |(_, length)| length.parse().unwrap());
            if body.len() >= length {
                return Ok(text.into_owned());
            }
        }
        if within(stream.read_buf(&mut answer)).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}
