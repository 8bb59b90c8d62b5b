//! Finding groups in the paths.

use std::collections::BTreeSet;

use super::group::{Group, Methods, make_names_differ};
use super::tree::{Node, Traffic, Tree};

/// No more groups than people read.
const MOST: usize = 12;
/// A group has at least one in so many requests.
const LEAST: u64 = 200;
/// A group that has more than one in so many requests is split, if its paths differ.
const LARGE: u64 = 4;

/// A part of the tree by its segments, which begin paths.
type Prefix<'t> = Vec<&'t str>;

/// The groups of the paths: the parts that have the most traffic, and the rest if there is any, also
/// if it is only requests whose paths are none.
pub(super) fn groups(tree: &Tree, has_others: bool) -> Vec<Group> {
    let least = (tree.root.traffic.all() / LEAST).max(1);
    let mut chosen: BTreeSet<Prefix<'_>> = BTreeSet::from([Vec::new()]);
    let mut whole: BTreeSet<Prefix<'_>> = BTreeSet::new();
    while chosen.len() < MOST {
        let large = chosen.iter().filter(|prefix| {
            let share = rest(tree, &chosen, prefix).all().saturating_mul(LARGE);
            !whole.contains(*prefix) && (prefix.is_empty() || share > tree.root.traffic.all())
        });
        let largest = large.max_by_key(|prefix| rest(tree, &chosen, prefix).all());
        let Some(prefix) = largest.cloned() else {
            break;
        };
        whole.insert(prefix.clone());
        let mut parts = parts_of(tree, &prefix, least);
        if !prefix.is_empty() && !is_many(tree, &prefix, &parts) {
            continue;
        }
        parts.sort_by_key(|(traffic, _)| std::cmp::Reverse(*traffic));
        let room = MOST - chosen.len();
        chosen.extend(parts.into_iter().take(room).map(|(_, prefix)| prefix));
        if !prefix.is_empty() && rest(tree, &chosen, &prefix).all() < least {
            chosen.remove(&prefix);
        }
    }
    let mut groups = Vec::new();
    if chosen.len() > 1 && !has_others && rest(tree, &chosen, &[]).all() == 0 {
        chosen.remove(&Vec::new());
    }
    // What is left over comes last.
    for prefix in chosen.iter().rev() {
        push_group(tree, &chosen, prefix, least, &mut groups);
    }
    make_names_differ(&mut groups);
    groups
}

/// The parts of a group that have at least so much traffic; what nearly all of it begins with is
/// looked through.
fn parts_of<'t>(tree: &'t Tree, prefix: &Prefix<'t>, least: u64) -> Vec<(u64, Prefix<'t>)> {
    let Some(node) = tree.find(prefix) else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    collect_parts(node, prefix, least, &mut parts);
    match parts.as_slice() {
        [(traffic, only)] if !prefix.is_empty() && is_nearly_all(*traffic, node) => {
            parts_of(tree, only, least)
        }
        _ => parts,
    }
}

/// True if a group is but the begin of several: hardly anything is left of it beside its parts.
fn is_many(tree: &Tree, prefix: &Prefix<'_>, parts: &[(u64, Prefix<'_>)]) -> bool {
    let traffic = parts.iter().map(|(traffic, _)| traffic).sum();
    let is_prefix = |node| is_nearly_all(traffic, node);
    parts.len() > 1 && tree.find(prefix).is_some_and(is_prefix)
}

/// True for nine in ten requests.
fn is_nearly_all(traffic: u64, node: &Node) -> bool {
    traffic.saturating_mul(10) >= node.traffic.all().saturating_mul(9)
}

/// The parts right below that have at least so much traffic. Names below a `*` are such parts, the
/// `*` itself is not: `/boards/*` is limited together with `/boards`.
fn collect_parts<'t>(
    node: &'t Node,
    prefix: &Prefix<'t>,
    least: u64,
    parts: &mut Vec<(u64, Prefix<'t>)>,
) {
    for (name, below) in &node.below {
        let traffic = below.traffic.all();
        if traffic < least {
            continue;
        }
        let mut longer = prefix.clone();
        longer.push(name);
        if **name == *"*" {
            collect_parts(below, &longer, least, parts);
        } else {
            parts.push((traffic, longer));
        }
    }
}

/// What is chosen below a prefix, with nothing chosen in between.
fn right_below<'c, 't>(
    chosen: &'c BTreeSet<Prefix<'t>>,
    prefix: &'c [&'t str],
) -> impl Iterator<Item = &'c Prefix<'t>> {
    let is_below = |longer: &[&str], shorter: &[&str]| {
        longer.len() > shorter.len() && longer.starts_with(shorter)
    };
    chosen.iter().filter(move |longer| {
        let between = |other: &Prefix<'_>| is_below(longer, other) && is_below(other, prefix);
        is_below(longer, prefix) && !chosen.iter().any(between)
    })
}

/// The traffic of a part without that of chosen parts below.
fn rest(tree: &Tree, chosen: &BTreeSet<Prefix<'_>>, prefix: &[&str]) -> Traffic {
    let of = |prefix: &[&str]| tree.find(prefix).map(|node| node.traffic);
    let all = of(prefix).unwrap_or_default();
    right_below(chosen, prefix).fold(all, |all, below| all.less(of(below).unwrap_or_default()))
}

fn push_group(
    tree: &Tree,
    chosen: &BTreeSet<Prefix<'_>>,
    prefix: &[&str],
    least: u64,
    groups: &mut Vec<Group>,
) {
    let traffic = rest(tree, chosen, prefix);
    let except: Vec<String> = right_below(chosen, prefix)
        .map(|below| pattern(tree, below))
        .collect();
    let mut group = Group {
        except,
        ..Group::of_path(&pattern(tree, prefix))
    };
    if prefix.is_empty() && !group.except.is_empty() {
        "rest".clone_into(&mut group.name);
    }
    if traffic.reads < least || traffic.writes < least {
        groups.push(group);
        return;
    }
    for (suffix, methods) in [("read", Methods::Reads), ("write", Methods::Writes)] {
        groups.push(Group {
            name: format!("{}-{suffix}", group.name),
            methods,
            ..group.clone()
        });
    }
}

/// A part as policies have it: its path, and all below if there is anything.
fn pattern(tree: &Tree, prefix: &[&str]) -> String {
    let mut pattern: String = prefix.iter().flat_map(|segment| ["/", segment]).collect();
    if prefix.is_empty() || tree.find(prefix).is_some_and(|node| !node.below.is_empty()) {
        pattern.push_str("/**");
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(traffic: &[(&str, u32, u32)]) -> Tree {
        let mut tree = Tree::default();
        for (path, reads, writes) in traffic {
            (0..*reads).for_each(|_| tree.add(path, true));
            (0..*writes).for_each(|_| tree.add(path, false));
        }
        tree
    }

    fn told(tree: &Tree) -> Vec<String> {
        let groups = groups(tree, false);
        let told = groups.iter().map(|group| {
            let path = group.path.as_deref().unwrap_or("**");
            let except = group.except.join(" ");
            format!("{}: {path} -[{except}]", group.name)
        });
        told.collect()
    }

    #[test]
    fn what_has_traffic_is_a_group_and_the_rest_is_one() {
        let tree = tree(&[
            ("/health", 500, 0),
            ("/auth/login", 0, 100),
            ("/boards", 300, 0),
            ("/boards/1/cards/2", 100, 0),
            ("/favicon.ico", 2, 0),
        ]);
        assert_eq!(
            told(&tree),
            [
                "health: /health -[]",
                "boards: /boards/** -[]",
                "auth: /auth/** -[]",
                "rest: ** -[/auth/** /boards/** /health]",
            ]
        );
    }

    #[test]
    fn what_all_paths_begin_with_is_looked_through() {
        let tree = tree(&[
            ("/api/v1/places/7", 500, 0),
            ("/api/v1/reviews", 300, 0),
            ("/api/v1/tags", 100, 0),
        ]);
        assert_eq!(
            told(&tree),
            [
                "api-v1-tags: /api/v1/tags -[]",
                "api-v1-reviews: /api/v1/reviews -[]",
                "api-v1-places: /api/v1/places/** -[]",
            ]
        );
    }

    #[test]
    fn reads_and_writes_are_apart_where_there_are_both() {
        let tree = tree(&[("/boards", 900, 100), ("/auth/login", 1, 1000)]);
        let found = groups(&tree, false);
        let names: Vec<&str> = found.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["boards-read", "boards-write", "auth"]);
        // Where there are requests for paths that are none, there is something left over.
        assert_eq!(groups(&tree, true).len(), 4);
    }

    #[test]
    fn there_are_never_more_than_people_read() {
        let mut tree = Tree::default();
        for first in b'a'..=b'z' {
            for second in b'a'..=b'z' {
                let path = format!("/{}x/{}y", char::from(first), char::from(second));
                (0..20).for_each(|_| tree.add(&path, true));
            }
        }
        assert_eq!(groups(&tree, false).len(), MOST);
        assert_eq!(groups(&Tree::default(), true).len(), 1);
    }
}
