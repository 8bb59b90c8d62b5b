//! One connection: reads all that is there, answers all of it, writes once.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tollgate_resp::{Bounds, Parser};

use super::Resp;
use super::batch::Batch;
use super::commands::{Context, Then};
use super::session::Session;
use crate::metrics::Outcome;
use crate::net::Stream;

/// The least and the most room for what is read at once.
const MIN_ROOM: usize = 4 << 10;
const MAX_ROOM: usize = 64 << 10;
/// For how long something that is on its way is waited for at the end.
const LAST_CALL: Duration = Duration::from_millis(50);

/// Answers a client until it goes, breaks the protocol, or `drain` is cancelled. What was read by
/// then is answered.
pub(super) async fn serve(surface: &Resp, stream: Stream, drain: &CancellationToken) {
    let session = surface.session();
    let mut connection = Connection {
        surface,
        stream,
        session,
        parser: Parser::new(Bounds::default()),
        input: Vec::new(),
        is_filled: false,
        batch: Batch::default(),
    };
    if let Err(error) = connection.run(drain).await {
        tracing::debug!(%error, "a connection of the Redis protocol has ended early");
    }
}

struct Connection<'s> {
    surface: &'s Resp,
    stream: Stream,
    session: Session,
    parser: Parser,
    /// What was read and not yet answered: at most one command that is not whole, when reading.
    input: Vec<u8>,
    /// True if the last read has filled the room there was, so that there may be more.
    is_filled: bool,
    batch: Batch,
}

impl Connection<'_> {
    async fn run(&mut self, drain: &CancellationToken) -> io::Result<()> {
        loop {
            let read = tokio::select! {
                biased;
                () = drain.cancelled() => {
                    self.last_call().await?;
                    break;
                }
                read = self.read() => read?,
            };
            if read == 0 || self.answer().await? == Then::Close {
                break;
            }
        }
        self.stream.shutdown().await
    }

    /// Answers what was sent before the client could know that this is the end: what comes until
    /// then, and what is there already, up to a bound.
    async fn last_call(&mut self) -> io::Result<()> {
        let end = Instant::now() + LAST_CALL;
        let mut left = MAX_ROOM;
        while left > 0 {
            match timeout_at(end, self.read()).await {
                Ok(Ok(read)) if read > 0 => {
                    left = left.saturating_sub(read);
                    if self.answer().await? == Then::Close {
                        break;
                    }
                }
                Ok(Err(error)) => return Err(error),
                Ok(Ok(_)) | Err(_) => break,
            }
        }
        Ok(())
    }

    /// Reads what is there, and waits if there is nothing; 0 at the end.
    async fn read(&mut self) -> io::Result<usize> {
        self.make_room();
        let read = self.stream.read_buf(&mut self.input).await?;
        self.is_filled = self.input.len() == self.input.capacity();
        Ok(read)
    }

    /// More room if the last read has filled what there was, up to a bound; little again once
    /// nothing is left of a command that needed more.
    fn make_room(&mut self) {
        let room = self.input.capacity();
        if self.input.is_empty() && room > MAX_ROOM {
            self.input = Vec::with_capacity(MIN_ROOM);
        } else if self.input.len() == room || (self.is_filled && room < MAX_ROOM) {
            let more = room + room.clamp(MIN_ROOM, MAX_ROOM);
            self.input.reserve_exact(more - self.input.len());
        }
    }

    /// Runs all commands that are whole, and writes the answers.
    async fn answer(&mut self) -> io::Result<Then> {
        let mut taken = 0;
        let mut then = Then::GoOn;
        while then == Then::GoOn {
            let rest = self.input.get(taken..).unwrap_or_default();
            match self.parser.next(rest) {
                Ok(None) => break,
                Ok(Some(command)) => {
                    taken += command.length();
                    then = Context {
                        surface: self.surface,
                        session: &mut self.session,
                        batch: &mut self.batch,
                        is_counted: false,
                    }
                    .run(&command);
                    if then == Then::RunQueued {
                        self.run_queued().await?;
                        then = Then::GoOn;
                    }
                }
                Err(error) => {
                    self.batch.replies.error(&format!("ERR {error}"));
                    self.batch.tally.add(Outcome::Invalid);
                    then = Then::Close;
                }
            }
            if self.batch.is_full() {
                self.write().await?;
            }
        }
        self.write().await?;
        self.input.drain(..taken);
        Ok(then)
    }

    /// Runs what was queued before `EXEC`. Answers are written whenever there are many, as of a
    /// pipeline.
    async fn run_queued(&mut self) -> io::Result<()> {
        let queued = self.session.transaction.take().unwrap_or_default();
        let mut rest = queued.bytes();
        let mut parser = Parser::new(Bounds::default());
        while let Ok(Some(command)) = parser.next(rest) {
            rest = rest.get(command.length()..).unwrap_or_default();
            // None of them closes the connection: such ones are not queued.
            Context {
                surface: self.surface,
                session: &mut self.session,
                batch: &mut self.batch,
                is_counted: false,
            }
            .run(&command);
            if self.batch.is_full() {
                self.write().await?;
            }
        }
        Ok(())
    }

    /// Writes the answers. While the client does not take them, nothing more is read of it.
    async fn write(&mut self) -> io::Result<()> {
        self.batch.tally.give_to(&self.surface.surface);
        let answers = self.batch.answers().await;
        if !answers.is_empty() {
            self.stream.write_all(answers).await?;
            self.batch.clear();
        }
        Ok(())
    }
}
