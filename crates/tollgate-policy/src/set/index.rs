//! Finds the policies that may match a request without trying each.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use crate::condition::Facts;
use crate::{Attributes, Mode, Policy};

/// Positions of policies, in order, each once.
pub(super) type Candidates = SmallVec<[u16; 16]>;

/// A tree of path segments. A policy lies where the first star of its pattern would be, and a
/// request finds all that lie on the way of its path. Policies that test no path lie at the root;
/// those that are off lie nowhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    root: Node,
}

#[derive(Clone, Debug, Default)]
struct Node {
    here: Vec<u16>,
    below: BTreeMap<Box<str>, Self>,
}

impl Index {
    pub(super) fn of(policies: &[Policy]) -> Self {
        let mut index = Self::default();
        for (position, policy) in (0_u16..).zip(policies) {
            if policy.mode() == Mode::Off {
                continue;
            }
            match policy.condition().paths() {
                None => index.root.here.push(position),
                Some(globs) => {
                    for glob in globs {
                        index.insert(glob.literal_prefix(), position);
                    }
                }
            }
        }
        index
    }

    fn insert<'p>(&mut self, prefix: impl Iterator<Item = &'p str>, position: u16) {
        let node = prefix.fold(&mut self.root, |node, segment| {
            node.below.entry(segment.into()).or_default()
        });
        node.here.push(position);
    }

    /// Every policy that may match, and perhaps some that do not.
    pub(super) fn candidates<A: Attributes + ?Sized>(&self, facts: &Facts<'_, A>) -> Candidates {
        let mut found = Candidates::from_slice(&self.root.here);
        if !self.root.below.is_empty()
            && let Some(path) = facts.path()
        {
            self.collect(&path.normal, &mut found);
            if let Some(served) = &path.served {
                self.collect(served, &mut found);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Appends what lies below the root on the way of a path. No node has an empty name, so that
    /// the root, which has no segments, may be split into an empty one.
    fn collect(&self, path: &str, found: &mut Candidates) {
        let mut node = &self.root;
        for segment in path.strip_prefix('/').unwrap_or(path).split('/') {
            let Some(next) = node.below.get(segment) else {
                break;
            };
            found.extend_from_slice(&next.here);
            node = next;
        }
    }
}
