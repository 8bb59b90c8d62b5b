mod forwarded;
mod properties;

use super::*;

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn behind(trusted: &[&str]) -> ClientIdentity {
    ClientIdentity::builder()
        .trusted_proxies(trusted)
        .build()
        .unwrap()
}

fn forwarded(trusted: &[&str]) -> ClientIdentity {
    ClientIdentity::builder()
        .trusted_proxies(trusted)
        .header(ForwardingHeader::Forwarded)
        .build()
        .unwrap()
}

fn client(identity: &ClientIdentity, peer: &str, lines: &[&str]) -> Result<String, NoAddress> {
    identity
        .resolve(Some(ip(peer)), lines.iter().map(|line| line.as_bytes()))
        .map(|client| client.ip().to_string())
}

fn found(address: &str) -> Result<String, NoAddress> {
    Ok(address.to_owned())
}

// B35
#[test]
fn clients_behind_a_trusted_proxy_are_told_apart() {
    let identity = behind(&["10.0.0.0/8"]);
    for address in ["203.0.113.1", "203.0.113.2"] {
        assert_eq!(client(&identity, "10.0.0.5", &[address]), found(address));
    }
}

// B35
#[test]
fn a_trusted_peer_without_the_header_is_the_client_or_nobody_as_told() {
    let peer = Some(ip("10.0.0.5"));
    let identity = behind(&["10.0.0.0/8"]);
    let client = identity.resolve(peer, []).unwrap();
    assert_eq!(client.ip(), ip("10.0.0.5"));
    assert_eq!(client.source(), AddressSource::PeerWithoutHeader);

    let identity = ClientIdentity::builder()
        .trusted_proxy("10.0.0.0/8")
        .when_header_missing(WhenHeaderMissing::Missing)
        .build()
        .unwrap();
    assert_eq!(identity.resolve(peer, []), Err(NoAddress::HeaderMissing));
}

// B37
#[test]
fn a_client_cannot_write_the_address_of_a_proxy_before_its_own() {
    let identity = behind(&["192.0.2.1"]);
    let header = "203.0.113.66, 192.0.2.1, 198.51.100.7";
    assert_eq!(
        client(&identity, "192.0.2.1", &[header]),
        found("198.51.100.7")
    );
}

#[test]
fn lines_are_one_list_in_order() {
    let identity = behind(&["192.0.2.1", "10.0.0.0/8"]);
    let lines = [
        "203.0.113.66, 192.0.2.1",
        "198.51.100.7",
        "10.0.0.1,\t10.0.0.2 ",
    ];
    assert_eq!(
        client(&identity, "192.0.2.1", &lines),
        found("198.51.100.7")
    );
}

// B39
#[test]
fn the_header_of_an_untrusted_peer_is_ignored() {
    let identity = behind(&["10.0.0.0/8"]);
    for line in ["10.0.0.1", "203.0.113.66", "garbage", ""] {
        assert_eq!(
            client(&identity, "198.51.100.9", &[line]),
            found("198.51.100.9")
        );
    }
    let nobody = ClientIdentity::default();
    assert_eq!(
        client(&nobody, "10.0.0.5", &["203.0.113.1"]),
        found("10.0.0.5")
    );
}

// B41
#[test]
fn mapped_addresses_are_ipv4_as_proxies_peers_and_clients() {
    for trusted in ["::ffff:192.0.2.0/120", "192.0.2.0/24"] {
        let identity = behind(&[trusted]);
        for peer in ["192.0.2.1", "::ffff:192.0.2.1"] {
            assert_eq!(
                client(&identity, peer, &["::ffff:198.51.100.7, ::ffff:c000:202"]),
                found("198.51.100.7"),
            );
        }
    }
    let refused = ClientIdentity::builder()
        .trusted_proxy("::ffff:0.0.0.0/95")
        .build();
    assert!(refused.is_err());
}

// B43
#[test]
fn ipv6_is_counted_by_network() {
    let network = |prefix, address: &str| {
        let identity = ClientIdentity::builder().ipv6_prefix(prefix).build();
        let client = identity.unwrap().resolve(Some(ip(address)), []).unwrap();
        client.network().to_string()
    };
    assert_eq!(network(64, "2001:db8:0:1::1"), "2001:db8:0:1::/64");
    assert_eq!(network(64, "2001:db8:0:1:ffff::9"), "2001:db8:0:1::/64");
    assert_eq!(network(64, "2001:db8:0:2::1"), "2001:db8:0:2::/64");
    assert_eq!(network(48, "2001:db8:0:2::1"), "2001:db8::/48");
    assert_eq!(network(128, "2001:db8::1"), "2001:db8::1");
    assert_eq!(network(32, "198.51.100.7"), "198.51.100.7");
    for prefix in [0, 31, 129] {
        assert!(
            ClientIdentity::builder()
                .ipv6_prefix(prefix)
                .build()
                .is_err()
        );
    }
}

// B45
#[test]
fn translated_ipv4_is_counted_by_the_embedded_address() {
    let identity = ClientIdentity::default();
    let network = |address| {
        let client = identity.resolve(Some(ip(address)), []).unwrap();
        client.network().to_string()
    };
    assert_eq!(network("64:ff9b::c000:201"), "192.0.2.1");
    assert_eq!(network("64:ff9b::c000:202"), "192.0.2.2");
    assert_eq!(network("64:ff9b:1::c000:202"), "64:ff9b:1::/64");
}

// B55
#[test]
fn a_unix_socket_has_no_address_unless_it_is_trusted_to_name_one() {
    let line = [&b"198.51.100.7"[..]];
    let identity = behind(&["10.0.0.0/8"]);
    assert_eq!(identity.resolve(None, []), Err(NoAddress::UnixSocket));
    assert_eq!(identity.resolve(None, line), Err(NoAddress::UnixSocket));

    let identity = ClientIdentity::builder()
        .trust_unix_peer(true)
        .build()
        .unwrap();
    let client = identity.resolve(None, line).unwrap();
    assert_eq!(client.ip(), ip("198.51.100.7"));
    assert_eq!(client.source(), AddressSource::Header);
    assert_eq!(identity.resolve(None, []), Err(NoAddress::HeaderMissing));
}

#[test]
fn a_malformed_element_ends_the_walk_without_an_address() {
    let identity = behind(&["10.0.0.0/8"]);
    for element in [
        "garbage",
        "",
        " ",
        "unknown",
        "unix:",
        "\"198.51.100.7\"",
        "198.51.100",
        "198.51.100.07",
        "198.51.100.7:",
        "198.51.100.7:x",
        "198.51.100.7:123456",
        "198.51.100.7 10.0.0.1",
        "[198.51.100.7]",
        "[2001:db8::1",
        "[2001:db8::1]x",
        "fe80::1%eth0",
        "2001:db8::1::",
        "example.com",
        "198.51.100.7\u{a0}",
        "::ffff:198.51.100.7:80:",
    ] {
        for line in [
            element.to_owned(),
            format!("203.0.113.66, {element}"),
            format!("203.0.113.66,{element}, 10.0.0.7"),
        ] {
            assert_eq!(
                client(&identity, "10.0.0.5", &[&line]),
                Err(NoAddress::Malformed),
                "{line:?}"
            );
        }
        // What stands left of the client is not read.
        let line = format!("{element}, 198.51.100.7, 10.0.0.7");
        assert_eq!(
            client(&identity, "10.0.0.5", &[&line]),
            found("198.51.100.7"),
            "{line:?}"
        );
    }
    let bytes = [&b"203.0.113.66, \xff"[..]];
    assert_eq!(
        identity.resolve(Some(ip("10.0.0.5")), bytes),
        Err(NoAddress::Malformed)
    );
}

#[test]
fn elements_may_have_ports_and_brackets() {
    let identity = behind(&["10.0.0.0/8"]);
    for (element, address) in [
        ("198.51.100.7:4711", "198.51.100.7"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("[::ffff:198.51.100.7]:1", "198.51.100.7"),
        // Without brackets there is no port.
        ("2001:db8::1:8080", "2001:db8::1:8080"),
        ("2001:DB8::1", "2001:db8::1"),
    ] {
        assert_eq!(client(&identity, "10.0.0.5", &[element]), found(address));
    }
}

#[test]
fn if_all_are_trusted_the_furthest_is_the_client() {
    let identity = behind(&["10.0.0.0/8"]);
    assert_eq!(
        client(&identity, "10.0.0.5", &["10.0.0.9, 10.0.0.8"]),
        found("10.0.0.9")
    );
}

#[test]
fn the_walk_is_bounded() {
    let identity = behind(&["10.0.0.0/8"]);
    let hops = |count| vec!["10.0.0.7"; count].join(",");
    assert_eq!(
        client(&identity, "10.0.0.5", &[&hops(MAX_ELEMENTS)]),
        found("10.0.0.7")
    );
    assert_eq!(
        client(&identity, "10.0.0.5", &[&hops(MAX_ELEMENTS + 1)]),
        Err(NoAddress::TooManyElements)
    );
    let lines = vec!["10.0.0.7"; MAX_ELEMENTS + 1];
    assert_eq!(
        client(&identity, "10.0.0.5", &lines),
        Err(NoAddress::TooManyElements)
    );
    let long = format!("198.51.100.7:{}", "0".repeat(2000));
    assert_eq!(
        client(&identity, "10.0.0.5", &[&long]),
        Err(NoAddress::Malformed)
    );
}

#[test]
fn a_single_header_holds_one_address() {
    let identity = ClientIdentity::builder()
        .trusted_proxy("10.0.0.0/8")
        .header(ForwardingHeader::Single("X-Real-IP".into()))
        .build()
        .unwrap();
    assert_eq!(identity.header_name(), "x-real-ip");
    let read = |lines: &[&str]| client(&identity, "10.0.0.5", lines);
    assert_eq!(read(&[" 198.51.100.7 "]), found("198.51.100.7"));
    assert_eq!(read(&["10.0.0.7"]), found("10.0.0.7"));
    assert_eq!(
        read(&["203.0.113.66, 198.51.100.7"]),
        Err(NoAddress::Malformed)
    );
    assert_eq!(
        read(&["203.0.113.66", "198.51.100.7"]),
        Err(NoAddress::Malformed)
    );
    assert_eq!(read(&[]), found("10.0.0.5"));
}

#[test]
fn the_builder_refuses_what_would_trust_everyone_or_nothing() {
    let error = ClientIdentity::builder()
        .trusted_proxy("0.0.0.0/0")
        .build()
        .unwrap_err();
    assert!(
        error.to_string().contains("`0.0.0.0/0` is every address"),
        "{error}"
    );
    assert!(
        ClientIdentity::builder()
            .trusted_proxy("::/0")
            .build()
            .is_err()
    );
    assert!(
        ClientIdentity::builder()
            .trusted_proxy("localhost")
            .build()
            .is_err()
    );
    for name in ["", "x real ip", "x-real-ip:"] {
        let header = ForwardingHeader::Single(name.into());
        assert!(ClientIdentity::builder().header(header).build().is_err());
    }
}

#[test]
fn an_identity_tells_what_it_was_built_of() {
    let identity = ClientIdentity::builder()
        .trusted_proxies(["10.0.0.0/8", "192.0.2.1"])
        .header(ForwardingHeader::Forwarded)
        .ipv6_prefix(56)
        .trust_unix_peer(true)
        .when_header_missing(WhenHeaderMissing::Missing)
        .build()
        .unwrap();
    let proxies: Vec<String> = identity
        .trusted_proxies()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(proxies, ["10.0.0.0/8", "192.0.2.1"]);
    assert_eq!(identity.header(), &ForwardingHeader::Forwarded);
    assert_eq!(identity.ipv6_prefix(), 56);
    assert!(identity.trusts_unix_peer());
    assert_eq!(identity.when_header_missing(), WhenHeaderMissing::Missing);
    // Also one of a trusted network, which nobody has named.
    let client = identity.client_at("2001:db8:1:2ff::7".parse().unwrap());
    assert_eq!(client.network().to_string(), "2001:db8:1:200::/56");
    assert_eq!(
        identity
            .client_at("10.0.0.1".parse().unwrap())
            .ip()
            .to_string(),
        "10.0.0.1"
    );
}
