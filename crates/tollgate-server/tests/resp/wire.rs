//! The protocol as a client reads it.

use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::TcpStream;
use tollgate_resp::encode;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Simple(String),
    Error(String),
    Integer(i64),
    Bulk(String),
    Text(String),
    Null,
    Array(Vec<Self>),
    Set(Vec<Self>),
    Map(Vec<(Self, Self)>),
}

impl Answer {
    /// The integers of an array of integers.
    #[track_caller]
    pub(crate) fn integers(&self) -> Vec<i64> {
        let Self::Array(parts) = self else {
            panic!("no array: {self:?}");
        };
        let integer = |part: &Self| match part {
            Self::Integer(number) => *number,
            other => panic!("no integer: {other:?}"),
        };
        parts.iter().map(integer).collect()
    }

    #[track_caller]
    pub(crate) fn error(&self) -> &str {
        match self {
            Self::Error(text) => text,
            other => panic!("no error: {other:?}"),
        }
    }

    /// As `redis-cli` shows it without a terminal, on one line.
    pub(crate) fn shown(&self) -> String {
        let all = |parts: &[Self]| {
            let parts: Vec<String> = parts.iter().map(Self::shown).collect();
            parts.join(" ")
        };
        match self {
            Self::Simple(text) | Self::Error(text) | Self::Bulk(text) | Self::Text(text) => {
                text.clone()
            }
            Self::Integer(number) => number.to_string(),
            Self::Null => "(nil)".to_owned(),
            Self::Array(parts) | Self::Set(parts) => all(parts),
            Self::Map(pairs) => {
                let pair =
                    |(name, value): &(Self, Self)| format!("{}={}", name.shown(), value.shown());
                pairs.iter().map(pair).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

pub(crate) struct Connection {
    stream: BufStream<TcpStream>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream: BufStream::new(stream),
        }
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
        self.stream.flush().await.unwrap();
    }

    /// Sends a command, its words separated by spaces, and gives the answer.
    pub(crate) async fn ask(&mut self, words: &str) -> Answer {
        let words: Vec<&str> = words.split(' ').collect();
        self.send(&encode(&words)).await;
        self.answer().await
    }

    /// The next answer.
    pub(crate) async fn answer(&mut self) -> Answer {
        self.try_answer().await.expect("the connection has ended")
    }

    /// The next answer, or `None` at the end of the connection. A test fails rather than hang.
    pub(crate) async fn try_answer(&mut self) -> Option<Answer> {
        let reading = tokio::time::timeout(Duration::from_secs(30), self.read());
        reading.await.expect("an answer, or the end")
    }

    async fn read(&mut self) -> Option<Answer> {
        let mut line = String::new();
        match self.stream.read_line(&mut line).await {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
        let line = line.strip_suffix("\r\n").expect("a whole line");
        let (kind, text) = line.split_at(1);
        let length = || text.parse::<usize>().unwrap();
        Some(match kind {
            "+" => Answer::Simple(text.to_owned()),
            "-" => Answer::Error(text.to_owned()),
            ":" => Answer::Integer(text.parse().unwrap()),
            "_" => Answer::Null,
            "$" if text == "-1" => Answer::Null,
            "$" => Answer::Bulk(self.body(length()).await),
            "=" => Answer::Text(self.body(length()).await.split_off(4)),
            "*" => Answer::Array(self.several(length()).await),
            "~" => Answer::Set(self.several(length()).await),
            "%" => {
                let mut parts = self.several(length() * 2).await.into_iter();
                let mut pairs = Vec::new();
                while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
                    pairs.push((name, value));
                }
                Answer::Map(pairs)
            }
            other => panic!("no answer begins with {other:?}"),
        })
    }

    async fn body(&mut self, length: usize) -> String {
        let mut body = vec![0; length + 2];
        self.stream.read_exact(&mut body).await.unwrap();
        assert_eq!(body.split_off(length), b"\r\n");
        String::from_utf8(body).unwrap()
    }

    /// The parts of an answer, which may have parts themselves.
    fn several(&mut self, count: usize) -> Pin<Box<dyn Future<Output = Vec<Answer>> + Send + '_>> {
        Box::pin(async move {
            let mut parts = Vec::new();
            for _ in 0..count {
                parts.push(self.read().await.expect("a part of an answer"));
            }
            parts
        })
    }
}
