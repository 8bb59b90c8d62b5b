//! Verdicts on several charges, found before anything is spent, and what comes of them.

use smallvec::SmallVec;
use tollgate_core::{AlgorithmState, Charge, Limit, Outcome, State, Timestamp, Verdict};

use super::Few;
use crate::Outcomes;
use crate::memory::identity::Identity;

/// A charge on its way to a verdict.
pub(super) struct Pending<'a> {
    pub(super) charge: Charge<'a>,
    /// The position of the count that it is charged to.
    pub(super) count: usize,
    /// Units that earlier charges of the same group ask of the same count.
    pub(super) before: u64,
    pub(super) admitted: bool,
    pub(super) spends: bool,
    pub(super) outcome: Option<Outcome>,
}

/// A count that is locked and, if it exists, taken out of its shard.
pub(super) struct Count<'a> {
    pub(super) identity: Identity,
    pub(super) charge: Charge<'a>,
    /// The position of its shard's guard.
    pub(super) guard: usize,
    pub(super) state: State,
    pub(super) exists: bool,
    /// True if the state must be stored even if nothing is spent.
    pub(super) moved_back: bool,
}

impl Count<'_> {
    /// The state at `now`, by the limit of one of its charges.
    fn advance(&mut self, limit: &Limit, now: Timestamp) -> &State {
        self.moved_back |= self.state.advance(limit, now);
        &self.state
    }
}

/// Makes one count for each identity, and tells each charge which is its own.
pub(super) fn assign<'a>(
    charges: &[Charge<'a>],
    identities: &[Identity],
    guards: &[usize],
    counts: &mut Few<Count<'a>>,
) -> Few<Pending<'a>> {
    charges
        .iter()
        .zip(identities)
        .zip(guards)
        .map(|((charge, identity), guard)| {
            let known = counts.iter().position(|count| count.identity == *identity);
            let count = known.unwrap_or_else(|| {
                counts.push(Count {
                    identity: *identity,
                    charge: *charge,
                    guard: *guard,
                    state: State::fresh(charge.limit()),
                    exists: false,
                    moved_back: false,
                });
                counts.len() - 1
            });
            Pending {
                charge: *charge,
                count,
                before: 0,
                admitted: false,
                spends: false,
                outcome: None,
            }
        })
        .collect()
}

/// The group of charges that are in no shadow, then the shadow groups as they come.
pub(super) fn groups(charges: &[Charge<'_>]) -> Few<Option<u16>> {
    let mut groups: Few<Option<u16>> = SmallVec::from_slice(&[None]);
    for charge in charges {
        if !groups.contains(&charge.shadow()) {
            groups.push(charge.shadow());
        }
    }
    groups
}

/// Judges the charges of one group by what is there and what groups before it will spend; true if
/// all are admitted.
pub(super) fn judge(
    pending: &mut [Pending<'_>],
    counts: &mut [Count<'_>],
    group: Option<u16>,
    now: Timestamp,
) -> bool {
    let mut all = true;
    for index in 0..pending.len() {
        let (earlier, rest) = pending.split_at_mut(index);
        let Some((this, later)) = rest.split_first_mut() else {
            break;
        };
        if this.charge.shadow() != group {
            continue;
        }
        let same_count = |other: &&Pending<'_>| other.count == this.count;
        this.before = sum(earlier
            .iter()
            .filter(same_count)
            .filter(|other| other.charge.shadow() == group));
        let spent = sum(earlier
            .iter()
            .chain(&*later)
            .filter(same_count)
            .filter(|other| other.charge.shadow() != group && other.spends));
        let cost = this.charge.cost();
        let asked = spent.saturating_add(this.before).saturating_add(cost);
        let limit = this.charge.limit();
        this.admitted = cost == 0
            || counts.get_mut(this.count).is_some_and(|count| {
                // By a copy, since another limit may share the count; a log does not depend on it.
                if let State::SlidingLog(_) = count.state {
                    return count.advance(limit, now).verdict(limit, asked).is_allow();
                }
                let mut state = count.state.clone();
                state.advance(limit, now);
                state.verdict(limit, asked).is_allow()
            });
        all &= this.admitted;
    }
    all
}

pub(super) fn sum<'a, 'p: 'a>(charges: impl Iterator<Item = &'a Pending<'p>>) -> u64 {
    charges
        .map(|other| other.charge.cost())
        .fold(0, u64::saturating_add)
}

/// Spends what is to be spent, charge by charge, and finds the outcomes.
pub(super) fn settle(pending: &mut [Pending<'_>], counts: &mut [Count<'_>], now: Timestamp) {
    let charges: Few<Charge<'_>> = pending.iter().map(|pending| pending.charge).collect();
    for group in groups(&charges) {
        for this in pending
            .iter_mut()
            .filter(|this| this.charge.shadow() == group)
        {
            let Some(count) = counts.get_mut(this.count) else {
                continue;
            };
            let (limit, cost) = (this.charge.limit(), this.charge.cost());
            if cost == 0 {
                // It only looks: nothing may come of it, not even by another limit's numbers.
                let mut state = count.state.clone();
                state.advance(limit, now);
                let asked = this.before;
                this.outcome = Some(state.outcome(limit, Verdict::Allow, asked, now));
                continue;
            }
            if this.spends {
                count.moved_back |= count.state.advance(limit, now);
                count.state.spend(limit, cost);
                this.outcome = Some(count.state.outcome(limit, Verdict::Allow, cost, now));
                continue;
            }
            let asked = this.before.saturating_add(cost);
            let mut state = count.state.clone();
            if state.advance(limit, now) {
                count.moved_back = true;
                count.state = state.clone();
            }
            let verdict = if this.admitted {
                Verdict::Allow
            } else {
                state.verdict(limit, asked)
            };
            this.outcome = Some(state.outcome(limit, verdict, asked, now));
        }
    }
}

/// True if the count at this position does not admit a charge.
pub(super) fn denies(pending: &[Pending<'_>], position: usize) -> bool {
    pending
        .iter()
        .any(|charge| charge.count == position && !charge.admitted)
}

/// True if any charge spends from the count at this position.
pub(super) fn spends(pending: &[Pending<'_>], position: usize) -> bool {
    pending
        .iter()
        .any(|charge| charge.count == position && charge.spends && charge.charge.cost() > 0)
}

pub(super) fn outcomes(pending: &[Pending<'_>], now: Timestamp) -> Outcomes {
    let outcomes = pending
        .iter()
        .filter_map(|pending| Some((pending.outcome?, pending.charge.shadow().is_none())));
    Outcomes::new(now, outcomes)
}
