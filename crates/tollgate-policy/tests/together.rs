//! Requests that are decided together, against an oracle that is told what each of them asks.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test reports what is wrong by panicking"
)]

use std::sync::Arc;

use proptest::prelude::*;
use tollgate::{Charge, Limit, ManualClock, MemoryStore, Micros, Outcome, Outcomes, Store};
use tollgate_policy::{
    AttributeMap, AttributeName, Decisions, Mode, Policy, PolicyLimiter, PolicySet, Question,
};
use tollgate_testkit::conformance::START;
use tollgate_testkit::{ReferenceStore, poll_now, strategy};

/// What a policy of the set asks, told again.
struct Known {
    name: &'static str,
    /// The paths that it matches; all, if there are none.
    path: &'static str,
    key: Keyed,
    limits: &'static [&'static str],
    is_shadow: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Keyed {
    ByUser,
    ByPlan,
    Shared,
}

/// The policies in force, without the one that blocks.
const IN_FORCE: [Known; 6] = [
    known("bucket", "", Keyed::ByUser, &["6/min"], false),
    known(
        "windows",
        "/w",
        Keyed::ByUser,
        &["4/10s fixed-window", "9/min sliding-window"],
        false,
    ),
    known("log", "/w", Keyed::Shared, &["7/min sliding-log"], false),
    known("plan", "/plan", Keyed::ByPlan, &["3/min"], false),
    known("trial", "", Keyed::ByUser, &["3/min sliding-log"], true),
    known(
        "another trial",
        "/w",
        Keyed::Shared,
        &["5/10s fixed-window", "5/min"],
        true,
    ),
];

/// What a question may bring in place of them.
const OWN: [Known; 2] = [
    known("own", "", Keyed::ByUser, &["3/10s sliding-window"], false),
    // The same count as that of the policy in force.
    known("bucket", "", Keyed::ByUser, &["6/min"], false),
];

const fn known(
    name: &'static str,
    path: &'static str,
    key: Keyed,
    limits: &'static [&'static str],
    is_shadow: bool,
) -> Known {
    Known {
        name,
        path,
        key,
        limits,
        is_shadow,
    }
}

impl Known {
    fn name(&self) -> String {
        self.name.replace(' ', "-")
    }

    fn limits(&self) -> Vec<Limit> {
        self.limits
            .iter()
            .map(|text| text.parse().unwrap())
            .collect()
    }

    fn policy(&self) -> Policy {
        let policy = Policy::builder(&self.name()).limits(self.limits());
        let policy = match self.key {
            Keyed::ByUser => policy.key("user"),
            Keyed::ByPlan => policy.key("user.plan"),
            Keyed::Shared => policy.shared(),
        };
        let policy = if self.path.is_empty() {
            policy
        } else {
            policy.path(self.path)
        };
        let mode = if self.is_shadow {
            Mode::Shadow
        } else {
            Mode::Enforce
        };
        policy.mode(mode).build().unwrap()
    }
}

fn policies(known: &[Known]) -> PolicySet {
    let block = Policy::builder("block").path("/blocked").block();
    let policies = known.iter().map(Known::policy);
    PolicySet::new(policies.chain([block.build().unwrap()])).unwrap()
}

/// One question of a call.
#[derive(Clone, Debug)]
struct Asked {
    user: u8,
    path: &'static str,
    has_plan: bool,
    cost: u64,
    is_own: bool,
}

impl Asked {
    fn request(&self) -> AttributeMap {
        let name = |name: &str| name.parse::<AttributeName>().unwrap();
        let request = AttributeMap::new()
            .with(AttributeName::Path, self.path)
            .with(name("user"), format!("u{}", self.user));
        if self.has_plan {
            request.with(name("user.plan"), "pro")
        } else {
            request
        }
    }

    fn matching(&self) -> impl Iterator<Item = &'static Known> {
        let known: &[Known] = if self.is_own { &OWN } else { &IN_FORCE };
        known
            .iter()
            .filter(|known| known.path.is_empty() || known.path == self.path)
    }

    fn is_denied_without_store(&self) -> bool {
        let lacks_key = |known: &Known| known.key == Keyed::ByPlan && !self.has_plan;
        self.path == "/blocked" || self.matching().any(lacks_key)
    }

    fn key(&self, known: &Known) -> String {
        match known.key {
            Keyed::ByUser => format!("user=u{}", self.user),
            Keyed::ByPlan => "user.plan=pro".to_owned(),
            Keyed::Shared => String::new(),
        }
    }
}

/// A charge as the oracle is told it, and of which question it is.
struct Told {
    question: usize,
    name: String,
    key: String,
    limit: Limit,
    cost: u64,
    group: Option<u16>,
}

impl Told {
    fn charge(&self) -> Charge<'_> {
        let charge = Charge::new(&self.limit, &self.key, self.cost).of_policy(&self.name);
        match self.group {
            Some(group) => charge.in_shadow(group),
            None => charge,
        }
    }
}

fn told(call: &[Asked]) -> Vec<Told> {
    let mut told = Vec::new();
    let mut groups = 0;
    for (question, asked) in call.iter().enumerate() {
        if asked.is_denied_without_store() {
            continue;
        }
        for known in asked.matching() {
            groups += 1;
            told.extend(known.limits().into_iter().map(|limit| Told {
                question,
                name: known.name(),
                key: asked.key(known),
                limit,
                // What is above the bound costs one more than it.
                cost: asked.cost.min(tollgate::MAX_UNITS + 1),
                group: known.is_shadow.then_some(groups),
            }));
        }
    }
    told
}

/// What each question gets: whether it is admitted, and its outcomes.
fn right(oracle: &ReferenceStore<ManualClock>, call: &[Asked]) -> Vec<(bool, Vec<Outcome>)> {
    let told = told(call);
    let charges: Vec<_> = told.iter().map(Told::charge).collect();
    let outcomes: Outcomes = if call.iter().any(Asked::is_denied_without_store) {
        poll_now(oracle.peek(&charges)).unwrap()
    } else {
        poll_now(oracle.decide(&charges)).unwrap()
    };
    let answer = |(question, asked): (usize, &Asked)| {
        let own = || {
            told.iter()
                .zip(outcomes.iter())
                .filter(move |(told, _)| told.question == question)
        };
        let is_admitted = own()
            .filter(|(told, _)| told.group.is_none())
            .all(|(_, outcome)| outcome.verdict.is_allow());
        let is_allowed = is_admitted && !asked.is_denied_without_store();
        (is_allowed, own().map(|(_, outcome)| *outcome).collect())
    };
    call.iter().enumerate().map(answer).collect()
}

fn ours(decisions: &Decisions) -> Vec<(bool, Vec<Outcome>)> {
    let outcomes = |decision: &tollgate_policy::Decision| {
        let each = decision.policies();
        each.flat_map(|policy| policy.limits().map(|(_, outcome)| *outcome))
            .collect()
    };
    decisions
        .iter()
        .map(|decision| (decision.is_allowed(), outcomes(decision)))
        .collect()
}

/// Everything that any question could be counted by.
fn all_counts(store: &impl Store) -> Vec<Outcome> {
    let everybody = (0..3).flat_map(|user| {
        ["/w", "/plan"].into_iter().flat_map(move |path| {
            [false, true].map(|is_own| Asked {
                user,
                path,
                has_plan: true,
                cost: 0,
                is_own,
            })
        })
    });
    let told = told(&everybody.collect::<Vec<_>>());
    let charges: Vec<_> = told.iter().map(Told::charge).collect();
    let outcomes = poll_now(store.peek(&charges)).unwrap();
    outcomes.as_slice().to_vec()
}

fn asked() -> impl Strategy<Value = Asked> {
    let path = prop_oneof![
        8 => Just("/w"),
        4 => Just("/"),
        2 => Just("/plan"),
        1 => Just("/blocked"),
    ];
    let cost = prop_oneof![8 => 1..=2_u64, 1 => Just(0), 1 => 3..=9_u64, 1 => Just(u64::MAX)];
    (
        0..3_u8,
        path,
        prop::bool::weighted(0.7),
        cost,
        prop::bool::weighted(0.2),
    )
        .prop_map(|(user, path, has_plan, cost, is_own)| Asked {
            user,
            path,
            has_plan,
            cost,
            is_own,
        })
}

/// Calls, each some milliseconds after the one before.
fn calls() -> impl Strategy<Value = Vec<(u64, Vec<Asked>)>> {
    let call = prop::collection::vec(asked(), 0..5);
    prop::collection::vec((0..8_000_u64, call), 1..40)
}

proptest! {
    #![proptest_config(strategy::config(200))]

    #[test]
    fn all_questions_are_spent_or_none_is_and_each_has_its_own_verdict(calls in calls()) {
        let clock = ManualClock::new(START);
        let oracle = ReferenceStore::new(clock.clone());
        let limiter = PolicyLimiter::new(policies(&IN_FORCE), MemoryStore::with_clock(clock.clone()));
        let own = Arc::new(policies(&OWN));
        for (wait, call) in calls {
            clock.advance(Micros::from_millis(wait));
            let before = all_counts(limiter.store());
            let requests: Vec<_> = call.iter().map(Asked::request).collect();
            let questions: Vec<_> = call
                .iter()
                .zip(&requests)
                .map(|(asked, request)| {
                    let question = Question::new(request).cost(asked.cost);
                    if asked.is_own { question.decided_by(&own) } else { question }
                })
                .collect();
            let decisions = match limiter.decide_together_at_once(&questions) {
                Ok(decisions) => decisions,
                Err(undecided) => {
                    prop_assert!(call.iter().any(Asked::is_denied_without_store));
                    poll_now(limiter.decide_together_later(undecided))
                }
            };
            prop_assert_eq!(ours(&decisions), right(&oracle, &call), "{:?}", &call);
            if !decisions.are_allowed() {
                prop_assert_eq!(&before, &all_counts(limiter.store()), "something was spent");
            }
            for decision in &decisions {
                let is_held_back = decision.is_allowed() && !decisions.are_allowed();
                prop_assert_eq!(decision.only_looked(), is_held_back);
            }
            prop_assert_eq!(all_counts(limiter.store()), all_counts(&oracle));
        }
    }
}

#[test]
fn the_calls_are_of_every_kind() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut seen = [0; 4];
    for _ in 0..50 {
        let clock = ManualClock::new(START);
        let oracle = ReferenceStore::new(clock.clone());
        for (wait, call) in calls().new_tree(&mut runner).expect("calls").current() {
            clock.advance(Micros::from_millis(wait));
            let answers = right(&oracle, &call);
            let allowed = answers.iter().filter(|(is_allowed, _)| *is_allowed).count();
            let kind = match () {
                () if allowed == call.len() => 0,
                () if allowed == 0 => 1,
                () if call.iter().any(Asked::is_denied_without_store) => 2,
                () => 3,
            };
            seen[kind] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}
