//! How a surface is asked one thing.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, Semaphore};

use super::super::check::bodies;
use super::super::daemon::DOMAIN;
use super::super::grpc::{self, Client};
use super::super::process::address;
use crate::keys;

/// Connections on which one request is under way at a time. Who finds none waits, and the latency
/// goes on.
const CONNECTIONS: usize = 50;
/// How many keys take turns.
const KEYS: usize = 10_000;

/// A surface, asked about many keys in turn.
pub(super) trait Ask: 'static {
    /// Asks about the key of a request, and waits for the answer.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not admit.
    fn ask(&self, number: usize) -> impl Future<Output = Result<()>>;
}

/// The Redis protocol.
pub(super) struct Lines(Pool);

impl Lines {
    pub(super) async fn connect(port: u16) -> Result<Self> {
        let command = |key| {
            let command = ["CL.THROTTLE", key, "1000000000", "1000000000", "3600"];
            let mut bytes = format!("*{}\r\n", command.len());
            for argument in command {
                bytes.push_str(&format!("${}\r\n{argument}\r\n", argument.len()));
            }
            bytes.into_bytes()
        };
        let keys = keys::distinct(KEYS);
        let commands = keys.iter().map(|key| command(key)).collect();
        Pool::connect(port, commands).await.map(Self)
    }
}

impl Ask for Lines {
    async fn ask(&self, number: usize) -> Result<()> {
        self.0
            .ask(number, |read| {
                let lines = read.iter().filter(|byte| **byte == b'\n').count();
                (lines == 6).then(|| read.starts_with(b"*5\r\n:0\r\n"))
            })
            .await
    }
}

/// HTTP.
pub(super) struct Posts(Pool);

impl Posts {
    pub(super) async fn connect(port: u16) -> Result<Self> {
        let request = |body: String| {
            let length = body.len();
            let head = format!(
                "POST /v1/check HTTP/1.1\r\nhost: 127.0.0.1\r\n\
                 content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
            );
            (head + &body).into_bytes()
        };
        let requests = bodies().into_iter().map(request).collect();
        Pool::connect(port, requests).await.map(Self)
    }
}

impl Ask for Posts {
    async fn ask(&self, number: usize) -> Result<()> {
        self.0.ask(number, of_http).await
    }
}

/// Whether it admits, as soon as it is whole.
fn of_http(read: &[u8]) -> Option<bool> {
    let end = read.windows(4).position(|it| it == b"\r\n\r\n")? + 4;
    let head = str::from_utf8(&read[..end]).ok()?;
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))?;
    let body = &read[end..];
    (body.len() >= length.parse().ok()?).then(|| body.starts_with(b"{\"allowed\":true"))
}

/// gRPC, over a few connections that calls share.
pub(super) struct Calls {
    clients: Vec<Client>,
    messages: Vec<Bytes>,
}

impl Calls {
    pub(super) async fn connect(port: u16) -> Result<Self> {
        let mut clients = Vec::new();
        for _ in 0..8 {
            clients.push(Client::connect(address(port)).await?);
        }
        let message = |user: String| grpc::framed(&grpc::Request::about(DOMAIN, [user])).into();
        Ok(Self {
            clients,
            messages: keys::distinct(KEYS).into_iter().map(message).collect(),
        })
    }
}

impl Ask for Calls {
    async fn ask(&self, number: usize) -> Result<()> {
        let client = &self.clients[number % self.clients.len()];
        let message = &self.messages[number % self.messages.len()];
        client.ask(message.clone()).await
    }
}

/// Connections of which the idle ones are taken in turn, and what is sent over them.
struct Pool {
    idle: Mutex<Vec<TcpStream>>,
    places: Semaphore,
    requests: Vec<Vec<u8>>,
}

impl Pool {
    async fn connect(port: u16, requests: Vec<Vec<u8>>) -> Result<Self> {
        let mut idle = Vec::new();
        for _ in 0..CONNECTIONS {
            let stream = TcpStream::connect(address(port)).await?;
            stream.set_nodelay(true)?;
            idle.push(stream);
        }
        Ok(Self {
            idle: Mutex::new(idle),
            places: Semaphore::new(CONNECTIONS),
            requests,
        })
    }

    /// Asks, and reads until `admits` knows.
    async fn ask(&self, number: usize, admits: fn(&[u8]) -> Option<bool>) -> Result<()> {
        let place = self.places.acquire().await?;
        let stream = self.idle.lock().await.pop();
        let mut stream = stream.context("there is no connection for a place")?;
        stream
            .write_all(&self.requests[number % self.requests.len()])
            .await?;
        let mut buffer = [0; 4_096];
        let mut read = 0;
        let is_admitted = loop {
            let length = stream.read(&mut buffer[read..]).await?;
            ensure!(length > 0, "a connection ended before its answer");
            read += length;
            if let Some(is_admitted) = admits(&buffer[..read]) {
                break is_admitted;
            }
        };
        ensure!(
            is_admitted,
            "an answer is {:?}",
            String::from_utf8_lossy(&buffer[..read])
        );
        self.idle.lock().await.push(stream);
        drop(place);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_http_is_whole_when_its_body_is() {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{\"allowed\":true}";
        assert_eq!(of_http(answer), Some(true));
        assert_eq!(of_http(&answer[..answer.len() - 1]), None);
    }
}
