//! Reading what may be silent for long, until told to stop.

use std::fmt;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::progress::Stop;

/// How often is looked whether to stop, while nothing comes.
const INTERVAL: Duration = Duration::from_millis(50);
/// So much is read at once, in bytes: as much as a pipe holds.
const BLOCK: usize = 64 * 1024;
/// Blocks that wait for being taken.
const BLOCKS: usize = 16;

/// What a pipe gives, read by a thread of its own: whoever waits for it can be told to stop, and gets an
/// error then. The thread ends with the pipe, or when something comes that nobody waits for.
pub(crate) struct Stoppable {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    taken: usize,
    stop: Stop,
}

impl Stoppable {
    /// Begins to read.
    ///
    /// # Errors
    ///
    /// There can be no thread.
    pub(crate) fn new(from: impl Read + Send + 'static, stop: Stop) -> io::Result<Self> {
        let (sender, blocks) = sync_channel(BLOCKS);
        thread::Builder::new()
            .name("pipe".to_owned())
            .spawn(move || pump(from, &sender))?;
        Ok(Self {
            blocks,
            block: Vec::new(),
            taken: 0,
            stop,
        })
    }

    /// The next block, which is empty at the end.
    fn next(&self) -> io::Result<Vec<u8>> {
        loop {
            match self.blocks.recv_timeout(INTERVAL) {
                Ok(block) => return block,
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) if self.stop.is_stopped() => {
                    return Err(io::Error::other("it was told to stop"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Read for Stoppable {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.taken >= self.block.len() {
            self.block = self.next()?;
            self.taken = 0;
        }
        let mut rest = self.block.get(self.taken..).unwrap_or_default();
        let read = rest.read(into)?;
        self.taken += read;
        Ok(read)
    }
}

impl fmt::Debug for Stoppable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stoppable").finish_non_exhaustive()
    }
}

fn pump(mut from: impl Read, blocks: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK];
        let read = from.read(&mut block);
        let is_last = match &read {
            Ok(0) => return,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.is_err(),
        };
        let block = read.map(|read| {
            block.truncate(read);
            block
        });
        if blocks.send(block).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::Progress;

    /// Gives what it is sent, and is silent until then.
    struct Pipe(Receiver<&'static [u8]>);

    impl Read for Pipe {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.0.recv().map_or(Ok(0), |mut text| text.read(into))
        }
    }

    #[test]
    fn all_is_given_and_what_is_silent_ends_when_told_to() {
        let progress = Progress::new();
        let (sender, receiver) = mpsc::channel();
        let mut pipe = Stoppable::new(Pipe(receiver), progress.stopper()).unwrap();
        sender.send(&b"one"[..]).unwrap();
        sender.send(&b" two"[..]).unwrap();
        let mut text = [0; 7];
        pipe.read_exact(&mut text).unwrap();
        assert_eq!(&text, b"one two");
        progress.stop();
        assert!(pipe.read(&mut text).is_err());
        assert!(pipe.read(&mut text).is_err());
        drop(sender);
    }

    #[test]
    fn the_end_is_the_end() {
        let all = vec![7; 1_000_000];
        let from = io::Cursor::new(all.clone());
        let mut pipe = Stoppable::new(from, Progress::new().stopper()).unwrap();
        let mut read = Vec::new();
        pipe.read_to_end(&mut read).unwrap();
        assert!(read == all);
        assert_eq!(pipe.read(&mut [0]).unwrap(), 0);
    }

    #[test]
    fn an_error_is_told_and_then_it_ends() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
        let mut pipe = Stoppable::new(Broken, Progress::new().stopper()).unwrap();
        let error = pipe.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(pipe.read(&mut [0]).unwrap(), 0);
    }
}
