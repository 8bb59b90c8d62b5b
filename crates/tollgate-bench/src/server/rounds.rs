//! Subjects that take turns under load.

use anyhow::{Context, Result};

use super::process::cpu_time;
use crate::cores;
use crate::statistics::median;

/// How often each subject has its turn: what is shown are medians.
pub(super) const ROUNDS: usize = 5;

/// What one run of a load saw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub(super) requests: u64,
    /// Requests a second.
    pub(super) rate: f64,
}

/// A server under load.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) title: String,
    pub(super) process: u32,
    pub(super) port: u16,
}

impl Subject {
    pub(super) fn new(title: impl Into<String>, process: u32, port: u16) -> Self {
        Self {
            title: title.into(),
            process,
            port,
        }
    }
}

/// The medians of a subject.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    /// Requests a second.
    pub(super) rate: f64,
    /// Time of the processor for a request, of all of the server's threads, in microseconds.
    pub(super) cpu: f64,
}

/// Loads each subject in turn from the first core, each round beginning with another one. The first
/// run of each is not counted.
pub(super) fn take_turns(
    subjects: &[Subject],
    load: impl Fn(usize, &Subject) -> Result<Load> + Sync,
) -> Result<Vec<Figures>> {
    let mut samples = vec![(Vec::new(), Vec::new()); subjects.len()];
    cores::on_core(0, || {
        for round in 0..=ROUNDS {
            for turn in 0..subjects.len() {
                let index = (round + turn) % subjects.len();
                let subject = &subjects[index];
                let before = cpu_time(subject.process)?;
                let load = load(index, subject).with_context(|| subject.title.clone())?;
                let cpu = cpu_time(subject.process)? - before;
                if round > 0 {
                    samples[index].0.push(load.rate);
                    samples[index].1.push(cpu / load.requests as f64);
                }
            }
        }
        Ok(())
    })?;
    let figures = samples.iter().map(|(rates, cpu)| Figures {
        rate: median(rates),
        cpu: median(cpu),
    });
    Ok(figures.collect())
}

/// Rows of what every part shows: the first is what the others are compared with.
pub(super) fn rows<'a>(
    subjects: &'a [Subject],
    figures: &'a [Figures],
) -> impl Iterator<Item = [String; 5]> + 'a {
    let first = figures.first().copied();
    subjects.iter().zip(figures).map(move |(subject, it)| {
        let (rate, cpu) = first.map_or((f64::NAN, f64::NAN), |it| (it.rate, it.cpu));
        [
            subject.title.clone(),
            format!("{:.0}", it.rate),
            format!("{:.3}", it.rate / rate),
            format!("{:.2}", it.cpu),
            format!("{:.3}", it.cpu / cpu),
        ]
    })
}

/// Above the [`rows`].
pub(super) const HEADER: [&str; 5] = ["", "requests/s", "of first", "CPU µs a request", "of first"];
