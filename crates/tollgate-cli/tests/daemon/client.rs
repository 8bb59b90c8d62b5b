//! Clients that hold connections for as long as they may.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use tollgate_testkit::redis::until;

/// Asks once, and gives the whole answer.
pub(crate) fn ask(stream: &mut (impl Read + Write), path: &str) -> io::Result<String> {
    send(
        stream,
        &format!("GET {path} HTTP/1.1\r\nhost: tollgate\r\n\r\n"),
    )
}

/// Asks for the decision of a request.
pub(crate) fn check(stream: &mut (impl Read + Write), body: &str) -> io::Result<String> {
    let length = body.len();
    let head = "POST /v1/check HTTP/1.1\r\nhost: tollgate\r\ncontent-type: application/json";
    send(
        stream,
        &format!("{head}\r\ncontent-length: {length}\r\n\r\n{body}"),
    )
}

/// Sends a request as it is, and gives the whole answer.
pub(crate) fn send(stream: &mut (impl Read + Write), request: &str) -> io::Result<String> {
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&answer);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return Ok(text.into_owned());
            }
        }
        match stream.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => answer.extend_from_slice(&part[..count]),
        }
    }
}

/// Threads that have one client's requests decided as fast as they are answered, over connections that they keep until they are
/// told that they end.
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
    admitted: Arc<AtomicU64>,
    threads: Vec<JoinHandle<Result<u64, String>>>,
}

impl Load {
    pub(crate) fn start(address: SocketAddr, clients: usize) -> Self {
        let stop = Arc::new(AtomicBool::default());
        let answered = Arc::new(AtomicU64::default());
        let admitted = Arc::new(AtomicU64::default());
        let threads = (0..clients)
            .map(|_| {
                let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
                let admitted = Arc::clone(&admitted);
                thread::spawn(move || run(address, &stop, &answered, &admitted))
            })
            .collect();
        Self {
            stop,
            answered,
            admitted,
            threads,
        }
    }

    /// Waits until so many more requests have been answered.
    pub(crate) fn await_answers(&self, count: u64) {
        let enough = self.answered.load(Ordering::Relaxed) + count;
        until("requests have been answered", || {
            let given_up = self.threads.iter().any(JoinHandle::is_finished);
            // What went wrong is told by its end.
            given_up || self.answered.load(Ordering::Relaxed) >= enough
        });
    }

    /// How many requests were admitted.
    pub(crate) fn admitted(&self) -> u64 {
        self.admitted.load(Ordering::Relaxed)
    }

    /// Ends it. Fails if a request has had no answer; gives how many connections it took.
    pub(crate) fn end(self) -> Result<u64, String> {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.threads.into_iter().map(|it| it.join().unwrap());
        ended.sum()
    }
}

fn run(
    address: SocketAddr,
    stop: &AtomicBool,
    answered: &AtomicU64,
    admitted: &AtomicU64,
) -> Result<u64, String> {
    let mut connections = 0;
    while !stop.load(Ordering::Relaxed) {
        let connected = TcpStream::connect(address);
        let mut stream = connected.map_err(|error| format!("nobody listens: {error}"))?;
        connections += 1;
        loop {
            let answer = check(&mut stream, r#"{"attributes": {"client.ip": "192.0.2.1"}}"#);
            let answer = answer.map_err(|error| format!("no answer: {error}"))?;
            if !answer.starts_with("HTTP/1.1 200") {
                return Err(answer);
            }
            if answer.contains(r#"{"allowed":true"#) {
                admitted.fetch_add(1, Ordering::Relaxed);
            }
            answered.fetch_add(1, Ordering::Relaxed);
            if answer.contains("connection: close") || stop.load(Ordering::Relaxed) {
                break;
            }
        }
    }
    Ok(connections)
}
