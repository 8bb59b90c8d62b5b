//! What `/v1/check/batch` is asked.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::request::CheckRequest;
use crate::http::fields::{Choice, Text, set, unknown};

/// The most requests of a batch.
pub(super) const MAX_CHECKS: usize = 100;

const FIELDS: [&str; 2] = ["all_or_nothing", "checks"];

/// Several requests that are to be decided.
#[derive(Debug)]
pub(super) struct BatchRequest<'b> {
    /// Whether all are to be admitted or none.
    pub(super) all_or_nothing: bool,
    pub(super) checks: Vec<CheckRequest<'b>>,
}

impl<'de> Deserialize<'de> for BatchRequest<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = BatchRequest<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `all_or_nothing` and `checks`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut all_or_nothing, mut checks) = (None, None);
        while let Some(name) = map.next_key_seed(Text("the name of a field"))? {
            match &*name {
                "all_or_nothing" => {
                    let value = map.next_value_seed(Choice("all_or_nothing"))?;
                    set(&mut all_or_nothing, "all_or_nothing", value)?;
                }
                "checks" => set(&mut checks, "checks", map.next_value_seed(Checks)?)?,
                other => return Err(unknown(other, &FIELDS)),
            }
        }
        let all_or_nothing = all_or_nothing.ok_or_else(|| {
            Error::custom(
                "`all_or_nothing` is missing: true to admit all requests or none, false to decide \
                 each by itself",
            )
        })?;
        let checks: Vec<CheckRequest<'_>> = checks.ok_or_else(|| Error::missing_field("checks"))?;
        if all_or_nothing && checks.iter().any(|check| check.peek) {
            return Err(Error::custom(
                "`peek` does not go with `all_or_nothing`: ask for one or the other",
            ));
        }
        Ok(BatchRequest {
            all_or_nothing,
            checks,
        })
    }
}

struct Checks;

impl<'de> DeserializeSeed<'de> for Checks {
    type Value = Vec<CheckRequest<'de>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Checks {
    type Value = Vec<CheckRequest<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of 1 to {MAX_CHECKS} requests for `checks`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut checks = Vec::new();
        while let Some(check) = sequence.next_element()? {
            if checks.len() == MAX_CHECKS {
                return Err(Error::invalid_length(MAX_CHECKS + 1, &self));
            }
            checks.push(check);
        }
        if checks.is_empty() {
            return Err(Error::invalid_length(0, &self));
        }
        Ok(checks)
    }
}
