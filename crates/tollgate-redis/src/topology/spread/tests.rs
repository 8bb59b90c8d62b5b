use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use tokio::sync::Notify;
use tollgate::{Limit, StoreErrorKind};

use super::*;

const TIMEOUT: Duration = Duration::from_secs(1);

/// Answers in order, whatever is asked.
#[derive(Default)]
struct Scripted {
    answers: Mutex<VecDeque<Answer>>,
    keys: Mutex<Vec<String>>,
    called: Notify,
}

enum Answer {
    Numbers(Vec<u64>),
    Error,
    /// The numbers, once somebody says so.
    Held(Arc<Notify>, Vec<u64>),
}

impl Scripted {
    fn new(answers: impl IntoIterator<Item = Answer>) -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::new(answers.into_iter().collect()),
            ..Self::default()
        })
    }

    /// The policies of the keys that were asked for, in order.
    fn asked(&self) -> String {
        let keys = self.keys().clone();
        let policy = |key: &String| key.split(['{', ':']).nth(2).unwrap_or_default().to_owned();
        keys.iter().map(policy).collect::<Vec<_>>().join(" ")
    }

    async fn has_been_asked(&self, times: usize) {
        let asked = async {
            while self.keys().len() < times {
                self.called.notified().await;
            }
        };
        let patience = Duration::from_secs(20);
        tokio::time::timeout(patience, asked).await.unwrap();
    }

    fn keys(&self) -> MutexGuard<'_, Vec<String>> {
        self.keys.lock().unwrap()
    }
}

impl Calls for Scripted {
    async fn call(&self, call: &Call, _timeout: Duration) -> Result<Vec<u64>, StoreError> {
        self.keys().push(call.a_key().unwrap().to_owned());
        self.called.notify_one();
        let answer = self.answers.lock().unwrap().pop_front();
        match answer.expect("it is asked no more often than it has answers") {
            Answer::Numbers(numbers) => Ok(numbers),
            Answer::Error => Err(StoreError::new(StoreErrorKind::Unavailable, "gone")),
            Answer::Held(release, numbers) => {
                release.notified().await;
                Ok(numbers)
            }
        }
    }
}

const MINUTE: u64 = 60_000_000;

/// A bucket of `10/min` that has used so many units at this instant.
fn told(now: u64, is_admitted: bool, used: u64) -> Vec<u64> {
    vec![now, u64::from(is_admitted), used * MINUTE, now, 1, 0]
}

fn admitted(now: u64, used: u64) -> Answer {
    Answer::Numbers(told(now, true, used))
}

fn denied(now: u64) -> Answer {
    Answer::Numbers(told(now, false, 10))
}

fn refunded() -> Answer {
    Answer::Numbers(vec![9])
}

/// Three charges in slots whose order is that of their policies, and not that of the request.
const SLOTS: [(&str, Option<u16>); 3] = [("c", None), ("a", None), ("b", None)];

fn charges(of: &[(&str, Option<u16>)]) -> Vec<Owned> {
    let limit: Limit = "10/min".parse().unwrap();
    let charges: Vec<_> = of
        .iter()
        .map(|(policy, shadow)| {
            let charge = Charge::new(&limit, "k", 1).of_policy(policy);
            shadow.map_or(charge, |group| charge.in_shadow(group))
        })
        .collect();
    let slot = |key: &str| u16::from(key.as_bytes()["p:{".len()]);
    own(&charges, "p", slot).unwrap()
}

fn spread(calls: &Arc<Scripted>) -> Spread<Scripted> {
    Spread {
        calls: Arc::clone(calls),
        prefix: "p".to_owned(),
        time: Time {
            now: None,
            slack_millis: 0,
            is_bounded: true,
        },
        timeout: TIMEOUT,
    }
}

fn left(outcomes: &Outcomes) -> Vec<u64> {
    outcomes.iter().map(|outcome| outcome.remaining).collect()
}

#[tokio::test]
async fn looks_at_all_slots_and_then_spends_in_their_order() {
    let calls = Scripted::new([
        admitted(1, 0),
        admitted(2, 1),
        admitted(3, 2),
        admitted(14, 1),
        admitted(12, 2),
        admitted(13, 3),
    ]);
    let outcomes = spread(&calls).decide(charges(&SLOTS)).await.unwrap();
    assert!(outcomes.is_allowed());
    // In the order of the request: c, a, b.
    assert_eq!(left(&outcomes), [7, 9, 8]);
    assert_eq!(outcomes.at().as_micros(), 14, "the latest instant");
    assert_eq!(calls.asked(), "a b c a b c");
}

#[tokio::test]
async fn spends_nothing_where_a_look_is_denied() {
    let calls = Scripted::new([admitted(1, 4), denied(2), admitted(3, 5)]);
    let outcomes = spread(&calls).decide(charges(&SLOTS)).await.unwrap();
    assert!(!outcomes.is_allowed());
    assert_eq!(outcomes.deciding_index(), Some(2));
    assert_eq!(left(&outcomes), [5, 6, 0]);
    assert_eq!(calls.asked(), "a b c");
}

#[tokio::test]
async fn gives_back_what_was_spent_before_somebody_was_quicker() {
    let calls = Scripted::new([
        admitted(1, 4),
        admitted(1, 9),
        admitted(1, 5),
        admitted(2, 5),
        denied(2),
        refunded(),
    ]);
    let outcomes = spread(&calls).decide(charges(&SLOTS)).await.unwrap();
    assert!(!outcomes.is_allowed());
    assert_eq!(left(&outcomes), [5, 6, 0], "as if nothing had been spent");
    assert_eq!(calls.asked(), "a b c a b a");
}

#[tokio::test]
async fn gives_back_what_was_spent_before_a_server_failed() {
    let calls = Scripted::new([
        admitted(1, 0),
        admitted(1, 0),
        admitted(1, 0),
        admitted(2, 1),
        admitted(2, 1),
        Answer::Error,
        refunded(),
        refunded(),
    ]);
    let error = spread(&calls).decide(charges(&SLOTS)).await.unwrap_err();
    assert_eq!(error.to_string(), "gone");
    calls.has_been_asked(8).await;
    assert_eq!(calls.asked(), "a b c a b c a b");
}

#[tokio::test]
async fn fails_without_spending_where_a_look_fails() {
    let calls = Scripted::new([admitted(1, 0), Answer::Error, admitted(1, 0)]);
    let error = spread(&calls).decide(charges(&SLOTS)).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable);
    assert!(!calls.asked().contains("a b c a"), "{}", calls.asked());
}

#[tokio::test]
async fn gives_all_back_where_the_caller_has_gone() {
    let release = Arc::new(Notify::new());
    let calls = Scripted::new([
        admitted(1, 0),
        admitted(1, 0),
        admitted(1, 0),
        admitted(2, 1),
        Answer::Held(Arc::clone(&release), told(2, true, 1)),
        admitted(2, 1),
        refunded(),
        refunded(),
        refunded(),
    ]);
    let caller = tokio::spawn(spread(&calls).decide(charges(&SLOTS)));
    calls.has_been_asked(5).await;
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    release.notify_one();
    calls.has_been_asked(9).await;
    assert_eq!(calls.asked(), "a b c a b c a b c");
}

#[tokio::test(start_paused = true)]
async fn all_slots_share_one_timeout() {
    let never = Arc::new(Notify::new());
    let calls = Scripted::new([
        admitted(1, 0),
        admitted(1, 0),
        Answer::Held(Arc::clone(&never), told(2, true, 1)),
        refunded(),
    ]);
    let caller = tokio::spawn(spread(&calls).decide(charges(&[("a", None), ("b", None)])));
    calls.has_been_asked(3).await;
    tokio::time::advance(TIMEOUT).await;
    never.notify_one();
    let error = caller.await.unwrap().unwrap_err();
    assert!(error.is_timeout(), "{error}");
    calls.has_been_asked(4).await;
    assert_eq!(calls.asked(), "a b a a");
}

const SHADOWS: [(&str, Option<u16>); 4] =
    [("a", Some(1)), ("d", None), ("b", Some(2)), ("c", Some(1))];

#[tokio::test]
async fn spends_shadow_groups_after_the_enforced_charges() {
    let calls = Scripted::new([
        admitted(1, 0),
        admitted(1, 1),
        admitted(1, 2),
        admitted(1, 3),
        admitted(2, 4),
        admitted(2, 1),
        admitted(2, 3),
        admitted(2, 2),
    ]);
    let outcomes = spread(&calls).decide(charges(&SHADOWS)).await.unwrap();
    assert_eq!(left(&outcomes), [9, 6, 8, 7]);
    assert_eq!(calls.asked(), "a b c d d a c b");
}

#[tokio::test]
async fn a_shadow_group_is_spent_as_a_whole_or_not_at_all() {
    // Its second charge is denied when it is looked at; and the other group's when it is spent.
    let calls = Scripted::new([
        admitted(1, 0),
        admitted(1, 1),
        denied(1),
        admitted(1, 3),
        admitted(2, 4),
        denied(2),
    ]);
    let outcomes = spread(&calls).decide(charges(&SHADOWS)).await.unwrap();
    assert!(outcomes.is_allowed());
    assert_eq!(left(&outcomes), [10, 6, 0, 0]);
    assert_eq!(calls.asked(), "a b c d d b");

    // The first charge of a group is given back when the second is denied after all.
    let calls = Scripted::new([
        admitted(1, 0),
        admitted(1, 1),
        admitted(1, 2),
        admitted(1, 3),
        admitted(2, 4),
        admitted(2, 1),
        denied(2),
        refunded(),
        admitted(2, 2),
    ]);
    let outcomes = spread(&calls).decide(charges(&SHADOWS)).await.unwrap();
    assert!(outcomes.is_allowed());
    assert_eq!(left(&outcomes), [10, 6, 8, 0]);
    assert_eq!(calls.asked(), "a b c d d a c a b");
}

#[tokio::test]
async fn a_shadow_group_that_shares_a_count_is_looked_at_anew() {
    let shared = [("a", None), ("b", None), ("a", Some(1))];
    let two = |now, used| {
        let mut numbers = told(now, true, used);
        numbers.extend_from_slice(&told(now, true, used)[1..]);
        Answer::Numbers(numbers)
    };
    let calls = Scripted::new([
        two(1, 9),
        admitted(1, 0),
        admitted(2, 5),
        admitted(2, 1),
        admitted(3, 5),
        admitted(4, 6),
    ]);
    let outcomes = spread(&calls).decide(charges(&shared)).await.unwrap();
    assert!(outcomes.is_allowed());
    assert_eq!(left(&outcomes), [5, 9, 4]);
    assert_eq!(calls.asked(), "a b a b a a");
}

#[tokio::test]
async fn a_refund_tries_all_slots_whatever_becomes_of_some() {
    let calls = Scripted::new([admitted(1, 1), admitted(1, 1), admitted(1, 1)]);
    let looked = spread(&calls).peek(charges(&SLOTS)).await.unwrap();
    let calls = Scripted::new([refunded(), Answer::Error, refunded()]);
    let refund = spread(&calls).refund(charges(&SLOTS), &looked).await;
    assert_eq!(refund.unwrap_err().to_string(), "gone");
    assert_eq!(calls.asked(), "a b c");
}
