use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use prost::Message as _;

use super::*;
use crate::grpc::generated::Entry;

fn bytes(most: usize) -> impl Strategy<Value = bytes::Bytes> {
    vec(any::<u8>(), 0..most).prop_map(Into::into)
}

fn entry() -> impl Strategy<Value = Entry> {
    (bytes(12), bytes(200)).prop_map(|(key, value)| Entry { key, value })
}

fn limit() -> impl Strategy<Value = RateLimitOverride> {
    (any::<u32>(), 0..=i32::MAX).prop_map(|(requests_per_unit, unit)| RateLimitOverride {
        requests_per_unit,
        unit,
    })
}

fn descriptor() -> impl Strategy<Value = RateLimitDescriptor> {
    let entries = vec(entry(), 0..7);
    let parts = (
        entries,
        option::of(limit()),
        any::<Option<u64>>(),
        any::<bool>(),
    );
    parts.prop_map(
        |(entries, limit, hits_addend, is_negative_hits)| RateLimitDescriptor {
            entries,
            limit,
            hits_addend,
            is_negative_hits,
        },
    )
}

fn request() -> impl Strategy<Value = RateLimitRequest> {
    let parts = (bytes(20), vec(descriptor(), 0..4), any::<u32>());
    parts.prop_map(|(domain, descriptors, hits_addend)| RateLimitRequest {
        domain,
        descriptors,
        hits_addend,
    })
}

/// What is read must be what the general decoder reads; what is not is left to it.
fn check(message: &[u8]) -> Result<(), TestCaseError> {
    let general = RateLimitRequest::decode(message);
    let Some(read) = Request::read(message) else {
        return Ok(());
    };
    prop_assert!(general.is_ok(), "{general:?}");
    prop_assert_eq!(Some(read), general.as_ref().ok().map(Request::of));
    Ok(())
}

proptest! {
    #[test]
    fn what_clients_send_is_read_as_the_general_decoder_reads_it(message in request()) {
        let encoded = message.encode_to_vec();
        prop_assert_eq!(Request::read(&encoded), Some(Request::of(&message)));
    }

    #[test]
    fn a_message_that_was_damaged_is_never_read_differently(
        message in request(),
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in option::of(any::<prop::sample::Index>()),
    ) {
        let mut encoded = message.encode_to_vec();
        for (place, byte) in damage {
            if !encoded.is_empty() {
                let place = place.index(encoded.len());
                encoded[place] = byte;
            }
        }
        if let Some(cut) = cut {
            encoded.truncate(cut.index(encoded.len() + 1));
        }
        check(&encoded)?;
    }

    #[test]
    fn any_bytes_are_never_read_differently(message in vec(prop_oneof![0..40_u8, any::<u8>()], 0..40)) {
        check(&message)?;
    }

    #[test]
    fn fields_that_come_twice_are_never_read_differently(one in request(), other in request()) {
        let mut encoded = one.encode_to_vec();
        other.encode(&mut encoded).unwrap();
        prop_assert!(Request::read(&encoded).is_some());
        check(&encoded)?;
        let mut twice = Vec::new();
        for descriptor in one.descriptors.iter().chain(&other.descriptors) {
            descriptor.encode(&mut twice).unwrap();
        }
        let descriptor = RateLimitDescriptor::decode(&*twice).unwrap();
        if let Some(read) = Descriptor::read(&twice) {
            prop_assert_eq!(read, Descriptor::of(&descriptor));
        }
    }
}

#[test]
fn more_than_may_be_sent_is_not_read() {
    let mut message = RateLimitRequest {
        descriptors: vec![RateLimitDescriptor::default(); MANY],
        ..RateLimitRequest::default()
    };
    assert!(Request::read(&message.encode_to_vec()).is_some());
    message.descriptors.push(RateLimitDescriptor::default());
    assert_eq!(Request::read(&message.encode_to_vec()), None);
    message.descriptors.truncate(1);
    message.descriptors[0].entries = vec![Entry::default(); MANY + 1];
    assert_eq!(Request::read(&message.encode_to_vec()), None);
}

#[test]
fn numbers_at_their_bounds_are_never_read_differently() {
    let full = |bytes, last: u8| [vec![0xff; bytes], vec![last]].concat();
    for number in [
        vec![0x80, 0x00],
        full(3, 0x0f),
        full(4, 0x0f),
        full(4, 0x10),
        full(8, 0x7f),
        full(9, 0x00),
        full(9, 0x01),
        full(9, 0x02),
        full(9, 0x7f),
        full(10, 0x01),
        full(4, 0xff),
    ] {
        let nested = |tag, inside: &[u8]| {
            let length = u8::try_from(inside.len()).unwrap();
            [&[tag, length], inside].concat()
        };
        let first = [&[0x08], &number[..]].concat();
        let second = [&[0x10], &number[..]].concat();
        for message in [
            [&[0x18], &number[..]].concat(),
            [&[0x0a], &number[..]].concat(),
            number.clone(),
            nested(0x12, &nested(0x12, &first)),
            nested(0x12, &nested(0x12, &second)),
            nested(0x12, &nested(0x1a, &first)),
            nested(0x12, &[&[0x20], &number[..]].concat()),
        ] {
            check(&message).unwrap();
        }
    }
    // The largest that there are, none of which is left to the general decoder.
    let largest = nested_hits(u64::MAX);
    assert_eq!(
        Request::read(&largest).unwrap().descriptors[0].hits_addend,
        Some(u64::MAX)
    );
}

fn nested_hits(hits: u64) -> Vec<u8> {
    let descriptor = RateLimitDescriptor {
        hits_addend: Some(hits),
        ..RateLimitDescriptor::default()
    };
    let message = RateLimitRequest {
        descriptors: vec![descriptor],
        ..RateLimitRequest::default()
    };
    message.encode_to_vec()
}

#[test]
fn a_long_message_of_many_parts_is_refused_before_it_is_taken_apart() {
    let told = |message: &[u8]| check_parts(message).unwrap_err().message().to_owned();
    // An unknown field of eight bytes, and then empty descriptors.
    let many = [
        &[0x79, 1, 2, 3, 4, 5, 6, 7, 8][..],
        &[0x12, 0].repeat(LARGE),
    ]
    .concat();
    assert_eq!(told(&many), "descriptors: there are 65536; send at most 64");
    let entries = RateLimitRequest {
        descriptors: vec![RateLimitDescriptor {
            entries: vec![Entry::default(); LARGE],
            ..Default::default()
        }],
        ..Default::default()
    };
    assert_eq!(
        told(&entries.encode_to_vec()),
        "descriptors[0].entries: there are 65536; send at most 64"
    );
    // What cannot be counted could be anything.
    let group = [&[0x7b, 0x7c][..], &many].concat();
    assert_eq!(told(&group), "the message is long, and cannot be read");
    assert!(check_parts(&group[..LARGE]).is_ok());
    let long = RateLimitRequest {
        descriptors: vec![RateLimitDescriptor {
            entries: vec![Entry {
                key: "path".into(),
                value: vec![b'x'; LARGE].into(),
            }],
            ..Default::default()
        }],
        ..Default::default()
    };
    assert!(check_parts(&long.encode_to_vec()).is_ok());
}
