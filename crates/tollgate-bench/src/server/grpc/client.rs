//! A client over one connection.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use h2::client::SendRequest;
use prost::Message as _;
use tokio::net::TcpStream;

use super::{Answer, PATH};

/// A connection; its clones are the same one.
#[derive(Clone)]
pub(crate) struct Client {
    requests: SendRequest<Bytes>,
    uri: http::Uri,
}

impl Client {
    /// Must be called in a runtime, which then serves the connection.
    pub(crate) async fn connect(server: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(server).await.context("connecting")?;
        stream.set_nodelay(true)?;
        let mut builder = h2::client::Builder::new();
        builder.initial_window_size(1 << 20);
        builder.initial_connection_window_size(1 << 24);
        let (requests, connection) = builder.handshake(stream).await?;
        // Whoever asks sees that it has failed.
        tokio::spawn(async { drop(connection.await) });
        Ok(Self {
            requests,
            uri: format!("http://{server}{PATH}").parse()?,
        })
    }

    /// Sends a framed message, and waits for the answer.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not admit.
    pub(crate) async fn ask(&self, message: Bytes) -> Result<()> {
        let request = http::Request::post(self.uri.clone())
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(())?;
        let mut requests = self.requests.clone().ready().await?;
        let (response, mut body) = requests.send_request(request, false)?;
        body.send_data(message, true)?;
        let response = response.await?;
        ensure!(response.status().is_success(), "{}", response.status());
        let mut body = response.into_body();
        let mut read = Vec::with_capacity(512);
        while let Some(part) = body.data().await {
            let part = part?;
            body.flow_control().release_capacity(part.len())?;
            read.extend_from_slice(&part);
        }
        let trailers = body.trailers().await?.context("no status of gRPC")?;
        let status = trailers.get("grpc-status").context("no status of gRPC")?;
        ensure!(status == "0", "the call failed: {trailers:?}");
        let answer = Answer::decode(read.get(5..).context("no frame")?)?;
        ensure!(answer == Answer::OK, "a call was denied");
        Ok(())
    }
}
