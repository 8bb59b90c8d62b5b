//! Checks in this process: {allow, deny} × {one key, 100 thousand, 1 million} × {1, 2 threads}.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};

use crate::limiters::{self, Answer, Limiter, NAMES, Subject, Tollgate};
use crate::report::{Bound, Report, Table};
use crate::{cores, keys, statistics, stopwatch};

/// Odd, so that a median is a measurement.
const REPETITIONS: usize = 7;

/// How many requests are drawn beforehand for each thread.
const REQUESTS: usize = 1 << 20;

/// How many checks a limiter makes in one repetition on each thread: about a quarter of a second.
const CHECKS: usize = 1 << 20;

/// The same for limitador, which takes microseconds for each.
const CHECKS_OF_THE_SLOW: usize = 1 << 15;

/// How the keys of the requests are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spread {
    name: &'static str,
    keys: usize,
}

const ONE_KEY: Spread = Spread {
    name: "one key",
    keys: 1,
};
const HUNDRED_THOUSAND_KEYS: Spread = Spread {
    name: "100 k keys",
    keys: 100_000,
};
const MILLION_KEYS: Spread = Spread {
    name: "1 M keys",
    keys: 1_000_000,
};

/// Measures every scenario.
///
/// # Errors
///
/// If a limiter answers what its limit does not say, or a thread cannot be pinned.
pub fn run(report: &mut Report) -> Result<()> {
    let mut table = Table::new(
        "In process: ns a check, million checks/s of all threads, and how many times faster \
         Tollgate is",
        header(),
    );
    for answer in Answer::ALL {
        for spread in [ONE_KEY, HUNDRED_THOUSAND_KEYS, MILLION_KEYS] {
            let contest = Contest::prepare(answer, spread)?;
            for threads in [1, 2] {
                let rates = contest.measure(threads)?;
                table.row(rates.row(&contest, threads));
                rates.state_goals(report, &contest, threads);
            }
        }
    }
    table.print()
}

fn header() -> Vec<String> {
    let mut header = vec!["answer, keys".to_owned(), "threads".to_owned()];
    for name in NAMES {
        header.extend([name.to_owned(), "M/s".to_owned()]);
        if name != Tollgate::NAME {
            header.push("x".to_owned());
        }
    }
    header.push("spread".to_owned());
    header
}

/// The limiters, each populated, and the requests that they will see.
struct Contest {
    answer: Answer,
    spread: Spread,
    limiters: Vec<Box<dyn Limiter>>,
    /// One list for each thread.
    requests: [Vec<String>; 2],
}

impl Contest {
    fn prepare(answer: Answer, spread: Spread) -> Result<Self> {
        let distinct = keys::distinct(spread.keys);
        let limiters = NAMES.map(|name| {
            let limiter = limiters::by_name(name, answer)?;
            limiters::populate(&*limiter, &distinct, answer)?;
            Ok(limiter)
        });
        // One hot key is hot in the caller's memory, too.
        let requests = if spread == ONE_KEY { 1 << 10 } else { REQUESTS };
        Ok(Self {
            answer,
            spread,
            limiters: limiters.into_iter().collect::<Result<_>>()?,
            requests: [1, 2].map(|seed| keys::random(spread.keys, requests, seed)),
        })
    }

    /// Every limiter in turn, again and again, so that whatever else the machine does hits all.
    fn measure(&self, threads: usize) -> Result<Rates> {
        let mut samples = vec![Vec::new(); self.limiters.len()];
        for repetition in 0..REPETITIONS {
            for turn in 0..self.limiters.len() {
                let index = (repetition + turn) % self.limiters.len();
                let nanos = self
                    .pass(&*self.limiters[index], threads, repetition)
                    .with_context(|| format!("measuring {}", NAMES[index]))?;
                samples[index].push(nanos);
            }
        }
        Ok(Rates { samples })
    }

    /// One repetition of one limiter: nanoseconds a check, as each thread sees it.
    fn pass(&self, limiter: &dyn Limiter, threads: usize, repetition: usize) -> Result<f64> {
        let checks = match limiter.name() {
            "limitador" => CHECKS_OF_THE_SLOW,
            _ => CHECKS,
        };
        let barrier = Barrier::new(threads);
        let spans = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    let requests = Window {
                        requests: &self.requests[thread],
                        start: repetition * checks,
                        checks,
                    };
                    let barrier = &barrier;
                    scope.spawn(move || {
                        cores::pin(thread)?;
                        barrier.wait();
                        Ok(requests.check_all(limiter))
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| {
                    worker
                        .join()
                        .map_err(|_| anyhow!("a measuring thread panicked"))?
                })
                .collect::<Result<Vec<Span>>>()
        })?;
        for span in &spans {
            let expected = match self.answer {
                Answer::Allow => checks,
                Answer::Deny => 0,
            };
            ensure!(
                span.admitted == expected,
                "{} admitted {} of {checks} requests, where its limit says {expected}",
                limiter.name(),
                span.admitted,
            );
        }
        Ok(nanos_per_check(&spans, checks))
    }
}

/// The part of a thread's requests that one repetition makes.
#[derive(Clone, Copy)]
struct Window<'a> {
    requests: &'a [String],
    start: usize,
    checks: usize,
}

impl Window<'_> {
    fn check_all(self, limiter: &dyn Limiter) -> Span {
        let mut start = self.start % self.requests.len();
        let mut left = self.checks;
        let mut admitted = 0;
        let (begun, busy) = (stopwatch::wall(), stopwatch::thread_time());
        while left > 0 {
            let end = self.requests.len().min(start + left);
            admitted += limiter.check_each(&self.requests[start..end]);
            left -= end - start;
            start = 0;
        }
        Span {
            busy: stopwatch::thread_time().saturating_sub(busy),
            begun,
            ended: stopwatch::wall(),
            admitted,
        }
    }
}

/// What one thread did.
struct Span {
    admitted: usize,
    begun: Instant,
    ended: Instant,
    busy: Duration,
}

/// One thread: the time for which it ran. Several: the wall's time from the first start to the
/// last end, because waiting for each other is what they are measured for.
fn nanos_per_check(spans: &[Span], checks: usize) -> f64 {
    let elapsed = match spans {
        [alone] => alone.busy,
        _ => {
            let begun = spans.iter().map(|span| span.begun).min();
            let ended = spans.iter().map(|span| span.ended).max();
            begun
                .zip(ended)
                .map(|(begun, ended)| ended.duration_since(begun))
                .unwrap_or_default()
        }
    };
    elapsed.as_secs_f64() * 1e9 / checks as f64
}

/// Nanoseconds a check, for each limiter one sample a repetition.
struct Rates {
    samples: Vec<Vec<f64>>,
}

impl Rates {
    fn row(&self, contest: &Contest, threads: usize) -> Vec<String> {
        let medians: Vec<f64> = self.samples.iter().map(|s| statistics::median(s)).collect();
        let mut row = vec![
            format!("{}, {}", contest.answer.name(), contest.spread.name),
            threads.to_string(),
        ];
        for (index, nanos) in medians.iter().enumerate() {
            row.push(format!("{nanos:.1}"));
            row.push(format!("{:.2}", threads as f64 * 1e3 / nanos));
            if index > 0 {
                row.push(format!("{:.2}", nanos / medians[0]));
            }
        }
        row.push(format!("{:.0} %", 100.0 * self.widest_spread()));
        row
    }

    /// How far the samples of the least steady limiter lie apart, against their median.
    fn widest_spread(&self) -> f64 {
        self.samples
            .iter()
            .map(|samples| {
                let (low, high) = statistics::range(samples);
                (high - low) / statistics::median(samples)
            })
            .fold(0.0, f64::max)
    }

    fn state_goals(&self, report: &mut Report, contest: &Contest, threads: usize) {
        let asked = match (contest.spread, threads) {
            (ONE_KEY, 1) => 1.0,
            (ONE_KEY, _) => 2.0,
            (HUNDRED_THOUSAND_KEYS, 1) => 1.8,
            (MILLION_KEYS, 1) => 2.0,
            (MILLION_KEYS, _) => 2.5,
            _ => return,
        };
        let [tollgate, governor, ..] = &self.samples[..] else {
            return;
        };
        report.goal(
            format!(
                "speed against governor: {}, {}, {threads} thread(s)",
                contest.answer.name(),
                contest.spread.name
            ),
            Bound::AtLeast(asked),
            statistics::median(governor) / statistics::median(tollgate),
        );
    }
}
