//! Lines on their way to standard error.
//!
//! Whoever reads them may stop, or have nowhere to put them. Nothing that the daemon answers waits for
//! that: a thread of its own writes, and what it does not keep up with is dropped, and counted.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// How many lines may wait to be written.
const MAX_WAITING: usize = 4_096;
/// How long the end waits for them.
const LAST_LINES: Duration = Duration::from_secs(1);

/// Takes lines. Clones take them for the same thread.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    queue: SyncSender<Item>,
    dropped: Arc<AtomicU64>,
}

enum Item {
    Line(Vec<u8>),
    /// All lines before it are written, or cannot be.
    End(SyncSender<()>),
}

impl Lines {
    /// Starts the thread that writes to `output`.
    pub(super) fn to(output: impl Write + Send + 'static) -> io::Result<Self> {
        let (queue, items) = sync_channel(MAX_WAITING);
        let lines = Self {
            queue,
            dropped: Arc::default(),
        };
        let dropped = Arc::clone(&lines.dropped);
        thread::Builder::new()
            .name("tollgate-log".to_owned())
            .spawn(move || write_all(&items, output, &dropped))?;
        Ok(lines)
    }

    /// How many lines have been dropped.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Waits a moment until what was taken is written.
    pub(crate) fn finish(&self) {
        let (end, ended) = sync_channel(1);
        // A queue that is full is one that nobody waits for.
        if self.queue.try_send(Item::End(end)).is_ok() {
            let _ = ended.recv_timeout(LAST_LINES);
        }
    }

    fn take(&self, line: &[u8]) {
        match self.queue.try_send(Item::Line(line.to_vec())) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

fn write_all(items: &Receiver<Item>, mut output: impl Write, dropped: &AtomicU64) {
    for item in items {
        match item {
            // A disk that is full may have room again for the next.
            Item::Line(line) => {
                if output.write_all(&line).is_err() {
                    dropped.fetch_add(1, Ordering::Relaxed);
                }
            }
            Item::End(end) => {
                let _ = end.send(());
            }
        }
    }
}

impl<'w> MakeWriter<'w> for Lines {
    type Writer = Line<'w>;

    fn make_writer(&'w self) -> Line<'w> {
        Line(self)
    }
}

/// Takes a line, as a whole.
pub(crate) struct Line<'w>(&'w Lines);

impl Write for Line<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.take(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read, pipe};
    use std::sync::Mutex;

    use super::*;

    fn say(lines: &Lines, text: &str) {
        lines.make_writer().write_all(text.as_bytes()).unwrap();
    }

    #[test]
    fn lines_are_written_whole_and_in_order_before_the_end() {
        let (mut reader, writer) = pipe().unwrap();
        let lines = Lines::to(writer).unwrap();
        for number in 0..100 {
            say(&lines, &format!("line {number}\n"));
        }
        lines.finish();
        drop(lines);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        let expected: String = (0..100).map(|number| format!("line {number}\n")).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn nobody_waits_for_a_reader_that_has_stopped() {
        /// Stops in the middle of a line.
        struct Stopped(Arc<Mutex<()>>);
        impl Write for Stopped {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let _reading = self.0.lock().unwrap();
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let reading = Arc::new(Mutex::new(()));
        let stopped = reading.lock().unwrap();
        let lines = Lines::to(Stopped(Arc::clone(&reading))).unwrap();
        for _ in 0..MAX_WAITING + 10 {
            say(&lines, "line\n");
        }
        // One may be on its way.
        assert!((9..=10).contains(&lines.dropped()), "{}", lines.dropped());
        drop(stopped);
    }

    #[test]
    fn what_cannot_be_written_is_counted_and_the_next_is_tried() {
        /// Has room for the second line only.
        struct Full(u32);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 += 1;
                match self.0 {
                    2 => Ok(bytes.len()),
                    _ => Err(ErrorKind::StorageFull.into()),
                }
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let lines = Lines::to(Full(0)).unwrap();
        for _ in 0..3 {
            say(&lines, "line\n");
        }
        lines.finish();
        assert_eq!(lines.dropped(), 2);
    }
}
