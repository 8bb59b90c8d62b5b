//! The fields of JSON objects in requests.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor};
use tollgate::MAX_UNITS;
use tollgate_policy::file::nearest;

use crate::attributes::{GivenAttributes, shown};

/// The error for a field that there is not, among those that there are.
pub(super) fn unknown<E: Error>(name: &str, known: &[&str]) -> E {
    let shown = shown(name);
    match nearest(known.iter().copied(), name) {
        Some(meant) => E::custom(format_args!(
            "there is no field `{shown}`; did you mean `{meant}`?"
        )),
        None => E::custom(format_args!(
            "there is no field `{shown}`; there are `{}`",
            known.join("`, `")
        )),
    }
}

/// Puts a field's value where it belongs, if there is none yet.
pub(super) fn set<T, E: Error>(
    place: &mut Option<T>,
    name: &'static str,
    value: T,
) -> Result<(), E> {
    if place.replace(value).is_some() {
        return Err(E::duplicate_field(name));
    }
    Ok(())
}

/// A string, for what is told in the error if there is something else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<D>(pub(super) D);

impl<'de, D: fmt::Display> DeserializeSeed<'de> for Text<D> {
    type Value = Cow<'de, str>;

    fn deserialize<T: Deserializer<'de>>(self, deserializer: T) -> Result<Self::Value, T::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, D: fmt::Display> Visitor<'de> for Text<D> {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a string for {}", self.0)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// Units that a request takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units;

impl<'de> DeserializeSeed<'de> for Units {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_u64(self)
    }
}

impl Visitor<'_> for Units {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 0 to {MAX_UNITS} for `cost`")
    }

    fn visit_u64<E: Error>(self, units: u64) -> Result<u64, E> {
        if units > MAX_UNITS {
            return Err(E::invalid_value(Unexpected::Unsigned(units), &self));
        }
        Ok(units)
    }

    /// JSON does not tell 2.0 from 2, and some programs write it so.
    fn visit_f64<E: Error>(self, units: f64) -> Result<u64, E> {
        let whole = format!("{units:.0}").parse();
        match whole {
            Ok(whole) if units.fract() == 0.0 => self.visit_u64(whole),
            _ => Err(E::invalid_value(Unexpected::Float(units), &self)),
        }
    }
}

/// True or false, for a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice(pub(super) &'static str);

impl<'de> DeserializeSeed<'de> for Choice {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_bool(self)
    }
}

impl Visitor<'_> for Choice {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "true or false for `{}`", self.0)
    }

    fn visit_bool<E: Error>(self, choice: bool) -> Result<bool, E> {
        Ok(choice)
    }
}

/// The object `attributes`.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttributesObject;

impl<'de> DeserializeSeed<'de> for AttributesObject {
    type Value = GivenAttributes<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AttributesObject {
    type Value = GivenAttributes<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and strings for `attributes`, such as {\"user\": \"7\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut given = GivenAttributes::default();
        while let Some(name) = map.next_key_seed(Text("the name of an attribute"))? {
            let value = map.next_value_seed(Text(ValueOf(&name)))?;
            given.add(&name, value).map_err(A::Error::custom)?;
        }
        Ok(given)
    }
}

struct ValueOf<'n>(&'n str);

impl fmt::Display for ValueOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the value of the attribute `{}`", shown(self.0))
    }
}
