//! The keys by which policies count.

use tollgate::MemoryStore;
use tollgate_policy::{
    AttributeMap, AttributeName, Attributes, Policy, PolicyLimiter, PolicySet, normalize_path,
};

/// The longest key: eight parts, each a name of 64 bytes, all of them encoded, and a value.
const MAX_KEY: usize = 8 * (3 * 64 + 1 + 128 + 1);

/// Up to eight lines, each a part of a key and the values that two requests have for it, with tabs
/// between. A value is of the part's first attribute, or after `|` of its last.
///
/// A key says of which names and values it was made, or holds their hash; so two requests have one
/// key exactly if they have the same values. It is printable ASCII of bounded length. A request that
/// lacks a value has no key.
pub fn policy_keys(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let Ok(limit) = "10/min".parse() else {
        return;
    };
    let mut policy = Policy::builder("p").limit(limit);
    let mut parts: Vec<Vec<AttributeName>> = Vec::new();
    let mut requests = [AttributeMap::new(), AttributeMap::new()];
    for line in text.split('\n').take(8) {
        let mut fields = line.split('\t');
        let part = fields.next().unwrap_or("");
        policy = policy.key(part);
        let names = part
            .split(" or ")
            .filter_map(|name| name.trim().parse().ok());
        let names: Vec<AttributeName> = names.collect();
        for (request, value) in requests.iter_mut().zip(fields) {
            let (name, value) = match value.strip_prefix('|') {
                Some(value) => (names.last(), value),
                None => (names.first(), value),
            };
            if let Some(name) = name {
                request.set(name.clone(), value);
            }
        }
        parts.push(names);
    }
    // A part twice, a name that is none: said in words.
    let set = policy.build().and_then(|policy| PolicySet::new([policy]));
    let limiter = match set {
        Ok(set) => PolicyLimiter::new(set, MemoryStore::builder().max_keys(16).build()),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let [one, other] = requests.map(|request| {
        let decision = limiter.decide_now(&request);
        let key = decision
            .policies()
            .next()
            .and_then(|policy| policy.key().map(ToOwned::to_owned));
        let meant = parts.iter().map(|names| meant(names, &request));
        let meant: Option<Vec<Meant>> = meant.collect();
        assert_eq!(key.is_some(), meant.is_some(), "{key:?}, {meant:?}");
        key.zip(meant)
    });
    for (key, meant) in one.iter().chain(&other) {
        check(key, meant);
    }
    if let (Some((key, meant)), Some((other, of_other))) = (one, other) {
        assert_eq!(key == other, meant == of_other, "{key}, {other}");
    }
}

/// A name and its value, as a key is meant to tell them.
#[derive(Debug, PartialEq)]
struct Meant {
    attribute: AttributeName,
    value: String,
}

/// The first of the attributes that the request has.
fn meant(names: &[AttributeName], request: &AttributeMap) -> Option<Meant> {
    names.iter().find_map(|name| {
        let value = match name {
            AttributeName::ClientIp => request.client()?.network().to_string(),
            _ => canonical(name, &request.attribute(name)?),
        };
        (!value.is_empty()).then(|| Meant {
            attribute: name.clone(),
            value,
        })
    })
}

/// The value as it is counted.
fn canonical(name: &AttributeName, value: &str) -> String {
    match name {
        AttributeName::Path => normalize_path(value).into_owned(),
        AttributeName::Host => {
            let name = match value.rfind(':') {
                Some(port) if !value.ends_with(']') && !value[port..].contains(']') => {
                    &value[..port]
                }
                _ => value,
            };
            name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
        }
        _ => value.to_owned(),
    }
}

fn check(key: &str, meant: &[Meant]) {
    assert!(key.bytes().all(|byte| byte.is_ascii_graphic()), "{key:?}");
    assert!(key.len() <= MAX_KEY, "{key}");
    // An empty key is no list of one empty part.
    let parts: Vec<&str> = key.split('&').filter(|_| !key.is_empty()).collect();
    assert_eq!(parts.len(), meant.len(), "{key}");
    for (part, Meant { attribute, value }) in parts.iter().zip(meant) {
        let Some((told_name, told)) = part.split_once('=') else {
            unreachable!("{part} has a name");
        };
        assert_eq!(plain(told_name), Some(attribute.to_string()), "{key}");
        match told.strip_prefix('#') {
            Some(hash) => {
                assert!(attribute.is_secret() || value.len() * 3 > 128, "{key}");
                assert_eq!(hash.len(), 32, "{key}");
                assert!(hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{key}");
            }
            None => {
                assert!(!attribute.is_secret(), "{key}");
                assert!(told.len() <= 128, "{key}");
                assert_eq!(plain(told).as_ref(), Some(value), "{key}");
            }
        }
    }
}

/// A text without its percent-encoding; none if it has a character that must have been encoded.
fn plain(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut pieces = text.split('%');
    bytes.extend(pieces.next()?.bytes());
    for piece in pieces {
        let (digits, rest) = piece.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(rest.bytes());
    }
    let is_separator = text.contains(['&', '=', '#']);
    String::from_utf8(bytes).ok().filter(|_| !is_separator)
}
