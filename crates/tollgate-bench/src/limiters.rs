//! The limiters under measurement, behind one trait.

mod governor;
mod limitador;
mod throttlecrab;
mod tollgate;

pub use governor::Governor;
pub use limitador::Limitador;
pub use throttlecrab::Throttlecrab;
pub use tollgate::Tollgate;

use anyhow::{Result, bail};

/// What a limiter answers to every check of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// 10^9 an hour for each key: more than a run can use. An hour, so that no limiter may forget
    /// a key while it is measured.
    Allow,
    /// 2 an hour for each key, both used up beforehand.
    Deny,
}

impl Answer {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Allow, Self::Deny];

    /// The units in an hour.
    #[must_use]
    pub const fn units(self) -> u32 {
        match self {
            Self::Allow => 1_000_000_000,
            // Not 1: throttlecrab does not limit at all with a burst of 1.
            Self::Deny => 2,
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        }
    }
}

/// A limiter, with one limit for every key.
pub trait Subject: Sized + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;

    /// A limiter that knows no key yet, as its documentation advises to build it.
    ///
    /// # Errors
    ///
    /// If it refuses the limit.
    fn new(answer: Answer) -> Result<Self>;

    /// Checks one request, and says whether it was admitted. A check that failed was not.
    #[expect(
        clippy::ptr_arg,
        reason = "governor looks up by the type that it keeps"
    )]
    fn check(&self, key: &String) -> bool;
}

/// A [`Subject`] whose type is not known: called once for many checks, so that the checks
/// themselves are not behind a pointer.
pub trait Limiter: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Checks each key once, and says how many were admitted.
    fn check_each(&self, keys: &[String]) -> usize;
}

impl<S: Subject> Limiter for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn check_each(&self, keys: &[String]) -> usize {
        keys.iter().filter(|key| self.check(key)).count()
    }
}

/// The names, Tollgate's first.
pub const NAMES: [&str; 4] = [
    Tollgate::NAME,
    Governor::NAME,
    Throttlecrab::NAME,
    Limitador::NAME,
];

/// The limiter called `name`.
///
/// # Errors
///
/// If there is none, or if it refuses the limit.
pub fn by_name(name: &str, answer: Answer) -> Result<Box<dyn Limiter>> {
    Ok(match name {
        Tollgate::NAME => Box::new(Tollgate::new(answer)?),
        Governor::NAME => Box::new(Governor::new(answer)?),
        Throttlecrab::NAME => Box::new(Throttlecrab::new(answer)?),
        Limitador::NAME => Box::new(Limitador::new(answer)?),
        _ => bail!("no limiter is called {name:?}: the names are {NAMES:?}"),
    })
}

/// Shows every key to `limiter` until each check will be answered with `answer`.
///
/// # Errors
///
/// If the limiter does not admit what the limit allows.
pub fn populate(limiter: &dyn Limiter, keys: &[String], answer: Answer) -> Result<()> {
    let rounds = match answer {
        Answer::Allow => 1,
        Answer::Deny => answer.units(),
    };
    for _ in 0..rounds {
        let admitted = limiter.check_each(keys);
        if admitted != keys.len() {
            bail!(
                "{} admitted {admitted} of {} requests that its limit allows",
                limiter.name(),
                keys.len()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys;

    #[test]
    fn every_limiter_admits_without_end_under_allow() {
        let keys = keys::distinct(10);
        for name in NAMES {
            let limiter = by_name(name, Answer::Allow).unwrap();
            populate(&*limiter, &keys, Answer::Allow).unwrap();
            assert_eq!(limiter.check_each(&keys), 10, "{name}");
        }
    }

    #[test]
    fn every_limiter_denies_each_key_under_deny() {
        let keys = keys::distinct(10);
        for name in NAMES {
            let limiter = by_name(name, Answer::Deny).unwrap();
            populate(&*limiter, &keys, Answer::Deny).unwrap();
            assert_eq!(limiter.check_each(&keys), 0, "{name}");
        }
    }
}
