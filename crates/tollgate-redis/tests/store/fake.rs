//! A server that answers what the test says, and when.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc};

use crate::given::PATIENCE;
use crate::still::StillTime;

/// A server on a port of its own that ends with this value. While there is one, time stands still
/// but for [`FakeServer::pass`], so that no machine is so slow that a call is late.
pub(crate) struct FakeServer {
    url: String,
    connections: mpsc::UnboundedReceiver<FakeConnection>,
    accepting: tokio::task::JoinHandle<()>,
    _time: StillTime,
}

/// A client's connection.
pub(crate) struct FakeConnection {
    commands: mpsc::UnboundedReceiver<Vec<Vec<u8>>>,
    writer: Arc<Mutex<OwnedWriteHalf>>,
}

impl FakeServer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("redis://{}", listener.local_addr().unwrap());
        let (sender, connections) = mpsc::unbounded_channel();
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if sender.send(FakeConnection::new(stream)).is_err() {
                    return;
                }
            }
        });
        Self {
            url,
            connections,
            accepting,
            _time: StillTime::begin(),
        }
    }

    /// So much time passes, at once, and the millisecond by which Tokio's timers may be late.
    pub(crate) async fn pass(&self, time: Duration) {
        tokio::time::advance(time + Duration::from_millis(1)).await;
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The next connection, whose greeting is not answered yet.
    pub(crate) async fn accept(&mut self) -> FakeConnection {
        let next = tokio::time::timeout(PATIENCE, self.connections.recv());
        next.await.unwrap().unwrap()
    }

    /// The next connection, ready for calls.
    pub(crate) async fn greet(&mut self) -> FakeConnection {
        let mut connection = self.accept().await;
        connection.greet().await;
        connection
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl FakeConnection {
    fn new(stream: TcpStream) -> Self {
        let (reader, writer) = stream.into_split();
        let (sender, commands) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut reader = BufReader::new(reader);
            while let Some(command) = read(&mut reader).await {
                if sender.send(command).is_err() {
                    return;
                }
            }
        });
        Self {
            commands,
            writer: Arc::new(Mutex::new(writer)),
        }
    }

    /// The words of the next command; `None` if the client has left.
    pub(crate) async fn command(&mut self) -> Option<Vec<Vec<u8>>> {
        let next = tokio::time::timeout(PATIENCE, self.commands.recv());
        next.await.unwrap()
    }

    /// The number of keys of the next call of the script.
    pub(crate) async fn keys_of_call(&mut self) -> usize {
        let command = self.command().await.unwrap();
        let name = String::from_utf8_lossy(&command[0]).into_owned();
        assert!(name.starts_with("EVAL"), "{name}");
        String::from_utf8_lossy(&command[2]).parse().unwrap()
    }

    /// True if the client has sent nothing else.
    pub(crate) fn is_silent(&mut self) -> bool {
        self.commands.try_recv().is_err()
    }

    pub(crate) async fn greet(&mut self) {
        let hello = self.command().await.unwrap();
        assert_eq!(hello[0], b"HELLO");
        self.answer(b"%1\r\n+proto\r\n:3\r\n").await;
    }

    pub(crate) async fn answer(&self, answer: &[u8]) {
        self.writer.lock().await.write_all(answer).await.unwrap();
    }

    /// Admits so many decisions of one token bucket each, of which `level` has been used.
    pub(crate) async fn admit(&self, decisions: usize) {
        let numbers: [u64; 6] = [1_000_000, 1, 1, 1_000_000, 1, 0];
        let numbers = numbers.map(u64::to_le_bytes).concat().repeat(decisions);
        let mut answer = format!("${}\r\n", numbers.len()).into_bytes();
        answer.extend_from_slice(&numbers);
        answer.extend_from_slice(b"\r\n");
        self.answer(&answer).await;
    }
}

async fn read(reader: &mut BufReader<OwnedReadHalf>) -> Option<Vec<Vec<u8>>> {
    let words = length(reader, '*').await?;
    let mut command = Vec::new();
    for _ in 0..words {
        let mut word = vec![0; length(reader, '$').await? + 2];
        reader.read_exact(&mut word).await.ok()?;
        word.truncate(word.len() - 2);
        command.push(word);
    }
    Some(command)
}

async fn length(reader: &mut BufReader<OwnedReadHalf>, kind: char) -> Option<usize> {
    let mut line = String::new();
    reader.read_line(&mut line).await.ok()?;
    line.strip_prefix(kind)?.trim().parse().ok()
}
