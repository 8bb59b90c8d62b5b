use proptest::prelude::*;

use super::*;
use crate::{AttributeMap, ClientAddress};

fn key(parts: &[&str]) -> Key {
    let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
    Key::parse(&parts).unwrap()
}

fn request(values: &[(&str, &str)]) -> AttributeMap {
    values
        .iter()
        .fold(AttributeMap::new(), |map, (name, value)| {
            map.with(name.parse().unwrap(), *value)
        })
}

fn write(parts: &[&str], request: &AttributeMap) -> Result<String, usize> {
    let mut keys = KeyBuffer::default();
    let facts = Facts::new(request);
    key(parts).write(&facts, &KeyHasher::default(), &mut keys)?;
    Ok(keys.key(0..keys.len()).to_owned())
}

/// Reads a key back, but for hashes.
fn read(key: &str) -> Vec<(String, String)> {
    let decode = |text: &str| {
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        while let [byte, after @ ..] = rest {
            rest = after;
            if *byte == b'%' {
                let digits = str::from_utf8(&after[..2]).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                rest = &after[2..];
            } else {
                bytes.push(*byte);
            }
        }
        String::from_utf8(bytes).unwrap()
    };
    let parts = key.split('&').map(|part| part.split_once('=').unwrap());
    parts
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

#[test]
fn an_ordinary_key_can_be_read() {
    let request = request(&[
        ("client.ip", "2001:db8:0:1::9"),
        ("user", "bob@example.com"),
        ("method", "GET"),
    ]);
    assert_eq!(
        write(&["client.ip", "user", "method"], &request).unwrap(),
        "client.ip=2001:db8:0:1::/64&user=bob@example.com&method=GET"
    );
    assert_eq!(write(&[], &request).unwrap(), "");
}

// B53
#[test]
fn parts_do_not_run_into_each_other() {
    let write = |a, b| write(&["user", "tenant"], &request(&[("user", a), ("tenant", b)])).unwrap();
    assert_ne!(write("a:b", "c"), write("a", "b:c"));
    assert_ne!(
        write("user@example.co", "mtest"),
        write("user@example.com", "test")
    );
    assert_ne!(write("a&tenant=b", "c"), write("a", "b&tenant=c"));
    assert_ne!(write("a%26", "c"), write("a&", "c"));
}

#[test]
fn a_user_named_like_an_address_is_not_that_address() {
    let part = ["user or client.ip"];
    let user = request(&[("user", "198.51.100.7"), ("client.ip", "203.0.113.1")]);
    let address = request(&[("client.ip", "198.51.100.7")]);
    assert_eq!(write(&part, &user).unwrap(), "user=198.51.100.7");
    assert_eq!(write(&part, &address).unwrap(), "client.ip=198.51.100.7");
}

#[test]
fn an_empty_value_is_missing() {
    let request = request(&[("user", ""), ("client.ip", "198.51.100.7")]);
    assert_eq!(
        write(&["user or client.ip"], &request).unwrap(),
        "client.ip=198.51.100.7"
    );
    assert_eq!(write(&["client.ip", "user"], &request), Err(1));
    assert_eq!(write(&["client.ip"], &AttributeMap::new()), Err(0));
}

#[test]
fn a_key_that_cannot_be_built_leaves_nothing_behind() {
    let request = request(&[("user", "bob")]);
    let mut keys = KeyBuffer::default();
    let facts = Facts::new(&request);
    key(&["user"])
        .write(&facts, &KeyHasher::default(), &mut keys)
        .unwrap();
    assert!(
        key(&["user", "client.ip"])
            .write(&facts, &KeyHasher::default(), &mut keys)
            .is_err()
    );
    assert_eq!(keys.key(0..keys.len()), "user=bob");
}

#[test]
fn secrets_stand_in_keys_as_hashes_only() {
    for name in [
        "header.authorization",
        "header.x-api-key",
        "header.cookie",
        "user.token",
    ] {
        let written = |value| write(&[name], &request(&[(name, value)])).unwrap();
        let secret = written("hunter2");
        assert!(!secret.contains("hunter2"), "{secret}");
        assert_eq!(secret.len(), name.len() + 2 + 32);
        assert_eq!(secret, written("hunter2"));
        assert_ne!(secret, written("hunter3"));
    }
}

#[test]
fn the_hash_is_hmac_sha_256_cut_to_128_bits() {
    // RFC 4231, test case 2.
    let hash = KeyHasher::new(b"Jefe").hash("what do ya want for nothing?");
    let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digits, "5bdcc146bf60754e6a042426089575c7");
}

#[test]
fn a_long_value_is_hashed_and_never_cut() {
    let written = |value: &str| write(&["user"], &request(&[("user", value)])).unwrap();
    assert_eq!(
        written(&"x".repeat(128)),
        format!("user={}", "x".repeat(128))
    );
    let long = written(&"x".repeat(129));
    assert!(long.starts_with("user=#") && long.len() < 64, "{long}");
    assert_ne!(long, written(&"x".repeat(130)));
    // Encoding counts.
    assert!(written(&"ü".repeat(22)).starts_with("user=#"));
    assert!(!written(&"ü".repeat(21)).contains('#'));
    // Nobody can be called like a hash.
    let hash = long.strip_prefix("user=").unwrap();
    assert_ne!(written(hash), long);
}

#[test]
fn a_path_is_counted_in_normal_form() {
    let written = |path| write(&["path"], &request(&[("path", path)])).unwrap();
    assert_eq!(written("/a/../b%63/"), "path=/bc");
    let host = |host| write(&["host"], &request(&[("host", host)])).unwrap();
    assert_eq!(host("Example.com:443"), "host=example.com");
}

#[test]
fn refuses_keys_that_cannot_be_meant() {
    let refuses = |parts: &[&str]| {
        let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        Key::parse(&parts).unwrap_err()
    };
    refuses(&[""]);
    refuses(&["user or"]);
    refuses(&["user,client.ip"]);
    assert!(refuses(&["user", "user"]).contains("twice"));
    assert!(refuses(&["user or user"]).contains("twice"));
    refuses(&["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
    assert!(refuses(&["client.adress"]).contains("client.ip"));
}

#[test]
fn an_address_is_counted_by_its_network() {
    let written = |text: &str| {
        let request = AttributeMap::new().with_client(ClientAddress::new(text.parse().unwrap()));
        write(&["client.ip"], &request).unwrap()
    };
    assert_eq!(written("::ffff:198.51.100.7"), "client.ip=198.51.100.7");
    assert_eq!(written("2001:db8::1"), written("2001:db8::2"));
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![r"[a-c&=%#:, \x00é]{1,12}", ".{1,40}"]
}

proptest! {
    // B53, B47
    #[test]
    fn keys_read_back_as_they_were_built(user in value(), tenant in value()) {
        let request = request(&[("user", &user), ("tenant", &tenant)]);
        let written = write(&["user", "tenant"], &request).unwrap();
        prop_assert!(written.bytes().all(|byte| byte.is_ascii_graphic()), "{}", written);
        let parts = read(&written);
        for ((name, value), (wanted, original)) in parts.iter().zip([("user", &user), ("tenant", &tenant)]) {
            prop_assert_eq!(name, wanted);
            // A hash is the one thing that begins with `#` unencoded.
            if !written.contains('#') {
                prop_assert_eq!(value, original);
            }
        }
        prop_assert_eq!(parts.len(), 2);
    }

    #[test]
    fn keys_agree_exactly_if_the_values_do(a in value(), b in value(), c in value(), d in value()) {
        let written = |user: &str, tenant: &str| write(&["user", "tenant"], &request(&[("user", user), ("tenant", tenant)])).unwrap();
        prop_assert_eq!(written(&a, &b) == written(&c, &d), (&a, &b) == (&c, &d));
        // The likeliest collision: the same characters, parted elsewhere.
        let joined: Vec<char> = a.chars().chain(b.chars()).collect();
        for at in 1..joined.len() {
            let (left, right): (String, String) = (joined[..at].iter().collect(), joined[at..].iter().collect());
            prop_assert_eq!(written(&left, &right) == written(&a, &b), left == a);
        }
    }

    #[test]
    fn keys_are_bounded(values in prop::collection::vec(".{1,400}", 8)) {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let request = names.iter().zip(&values).fold(AttributeMap::new(), |map, (name, value)| map.with(name.parse().unwrap(), value.as_str()));
        prop_assert!(write(&names, &request).unwrap().len() <= 8 * (1 + 1 + 128 + 1));
    }
}
