//! A daemon in this process, and requests to it.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::handshake;
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tollgate::{ManualClock, Timestamp};
use tollgate_engine::Engine;
use tollgate_server::{AdminToken, ListenAddress, Server, ServerError, ServerSettings};

pub(crate) const TOKEN: &str = "correct-horse-battery";

/// A daemon whose clock stands still, so that numbers are what they are.
pub(crate) struct Daemon {
    pub(crate) clock: ManualClock,
    pub(crate) file: PathBuf,
    address: ListenAddress,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<Result<bool, ServerError>>,
    _folder: TempDir,
}

impl Daemon {
    pub(crate) async fn start(policies: &str) -> Self {
        Self::with(policies, |_| {}).await
    }

    /// One that administrators have a token for.
    pub(crate) async fn with_token(policies: &str) -> Self {
        let token = AdminToken::new(TOKEN).unwrap();
        Self::with(policies, |settings| settings.admin_token = Some(token)).await
    }

    pub(crate) async fn on_unix_socket(policies: &str) -> Self {
        Self::in_folder(policies, |settings, folder| {
            settings.http = Some(ListenAddress::Unix(folder.join("socket")));
        })
        .await
    }

    pub(crate) async fn with(policies: &str, change: impl FnOnce(&mut ServerSettings)) -> Self {
        Self::in_folder(policies, |settings, _| change(settings)).await
    }

    async fn in_folder(policies: &str, change: impl FnOnce(&mut ServerSettings, &Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tollgate.toml");
        fs::write(&file, policies).unwrap();
        let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
        let opened = Engine::builder(&file).clock(clock.clone()).open();
        let engine = opened.unwrap_or_else(|error| panic!("{error}"));
        let mut settings = ServerSettings::default();
        settings.http = Some("127.0.0.1:0".parse().unwrap());
        settings.workers = 2;
        change(&mut settings, folder.path());
        let server = Server::bind(engine, settings).await.unwrap();
        let address = server.addresses().http.unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
        Self {
            clock,
            file,
            address,
            stop: Some(stop),
            running,
            _folder: folder,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        match &self.address {
            ListenAddress::Tcp(address) => *address,
            other => panic!("{other:?}"),
        }
    }

    /// Stops it, and waits for its end.
    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        assert!(self.running.await.unwrap().unwrap());
    }

    /// Asks on a connection of its own.
    pub(crate) async fn ask(&self, request: Request<Full<Bytes>>) -> Answer {
        match &self.address {
            ListenAddress::Unix(path) => {
                send(
                    TokioIo::new(UnixStream::connect(path).await.unwrap()),
                    request,
                )
                .await
            }
            _ => {
                let stream = TcpStream::connect(self.address()).await.unwrap();
                send(TokioIo::new(stream), request).await
            }
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(request("GET", path, &[], "")).await
    }

    /// Posts JSON.
    pub(crate) async fn post(&self, path: &str, body: &str) -> Answer {
        let json = [("content-type", "application/json")];
        self.ask(request("POST", path, &json, body)).await
    }

    /// Posts JSON as the administrator.
    pub(crate) async fn administer(&self, method: &str, path: &str, body: &str) -> Answer {
        let token = format!("Bearer {TOKEN}");
        let headers = [
            ("content-type", "application/json"),
            ("authorization", token.as_str()),
        ];
        self.ask(request(method, path, &headers, body)).await
    }
}

pub(crate) fn request(
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Request<Full<Bytes>> {
    let mut request = Request::builder().method(method).uri(path);
    request = request.header("host", "tollgate");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Full::from(body.to_owned())).unwrap()
}

async fn send<S>(stream: S, request: Request<Full<Bytes>>) -> Answer
where
    S: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    let (mut sender, connection) = handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let response = sender.send_request(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    connection.abort();
    Answer {
        status: parts.status,
        headers: parts.headers,
        body,
    }
}

/// What a daemon has answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// The body, which is JSON of the type that goes with the status.
    pub(crate) fn json(&self) -> Value {
        let read = serde_json::from_slice(&self.body);
        read.unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        Some(self.headers.get(name)?.to_str().unwrap())
    }

    /// The text of a problem of this status.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.field("content-type"), Some("application/problem+json"));
        assert_eq!(self.field("cache-control"), Some("no-store"));
        let json = self.json();
        assert_eq!(json["status"], status);
        assert_eq!(
            json["title"],
            self.status.canonical_reason().unwrap(),
            "{json}"
        );
        json["detail"].as_str().unwrap().to_owned()
    }
}
