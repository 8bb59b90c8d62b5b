//! limitador in memory: one limit, whose only variable is the key.

use std::collections::HashMap;
use std::hint::black_box;

use anyhow::Result;
use limitador::RateLimiter;
use limitador::limit::{Context, Limit, Namespace};

use super::{Answer, Subject};

/// Room enough that it never evicts while it is measured.
const MOST_COUNTERS: u64 = 4_000_000;
const HOUR_IN_SECONDS: u64 = 3_600;

/// `limitador::RateLimiter` with its in-memory storage.
pub struct Limitador {
    limiter: RateLimiter,
    namespace: Namespace,
}

impl std::fmt::Debug for Limitador {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limitador").finish_non_exhaustive()
    }
}

impl Subject for Limitador {
    const NAME: &'static str = "limitador";

    fn new(answer: Answer) -> Result<Self> {
        let limiter = RateLimiter::new(MOST_COUNTERS);
        limiter.add_limit(Limit::new(
            "bench",
            answer.units().into(),
            HOUR_IN_SECONDS,
            vec![],
            vec!["user_id".try_into()?],
        ));
        Ok(Self {
            limiter,
            namespace: "bench".into(),
        })
    }

    fn check(&self, key: &String) -> bool {
        let variables = HashMap::from([("user_id".to_owned(), key.clone())]);
        let answer = self.limiter.check_rate_limited_and_update(
            &self.namespace,
            &Context::from(variables),
            1,
        );
        black_box(&answer)
            .as_ref()
            .is_ok_and(|answer| !answer.limited)
    }
}
