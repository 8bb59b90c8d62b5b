//! From logs and policies to a report.

mod report;
mod warnings;

use std::sync::Arc;

use tollgate::Micros;
use tollgate_policy::{ClientIdentity, PolicySet};

use crate::client::Clients;
use crate::engine::{Came, Engine};
use crate::hide::HidingKey;
use crate::log::{Input, ReadOptions};
use crate::logs::{Found, Logs};
use crate::report::Report;
use crate::wanted::Wanted;
use crate::{Progress, ReplayError, Requests};
use report::Findings;

/// Replays logs through policies: each request is decided by the real engine, on the logs' own
/// clock, and counted.
///
/// ```
/// use tollgate_policy::{Policy, PolicySet};
/// use tollgate_replay::log::Input;
/// use tollgate_replay::{Progress, Replay};
///
/// let line = r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET /a HTTP/1.1" 200 5 "-" "-""#;
/// let bytes = [line, line, line].join("\n").into_bytes();
/// let log = Input::Text { name: "a text".into(), bytes };
/// let policy = Policy::builder("api").key("client.ip").limit("2/min".parse()?);
///
/// let replay = Replay::new(PolicySet::new([policy.build()?])?).inputs(vec![log]);
/// let report = replay.run(&Progress::new())?;
/// assert_eq!((report.totals.allowed, report.totals.denied), (2, 1));
/// assert_eq!(report.policies[0].worst[0].key, "198.51.100.7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Time
///
/// Requests are decided in the order in which they began, as well as the logs tell. Logs are read side
/// by side as far as they overlap; requests of the same instant keep the order of the logs, and of
/// their lines. Up to a number of requests ([`buffer`](Self::buffer)) are held to be put in order; one
/// that comes later still is decided at the instant of the one before, and counted as late. So
/// shuffled lines give the report of sorted ones, if the buffer holds them.
///
/// Policies that count failures only are told of a response when it was sent: at the request's begin
/// and its duration, or at once where the log has no durations. A response that was sent in the
/// instant in which another request came was sent before it. Where a log has no statuses, every request
/// counts as a failure.
///
/// # Memory
///
/// Bounded, however many requests and clients there are. Above [`max_keys`](Self::max_keys), those keys
/// are followed that are denied or ask for the most, numbers of keys are estimates, and the report
/// says so.
#[derive(Debug)]
#[must_use = "nothing is replayed until `run` is called"]
pub struct Replay {
    policies: Arc<PolicySet>,
    policy_file: String,
    logs: Logs,
    worst: usize,
    max_keys: usize,
    what_if: bool,
    hiding: Option<HidingKey>,
}

impl Replay {
    /// Replays no logs yet, through these policies.
    pub fn new(policies: impl Into<Arc<PolicySet>>) -> Self {
        let policies = policies.into();
        let wanted = Wanted::by(&policies);
        Self {
            policies,
            policy_file: String::new(),
            logs: Logs::new(Vec::new(), wanted),
            worst: 10,
            max_keys: 1_000_000,
            what_if: true,
            hiding: None,
        }
    }

    /// How clients are found. Default: nobody is trusted.
    pub fn identity(mut self, identity: ClientIdentity) -> Self {
        self.logs.clients = Clients::new(identity);
        self
    }

    /// What the report calls the policy file. Default: nothing.
    pub fn policy_file(mut self, name: impl Into<String>) -> Self {
        self.policy_file = name.into();
        self
    }

    /// The logs, in any order.
    pub fn inputs(mut self, inputs: Vec<Input>) -> Self {
        self.logs.inputs = inputs;
        self
    }

    /// How logs are read.
    pub fn read_options(mut self, options: ReadOptions) -> Self {
        self.logs.options = options;
        self
    }

    /// How many requests are held to be put in order. Default: 500,000. One takes about 100 bytes and
    /// its attributes.
    pub const fn buffer(mut self, requests: usize) -> Self {
        self.logs.buffer = requests;
        self
    }

    /// How many keys of each policy the report shows, the worst. Default: 10.
    pub const fn worst_keys(mut self, keys: usize) -> Self {
        self.worst = keys;
        self
    }

    /// How many keys are followed one by one, those of all policies together. Default: a million. One
    /// takes about 100 bytes, and 200 in the store and for the curves.
    pub const fn max_keys(mut self, keys: usize) -> Self {
        self.max_keys = keys;
        self
    }

    /// Whether to find out what other numbers would have done. Default: yes. It takes as long as the
    /// decisions themselves, in a thread of its own.
    pub const fn what_if(mut self, what_if: bool) -> Self {
        self.what_if = what_if;
        self
    }

    /// Shows keyed hashes in place of addresses, users and whatever else keys are made of, and no lines
    /// of the logs.
    pub fn anonymize(mut self, key: HidingKey) -> Self {
        self.hiding = Some(key);
        self
    }

    /// Replays the logs. [`Progress::stop`] ends it early, with a report of what was read so far.
    ///
    /// # Errors
    ///
    /// There is no log, or one of them cannot be opened.
    pub fn run(mut self, progress: &Progress) -> Result<Report, ReplayError> {
        let mut engine = Engine::new(&self.policies, self.max_keys, self.what_if);
        let found = self.logs.for_each(progress, |at, view| {
            let came = Came {
                at,
                duration: view.entry.duration(),
                status: view.entry.status(),
                resolution: u64::from(view.entry.resolution),
            };
            engine.decide(came, &view);
        })?;
        Ok(self.report(engine, found))
    }

    /// Replays requests that come from somewhere else, in order of time. Each is decided at the instant
    /// of the one before if it began before that one.
    ///
    /// # Errors
    ///
    /// The requests cannot be read.
    pub fn run_over<R: Requests + ?Sized>(
        self,
        requests: &mut R,
        progress: &Progress,
    ) -> Result<Report, R::Error> {
        let mut engine = Engine::new(&self.policies, self.max_keys, self.what_if);
        let mut found = Found {
            is_complete: true,
            seen: vec![false; self.logs.wanted.names().len()],
            ..Found::default()
        };
        let names = self.logs.wanted.names();
        let mut last = 0;
        requests.for_each(&mut |request| {
            if progress.is_stopped() {
                found.is_complete = false;
                return;
            }
            found.input.requests += 1;
            for (seen, name) in found.seen.iter_mut().zip(names) {
                *seen = *seen || request.attributes.iter().any(|(known, _)| known == name);
            }
            let at = request.at.as_micros();
            if at < last {
                found.input.late += 1;
                let behind = Micros::new(last - at);
                found.input.latest_by = found
                    .input
                    .latest_by
                    .max(behind.as_duration().as_secs_f64());
            }
            last = last.max(at);
            let came = Came {
                at: last,
                duration: request.duration,
                status: request.status,
                resolution: 0,
            };
            engine.decide(came, request);
            progress.decided(1);
        })?;
        Ok(self.report(engine, found))
    }

    fn report(self, engine: Engine, found: Found) -> Report {
        let clients = &self.logs.clients;
        report::report(
            Findings {
                policies: &self.policies,
                policy_file: self.policy_file,
                wanted: &self.logs.wanted,
                worst: self.worst,
                max_keys: self.max_keys,
                hiding: self.hiding.as_ref(),
                name_of: &|network| clients.name_of(network),
            },
            engine,
            found,
        )
    }
}

#[cfg(test)]
mod tests;
