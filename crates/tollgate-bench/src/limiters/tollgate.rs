//! Tollgate's memory store, asked synchronously.

use std::hint::black_box;

use anyhow::Result;
use tollgate::Limiter;

use super::{Answer, Subject};

/// `tollgate::Limiter` over `MemoryStore`.
#[derive(Debug)]
pub struct Tollgate(Limiter);

impl Subject for Tollgate {
    const NAME: &'static str = "tollgate";

    fn new(answer: Answer) -> Result<Self> {
        let limit = format!("{}/h", answer.units()).parse()?;
        Ok(Self(Limiter::new(limit)))
    }

    fn check(&self, key: &String) -> bool {
        let answer = self.0.check_now(key);
        black_box(&answer)
            .as_ref()
            .is_ok_and(tollgate::Outcomes::is_allowed)
    }
}
