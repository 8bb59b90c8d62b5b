//! Reads logs side by side, as far as they overlap in time.

use std::io;
use std::sync::mpsc::SyncSender;

use super::taking::Taking;
use super::{Found, Logs};
use crate::Progress;
use crate::batch::Batch;
use crate::log::{Findings, Input, LogSource, ReadOptions, Record};
use crate::report::{FileReport, RejectCount, SkippedCount};

/// How often is read from a log to find its first request, about a mebibyte each time.
const PROBES: usize = 4;
/// The examples of a reason that a report has.
const EXAMPLES: usize = 3;

/// Reads logs: always from the one that is furthest behind in time. A file is opened when the others
/// have come to where it begins.
pub(super) struct Reader<'r> {
    sources: Vec<Source<'r>>,
    options: &'r ReadOptions,
    taking: Taking<'r>,
    progress: &'r Progress,
    is_complete: bool,
}

/// A log.
struct Source<'r> {
    input: &'r Input,
    state: State,
    /// How far it was read, or where it begins, in microseconds.
    frontier: u64,
    consumed: u64,
    lines: u64,
    error: Option<String>,
    found: Option<(Findings, u64)>,
}

enum State {
    Waiting,
    Open(Box<LogSource>),
    Done,
}

impl<'r> Reader<'r> {
    /// Looks where each log begins.
    ///
    /// # Errors
    ///
    /// One cannot be opened.
    pub(super) fn new(logs: &'r mut Logs, progress: &'r Progress) -> io::Result<Self> {
        let Logs {
            inputs,
            options,
            clients,
            wanted,
            ..
        } = logs;
        let alone = inputs.len() == 1;
        let mut total = Some(0_u64);
        let mut sources = Vec::with_capacity(inputs.len());
        for input in &*inputs {
            let mut source = Source::new(input);
            let log = LogSource::open_until(input, options, Some(progress.stopper()))?;
            total = total
                .zip(log.size())
                .map(|(total, size)| total.saturating_add(size));
            source.state = if alone || log.size().is_none() {
                // What can be read once is read from where it is.
                State::Open(Box::new(log))
            } else {
                source.frontier = first_request(log);
                State::Waiting
            };
            sources.push(source);
        }
        progress.set_total(total.unwrap_or(0));
        Ok(Self {
            sources,
            options,
            taking: Taking::new(clients, wanted),
            progress,
            is_complete: true,
        })
    }

    /// Sends the requests of all logs in batches, each with the instant that all logs have come to.
    pub(super) fn run(&mut self, batches: &SyncSender<(Batch, u64)>) {
        while let Some(place) = self.furthest_behind() {
            if self.progress.is_stopped() {
                self.is_complete = false;
                self.give_held(batches);
                break;
            }
            let batch = self.read(place);
            let floor = self
                .furthest_behind()
                .and_then(|place| self.sources.get(place));
            // Of one log alone, nothing else can be behind.
            let floor = floor.filter(|_| self.sources.len() > 1);
            let floor = floor.map_or(u64::MAX, |source| source.frontier);
            // Nobody receives if whoever does has panicked.
            if batches.send((batch, floor)).is_err() {
                break;
            }
        }
    }

    fn furthest_behind(&self) -> Option<usize> {
        let sources = self.sources.iter().enumerate();
        sources
            .filter(|(_, source)| !matches!(source.state, State::Done))
            .min_by_key(|(place, source)| (source.frontier, *place))
            .map(|(place, _)| place)
    }

    /// Reads some of a log.
    fn read(&mut self, place: usize) -> Batch {
        let mut batch = Batch::default();
        let alone = self.sources.len() == 1;
        let Some(source) = self.sources.get_mut(place) else {
            return batch;
        };
        if matches!(source.state, State::Waiting) {
            let stop = Some(self.progress.stopper());
            source.state = match LogSource::open_until(source.input, self.options, stop) {
                Ok(log) => State::Open(Box::new(log)),
                Err(error) => {
                    source.error = Some(error.to_string());
                    State::Done
                }
            };
        }
        let State::Open(log) = &mut source.state else {
            return batch;
        };
        let taking = &mut self.taking;
        let more = log.read_some(&mut |line, record: &Record<'_>| {
            taking.push((place, line), record, &mut batch);
        });
        if !alone {
            source.frontier = source.frontier.max(middle(&batch));
        }
        let (consumed, lines) = (log.consumed(), log.findings().lines());
        self.progress.read(
            consumed.saturating_sub(source.consumed),
            lines.saturating_sub(source.lines),
        );
        (source.consumed, source.lines) = (consumed, lines);
        match more {
            Ok(true) => {}
            Ok(false) => source.end(),
            Err(error) => {
                source.error = Some(error.to_string());
                source.end();
            }
        }
        batch
    }

    /// Sends what the logs hold back until they know more, when no more will be read.
    fn give_held(&mut self, batches: &SyncSender<(Batch, u64)>) {
        for (place, source) in self.sources.iter_mut().enumerate() {
            let State::Open(log) = &mut source.state else {
                continue;
            };
            let mut batch = Batch::default();
            let taking = &mut self.taking;
            log.give_held(&mut |line, record: &Record<'_>| {
                taking.push((place, line), record, &mut batch);
            });
            let lines = log.findings().lines();
            self.progress.read(0, lines.saturating_sub(source.lines));
            source.lines = lines;
            if batches.send((batch, u64::MAX)).is_err() {
                return;
            }
        }
    }

    /// What was found, when it was read.
    pub(super) fn found(mut self) -> Found {
        for source in &mut self.sources {
            source.end();
        }
        let mut input = self.taking.report();
        for source in &self.sources {
            let file = source.report();
            input.lines += file.lines;
            input.requests += file.requests;
            input.rejected += file.rejected;
            input.files.push(file);
            if let Some((findings, _)) = &source.found {
                add_rejects(&mut input.rejects, findings.rejects());
                add_skipped(&mut input.skipped, findings.skipped());
            }
        }
        input
            .rejects
            .sort_by_key(|reject| std::cmp::Reverse(reject.count));
        Found {
            input,
            seen: self.taking.into_seen(),
            is_complete: self.is_complete,
        }
    }
}

impl<'r> Source<'r> {
    const fn new(input: &'r Input) -> Self {
        Self {
            input,
            state: State::Waiting,
            frontier: 0,
            consumed: 0,
            lines: 0,
            error: None,
            found: None,
        }
    }

    /// Closes the log, and keeps what was found.
    fn end(&mut self) {
        if let State::Open(log) = std::mem::replace(&mut self.state, State::Done) {
            self.found = Some((log.findings().clone(), log.consumed()));
        }
    }

    fn report(&self) -> FileReport {
        let mut report = match &self.found {
            Some((findings, bytes)) => findings.file_report(*bytes),
            None => FileReport {
                name: self.input.name(),
                ..FileReport::default()
            },
        };
        report.error = report.error.or_else(|| self.error.clone());
        report
    }
}

/// When the earliest of the first requests of a log began, in microseconds; 0 if there is none near
/// its begin.
fn first_request(mut log: LogSource) -> u64 {
    for _ in 0..PROBES {
        let mut first = None;
        let more = log.read_some(&mut |_, record: &Record<'_>| {
            let at = record.at.as_micros();
            first = Some(first.map_or(at, |first: u64| first.min(at)));
        });
        match (first, more) {
            (Some(first), _) => return first,
            (None, Ok(true)) => {}
            (None, _) => break,
        }
    }
    0
}

/// The time that half of the requests of a batch are not after, in microseconds. It tells how far a log
/// was read, even if some of its times are nonsense.
fn middle(batch: &Batch) -> u64 {
    let mut times: Vec<u64> = batch.entries.iter().map(|entry| entry.at).collect();
    if times.is_empty() {
        return 0;
    }
    let middle = times.len() / 2;
    *times.select_nth_unstable(middle).1
}

fn add_rejects(all: &mut Vec<RejectCount>, more: Vec<RejectCount>) {
    for mut reject in more {
        match all.iter_mut().find(|known| known.reason == reject.reason) {
            Some(known) => {
                known.count += reject.count;
                known.examples.append(&mut reject.examples);
                known.examples.truncate(EXAMPLES);
            }
            None => all.push(reject),
        }
    }
}

fn add_skipped(all: &mut Vec<SkippedCount>, more: Vec<SkippedCount>) {
    for skipped in more {
        match all.iter_mut().find(|known| known.kind == skipped.kind) {
            Some(known) => known.count += skipped.count,
            None => all.push(skipped),
        }
    }
}
