//! What `/v1/check` is asked.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use tollgate_policy::Question;

use crate::attributes::GivenAttributes;
use crate::http::fields::{AttributesObject, Choice, Text, Units, set, unknown};

const FIELDS: [&str; 3] = ["attributes", "cost", "peek"];

/// A request that is to be decided.
#[derive(Debug)]
pub(super) struct CheckRequest<'b> {
    pub(super) attributes: GivenAttributes<'b>,
    /// Units that it takes.
    pub(super) cost: u64,
    /// Whether only to look.
    pub(super) peek: bool,
}

impl CheckRequest<'_> {
    pub(super) const fn question(&self) -> Question<'_, GivenAttributes<'_>> {
        Question::new(&self.attributes).cost(self.cost)
    }
}

impl<'de> Deserialize<'de> for CheckRequest<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = CheckRequest<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `attributes`, and perhaps `cost` and `peek`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut attributes, mut cost, mut peek) = (None, None, None);
        while let Some(name) = map.next_key_seed(Text("the name of a field"))? {
            match &*name {
                "attributes" => {
                    let value = map.next_value_seed(AttributesObject)?;
                    set(&mut attributes, "attributes", value)?;
                }
                "cost" => set(&mut cost, "cost", map.next_value_seed(Units)?)?,
                "peek" => set(&mut peek, "peek", map.next_value_seed(Choice("peek"))?)?,
                other => return Err(unknown(other, &FIELDS)),
            }
        }
        Ok(CheckRequest {
            attributes: attributes.ok_or_else(|| serde::de::Error::missing_field("attributes"))?,
            cost: cost.unwrap_or(1),
            peek: peek.unwrap_or(false),
        })
    }
}
