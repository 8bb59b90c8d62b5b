//! By what requests are counted.

mod hash;
mod text;

pub(crate) use hash::KeyHasher;
pub(crate) use text::KeyBuffer;

use std::fmt;

use crate::condition::Facts;
use crate::{AttributeName, Attributes};
use text::Name;

/// The most parts of a key, and the most alternatives of a part.
const MAX_PARTS: usize = 8;

/// The parts of a policy's key, all of them together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Key {
    parts: Box<[KeyPart]>,
}

/// A part of a key: an attribute, or alternatives of which the first that a request has is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPart {
    alternatives: Box<[Source]>,
}

/// An attribute that a key takes its value from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source {
    attribute: AttributeName,
    name: Name,
    is_secret: bool,
}

impl Key {
    pub(crate) fn parse(texts: &[String]) -> Result<Self, String> {
        if texts.len() > MAX_PARTS {
            return Err(format!(
                "has a key of {} parts; the bound is {MAX_PARTS}",
                texts.len()
            ));
        }
        let mut parts: Vec<KeyPart> = Vec::with_capacity(texts.len());
        for text in texts {
            let part = KeyPart::parse(text)?;
            if parts.contains(&part) {
                return Err(format!(
                    "has the part `{text}` twice in its key; remove one"
                ));
            }
            parts.push(part);
        }
        Ok(Self {
            parts: parts.into(),
        })
    }

    pub(crate) fn parts(&self) -> &[KeyPart] {
        &self.parts
    }

    /// Appends the key of a request to `keys`, or gives the position of the part that the request
    /// lacks, and leaves `keys` as they were.
    pub(crate) fn write<A: Attributes + ?Sized>(
        &self,
        facts: &Facts<'_, A>,
        hasher: &KeyHasher,
        keys: &mut KeyBuffer,
    ) -> Result<(), usize> {
        let start = keys.len();
        for (number, part) in self.parts.iter().enumerate() {
            if number > 0 {
                keys.push_separator();
            }
            if !part.write(facts, hasher, keys) {
                keys.truncate(start);
                return Err(number);
            }
        }
        Ok(())
    }
}

impl KeyPart {
    fn parse(text: &str) -> Result<Self, String> {
        let mut alternatives: Vec<Source> = Vec::new();
        for name in text.split(" or ") {
            let attribute: AttributeName = name
                .trim()
                .parse()
                .map_err(|error| format!("has the part `{text}` in its key: {error}"))?;
            if alternatives
                .iter()
                .any(|source| source.attribute == attribute)
            {
                return Err(format!(
                    "has `{attribute}` twice in the part `{text}` of its key; remove one"
                ));
            }
            alternatives.push(Source {
                name: Name::of(&attribute),
                is_secret: attribute.is_secret(),
                attribute,
            });
        }
        if alternatives.len() > MAX_PARTS {
            return Err(format!(
                "has {} alternatives in the part `{text}` of its key; the bound is {MAX_PARTS}",
                alternatives.len()
            ));
        }
        Ok(Self {
            alternatives: alternatives.into(),
        })
    }

    /// The attributes, the preferred first.
    pub fn alternatives(&self) -> impl Iterator<Item = &AttributeName> {
        self.alternatives.iter().map(|source| &source.attribute)
    }

    fn write<A: Attributes + ?Sized>(
        &self,
        facts: &Facts<'_, A>,
        hasher: &KeyHasher,
        keys: &mut KeyBuffer,
    ) -> bool {
        self.alternatives
            .iter()
            .any(|source| source.write(facts, hasher, keys))
    }
}

impl Source {
    fn write<A: Attributes + ?Sized>(
        &self,
        facts: &Facts<'_, A>,
        hasher: &KeyHasher,
        keys: &mut KeyBuffer,
    ) -> bool {
        if self.attribute == AttributeName::ClientIp {
            let Some(client) = facts.client() else {
                return false;
            };
            keys.push_network(&self.name, client.network());
            return true;
        }
        match facts.value(&self.attribute) {
            None => false,
            Some(value) if value.is_empty() => false,
            Some(value) => {
                if self.is_secret {
                    keys.push_hash(&self.name, &value, hasher);
                } else {
                    keys.push_value(&self.name, &value, hasher);
                }
                true
            }
        }
    }
}

/// As it is written: `user or client.ip`.
impl fmt::Display for KeyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, name) in self.alternatives().enumerate() {
            if number > 0 {
                f.write_str(" or ")?;
            }
            write!(f, "{name}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
