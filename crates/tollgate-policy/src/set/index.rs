//! Finds the policies that may match a request without trying each.

mod load;
mod paths;

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::condition::{Facts, Handle};
use crate::{AttributeName, Attributes, Mode, Policy};
use load::Load;
use paths::Paths;

/// Positions of policies, in order, each once.
pub(super) type Candidates = SmallVec<[u16; 16]>;

/// Where each policy lies: under one of its tests, the one that it shares with the fewest others.
/// Those that are off lie nowhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Policies that nothing tells apart from others.
    always: Vec<u16>,
    paths: Paths,
    /// Attributes by which policies are told apart.
    values: Vec<(AttributeName, ByValue)>,
}

/// Who lies under each value of an attribute.
type ByValue = HashMap<Box<str>, Vec<u16>>;

impl Index {
    pub(super) fn of(policies: &[Policy]) -> Self {
        let load = Load::of(policies);
        let mut index = Self::default();
        for (position, policy) in (0_u16..).zip(policies) {
            if policy.mode() == Mode::Off {
                continue;
            }
            match load.lightest(policy.condition()) {
                None => index.always.push(position),
                Some(Handle::Paths(globs)) => {
                    for glob in globs {
                        index.paths.insert(glob.literal_prefix(), position);
                        let lenient = glob.lenient().literal_prefix();
                        index.paths.insert(lenient, position);
                    }
                }
                Some(Handle::Values(attribute, values)) => {
                    let by_value = index.by_value(attribute);
                    for value in values {
                        by_value.entry(value.into()).or_default().push(position);
                    }
                }
            }
        }
        index
    }

    fn by_value(&mut self, attribute: &AttributeName) -> &mut ByValue {
        let known = self.values.iter().position(|(name, _)| name == attribute);
        let place = known.unwrap_or_else(|| {
            self.values.push((attribute.clone(), ByValue::new()));
            self.values.len() - 1
        });
        &mut self.values[place].1
    }

    /// Every policy that may match, and perhaps some that do not.
    pub(super) fn candidates<A: Attributes + ?Sized>(&self, facts: &Facts<'_, A>) -> Candidates {
        let mut found = Candidates::from_slice(&self.always);
        if !self.paths.is_empty()
            && let Some(path) = facts.path()
        {
            self.paths.collect(&path.normal, &mut found);
            if let Some(served) = &path.served {
                self.paths.collect(served, &mut found);
            }
            if let Some(lenient) = &path.lenient {
                self.paths.collect(lenient, &mut found);
            }
        }
        for (attribute, by_value) in &self.values {
            if let Some(value) = facts.value(attribute)
                && let Some(positions) = by_value.get(&*value)
            {
                found.extend_from_slice(positions);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
