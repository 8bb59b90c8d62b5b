//! What becomes of the requests of each policy.

use tollgate_policy::file::PolicyFile;
use tollgate_policy::{Allowance, Decision, Mode, Policy, PolicyDecision};

use super::clients::scaled;
use super::report::{Change, PolicyDiff, Side};
use crate::sample::{Sample, hash_of};

/// The policies of both files, by name.
#[derive(Debug)]
pub(super) struct PolicyPairs {
    pairs: Vec<Pair>,
    /// The pair of each policy of the old file, and of the new one.
    of_old: Vec<usize>,
    of_new: Vec<usize>,
    /// What both files say to the present request, pair by pair.
    verdicts: Vec<[Option<bool>; 2]>,
}

#[derive(Debug)]
struct Pair {
    diff: PolicyDiff,
    /// Whether a key was ever denied by the old file, and by the new one.
    keys: Sample<[bool; 2]>,
}

impl PolicyPairs {
    /// The policies of two files, with room for so many keys that are denied.
    pub(super) fn of(old: &PolicyFile, new: &PolicyFile, max_keys: usize) -> Self {
        let (old, new) = (old.policies.policies(), new.policies.policies());
        let before = pairs_of(old, new);
        let taken = |policy: &Policy| {
            let mut taken = before.iter().flatten();
            taken.any(|known| known.name() == policy.name())
        };
        let added = new
            .iter()
            .zip(&before)
            .map(|(policy, before)| pair(*before, Some(policy)));
        let removed = old.iter().filter(|policy| !taken(policy));
        let removed = removed.map(|policy| pair(Some(policy), None));
        let diffs: Vec<PolicyDiff> = added.chain(removed).collect();
        let room = max_keys / diffs.len().max(1);
        let place = |policy: &Policy, name_of: fn(&PolicyDiff) -> Option<&str>| {
            diffs
                .iter()
                .position(|diff| name_of(diff) == Some(policy.name()))
        };
        Self {
            of_old: old
                .iter()
                .filter_map(|policy| place(policy, PolicyDiff::name_in_old))
                .collect(),
            of_new: new
                .iter()
                .filter_map(|policy| place(policy, PolicyDiff::name_in_new))
                .collect(),
            verdicts: vec![[None; 2]; diffs.len()],
            pairs: diffs
                .into_iter()
                .map(|diff| Pair {
                    diff,
                    keys: Sample::with_room(room),
                })
                .collect(),
        }
    }

    /// Counts a request with what both files say.
    pub(super) fn add(&mut self, old: &Decision, new: &Decision) {
        self.verdicts.fill([None; 2]);
        self.add_side(old, 0);
        self.add_side(new, 1);
        for (pair, verdicts) in self.pairs.iter_mut().zip(&self.verdicts) {
            let [was_denied, is_denied] = verdicts.map(|allows| allows == Some(false));
            pair.diff.newly_denied += u64::from(is_denied && !was_denied);
            pair.diff.newly_allowed += u64::from(was_denied && !is_denied);
        }
    }

    fn add_side(&mut self, decision: &Decision, side: usize) {
        let places = if side == 0 {
            &self.of_old
        } else {
            &self.of_new
        };
        for policy in decision.policies() {
            let Some(place) = places.get(policy.position()).copied() else {
                continue;
            };
            let allows = policy.is_allowed();
            if let Some(pair) = self.pairs.get_mut(place) {
                pair.add(&policy, allows, side);
            }
            if let Some([old, new]) = self.verdicts.get_mut(place) {
                *(if side == 0 { old } else { new }) = Some(allows);
            }
        }
    }

    pub(super) fn report(self) -> Vec<PolicyDiff> {
        let pairs = self.pairs.into_iter().map(|pair| {
            let count = |only: [bool; 2]| {
                let keys = pair.keys.values().filter(|denied| **denied == only);
                scaled(keys.count(), pair.keys.share())
            };
            PolicyDiff {
                keys_newly_denied: count([false, true]),
                keys_newly_allowed: count([true, false]),
                ..pair.diff
            }
        });
        pairs.collect()
    }
}

impl Pair {
    fn add(&mut self, policy: &PolicyDecision<'_>, allows: bool, side: usize) {
        let of_side = if side == 0 {
            &mut self.diff.old
        } else {
            &mut self.diff.new
        };
        if let Some(of_side) = of_side {
            of_side.matched += 1;
            of_side.denied += u64::from(!allows);
        }
        if let Some(key) = policy.key().filter(|_| !allows)
            && let Some([old, new]) = self.keys.entry(hash_of(key), || [false; 2])
        {
            *(if side == 0 { old } else { new }) = true;
        }
    }
}

/// The old policy that each of the new ones goes with: the one of its name, or else the one that is the
/// same but for a name that the new file does not have.
fn pairs_of<'p>(old: &'p [Policy], new: &[Policy]) -> Vec<Option<&'p Policy>> {
    let has = |policies: &[Policy], name: &str| policies.iter().any(|known| known.name() == name);
    let mut gone: Vec<&Policy> = old
        .iter()
        .filter(|policy| !has(new, policy.name()))
        .collect();
    let pairs = new.iter().map(|policy| {
        if let Some(same) = old.iter().find(|known| known.name() == policy.name()) {
            return Some(same);
        }
        let renamed = gone
            .iter()
            .position(|known| is_same_but_for_its_name(known, policy))?;
        Some(gone.remove(renamed))
    });
    pairs.collect()
}

fn is_same_but_for_its_name(one: &Policy, other: &Policy) -> bool {
    one.when() == other.when()
        && one.exceptions().eq(other.exceptions())
        && one.key() == other.key()
        && one.allowance() == other.allowance()
        && one.tiers().eq(other.tiers())
        && one.cost() == other.cost()
        && one.count() == other.count()
        && one.missing_key() == other.missing_key()
        && one.mode() == other.mode()
        && one.on_store_failure() == other.on_store_failure()
        && one.hides_numbers() == other.hides_numbers()
}

/// Two policies of one name, before anything is counted.
fn pair(old: Option<&Policy>, new: Option<&Policy>) -> PolicyDiff {
    let change = match (old, new) {
        (Some(old), Some(new)) if old == new => Change::Same,
        (Some(old), Some(new)) if old.name() != new.name() => Change::Renamed,
        (Some(_), Some(_)) => Change::Changed,
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
    };
    PolicyDiff {
        name: new.or(old).map_or("", Policy::name).to_owned(),
        old_name: old
            .filter(|_| change == Change::Renamed)
            .map(|old| old.name().to_owned()),
        change,
        old: old.map(side),
        new: new.map(side),
        newly_denied: 0,
        newly_allowed: 0,
        keys_newly_denied: 0,
        keys_newly_allowed: 0,
    }
}

fn side(policy: &Policy) -> Side {
    let limits = match policy.allowance() {
        Allowance::Limits(limits) => limits.iter().map(ToString::to_string).collect(),
        Allowance::Block => vec!["block".to_owned()],
        _ => vec!["unlimited".to_owned()],
    };
    let mode = match policy.mode() {
        Mode::Shadow => "shadow",
        Mode::Off => "off",
        _ => "enforce",
    };
    Side {
        mode,
        limits,
        matched: 0,
        denied: 0,
    }
}
