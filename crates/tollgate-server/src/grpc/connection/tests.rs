use std::fs;
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tollgate_engine::Engine;

use super::super::counted::Counted;
use super::*;
use crate::lifecycle::Lifecycle;
use crate::memory::Memory;
use crate::metrics::Surface;
use crate::waiting::Waiting;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const EMPTY_SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];

/// The types of frames.
const DATA: u8 = 0;
const HEADERS: u8 = 1;

/// A connection that is served, and the other end of it.
fn served(folder: &TempDir) -> (JoinHandle<()>, UnixStream) {
    let path = folder.path().join("tollgate.toml");
    fs::write(
        &path,
        "[[policy]]\nname = 'all'\nshared = true\nlimits = ['1/h']\n",
    )
    .unwrap();
    let services = Services::new(
        Counted::new(
            Engine::open(path).unwrap(),
            Surface::new("grpc", 1),
            Waiting::new(1),
        ),
        Lifecycle::default(),
        Memory::new(1 << 20),
    );
    let (ours, theirs) = UnixStream::pair().unwrap();
    let serving = tokio::spawn(async move {
        serve(&services, Stream::from(ours), CancellationToken::new()).await;
    });
    (serving, theirs)
}

#[tokio::test(start_paused = true)]
async fn one_who_never_speaks_is_sent_away() {
    let folder = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    let (serving, _theirs) = served(&folder);
    let hour = Duration::from_secs(3600);
    timeout(hour, serving).await.unwrap().unwrap();
    assert_eq!(begin.elapsed().as_secs(), 65);
}

#[tokio::test(start_paused = true)]
async fn one_who_asks_nothing_and_answers_no_ping_is_gone_sooner() {
    let folder = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    let (serving, mut theirs) = served(&folder);
    theirs.write_all(PREFACE).await.unwrap();
    theirs.write_all(&EMPTY_SETTINGS).await.unwrap();
    let hour = Duration::from_secs(3600);
    timeout(hour, serving).await.unwrap().unwrap();
    assert_eq!(begin.elapsed().as_secs(), 30);
}

/// The head of a call, which its message follows.
fn head() -> Vec<u8> {
    // POST, http, and the path as a literal: names by their numbers in the static table.
    let path = b"/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    let length = u8::try_from(path.len()).unwrap();
    let mut block = vec![0x83, 0x86, 0x04, length];
    block.extend(path);
    let kind = b"application/grpc";
    block.extend([0x0f, 0x10, u8::try_from(kind.len()).unwrap()]);
    block.extend(kind);
    let length = u8::try_from(block.len()).unwrap();
    let mut head = vec![0, 0, length, HEADERS, 4, 0, 0, 0, 1];
    head.extend(block);
    head
}

#[tokio::test(start_paused = true)]
async fn a_message_that_does_not_come_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (_serving, mut theirs) = served(&folder);
    theirs.write_all(PREFACE).await.unwrap();
    theirs.write_all(&EMPTY_SETTINGS).await.unwrap();
    theirs.write_all(&head()).await.unwrap();
    // The answer is a status alone.
    let mut told = Vec::new();
    let begin = Instant::now();
    while !frames(&told).any(|kind| kind == HEADERS) {
        assert!(theirs.read_buf(&mut told).await.unwrap() > 0, "{told:?}");
    }
    assert_eq!(begin.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn who_has_said_all_and_shut_down_its_side_is_still_answered() {
    let folder = tempfile::tempdir().unwrap();
    let (serving, mut theirs) = served(&folder);
    // The domain "d", and a descriptor with the entry ("user", "u").
    let message = b"\0\0\0\0\x10\x0a\x01d\x12\x0b\x0a\x09\x0a\x04user\x12\x01u";
    let length = u8::try_from(message.len()).unwrap();
    let data = [&[0, 0, length, DATA, 1, 0, 0, 0, 1][..], message].concat();
    let all = [PREFACE, &EMPTY_SETTINGS, &head(), &data].concat();
    theirs.write_all(&all).await.unwrap();
    theirs.shutdown().await.unwrap();
    let mut told = Vec::new();
    theirs.read_to_end(&mut told).await.unwrap();
    let answer: Vec<_> = frames(&told)
        .filter(|kind| [HEADERS, DATA].contains(kind))
        .collect();
    assert_eq!(answer, [HEADERS, DATA, HEADERS], "{told:?}");
    serving.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_not_whole_keeps_a_client_that_is_gone_for_no_longer_than_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let (serving, mut theirs) = served(&folder);
    let begin = Instant::now();
    let all = [PREFACE, &EMPTY_SETTINGS, &head()].concat();
    theirs.write_all(&all).await.unwrap();
    theirs.shutdown().await.unwrap();
    timeout(Duration::from_secs(3600), serving)
        .await
        .unwrap()
        .unwrap();
    assert!(begin.elapsed() <= bounds::CALL, "{:?}", begin.elapsed());
}

/// The types of the frames that have arrived.
fn frames(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let ([a, b, c, kind, ..], _) = rest.split_at_checked(9)? else {
            return None;
        };
        let length = usize::from(*a) << 16 | usize::from(*b) << 8 | usize::from(*c);
        let kind = *kind;
        rest = rest.get(9 + length..)?;
        Some(kind)
    })
}
