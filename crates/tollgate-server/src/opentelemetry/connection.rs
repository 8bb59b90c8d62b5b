//! One connection to a collector.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::task::AbortOnDropHandle;

use super::client::Failure;
use super::settings::{Protocol, Target};

/// A connection that can be asked. It ends when it is dropped.
pub(super) struct Connection {
    sender: Sender,
    _driver: AbortOnDropHandle<()>,
}

enum Sender {
    Http1(http1::SendRequest<Full<Bytes>>),
    Http2(http2::SendRequest<Full<Bytes>>),
}

impl Connection {
    pub(super) async fn open(target: &Target) -> Result<Self, Failure> {
        let endpoint = &target.endpoint;
        let stream = TcpStream::connect((endpoint.host(), endpoint.port())).await;
        let stream = stream.map_err(|error| cannot_connect(&error))?;
        stream
            .set_nodelay(true)
            .map_err(|error| cannot_connect(&error))?;
        match &target.tls {
            None => Self::over(stream, target.protocol).await,
            Some(config) => {
                let name = ServerName::try_from(endpoint.host().to_owned())
                    .map_err(|_| Failure::passing("its name can be in no certificate"))?;
                let handshake = TlsConnector::from(Arc::clone(config)).connect(name, stream);
                let stream = handshake.await.map_err(|error| cannot_connect(&error))?;
                Self::over(stream, target.protocol).await
            }
        }
    }

    async fn over<S>(stream: S, protocol: Protocol) -> Result<Self, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let stream = TokioIo::new(stream);
        match protocol {
            Protocol::Http => {
                let (sender, driver) = http1::handshake(stream).await.map_err(Failure::from)?;
                Ok(Self::driven(Sender::Http1(sender), driver))
            }
            Protocol::Grpc => {
                let handshake = http2::handshake(TokioExecutor::new(), stream);
                let (sender, driver) = handshake.await.map_err(Failure::from)?;
                Ok(Self::driven(Sender::Http2(sender), driver))
            }
        }
    }

    fn driven(
        sender: Sender,
        driver: impl Future<Output = hyper::Result<()>> + Send + 'static,
    ) -> Self {
        // How it ends is told to who asks next.
        let driver = tokio::spawn(async move { drop(driver.await) });
        Self {
            sender,
            _driver: AbortOnDropHandle::new(driver),
        }
    }

    /// False if the collector has closed it meanwhile.
    pub(super) async fn is_usable(&mut self) -> bool {
        match &mut self.sender {
            Sender::Http1(sender) => sender.ready().await.is_ok(),
            Sender::Http2(sender) => sender.ready().await.is_ok(),
        }
    }

    pub(super) async fn ask(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> hyper::Result<Response<Incoming>> {
        match &mut self.sender {
            Sender::Http1(sender) => sender.send_request(request).await,
            Sender::Http2(sender) => sender.send_request(request).await,
        }
    }
}

fn cannot_connect(error: &io::Error) -> Failure {
    Failure::passing(format!("cannot connect: {error}"))
}
