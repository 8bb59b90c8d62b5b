//! Policies by the beginning of a path.

use std::collections::BTreeMap;

use super::Candidates;

/// A tree of path segments. A policy lies where the first star of its pattern would be, and a
/// request finds all that lie on the way of its path.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    root: Node,
}

#[derive(Clone, Debug, Default)]
struct Node {
    here: Vec<u16>,
    below: BTreeMap<Box<str>, Self>,
}

impl Paths {
    pub(super) fn insert<'p>(&mut self, prefix: impl Iterator<Item = &'p str>, position: u16) {
        let node = prefix.fold(&mut self.root, |node, segment| {
            node.below.entry(segment.into()).or_default()
        });
        if node.here.last() != Some(&position) {
            node.here.push(position);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.root.here.is_empty() && self.root.below.is_empty()
    }

    /// Appends what lies on the way of a path. No node has an empty name, so that the root, which
    /// has no segments, may be split into an empty one.
    pub(super) fn collect(&self, path: &str, found: &mut Candidates) {
        found.extend_from_slice(&self.root.here);
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
