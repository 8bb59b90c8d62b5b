//! The members of `RateLimit-Policy` and `RateLimit`: their constant parts, and their integers.

use http::HeaderValue;
use sfv::{Integer, ItemSerializer, KeyRef, StringRef};
use tollgate::{Limit, Micros};

use super::buffer::Buffer;

/// The largest Integer of structured fields (RFC 9651, section 3.3.1).
const MAX_INTEGER: u64 = 999_999_999_999_999;

const Q: &KeyRef = KeyRef::constant("q");
const W: &KeyRef = KeyRef::constant("w");
const R: &KeyRef = KeyRef::constant("r");

/// What the two list fields say of one limit, as far as it is the same in every response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The whole member of `RateLimit-Policy`: `"auth";q=10;w=60`.
    policy: Box<str>,
    /// The same as a field's value: it is the whole field where only one limit applies.
    policy_field: HeaderValue,
    /// The member of `RateLimit` up to its first integer: `"auth";r=`.
    prefix: Box<str>,
    name: Box<str>,
    quota: u64,
    window: Micros,
}

impl Item {
    /// The member called `name`, with a quota and the window that belongs to it.
    ///
    /// `w` counts whole seconds and is at least 1, so a window that is not made of them is left
    /// out: that is allowed, and a rounded one would be wrong.
    pub(crate) fn new(name: &str, quota: u64, window: Micros) -> Self {
        let micros = window.as_micros();
        let whole = micros > 0 && micros.is_multiple_of(Micros::SECOND.as_micros());
        let secs = whole.then(|| window.as_secs_ceil());
        let policy = serialize(name, &[(Q, Some(quota)), (W, secs)]);
        let mut prefix = serialize(name, &[(R, Some(0))]);
        // The placeholder's one digit.
        prefix.pop();
        Self {
            // What the serializer makes is printable ASCII.
            policy_field: HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("")),
            policy: policy.into(),
            prefix: prefix.into(),
            name: name.into(),
            quota,
            window,
        }
    }

    /// The name, as it is before serialization.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// True if it says of `limit` what is true of it.
    pub(crate) fn announces(&self, limit: &Limit) -> bool {
        self.quota == limit.quota() && self.window == limit.quota_window()
    }

    /// The member of `RateLimit-Policy`.
    pub(crate) const fn policy(&self) -> &str {
        &self.policy
    }

    /// `RateLimit-Policy` where only this limit applies.
    pub(crate) const fn policy_field(&self) -> &HeaderValue {
        &self.policy_field
    }

    /// Appends the member of `RateLimit`: `remaining` units for the next `window`.
    pub(crate) fn write_state(&self, remaining: u64, window: Micros, field: &mut Buffer) {
        field.push(&self.prefix);
        field.push_integer(remaining.min(MAX_INTEGER));
        field.push(";t=");
        field.push_integer(window.as_secs_ceil().min(MAX_INTEGER));
    }
}

/// The member with those of the parameters that have a value.
fn serialize(name: &str, parameters: &[(&KeyRef, Option<u64>)]) -> String {
    // A String holds printable ASCII (RFC 9651, section 3.3.3), and so do the names of policies.
    let name = StringRef::from_str(name).unwrap_or(StringRef::constant(""));
    let mut item = ItemSerializer::new().bare_item(name);
    for (key, value) in parameters {
        if let Some(value) = value {
            item = item.parameter(key, Integer::try_from(*value).unwrap_or(Integer::MAX));
        }
    }
    item.finish()
}

#[cfg(test)]
mod tests {
    use sfv::{BareItem, List, ListEntry, Parser};

    use super::*;

    fn parse(field: &[u8]) -> (String, Vec<(String, i64)>) {
        let list: List = Parser::new(field).parse().unwrap();
        let [ListEntry::Item(item)] = &list[..] else {
            panic!("one item: {list:?}");
        };
        let BareItem::String(name) = &item.bare_item else {
            panic!("a string: {item:?}");
        };
        let parameters = item.params.iter().map(|(key, value)| {
            let BareItem::Integer(value) = value else {
                panic!("an integer: {value:?}");
            };
            (key.as_str().to_owned(), i64::from(*value))
        });
        (name.as_str().to_owned(), parameters.collect())
    }

    fn policy(name: &str, quota: u64, window: Micros) -> String {
        let item = Item::new(name, quota, window);
        assert_eq!(item.policy_field(), item.policy());
        item.policy().to_owned()
    }

    fn state(name: &str, remaining: u64, window: Micros) -> String {
        let mut field = Buffer::new();
        Item::new(name, 1, Micros::SECOND).write_state(remaining, window, &mut field);
        field.as_str().to_owned()
    }

    // B69
    #[test]
    fn writes_quota_and_window() {
        assert_eq!(
            policy("permin", 50, Micros::MINUTE),
            r#""permin";q=50;w=60"#
        );
        assert_eq!(
            state("permin", 47, Micros::from_secs(50)),
            r#""permin";r=47;t=50"#
        );
    }

    // B69
    #[test]
    fn leaves_out_a_window_that_is_not_whole_seconds() {
        for window in [
            Micros::from_millis(500),
            Micros::from_millis(1_500),
            Micros::new(1),
            Micros::ZERO,
        ] {
            assert_eq!(policy("fast", 5, window), r#""fast";q=5"#);
        }
    }

    // B69
    #[test]
    fn keeps_integers_within_fifteen_digits() {
        let field = policy(
            "huge",
            10_u64.pow(16),
            Micros::new(u64::MAX / 1_000_000 * 1_000_000),
        );
        let (_, parameters) = parse(field.as_bytes());
        assert_eq!(parameters[0], ("q".to_owned(), 999_999_999_999_999));
        assert!(field.contains(";w=18446744073709"));
        let (_, parameters) = parse(state("huge", u64::MAX, Micros::new(u64::MAX)).as_bytes());
        assert_eq!(parameters[0], ("r".to_owned(), 999_999_999_999_999));
    }

    #[test]
    fn rounds_the_time_up() {
        assert_eq!(state("a", 0, Micros::new(1)), r#""a";r=0;t=1"#);
        assert_eq!(state("a", 0, Micros::new(1_000_001)), r#""a";r=0;t=2"#);
        assert_eq!(state("a", 1, Micros::ZERO), r#""a";r=1;t=0"#);
    }

    #[test]
    fn escapes_names_so_that_they_read_back() {
        for name in [r#"say "hi""#, r"back\slash", "", "plain", "a;q=1, \"b\""] {
            assert_eq!(parse(policy(name, 1, Micros::SECOND).as_bytes()).0, name);
            assert_eq!(parse(state(name, 1, Micros::SECOND).as_bytes()).0, name);
        }
    }
}
