//! Charges that outlive their caller, and how they belong together.

use std::collections::BTreeMap;

use tollgate::{Charge, Limit};

use crate::key;

/// A charge that owns what it names, and the slot of its key.
#[derive(Debug)]
pub(crate) struct Owned {
    limit: Limit,
    policy: String,
    key: String,
    cost: u64,
    shadow: Option<u16>,
    slot: u16,
}

/// The charges with their slots; `None` if all are in one.
pub(crate) fn own(
    charges: &[Charge<'_>],
    prefix: &str,
    slot: impl Fn(&str) -> u16,
) -> Option<Vec<Owned>> {
    let slots = charges
        .iter()
        .map(|charge| {
            let limit = charge.limit().id();
            slot(&key::name(prefix, charge.policy(), charge.key(), limit))
        })
        .collect::<Vec<u16>>();
    let first = slots.first()?;
    if slots.iter().all(|slot| slot == first) {
        return None;
    }
    let owned = charges.iter().zip(slots).map(|(charge, slot)| Owned {
        limit: charge.limit().clone(),
        policy: charge.policy().to_owned(),
        key: charge.key().to_owned(),
        cost: charge.cost(),
        shadow: charge.shadow(),
        slot,
    });
    Some(owned.collect())
}

impl Owned {
    pub(super) fn charge(&self) -> Charge<'_> {
        match self.shadow {
            Some(group) => self.enforced().in_shadow(group),
            None => self.enforced(),
        }
    }

    /// The charge out of its shadow.
    pub(super) fn enforced(&self) -> Charge<'_> {
        Charge::new(&self.limit, &self.key, self.cost).of_policy(&self.policy)
    }

    pub(super) const fn shadow(&self) -> Option<u16> {
        self.shadow
    }

    fn shares_count(&self, other: &Self) -> bool {
        self.key == other.key && self.policy == other.policy && self.limit.id() == other.limit.id()
    }
}

/// The enforced charges, then the shadow groups as they come.
pub(super) fn groups(charges: &[Owned]) -> Vec<Option<u16>> {
    let mut groups = vec![None];
    for charge in charges {
        if !groups.contains(&charge.shadow) {
            groups.push(charge.shadow);
        }
    }
    groups
}

/// The positions of a group's charges.
pub(super) fn of_group(charges: &[Owned], group: Option<u16>) -> Vec<usize> {
    let charges = charges.iter().enumerate();
    charges
        .filter(|(_, charge)| charge.shadow == group)
        .map(|(index, _)| index)
        .collect()
}

/// The same positions slot by slot, in the order that every decision keeps.
pub(super) fn by_slot(charges: &[Owned], members: &[usize]) -> Vec<Vec<usize>> {
    let mut slots: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for index in members {
        if let Some(charge) = charges.get(*index) {
            slots.entry(charge.slot).or_default().push(*index);
        }
    }
    slots.into_values().collect()
}

/// True if the group has a count that a group before it has too.
pub(super) fn meets_earlier(charges: &[Owned], group: Option<u16>) -> bool {
    let earlier: Vec<_> = groups(charges)
        .into_iter()
        .take_while(|other| *other != group)
        .collect();
    let is_earlier = |charge: &&Owned| earlier.contains(&charge.shadow);
    charges
        .iter()
        .filter(|charge| charge.shadow == group)
        .any(|charge| {
            let mut others = charges.iter().filter(is_earlier);
            others.any(|other| other.shares_count(charge))
        })
}

/// True if none of these charges asks for anything.
pub(super) fn only_looks(charges: &[Owned], members: &[usize]) -> bool {
    let mut members = members.iter().filter_map(|index| charges.get(*index));
    members.all(|charge| charge.cost == 0)
}
