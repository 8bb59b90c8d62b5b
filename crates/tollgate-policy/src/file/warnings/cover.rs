//! Which patterns cover or exclude others, as far as that is easily told: where it is not, they
//! neither cover nor exclude.

use crate::condition::cover::{networks, pattern_covers};
use crate::file::read::{Test, Tests};
use crate::file::text::Text;
use crate::{AttributeName, normalize_path};

/// The most pairs of patterns that are compared: what takes longer is not told.
const MAX_PAIRS: usize = 10_000;

/// True if every request that meets `inner` meets `outer`.
pub(super) fn covers(outer: &Tests, inner: &Tests) -> bool {
    if pairs(outer, inner) > MAX_PAIRS {
        return false;
    }
    outer.list.iter().all(|wide| {
        same_attribute(inner, wide).is_some_and(|narrow| {
            !narrow.patterns.is_empty()
                && narrow.patterns.iter().all(|inner| {
                    let mut wide_patterns = wide.patterns.iter();
                    wide_patterns
                        .any(|outer| pattern_covers(&wide.attribute, outer.value(), inner.value()))
                })
        })
    })
}

/// Two tests of one attribute that no value passes both, if there are such.
pub(super) fn exclusion<'t>(left: &'t Tests, right: &'t Tests) -> Option<(&'t Test, &'t Test)> {
    if pairs(left, right) > MAX_PAIRS {
        return None;
    }
    left.list.iter().find_map(|ours| {
        let theirs = same_attribute(right, ours)?;
        let are_apart =
            |left: &Text, right: &Text| excludes(&ours.attribute, left.value(), right.value());
        let all_apart = ours
            .patterns
            .iter()
            .all(|left| theirs.patterns.iter().all(|right| are_apart(left, right)));
        let are_known = !ours.patterns.is_empty() && !theirs.patterns.is_empty();
        (all_apart && are_known).then_some((ours, theirs))
    })
}

fn pairs(left: &Tests, right: &Tests) -> usize {
    let size = |tests: &Tests| -> usize {
        let patterns = tests.list.iter().map(|test| 1 + test.patterns.len());
        patterns.sum()
    };
    size(left).saturating_mul(size(right))
}

fn same_attribute<'t>(tests: &'t Tests, test: &Test) -> Option<&'t Test> {
    tests
        .list
        .iter()
        .find(|other| other.attribute == test.attribute)
}

fn excludes(attribute: &AttributeName, left: &str, right: &str) -> bool {
    let has_stars = left.contains('*') || right.contains('*');
    match attribute {
        AttributeName::ClientIp => networks(left, right).is_some_and(|(left, right)| {
            !left.contains(right.address()) && !right.contains(left.address())
        }),
        AttributeName::Path | AttributeName::Route => paths_exclude(left, right),
        AttributeName::Host => !has_stars && !left.eq_ignore_ascii_case(right),
        _ => !has_stars && left != right,
    }
}

/// True if two patterns differ in a segment before the first star.
fn paths_exclude(left: &str, right: &str) -> bool {
    let (left, right) = (normalize_path(left), normalize_path(right));
    let (mut left, mut right) = (left.split('/'), right.split('/'));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return false,
            (Some(left), Some(right)) if left.contains('*') || right.contains('*') => return false,
            (Some(left), Some(right)) if left == right => {}
            (Some(_), Some(_)) => return true,
            (Some(rest), None) | (None, Some(rest)) => return !rest.contains('*'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_part_before_a_star_have_nothing_in_common() {
        assert!(paths_exclude("/a/**", "/b/**"));
        assert!(paths_exclude("/a", "/a/b"));
        assert!(!paths_exclude("/a/**", "/a"));
        assert!(!paths_exclude("/*/b", "/a/**"));
        assert!(!paths_exclude("/a", "/a/"));
    }
}
