//! How many requests each part of the paths gets.

use std::collections::BTreeMap;

use super::shape;

/// So many segments are told apart; what is deeper belongs to the last of them.
const DEEPEST: usize = 6;
/// So many names below one part are told apart; of more, those with the fewest requests become `*`.
const WIDEST: usize = 48;
/// So many parts are told apart in all.
const MOST: usize = 20_000;

/// A part of the paths: those that begin with some segments.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Requests of this part, those of the parts below among them.
    pub(super) traffic: Traffic,
    /// The parts below, by their next segment.
    pub(super) below: BTreeMap<Box<str>, Self>,
}

/// Requests by what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traffic {
    /// Those that read: by `GET`, `HEAD` or `OPTIONS`.
    pub(super) reads: u64,
    /// The others.
    pub(super) writes: u64,
}

impl Traffic {
    pub(super) const fn all(self) -> u64 {
        self.reads.saturating_add(self.writes)
    }

    pub(super) const fn add(&mut self, other: Self) {
        self.reads = self.reads.saturating_add(other.reads);
        self.writes = self.writes.saturating_add(other.writes);
    }

    pub(super) const fn less(self, other: Self) -> Self {
        Self {
            reads: self.reads.saturating_sub(other.reads),
            writes: self.writes.saturating_sub(other.writes),
        }
    }
}

/// All paths.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) root: Node,
    parts: usize,
}

impl Tree {
    /// Adds a request by its path in normal form.
    pub(super) fn add(&mut self, path: &str, is_read: bool) {
        let one = Traffic {
            reads: u64::from(is_read),
            writes: u64::from(!is_read),
        };
        let mut node = &mut self.root;
        node.traffic.add(one);
        for segment in shape::segments(path).take(DEEPEST) {
            if !node.below.contains_key(segment) {
                if self.parts >= MOST {
                    return;
                }
                self.parts += 1;
                if node.below.len() >= WIDEST {
                    self.parts = self.parts.saturating_sub(node.join_rare());
                }
            }
            node = node.below.entry(segment.into()).or_default();
            node.traffic.add(one);
        }
    }

    /// Finds a part by its segments.
    pub(super) fn find(&self, segments: &[&str]) -> Option<&Node> {
        let mut segments = segments.iter();
        segments.try_fold(&self.root, |node, segment| node.below.get(*segment))
    }
}

impl Node {
    /// Makes `*` of the half of the names below that have the fewest requests; says how many parts
    /// there are less.
    fn join_rare(&mut self) -> usize {
        let mut names: Vec<(u64, Box<str>)> = self
            .below
            .iter()
            .filter(|(name, _)| ***name != *"*")
            .map(|(name, node)| (node.traffic.all(), name.clone()))
            .collect();
        names.sort_unstable();
        let before = self.parts();
        let mut star = self.below.remove("*").unwrap_or_default();
        for (_, name) in names.into_iter().take(WIDEST / 2) {
            if let Some(rare) = self.below.remove(&name) {
                star.join(rare);
            }
        }
        self.below.insert("*".into(), star);
        before.saturating_sub(self.parts())
    }

    fn join(&mut self, other: Self) {
        self.traffic.add(other.traffic);
        for (name, node) in other.below {
            self.below.entry(name).or_default().join(node);
        }
    }

    fn parts(&self) -> usize {
        let below = self.below.values();
        below.map(|node| 1 + node.parts()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_part_with_what_is_below_it() {
        let mut tree = Tree::default();
        for path in ["/", "/boards", "/boards/1", "/boards/2", "/boards/2/cards"] {
            tree.add(path, true);
        }
        tree.add("/boards/1", false);
        let traffic = |segments: &[&str]| tree.find(segments).unwrap().traffic;
        assert_eq!(
            traffic(&[]),
            Traffic {
                reads: 5,
                writes: 1
            }
        );
        assert_eq!(
            traffic(&["boards"]),
            Traffic {
                reads: 4,
                writes: 1
            }
        );
        assert_eq!(traffic(&["boards", "*"]).all(), 4);
        assert_eq!(traffic(&["boards", "*", "cards"]).all(), 1);
        assert!(tree.find(&["auth"]).is_none());
    }

    #[test]
    fn names_without_end_become_a_star_and_frequent_ones_stay() {
        let mut tree = Tree::default();
        let letters = |mut number: u32| {
            let mut name = String::from("x");
            while number > 0 {
                name.push(char::from(b'a' + u8::try_from(number % 26).unwrap()));
                number /= 26;
            }
            name
        };
        for round in 0..10_000 {
            tree.add("/shop/frequent", true);
            tree.add(&format!("/shop/{}/reviews", letters(round)), true);
        }
        let shop = tree.find(&["shop"]).unwrap();
        assert!(shop.below.len() <= WIDEST);
        assert_eq!(shop.traffic.all(), 20_000);
        assert_eq!(
            tree.find(&["shop", "frequent"]).unwrap().traffic.all(),
            10_000
        );
        let rest = tree.find(&["shop", "*", "reviews"]).unwrap().traffic.all();
        assert!(rest > 9_900, "{rest}");
        assert_eq!(tree.parts, tree.root.parts());
    }
}
