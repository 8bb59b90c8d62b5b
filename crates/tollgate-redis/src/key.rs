//! The names of the stored keys.

use std::fmt::Write;

use tollgate_core::LimitId;

/// The key of one count: `prefix:{policy:key}:limit`.
///
/// The braces make all limits of a policy's key share a slot in a cluster. Braces and percent signs
/// in the parts are escaped, and so is a colon in the policy; so the first brace ends the prefix,
/// the first colon after it the policy, and the next brace the key: no two counts share a name.
#[must_use]
pub fn name(prefix: &str, policy: &str, key: &str, limit: LimitId) -> String {
    let mut name = String::with_capacity(prefix.len() + policy.len() + key.len() + 24);
    escape(&mut name, prefix, false);
    name.push_str(":{");
    escape(&mut name, policy, true);
    name.push(':');
    escape(&mut name, key, false);
    // Writing to a string does not fail.
    let _ = write!(name, "}}:{}", limit.as_u64());
    name
}

/// A key that is no count's: in it, no colon stands between the braces.
#[must_use]
pub fn probe(prefix: &str) -> String {
    let mut name = String::with_capacity(prefix.len() + 8);
    escape(&mut name, prefix, false);
    name.push_str(":{probe}");
    name
}

fn escape(name: &mut String, part: &str, escapes_colon: bool) {
    for character in part.chars() {
        match character {
            '%' => name.push_str("%25"),
            '{' => name.push_str("%7B"),
            '}' => name.push_str("%7D"),
            ':' if escapes_colon => name.push_str("%3A"),
            other => name.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tollgate_core::Limit;

    fn id(text: &str) -> LimitId {
        text.parse::<Limit>().unwrap().id()
    }

    #[test]
    fn reads_like_what_it_names() {
        assert_eq!(
            name("tollgate", "auth", "2001:db8::1", id("10/min")),
            "tollgate:{auth:2001:db8::1}:60000"
        );
    }

    #[test]
    fn no_two_counts_share_a_name() {
        let parts = [
            "", "a", ":", "a:", ":a", "%", "%3A", "%25", "{", "}", "}:60000", "{a", "a}", "\0", "é",
        ];
        let mut names = HashSet::new();
        let mut count = 0;
        for prefix in parts {
            for policy in parts {
                for key in parts {
                    for limit in ["10/min", "10/s", "10/min fixed-window"] {
                        names.insert(name(prefix, policy, key, id(limit)));
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(names.len(), count);
    }

    #[test]
    fn limits_of_one_key_share_a_hash_tag() {
        let tag = |name: &str| {
            let start = name.find('{').unwrap();
            let end = name.find('}').unwrap();
            name[start..end].to_owned()
        };
        let minute = name("p{", "a", "k}", id("10/min"));
        let hour = name("p{", "a", "k}", id("10/h"));
        assert_eq!(tag(&minute), tag(&hour));
        assert_eq!(tag(&minute), "{a:k%7D");
    }
}
