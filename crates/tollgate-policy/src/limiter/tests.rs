mod at_once;
mod combining;
mod failing;
mod keys;
mod local;
mod settling;
mod tiers;

use std::net::IpAddr;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tollgate::{Charge, Limit, ManualClock, Micros, Outcomes, Timestamp};

use super::*;
use crate::{Allowance, AttributeMap, Policy, PolicyBuilder, Reason};

/// A limiter on a clock that stands at the beginning of a day.
fn limiter(
    policies: impl IntoIterator<Item = PolicyBuilder>,
) -> (PolicyLimiter<MemoryStore<ManualClock>>, ManualClock) {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_057_600));
    let store = MemoryStore::with_clock(clock.clone());
    (PolicyLimiter::new(set(policies), store), clock)
}

fn set(policies: impl IntoIterator<Item = PolicyBuilder>) -> PolicySet {
    PolicySet::new(policies.into_iter().map(|policy| policy.build().unwrap())).unwrap()
}

fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

fn by_client(name: &str, limits: &str) -> PolicyBuilder {
    Policy::builder(name).key("client.ip").limit(limit(limits))
}

fn request(values: &[(&str, &str)]) -> AttributeMap {
    values
        .iter()
        .fold(AttributeMap::new(), |map, (name, value)| {
            map.with(name.parse().unwrap(), *value)
        })
}

fn from(client: &str, path: &str) -> AttributeMap {
    let client: IpAddr = client.parse().unwrap();
    request(&[("method", "GET"), ("path", path)]).with_client_ip(client)
}

fn get(path: &str) -> AttributeMap {
    from("198.51.100.7", path)
}

/// Units that a policy's limits have left, in order.
fn remaining(decision: &Decision, policy: &str) -> Vec<u64> {
    let policies = decision
        .policies()
        .filter(|decided| decided.policy().name() == policy);
    policies
        .flat_map(|decided| decided.limits().map(|(_, outcome)| outcome.remaining))
        .collect()
}

fn deciding(decision: &Decision) -> (String, String) {
    let decided = decision.decided_by().unwrap();
    let (limit, _) = decided.deciding().unwrap();
    (decided.policy().name().to_owned(), limit.to_string())
}

/// The output of a future that waits for nothing.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}
