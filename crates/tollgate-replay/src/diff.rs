//! Two policy files on the same traffic: who changes fate.
//!
//! ```
//! use tollgate::{Micros, Timestamp};
//! use tollgate_policy::file::PolicyFile;
//! use tollgate_policy::{AttributeName, ClientAddress};
//! use tollgate_replay::Request;
//! use tollgate_replay::diff::{Options, diff};
//!
//! let text = "[[policy]]\nname = \"api\"\nkey = [\"client.ip\"]\nlimits = [\"10/min\"]\n";
//! let file = |text: &str| PolicyFile::parse("tollgate.toml", text, &|_: &str| None);
//! let (old, new) = (file(text)?, file(&text.replace("10/min", "10/h"))?);
//!
//! let mut log: Vec<Request> = (0..60).map(|minute| Request {
//!     at: Timestamp::EPOCH.saturating_add(Micros::from_secs(60 * minute)),
//!     duration: None,
//!     status: Some(200),
//!     client: Ok(ClientAddress::new([192, 0, 2, 1].into())),
//!     attributes: vec![],
//! }).collect();
//! let found = diff(&mut log, &old, &new, &Options::new())?;
//! assert_eq!(found.requests.newly_denied, 41);
//! assert_eq!(found.clients.newly_denied, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Both files decide each request by the real engine, each over counts of its own. Memory is
//! bounded: of more clients than there is room for, a part is counted that is chosen by chance, and
//! the numbers of clients are estimates then. Numbers of requests are always exact.

mod clients;
mod pair;
mod policies;
mod report;
mod text;

pub use report::{
    AsEnforced, Change, ClientChange, Clients, DiffReport, PolicyDiff, RequestCounts, Side,
};

use tollgate::Timestamp;
use tollgate_policy::Decision;
use tollgate_policy::file::PolicyFile;

use crate::deciding::Deciding;
use crate::engine::Proxies;
use crate::instant::rfc3339;
use crate::report::{Warning, WarningKind};
use crate::{Request, Requests};
use clients::ClientCounts;
use policies::PolicyPairs;

/// As many counts as each file may have.
const MOST_KEYS: usize = 2_000_000;

/// How to tell what changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "options do nothing by themselves"]
pub struct Options {
    old_name: String,
    new_name: String,
    worst: usize,
    max_clients: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            old_name: "old".to_owned(),
            new_name: "new".to_owned(),
            worst: 10,
            max_clients: 500_000,
        }
    }
}

impl Options {
    /// The ten clients that change most, of up to half a million that are told apart.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the files are called.
    pub fn names(mut self, old: &str, new: &str) -> Self {
        old.clone_into(&mut self.old_name);
        new.clone_into(&mut self.new_name);
        self
    }

    /// Tells of so many clients that change most.
    pub const fn worst(mut self, clients: usize) -> Self {
        self.worst = clients;
        self
    }

    /// Tells so many clients apart.
    pub const fn max_clients(mut self, clients: usize) -> Self {
        self.max_clients = clients;
        self
    }
}

/// Goes through a log once, and decides its requests by both files. Their clients must be those that
/// both files see: see [`diff_clients`] for files that differ in that.
///
/// # Errors
///
/// The log cannot be read.
pub fn diff<R: Requests>(
    requests: &mut R,
    old: &PolicyFile,
    new: &PolicyFile,
    options: &Options,
) -> Result<DiffReport, R::Error> {
    let mut differ = Differ::new(old, new, options);
    requests.for_each(&mut |request: &Request| differ.add(request, request))?;
    Ok(differ.report())
}

/// The same for files that differ in who the client is: the same requests in the same order, once
/// with the clients that the old file sees and once with those that the new one sees. The latter are
/// read by a thread of their own.
///
/// # Errors
///
/// One of them cannot be read.
pub fn diff_clients<R: Requests>(
    of_old: &mut R,
    of_new: &mut (impl Requests<Error = R::Error> + Send),
    old: &PolicyFile,
    new: &PolicyFile,
    options: &Options,
) -> Result<DiffReport, R::Error>
where
    R::Error: Send,
{
    let mut differ = Differ::new(old, new, options);
    pair::for_each(of_old, of_new, &mut |old, new| differ.add(old, new))?;
    Ok(differ.report())
}

/// Both files, and what they have decided.
#[derive(Debug)]
struct Differ<'o> {
    options: &'o Options,
    old: Deciding,
    new: Deciding,
    policies: PolicyPairs,
    requests: RequestCounts,
    /// The same if all policies in shadow were enforced.
    as_enforced: RequestCounts,
    clients: ClientCounts,
    proxies: Proxies,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
}

impl<'o> Differ<'o> {
    fn new(old: &PolicyFile, new: &PolicyFile, options: &'o Options) -> Self {
        Self {
            options,
            old: Deciding::new(old.policies.clone(), MOST_KEYS),
            new: Deciding::new(new.policies.clone(), MOST_KEYS),
            policies: PolicyPairs::of(old, new, options.max_clients),
            requests: RequestCounts::default(),
            as_enforced: RequestCounts::default(),
            clients: ClientCounts::with_room(options.max_clients),
            proxies: Proxies::default(),
            from: None,
            to: None,
        }
    }

    fn add(&mut self, of_old: &Request, of_new: &Request) {
        self.from.get_or_insert(of_old.at);
        self.to = Some(of_old.at);
        self.proxies.see(of_new.client.ok());
        let old = self.old.decide(of_old);
        let new = self.new.decide(of_new);
        self.requests.add(old.is_allowed(), new.is_allowed());
        self.as_enforced.add(all_allow(&old), all_allow(&new));
        self.clients.add(of_new, [&old, &new]);
        self.policies.add(&old, &new);
    }

    fn report(mut self) -> DiffReport {
        let mut warnings = Vec::new();
        if self.old.evictions() + self.new.evictions() > 0 {
            warnings.push(Warning {
                kind: WarningKind::TooManyKeys,
                message: "there were more counts than are kept: what was dropped denies less than it should.".to_owned(),
            });
        }
        let instant = |at: Option<Timestamp>| at.map(|at| rfc3339(at.as_micros()));
        DiffReport {
            complete: true,
            old: self.options.old_name.clone(),
            new: self.options.new_name.clone(),
            from: instant(self.from),
            to: instant(self.to),
            requests: self.requests,
            clients: self.clients.totals(false),
            as_enforced: AsEnforced {
                requests: self.as_enforced,
                clients: self.clients.totals(true),
            },
            policies: self.policies.report(),
            most_changed: self.clients.most_changed(self.options.worst),
            few: self.proxies.few(),
            warnings,
        }
    }
}

/// True if no policy denies a request, nor would deny it if it were enforced.
fn all_allow(decision: &Decision) -> bool {
    decision.is_allowed() && decision.policies().all(|policy| policy.is_allowed())
}

#[cfg(test)]
mod tests;
