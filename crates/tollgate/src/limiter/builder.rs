//! Builds a limiter, and refuses limits that cannot stand together.

use std::error::Error;
use std::fmt;

use tollgate_core::Limit;

use super::Limiter;

/// Builds a [`Limiter`].
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct LimiterBuilder<S> {
    store: S,
    name: Box<str>,
    limits: Vec<Limit>,
}

impl<S> LimiterBuilder<S> {
    pub(super) fn new(store: S) -> Self {
        Self {
            store,
            name: "".into(),
            limits: Vec::new(),
        }
    }

    /// The name under which the store counts, so that limiters with different names can share
    /// one. The default is the empty one.
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Adds a limit: a request must satisfy all of them.
    pub fn limit(mut self, limit: Limit) -> Self {
        self.limits.push(limit);
        self
    }

    /// Checks everything once.
    ///
    /// # Errors
    ///
    /// If there is no limit, or two limits have the algorithm and the period in common: they
    /// would share a count, and each request would be counted twice.
    pub fn build(self) -> Result<Limiter<S>, LimiterError> {
        if self.limits.is_empty() {
            return Err(LimiterError(Problem::NoLimit));
        }
        for (index, limit) in self.limits.iter().enumerate() {
            let earlier = self.limits.iter().take(index);
            if let Some(same) = earlier.clone().find(|other| other.id() == limit.id()) {
                let both = Box::new([same.clone(), limit.clone()]);
                return Err(LimiterError(Problem::SameCount(both)));
            }
        }
        Ok(Limiter {
            store: self.store,
            name: self.name,
            limits: self.limits.into_boxed_slice(),
        })
    }
}

/// Why a [`Limiter`] cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimiterError(Problem);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    NoLimit,
    SameCount(Box<[Limit; 2]>),
}

impl fmt::Display for LimiterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::NoLimit => f.write_str("a limiter has no limit; add one, such as `10/min`"),
            Problem::SameCount(limits) => write!(
                f,
                "the limits `{}` and `{}` have the same algorithm and period, so they would share a count; keep the stricter one",
                limits[0], limits[1]
            ),
        }
    }
}

impl Error for LimiterError {}
