//! What asks a collector to take an export.

mod answer;

use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use http::header::{CONTENT_TYPE, HOST, HeaderValue, TE, USER_AGENT};
use http::{Method, Request, Response, Version};
use http_body_util::Full;
use hyper::body::Incoming;
use prost::Message;
use tokio::time::timeout;

use super::connection::Connection;
use super::message::PartialSuccess;
use super::settings::{Protocol, Target};

/// An export was not taken.
#[derive(Debug)]
pub(super) struct Failure {
    /// Why, without anything secret.
    pub(super) cause: String,
    /// True if it may be taken another time.
    pub(super) is_passing: bool,
    /// How long the collector wants to be left alone.
    pub(super) wait: Option<Duration>,
}

impl Failure {
    pub(super) fn passing(cause: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            is_passing: true,
            wait: None,
        }
    }
}

impl From<hyper::Error> for Failure {
    fn from(error: hyper::Error) -> Self {
        let cause = std::error::Error::source(&error);
        let cause = cause.map_or_else(String::new, |cause| format!(": {cause}"));
        Self::passing(format!("{error}{cause}"))
    }
}

/// Exports one signal, over one connection that stays open.
pub(super) struct Client {
    target: Target,
    connection: Option<Connection>,
}

impl Client {
    pub(super) const fn new(target: Target) -> Self {
        Self {
            target,
            connection: None,
        }
    }

    pub(super) const fn target(&self) -> &Target {
        &self.target
    }

    /// Has an export taken; what of it the collector did not want, if it says so.
    pub(super) async fn export(
        &mut self,
        message: &impl Message,
    ) -> Result<Option<PartialSuccess>, Failure> {
        let within = self.target.timeout;
        let body = self.body(message);
        // A connection that was cut off in the middle of something is not used again.
        let kept = self.connection.take();
        match timeout(within, self.ask(kept, body)).await {
            Ok(done) => done,
            Err(_) => Err(Failure::passing(format!("no answer within {within:?}"))),
        }
    }

    async fn ask(
        &mut self,
        kept: Option<Connection>,
        body: Bytes,
    ) -> Result<Option<PartialSuccess>, Failure> {
        if let Some(mut kept) = kept
            && kept.is_usable().await
            // A collector may close it in this very moment; that is no failure of its.
            && let Ok(response) = kept.ask(self.request(body.clone())?).await
        {
            return self.answered(kept, response).await;
        }
        let mut connection = Connection::open(&self.target).await?;
        let response = connection.ask(self.request(body)?).await?;
        self.answered(connection, response).await
    }

    async fn answered(
        &mut self,
        connection: Connection,
        response: Response<Incoming>,
    ) -> Result<Option<PartialSuccess>, Failure> {
        let answer = answer::read(response, self.target.protocol).await?;
        self.connection = Some(connection);
        Ok(answer)
    }

    /// The message, as the protocol wants it.
    fn body(&self, message: &impl Message) -> Bytes {
        let length = message.encoded_len();
        let mut body = BytesMut::with_capacity(5 + length);
        if self.target.protocol == Protocol::Grpc {
            // Not compressed.
            body.put_u8(0);
            body.put_u32(u32::try_from(length).unwrap_or(u32::MAX));
        }
        // There is always room.
        let _ = message.encode(&mut body);
        body.freeze()
    }

    fn request(&self, body: Bytes) -> Result<Request<Full<Bytes>>, Failure> {
        let Target {
            endpoint, signal, ..
        } = &self.target;
        let agent = concat!("tollgate/", env!("CARGO_PKG_VERSION"));
        let request = Request::builder()
            .method(Method::POST)
            .header(USER_AGENT, agent);
        let request = match self.target.protocol {
            Protocol::Http => request
                .version(Version::HTTP_11)
                .uri(endpoint.target())
                .header(HOST, endpoint.authority().as_str())
                .header(CONTENT_TYPE, "application/x-protobuf"),
            Protocol::Grpc => request
                .version(Version::HTTP_2)
                .uri(format!(
                    "{}://{}{}",
                    endpoint.scheme(),
                    endpoint.authority(),
                    signal.method()
                ))
                .header(TE, HeaderValue::from_static("trailers"))
                .header(CONTENT_TYPE, "application/grpc"),
        };
        let request = request.body(Full::new(body));
        let mut request = request.map_err(|error| Failure::passing(error.to_string()))?;
        request.headers_mut().extend(self.target.headers.clone());
        Ok(request)
    }
}
