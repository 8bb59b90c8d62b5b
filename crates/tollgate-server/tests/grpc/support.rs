//! A daemon of a test's own, and what is asked of it.

use std::fs;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tollgate::{ManualClock, Micros, Timestamp};
use tollgate_engine::Engine;
use tollgate_server::{ListenAddress, Server, ServerError, ServerSettings};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::{Channel, Endpoint};
use tower_service::Service;

use crate::generated::{
    Code, Entry, HeaderValue, RateLimitDescriptor, RateLimitRequest, RateLimitResponse,
    RateLimitServiceClient,
};

/// A daemon that speaks gRPC, whose time stands still until it is told to go on.
pub(crate) struct Daemon {
    pub(crate) address: SocketAddr,
    pub(crate) clock: ManualClock,
    stop: oneshot::Sender<()>,
    running: JoinHandle<Result<bool, ServerError>>,
    _folder: TempDir,
}

impl Daemon {
    pub(crate) async fn start(policies: &str) -> Self {
        Self::start_at(policies, "127.0.0.1:0".parse().unwrap()).await
    }

    pub(crate) async fn start_at(policies: &str, address: SocketAddr) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tollgate.toml");
        fs::write(&path, policies).unwrap();
        // The middle of a minute, so that windows have begun and have not ended.
        let clock = ManualClock::new(Timestamp::from_micros(1_800_000_030_000_000));
        let engine = Engine::builder(path).clock(clock.clone()).open().unwrap();
        let mut settings = ServerSettings::default();
        settings.grpc = Some(ListenAddress::Tcp(address));
        settings.workers = 1;
        let server = Server::bind(engine, settings).await.unwrap();
        let Some(ListenAddress::Tcp(address)) = server.addresses().grpc else {
            panic!("no address");
        };
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
        Self {
            address,
            clock,
            stop,
            running,
            _folder: folder,
        }
    }

    pub(crate) async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address)).unwrap();
        endpoint.connect().await.unwrap()
    }

    pub(crate) async fn client(&self) -> Client {
        Client(RateLimitServiceClient::new(self.channel().await))
    }

    /// Tells it to drain; true if all connections have ended by themselves.
    pub(crate) async fn stop(self) -> bool {
        self.stop.send(()).unwrap();
        self.running.await.unwrap().unwrap()
    }

    pub(crate) fn advance_secs(&self, secs: u64) {
        self.clock.advance(Micros::from_secs(secs));
    }
}

#[derive(Clone)]
pub(crate) struct Client(pub(crate) RateLimitServiceClient<Channel>);

impl Client {
    pub(crate) async fn call(
        &mut self,
        request: RateLimitRequest,
    ) -> Result<RateLimitResponse, Status> {
        let answer = self.0.should_rate_limit(request).await?;
        Ok(answer.into_inner())
    }

    /// Of a call about these descriptors.
    pub(crate) async fn ask(
        &mut self,
        descriptors: impl IntoIterator<Item = RateLimitDescriptor>,
    ) -> RateLimitResponse {
        self.call(request(descriptors)).await.unwrap()
    }

    /// What it says in all of a call about one descriptor.
    pub(crate) async fn code(&mut self, entries: &[(&str, &str)]) -> Code {
        self.ask([descriptor(entries)]).await.overall_code()
    }
}

pub(crate) fn request(
    descriptors: impl IntoIterator<Item = RateLimitDescriptor>,
) -> RateLimitRequest {
    RateLimitRequest {
        domain: "edge".to_owned(),
        descriptors: descriptors.into_iter().collect(),
        hits_addend: 0,
    }
}

pub(crate) fn descriptor(entries: &[(&str, &str)]) -> RateLimitDescriptor {
    let entries = entries.iter().map(|(key, value)| Entry {
        key: (*key).to_owned(),
        value: (*value).to_owned(),
    });
    RateLimitDescriptor {
        entries: entries.collect(),
        ..RateLimitDescriptor::default()
    }
}

/// The value of a header field, which is there once or not at all.
pub(crate) fn field<'h>(headers: &'h [HeaderValue], name: &str) -> Option<&'h str> {
    let mut found = headers.iter().filter(|header| header.key == name);
    let value = found.next().map(|header| header.value.as_str());
    assert!(found.next().is_none(), "{name} is there twice");
    value
}

/// What a policy file says of two requests a minute for each client.
pub(crate) const TWO_A_MINUTE: &str =
    "[[policy]]\nname = 'two'\nkey = ['client.ip']\nlimits = ['2/min fixed-window']\n";

/// A connection that takes nothing back by itself, as tonic's own does at a deadline.
#[derive(Clone)]
pub(crate) struct Raw(SendRequest<Body>);

impl Raw {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        let begun = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await;
        let (send, connection) = begun.unwrap();
        tokio::spawn(connection);
        Self(send)
    }
}

impl Service<Request<Body>> for Raw {
    type Response = Response<Incoming>;
    type Error = hyper::Error;
    type Future = Pin<Box<dyn Future<Output = hyper::Result<Response<Incoming>>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<hyper::Result<()>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let path = request.uri().path().to_owned();
        *request.uri_mut() = format!("http://tollgate{path}").parse().unwrap();
        Box::pin(self.0.send_request(request))
    }
}
