use super::*;
use crate::grpc::generated::{Entry, RateLimitDescriptor};

fn read<'m>(
    domain: &'m str,
    descriptor: &'m RateLimitDescriptor,
) -> Result<Descriptor<'m>, Status> {
    let descriptor = wire::Descriptor::of(descriptor);
    Descriptor::read(domain, 0, &descriptor, &ClientIdentity::default())
}

fn descriptor(entries: &[(&str, &[u8])]) -> RateLimitDescriptor {
    let entries = entries.iter().map(|(key, value)| Entry {
        key: key.as_bytes().to_vec().into(),
        value: value.to_vec().into(),
    });
    RateLimitDescriptor {
        entries: entries.collect(),
        ..RateLimitDescriptor::default()
    }
}

fn whole(domain: &str, entries: &[(&str, &[u8])]) -> String {
    read(domain, &descriptor(entries)).unwrap().whole()
}

#[test]
fn descriptors_that_differ_have_different_texts() {
    let all = [
        whole("a", &[]),
        whole("ab", &[]),
        whole("a", &[("b", b"")]),
        whole("a", &[("b", b"c")]),
        whole("a", &[("bc", b"")]),
        whole("a", &[("b", b"c"), ("d", b"e")]),
        whole("a", &[("d", b"e"), ("b", b"c")]),
        whole("a", &[("b", b"c1:d1:e")]),
        whole("a", &[("b", b"\xff")]),
        whole("a", &[("b", b"%FF")]),
        whole("a", &[("b", b"%")]),
        whole("a", &[("b", b"%25")]),
        whole("a", &[("b", b"\x80"), ("5", b"hello")]),
        whole("a", &[("b", b"%80")]),
    ];
    for (position, one) in all.iter().enumerate() {
        for other in &all[position + 1..] {
            assert_ne!(one, other);
        }
    }
}

#[test]
fn a_name_with_a_number_is_an_entry_of_that_name_or_one_of_several() {
    let descriptor = descriptor(&[
        ("key", b"1"),
        ("key", b"2"),
        ("key.3", b"own"),
        ("key", b"3"),
        ("key", b"4"),
    ]);
    let read = read("edge", &descriptor).unwrap();
    let value = |name: &str| {
        let value = read.attribute(&AttributeName::Other(name.into()));
        value.map(Cow::into_owned)
    };
    assert_eq!(value("key").as_deref(), Some("1"));
    assert_eq!(value("key.2").as_deref(), Some("2"));
    assert_eq!(value("key.3").as_deref(), Some("own"));
    assert_eq!(value("key.4").as_deref(), Some("4"));
    for name in ["key.0", "key.1", "key.5", "key.x", "key.", ".2", "other.2"] {
        assert_eq!(value(name), None, "{name}");
    }
    let huge = format!("key.{}0", usize::MAX);
    assert_eq!(value(&huge), None);
}

#[test]
fn values_are_borrowed_from_the_message() {
    let descriptor = descriptor(&[("path", b"/a"), ("method", b"GET"), ("user", b"7")]);
    let read = read("edge", &descriptor).unwrap();
    for name in ["path", "method", "user", "domain"] {
        let value = read.attribute(&name.parse().unwrap());
        assert!(matches!(value, Some(Cow::Borrowed(_))), "{name}");
    }
}
