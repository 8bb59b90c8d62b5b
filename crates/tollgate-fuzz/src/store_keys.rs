//! The names of keys in Redis.

use tollgate_core::Limit;
use tollgate_redis::{key_name, probe_name};

/// Lines: a prefix, a policy, a key, and perhaps a limit.
///
/// A name says all that it is made of, so that no two counts share one; its hash tag is the policy
/// and the key; and it is not the name that a probe writes.
pub fn store_keys(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let mut lines = text.splitn(4, '\n');
    let mut line = || lines.next().unwrap_or("");
    let (prefix, policy, key) = (line(), line(), line());
    let id = line()
        .parse()
        .or_else(|_| "10/min".parse())
        .map(|limit: Limit| limit.id());
    let Ok(id) = id else {
        return;
    };
    let name = key_name(prefix, policy, key, id);
    assert_eq!(
        read(&name),
        Some((
            prefix.to_owned(),
            policy.to_owned(),
            key.to_owned(),
            id.as_u64()
        )),
        "{name:?}"
    );
    // Of a name that says all, so does its hash tag: Redis hashes what stands between the first
    // brace and the next closing one, if it is not empty.
    let tag = name
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    assert!(tag.is_some_and(|(tag, _)| !tag.is_empty()));
    let probe = probe_name(prefix);
    assert_eq!(read(&probe), None, "{probe:?}");
    assert_ne!(name, probe);
}

/// The prefix, policy, key and limit of a name.
fn read(name: &str) -> Option<(String, String, String, u64)> {
    let (prefix, rest) = name.split_once(":{")?;
    let (tag, limit) = rest.split_once("}:")?;
    let (policy, key) = tag.split_once(':')?;
    Some((
        plain(prefix)?,
        plain(policy)?,
        plain(key)?,
        limit.parse().ok()?,
    ))
}

/// A part without its escapes; none if it has one that is not the only spelling of its character.
fn plain(part: &str) -> Option<String> {
    if part.contains(['{', '}']) {
        return None;
    }
    let mut pieces = part.split('%');
    let mut plain = pieces.next()?.to_owned();
    for piece in pieces {
        let (code, rest) = piece.split_at_checked(2)?;
        plain.push(match code {
            "25" => '%',
            "7B" => '{',
            "7D" => '}',
            "3A" => ':',
            _ => return None,
        });
        plain.push_str(rest);
    }
    Some(plain)
}
