//! A client for each surface, which asks about one user.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Status, Streaming};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::daemon::within;
use crate::generated::{
    Code, Entry, RateLimitDescriptor, RateLimitRequest, RateLimitServiceClient,
};

/// A connection of HTTP/1 or of the Redis protocol.
pub(crate) struct Connection(TcpStream);

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Self> {
        TcpStream::connect(address).await.map(Self)
    }

    /// The whole answer to a request of HTTP, whose connection may go on.
    pub(crate) async fn http(
        &mut self,
        method: &str,
        path: &str,
        body: &str,
    ) -> io::Result<String> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: tollgate\r\ncontent-type: application/json\r\n\
             x-forwarded-method: GET\r\nx-forwarded-uri: /\r\nx-forwarded-for: 192.0.2.1\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.write_all(request.as_bytes()).await?;
        self.until(|answer| {
            let (head, body) = answer.split_once("\r\n\r\n")?;
            let length = head
                .lines()
                .find_map(|it| it.strip_prefix("content-length: "));
            let length = length.map_or(0, |length| length.parse().unwrap());
            (body.len() >= length).then_some(())
        })
        .await
    }

    /// Whether `/v1/check` admits, and whether the connection ends.
    pub(crate) async fn check(&mut self, user: &str) -> io::Result<(bool, bool)> {
        let asked = format!(r#"{{"attributes": {{"user": "{user}"}}}}"#);
        let answer = self.http("POST", "/v1/check", &asked).await?;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let is_admitted = answer.contains(r#"{"allowed":true"#);
        Ok((is_admitted, answer.contains("connection: close")))
    }

    /// What a command is answered, in so many lines.
    pub(crate) async fn command(&mut self, command: &str, lines: usize) -> io::Result<String> {
        self.0
            .write_all(format!("{command}\r\n").as_bytes())
            .await?;
        self.until(|answer| {
            let is_error = answer.starts_with('-') && answer.ends_with("\r\n");
            (is_error || answer.matches("\r\n").count() >= lines).then_some(())
        })
        .await
    }

    /// Whether `TG.CHECK` admits.
    pub(crate) async fn tg_check(&mut self, user: &str) -> io::Result<bool> {
        let answer = self.command(&format!("TG.CHECK user {user}"), 10).await?;
        assert!(answer.starts_with("*7\r\n:"), "{answer}");
        Ok(answer.starts_with("*7\r\n:1"))
    }

    async fn until(&mut self, whole: impl Fn(&str) -> Option<()>) -> io::Result<String> {
        let mut answer = Vec::new();
        loop {
            let text = String::from_utf8_lossy(&answer);
            if whole(&text).is_some() {
                return Ok(text.into_owned());
            }
            if within(self.0.read_buf(&mut answer)).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

/// A client of gRPC.
#[derive(Clone)]
pub(crate) struct Calls {
    limiter: RateLimitServiceClient<Channel>,
    health: HealthClient<Channel>,
}

impl Calls {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
        let channel = endpoint.connect().await.unwrap();
        Self {
            limiter: RateLimitServiceClient::new(channel.clone()),
            health: HealthClient::new(channel),
        }
    }

    /// Asks for what cannot be decided.
    pub(crate) async fn in_no_domain(&mut self) -> Result<(), Status> {
        let asked = self.limiter.should_rate_limit(RateLimitRequest::default());
        within(asked).await.map(drop)
    }

    /// The health of the daemon as it changes.
    pub(crate) async fn watch(&mut self) -> Streaming<HealthCheckResponse> {
        let asked = self.health.watch(HealthCheckRequest::default());
        within(asked).await.unwrap().into_inner()
    }

    pub(crate) async fn is_healthy(&mut self) -> bool {
        let asked = self.health.check(HealthCheckRequest::default());
        let answer = within(asked).await.unwrap().into_inner();
        answer.status() == ServingStatus::Serving
    }

    pub(crate) async fn should_rate_limit(&mut self, user: &str) -> Result<bool, Status> {
        let entry = Entry {
            key: "user".to_owned(),
            value: user.to_owned(),
        };
        let request = RateLimitRequest {
            domain: "edge".to_owned(),
            descriptors: vec![RateLimitDescriptor {
                entries: vec![entry],
                ..RateLimitDescriptor::default()
            }],
            hits_addend: 0,
        };
        let answer = within(self.limiter.should_rate_limit(request)).await?;
        Ok(answer.into_inner().overall_code() == Code::Ok)
    }
}
