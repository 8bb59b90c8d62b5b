//! How far the reading has come, where somebody looks.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use tollgate::{Clock, SystemClock, Timestamp};
use tollgate_replay::Progress;

/// How often it is drawn.
const INTERVAL: Duration = Duration::from_millis(200);
/// The cells of the bar itself.
const CELLS: u64 = 24;
/// Takes what is drawn away.
const CLEAR: &str = "\r\x1b[K";

/// A line on standard error that goes on until it is told to end.
pub(super) struct Bar {
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    /// Draws how far a number of passes have come, if standard error is a terminal.
    pub(super) fn draw(progress: &Arc<Progress>, passes: u32) -> anyhow::Result<Self> {
        if !stderr().is_terminal() {
            return Ok(Self { drawing: None });
        }
        let (end, ended) = channel();
        let progress = Arc::clone(progress);
        let thread = thread::Builder::new().name("progress".to_owned());
        let thread = thread.spawn(move || {
            let mut passing = Passing::new(passes, SystemClock::new().now());
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let line = passing.line(&progress, SystemClock::new().now());
                // If nobody sees it, nothing is lost.
                let _ = write!(stderr(), "{CLEAR}{line}");
            }
            let _ = write!(stderr(), "{CLEAR}");
        });
        let thread = thread.context("cannot draw a progress bar")?;
        Ok(Self {
            drawing: Some((end, thread)),
        })
    }

    /// Takes the line away.
    pub(super) fn end(self) {
        if let Some((end, thread)) = self.drawing {
            drop(end);
            let _ = thread.join();
        }
    }
}

/// The pass that is under way.
#[derive(Debug)]
struct Passing {
    pass: u32,
    passes: u32,
    began: Timestamp,
    consumed: u64,
}

impl Passing {
    const fn new(passes: u32, now: Timestamp) -> Self {
        Self {
            pass: 1,
            passes,
            began: now,
            consumed: 0,
        }
    }

    fn line(&mut self, progress: &Progress, now: Timestamp) -> String {
        let consumed = progress.consumed();
        if consumed < self.consumed {
            self.pass = (self.pass + 1).min(self.passes);
            self.began = now;
        }
        self.consumed = consumed;
        let pass = if self.passes > 1 {
            format!("{} of {} ", self.pass, self.passes)
        } else {
            String::new()
        };
        let took = now.saturating_since(self.began).as_micros().max(1);
        drawn(&pass, [consumed, progress.total()], progress.lines(), took)
    }
}

/// A line about so many bytes of all, and lines, which took so many microseconds.
fn drawn(pass: &str, [consumed, total]: [u64; 2], lines: u64, took: u64) -> String {
    let rate = scaled(lines, 1_000_000, took);
    let mut line = format!("{pass}{} lines, {} a second", short(lines), short(rate));
    if total > 0 {
        let consumed = consumed.min(total);
        let full = scaled(consumed, CELLS, total);
        let cells: String = (0..CELLS)
            .map(|cell| if cell < full { '#' } else { '.' })
            .collect();
        let left = scaled(total - consumed, took, consumed.max(1)) / 1_000_000;
        let percent = scaled(consumed, 100, total);
        line = format!("[{cells}] {percent:>3} %  {line}, {} left", time(left));
    }
    line
}

/// `number × factor / of`, whatever their size.
fn scaled(number: u64, factor: u64, of: u64) -> u64 {
    let product = u128::from(number) * u128::from(factor) / u128::from(of.max(1));
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// A number in a few digits: `950`, `12.3 k`, `1.2 M`.
fn short(number: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = scaled(number, 10, unit);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{} k", tenths(1_000)),
        1_000_000..1_000_000_000 => format!("{} M", tenths(1_000_000)),
        _ => format!("{} G", tenths(1_000_000_000)),
    }
}

fn time(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3_600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_rate_share_and_what_is_left() {
        assert_eq!(
            drawn("2 of 4 ", [250, 1_000], 1_500_000, 1_000_000),
            "[######..................]  25 %  2 of 4 1.5 M lines, 1.5 M a second, 3 s left"
        );
        // Of a pipe nobody knows the end.
        assert_eq!(
            drawn("", [250, 0], 999, 500_000),
            "999 lines, 1.9 k a second"
        );
        assert_eq!(time(3_725), "1 h 02 min");
        assert_eq!(time(125), "2 min 05 s");
    }

    #[test]
    fn nothing_overflows_at_the_beginning_or_the_end() {
        for numbers in [[0, 0], [0, u64::MAX], [u64::MAX, 1], [u64::MAX, u64::MAX]] {
            assert!(!drawn("", numbers, u64::MAX, 1).is_empty());
        }
    }

    #[test]
    fn a_pass_begins_again_when_less_is_consumed() {
        let progress = Progress::new();
        let mut passing = Passing::new(4, Timestamp::EPOCH);
        passing.consumed = 10;
        let line = passing.line(&progress, Timestamp::EPOCH);
        assert!(line.starts_with("2 of 4 0 lines"), "{line}");
    }
}
