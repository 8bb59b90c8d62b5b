//! Clients of the proxy.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::handshake;
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpSocket;
use tokio::time::timeout;

use super::Echo;

/// After which a proxy that does not answer fails the test.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where requests come from that a load balancer passes on.
pub(crate) const BALANCER: Ipv4Addr = Ipv4Addr::new(127, 0, 9, 9);

/// One of the addresses of this machine, none of which is that of the proxy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    from: Ipv4Addr,
    to: u16,
}

impl Client {
    /// Clients of different numbers have different addresses.
    pub(crate) const fn new(number: u8, to: u16) -> Self {
        Self {
            from: Ipv4Addr::new(127, 0, 1, number),
            to,
        }
    }

    /// The load balancer, which speaks for other clients.
    pub(crate) const fn balancer(to: u16) -> Self {
        let from = BALANCER;
        Self { from, to }
    }

    pub(crate) async fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, &[], "").await
    }

    /// Asks on a connection of its own.
    pub(crate) async fn ask(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let answer = self.try_ask(method, target, headers, body).await;
        answer.unwrap_or_else(|error| panic!("{method} {target}: {error}"))
    }

    pub(crate) async fn try_ask(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Answer, Box<dyn std::error::Error>> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((self.from, 0)))?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.to));
        let stream = socket.connect(address).await?;
        let (mut sender, connection) = handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(target);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "a.example");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(Bytes::from(body.to_owned())))?;
        let response = timeout(PATIENCE, sender.send_request(request)).await??;
        let (parts, body) = response.into_parts();
        let body = timeout(PATIENCE, body.collect()).await??.to_bytes();
        connection.abort();
        Ok(Answer {
            status: parts.status,
            headers: parts.headers,
            body,
        })
    }
}

/// What a client got.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    /// The value of a field that is there once, if it is there.
    #[track_caller]
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.get_all(name).iter();
        let first = lines.next();
        assert!(lines.next().is_none(), "{name} is there twice: {self:?}");
        first.map(|value| value.to_str().unwrap())
    }

    /// How the service was asked, whose answer this must be.
    #[track_caller]
    pub(crate) fn echo(&self) -> Echo {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// The problem of this status, which must be the whole answer.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.field("content-type"), Some("application/problem+json"));
        let problem: Value = self.json();
        assert_eq!(problem["status"], status);
        problem
    }

    #[track_caller]
    fn json<T: serde::de::DeserializeOwned>(&self) -> T {
        let read = serde_json::from_slice(&self.body);
        read.unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
