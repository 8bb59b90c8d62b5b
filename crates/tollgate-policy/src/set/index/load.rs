//! How many policies lie under each test.

use std::collections::HashMap;

use crate::condition::{Condition, Handle};
use crate::{AttributeName, Mode, Policy};

/// How many policies each path prefix and each value would hold, if every policy lay under all of
/// its tests.
#[derive(Debug, Default)]
pub(super) struct Load<'p> {
    paths: HashMap<Vec<&'p str>, usize>,
    values: HashMap<(&'p AttributeName, &'p str), usize>,
}

impl<'p> Load<'p> {
    pub(super) fn of(policies: &'p [Policy]) -> Self {
        let mut load = Self::default();
        for policy in policies.iter().filter(|policy| policy.mode() != Mode::Off) {
            for handle in policy.condition().handles() {
                match handle {
                    Handle::Paths(globs) => {
                        for glob in globs {
                            let prefix = glob.literal_prefix().collect();
                            *load.paths.entry(prefix).or_default() += 1;
                        }
                    }
                    Handle::Values(attribute, values) => {
                        for value in values {
                            *load.values.entry((attribute, value)).or_default() += 1;
                        }
                    }
                }
            }
        }
        load
    }

    /// The test under which a policy has the least company; `None` if it has none that would help.
    pub(super) fn lightest(&self, condition: &'p Condition) -> Option<Handle<'p>> {
        condition.handles().min_by_key(|handle| match handle {
            Handle::Paths(globs) => {
                let prefixes = globs.iter().map(|glob| glob.literal_prefix().collect());
                let company = |prefix: Vec<&str>| self.paths.get(&prefix).copied();
                prefixes.filter_map(company).max()
            }
            Handle::Values(attribute, values) => {
                let company = |value: &&str| self.values.get(&(*attribute, *value)).copied();
                values.iter().filter_map(company).max()
            }
        })
    }
}
