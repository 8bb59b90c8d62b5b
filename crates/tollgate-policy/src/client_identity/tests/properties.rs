//! What holds for every header.

use proptest::prelude::*;

use super::*;

/// An element of a list: the address that it names, if it is well formed, in the notation of
/// `Forwarded` or not.
fn element(is_forwarded: bool) -> impl Strategy<Value = (Option<IpAddr>, String)> {
    let notation = move |address: IpAddr| match (is_forwarded, address) {
        (false, _) => address.to_string(),
        (true, IpAddr::V4(_)) => format!("for={address};proto=http"),
        (true, IpAddr::V6(_)) => format!("by=\"a,\\\"b\";for=\"[{address}]:1\""),
    };
    prop_oneof![
        any::<IpAddr>().prop_map(move |address| (Some(address.to_canonical()), notation(address))),
        (0..=255_u8).prop_map(move |last| {
            let address = IpAddr::from([10, 0, 0, last]);
            (Some(address), notation(address))
        }),
        "[ -~]{0,12}".prop_filter_map("lists are joined later", |text| {
            (!text.contains([',', '"'])).then_some((None, text))
        }),
    ]
}

/// Whether an address is trusted, found without the code under test.
fn is_trusted(address: IpAddr) -> bool {
    matches!(address, IpAddr::V4(v4) if v4.octets()[0] == 10)
}

proptest! {
    #[test]
    fn never_panics_whatever_the_header(lines: Vec<Vec<u8>>, is_forwarded: bool, peer: Option<u8>) {
        let header = if is_forwarded { ForwardingHeader::Forwarded } else { ForwardingHeader::XForwardedFor };
        let identity = ClientIdentity::builder().trusted_proxy("10.0.0.0/8").trust_unix_peer(true).header(header).build().unwrap();
        let peer = peer.map(|last| IpAddr::from([10, 0, 0, last]));
        let _ = identity.resolve(peer, lines.iter().map(Vec::as_slice));
    }

    #[test]
    fn never_panics_in_texts_that_look_like_the_header(line in r#"(for=|"|\\|,|;| |\[|\]|:|10\.0\.0\.1|2001:db8::1|_x){0,24}"#) {
        for header in [ForwardingHeader::Forwarded, ForwardingHeader::XForwardedFor] {
            let identity = ClientIdentity::builder().trusted_proxy("10.0.0.0/8").header(header).build().unwrap();
            let _ = identity.resolve(Some(ip("10.0.0.5")), [line.as_bytes()]);
        }
    }

    #[test]
    fn never_yields_an_address_left_of_an_untrusted_one(
        (is_forwarded, elements) in any::<bool>().prop_flat_map(|is_forwarded| (Just(is_forwarded), prop::collection::vec(element(is_forwarded), 1..8))),
        line_length in 1_usize..4,
    ) {
        let identity = if is_forwarded { forwarded(&["10.0.0.0/8"]) } else { behind(&["10.0.0.0/8"]) };
        let texts: Vec<&str> = elements.iter().map(|(_, text)| text.as_str()).collect();
        let lines: Vec<String> = texts.chunks(line_length).map(|line| line.join(", ")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();

        let mut expected = None;
        for (address, text) in elements.iter().rev() {
            // Noise that happens to be an address is rare, and no test of this property.
            prop_assume!(address.is_some() || text.parse::<IpAddr>().is_err());
            expected = *address;
            if !address.is_some_and(is_trusted) {
                break;
            }
        }
        let client = client(&identity, "10.0.0.5", &lines).ok();
        prop_assert_eq!(client, expected.map(|address| address.to_string()));
    }
}
