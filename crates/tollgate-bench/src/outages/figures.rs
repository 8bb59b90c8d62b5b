//! What was seen of one fault, and what was asked for.

use std::ops::Range;
use std::time::{Duration, Instant};

use tollgate::OutageStats;

use super::fault::Counts;
use super::process::Watched;
use super::sample::{Sample, Seen, Timer, Waits};
use super::subject::{Choice, DEADLINE};
use crate::report::{Bound, Report};

/// What a request may wait beyond the deadline.
const GRACE: Duration = Duration::from_millis(20);
/// When the store decides again, after its return.
const RETURN: Duration = Duration::from_secs(1);
/// How many KiB the process may grow by: as much as 1,024 waiting calls take, and some luck.
const GROWTH: f64 = 8.0 * 1024.0;
/// For how long at least waits are looked at, since many faults are over at once.
const AT_LEAST: Duration = Duration::from_secs(1);
/// Requests that come within a deadline and what a call may wait beyond it.
const DEADLINES_WORTH: u64 = 120;

pub(super) const WAITS: [&str; 16] = [
    "fault",
    "requests",
    "by the store",
    "denied",
    "allowed",
    "local",
    "surprises",
    "p50",
    "p99",
    "p99.9",
    "max",
    "> 120",
    "bare timer p99.9",
    "p99.9 since due",
    "max since due",
    "started late p99.9",
];

pub(super) const COSTS: [&str; 14] = [
    "fault",
    "s until return",
    "ms to first",
    "ms to all",
    "opened",
    "timeouts",
    "failures",
    "rejected",
    "counted - admitted",
    "KiB before",
    "+ at most",
    "+ at last",
    "connections, at most",
    "seen",
];

/// What was seen of one fault.
pub(super) struct Figures {
    name: &'static str,
    counts: Counts,
    /// Those that were due from the fault until the store decided everything again.
    concerned: Vec<Sample>,
    /// Bare timers of the same time.
    timers: Vec<Timer>,
    surprises: usize,
    lasted: Duration,
    /// From the store's return until its first decision, and until every decision is its.
    again: [Option<Duration>; 2],
    stats: OutageStats,
    /// How many more requests the store has counted than it has said that it admits.
    twice: i64,
    watched: Watched,
}

impl Figures {
    pub(super) fn new(
        name: &'static str,
        counts: Counts,
        seen: &Seen,
        fault: &Range<Instant>,
        stats: OutageStats,
        counted: u64,
        watched: Watched,
    ) -> Self {
        let samples = &seen.samples;
        let after = |sample: &&Sample| sample.begun >= fault.end;
        let first = samples.iter().filter(after).filter(|it| it.is_by_store());
        let first = first.map(|it| it.ended - fault.end).min();
        let last = samples.iter().filter(after).filter(|it| !it.is_by_store());
        let last = last.map(|it| it.ended - fault.end).max();
        let all = first.map(|first| last.unwrap_or_default().max(first));
        let until = (fault.end + all.unwrap_or(RETURN)).max(fault.start + AT_LEAST);
        let concerns = fault.start..until;
        let is_concerned = |it: &&Sample| concerns.contains(&it.due);
        let is_beside = |it: &&Timer| concerns.contains(&it.begun);
        let admitted = samples
            .iter()
            .filter(|it| it.is_by_store() && (counts != Counts::Lost || it.ended >= fault.start))
            .count();
        Self {
            name,
            counts,
            concerned: samples.iter().filter(is_concerned).copied().collect(),
            timers: seen.timers.iter().filter(is_beside).copied().collect(),
            surprises: samples.iter().filter(|it| it.is_surprise()).count(),
            lasted: fault.end - fault.start,
            again: [first, all],
            stats,
            twice: i64::try_from(counted).unwrap_or(i64::MAX)
                - i64::try_from(admitted).unwrap_or(i64::MAX),
            watched,
        }
    }

    /// The row of [`WAITS`].
    pub(super) fn waits(&self) -> Vec<String> {
        let samples = &self.concerned;
        let calls = Waits::of(samples, Sample::call);
        let since_due = Waits::of(samples, Sample::since_due);
        let slow = samples.iter().filter(|it| it.call() > DEADLINE + GRACE);
        let by_store = samples.iter().filter(|it| it.is_by_store());
        let mut row = vec![
            self.name.to_owned(),
            samples.len().to_string(),
            by_store.count().to_string(),
        ];
        row.extend(Choice::ALL.map(|choice| {
            let degraded = samples.iter().filter(|it| it.reason == choice.reason());
            degraded.count().to_string()
        }));
        row.push(self.surprises.to_string());
        row.extend([calls.p50, calls.p99, calls.p99_9, calls.most].map(millis));
        row.push(slow.count().to_string());
        let timers = Waits::of(&self.timers, |timer| timer.ended - timer.begun);
        row.push(millis(timers.p99_9));
        row.extend([since_due.p99_9, since_due.most].map(millis));
        row.push(millis(Waits::of(samples, Sample::lateness).p99_9));
        row
    }

    /// The row of [`COSTS`].
    pub(super) fn costs(&self) -> Vec<String> {
        let mut row = vec![
            self.name.to_owned(),
            format!("{:.2}", self.lasted.as_secs_f64()),
        ];
        let again = |again: Option<Duration>| again.map_or_else(|| "never".to_owned(), millis);
        row.extend(self.again.map(again));
        let stats = &self.stats;
        let stats = [stats.opened, stats.timeouts, stats.failures, stats.rejected];
        row.extend(stats.map(|it| it.to_string()));
        let lost = match self.counts {
            Counts::Stay => "",
            Counts::Lost => " after",
            Counts::LastLost => " by both",
        };
        row.push(format!("{:+}{lost}", self.twice));
        let [before, most, last] = self.watched.resident;
        row.extend([before, most - before, last - before].map(|it| format!("{it:.0}")));
        let [before, most] = self.watched.open;
        row.push(format!("{before}, {most}"));
        row.push(self.watched.seen.to_string());
        row
    }

    /// What was asked for, beside what was measured.
    pub(super) fn goals(&self, report: &mut Report) {
        let mut goal = |what: &str, most: f64, measured: f64| {
            report.goal(
                format!("{}: {what}", self.name),
                Bound::AtMost(most),
                measured,
            );
        };
        let in_millis = |time: Duration| time.as_secs_f64() * 1e3;
        let waits = Waits::of(&self.concerned, Sample::call);
        goal(
            "wait in ms, p99.9",
            in_millis(DEADLINE + GRACE),
            in_millis(waits.p99_9),
        );
        goal(
            "ms until the store decides all again",
            in_millis(RETURN),
            self.again[1].map_or(f64::NAN, in_millis),
        );
        goal(
            "outcomes that are not the policy's",
            0.0,
            count(self.surprises),
        );
        let twice = usize::try_from(self.twice).unwrap_or(0);
        #[expect(clippy::cast_precision_loss, reason = "a few hundreds")]
        let most = (DEADLINES_WORTH * self.stats.opened.max(1)) as f64;
        goal("counted twice", most, count(twice));
        goal("KiB more at most", GROWTH, self.growth());
        let [before, most] = self.watched.open;
        goal(
            "connections at most",
            count(before + self.spare()),
            count(most),
        );
    }

    /// What is wrong on any machine, however busy.
    pub(super) fn broken(&self) -> Vec<String> {
        let mut broken = Vec::new();
        let mut check = |is_broken: bool, what: &str| {
            if is_broken {
                broken.push(format!("{}: {what}", self.name));
            }
        };
        check(self.surprises > 0, "a request got what no policy says");
        let unknown = self.stats.timeouts + self.stats.failures;
        check(
            u64::try_from(self.twice).is_ok_and(|twice| twice > unknown),
            "more was counted than calls had no answer",
        );
        check(
            self.counts == Counts::Stay && self.twice < 0,
            "what was admitted was not counted",
        );
        check(self.again[1].is_none(), "the store did not decide again");
        check(self.growth() > GROWTH, "memory grew beyond its bound");
        let [before, most] = self.watched.open;
        check(
            most > before + self.spare(),
            "connections grew beyond their bound",
        );
        broken
    }

    fn growth(&self) -> f64 {
        self.watched.resident[1] - self.watched.resident[0]
    }

    /// How many connections may be open for a moment beside those that were: to each server a new one
    /// while the old one ends.
    const fn spare(&self) -> usize {
        self.watched.servers
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

#[expect(clippy::cast_precision_loss, reason = "a few thousands")]
fn count(number: usize) -> f64 {
    number as f64
}
