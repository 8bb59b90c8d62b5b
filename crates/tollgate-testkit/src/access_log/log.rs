//! Logs: lines in the order in which a server writes them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Write};

use tollgate::Timestamp;

use super::exchange::Exchange;
use super::form::Form;
use super::known::Known;
use super::wrapper::Wrapper;

/// Writes a log of any length: takes requests in order of their begin, and writes lines in order of
/// their end.
#[derive(Debug)]
pub struct LogWriter<W> {
    form: Form,
    wrapper: Wrapper,
    out: W,
    /// Requests that are not over yet.
    running: BinaryHeap<Reverse<Running>>,
    lines: u64,
    line: String,
    wrapped: String,
}

#[derive(Debug)]
struct Running {
    written_at: Timestamp,
    exchange: Box<Exchange>,
}

impl<W: Write> LogWriter<W> {
    /// A log without lines.
    ///
    /// # Errors
    ///
    /// If its head cannot be written.
    pub fn new(form: Form, wrapper: Wrapper, mut out: W) -> io::Result<Self> {
        out.write_all(form.head().as_bytes())?;
        Ok(Self {
            form,
            wrapper,
            out,
            running: BinaryHeap::new(),
            lines: 0,
            line: String::new(),
            wrapped: String::new(),
        })
    }

    /// Adds a request that begins after all others, and writes the lines of those that were over by
    /// then.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn add(&mut self, exchange: Exchange) -> io::Result<()> {
        let now = exchange.start;
        while let Some(over) = over(&mut self.running, now) {
            self.write(&over)?;
        }
        self.running
            .push(Reverse(Running::new(self.form, exchange)));
        Ok(())
    }

    /// Writes what is left, and says how many lines there are.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<u64> {
        while let Some(over) = over(&mut self.running, Timestamp::MAX) {
            self.write(&over)?;
        }
        self.out.flush()?;
        Ok(self.lines)
    }

    fn write(&mut self, running: &Running) -> io::Result<()> {
        let exchange = &running.exchange;
        if exchange.malformed.is_some() && self.form.knows(exchange).is_none() {
            return Ok(());
        }
        self.line.clear();
        self.form.write(exchange, &mut self.line);
        let line = match self.wrapper {
            Wrapper::None => &mut self.line,
            wrapper => {
                self.wrapped.clear();
                wrapper.wrap(
                    &self.line,
                    self.lines,
                    running.written_at,
                    &mut self.wrapped,
                );
                &mut self.wrapped
            }
        };
        line.push('\n');
        self.lines += 1;
        self.out.write_all(line.as_bytes())
    }
}

/// A log in memory.
#[derive(Clone, Debug)]
pub struct Log {
    /// Its form.
    pub form: Form,
    /// Its lines, in the order in which they were written.
    pub lines: Vec<LogLine>,
}

/// A line of a log.
#[derive(Clone, Debug)]
pub struct LogLine {
    /// Its text, with the line feed; two lines of a container runtime may be one.
    pub text: String,
    /// What a reader of it can know.
    pub known: Known,
    /// What was.
    pub exchange: Exchange,
}

impl Log {
    /// The log of requests that are in order of their begin.
    #[must_use]
    pub fn of(form: Form, wrapper: Wrapper, requests: impl IntoIterator<Item = Exchange>) -> Self {
        let running = requests.into_iter();
        let mut running: BinaryHeap<_> = running
            .map(|exchange| Reverse(Running::new(form, exchange)))
            .collect();
        let mut lines: Vec<LogLine> = Vec::with_capacity(running.len());
        let mut line = String::new();
        while let Some(Reverse(next)) = running.pop() {
            let Some(known) = form.knows(&next.exchange) else {
                continue;
            };
            line.clear();
            form.write(&next.exchange, &mut line);
            let mut text = String::new();
            let number = u64::try_from(lines.len()).expect("it is in memory");
            wrapper.wrap(&line, number, next.written_at, &mut text);
            text.push('\n');
            lines.push(LogLine {
                text,
                known,
                exchange: *next.exchange,
            });
        }
        Self { form, lines }
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.text.as_str());
        [self.form.head()].into_iter().chain(lines).collect()
    }
}

impl Running {
    fn new(form: Form, exchange: Exchange) -> Self {
        Self {
            written_at: form.written_at(&exchange),
            exchange: Box::new(exchange),
        }
    }

    const fn key(&self) -> (Timestamp, u64) {
        (self.written_at, self.exchange.number)
    }
}

/// The first that is over by now.
fn over(running: &mut BinaryHeap<Reverse<Running>>, now: Timestamp) -> Option<Running> {
    let Reverse(first) = running.peek()?;
    if first.written_at > now {
        return None;
    }
    running.pop().map(|Reverse(first)| first)
}

impl PartialEq for Running {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Running {}

impl PartialOrd for Running {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Running {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}
