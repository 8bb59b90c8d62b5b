//! The header `Forwarded`, and quotes in it.

use super::*;

// B57
#[test]
fn forwarded_is_read_strictly() {
    let identity = forwarded(&["10.0.0.0/8"]);
    let read = |line| client(&identity, "10.0.0.5", &[line]);
    // (a) to (g)
    assert_eq!(read(r#"for="[2001:db8::1]:4711""#), found("2001:db8::1"));
    assert_eq!(read("for=2001:db8::1"), Err(NoAddress::Malformed));
    assert_eq!(
        read(r#"for=192.0.2.60;proto=http, for="198.51.100.17:_p""#),
        found("198.51.100.17")
    );
    assert_eq!(read("for=unknown"), Err(NoAddress::Hidden));
    assert_eq!(read("for=_hidden"), Err(NoAddress::Hidden));
    assert_eq!(read(r#"for="2001:db8::1:8080""#), Err(NoAddress::Malformed));
    assert_eq!(
        read("host=localhost:4430;for=192.0.2.1"),
        Err(NoAddress::Malformed)
    );
}

// B57
#[test]
fn forwarded_accepts_all_of_its_grammar() {
    let identity = forwarded(&["10.0.0.0/8"]);
    for (line, address) in [
        ("For=192.0.2.60", "192.0.2.60"),
        (r#"for="192.0.2.60""#, "192.0.2.60"),
        (r#"for="192.0.2.60:80""#, "192.0.2.60"),
        (r#"for="[2001:db8::1]""#, "2001:db8::1"),
        (r#"for="[2001:db8::1]:_port""#, "2001:db8::1"),
        (r#"for="192.0.\2.60""#, "192.0.2.60"),
        ("proto=https;;for=192.0.2.60;", "192.0.2.60"),
        (r#"by="a, b";for=192.0.2.60;ext="\",\\""#, "192.0.2.60"),
        (
            r#"for=192.0.2.60 , for=10.0.0.7;by="x,for=203.0.113.66""#,
            "192.0.2.60",
        ),
        (r#"for="[::ffff:192.0.2.60]""#, "192.0.2.60"),
    ] {
        assert_eq!(
            client(&identity, "10.0.0.5", &[line]),
            found(address),
            "{line}"
        );
    }
}

// B57
#[test]
fn forwarded_elements_outside_the_grammar_end_the_walk() {
    let identity = forwarded(&["10.0.0.0/8"]);
    for element in [
        "",
        "for",
        "for=",
        "=192.0.2.1",
        "for =192.0.2.1",
        "for= 192.0.2.1",
        "for=192.0.2.1; proto=http",
        "for=192.0.2.1;for=192.0.2.2",
        "proto=https",
        "for=192.0.2.1:80",
        "for=[2001:db8::1]",
        r#"for="[2001:db8::1""#,
        r#"for="2001:db8::1]""#,
        r#"for="192.0.2.1"x"#,
        r#"for="192.0.2.1:123456""#,
        r#"for="192.0.2.1:_""#,
        r#"for="[192.0.2.1]""#,
        "for=example.com",
        r#"for="192.0.2.1"#,
        r#"for="192.0.2.1\"#,
        "for=_",
        "for=\"192.0.2.1\u{1}\"",
        "for=192.0.2.1;x=\"\\a\u{1}\"",
    ] {
        for line in [element.to_owned(), format!("{element}, for=10.0.0.7")] {
            assert_eq!(
                client(&identity, "10.0.0.5", &[&line]),
                Err(NoAddress::Malformed),
                "{line:?}"
            );
        }
    }
}

#[test]
fn an_open_quote_of_the_client_does_not_hide_what_proxies_append() {
    let identity = forwarded(&["10.0.0.0/8"]);
    for forged in [
        r#"for=""#,
        r#"for=203.0.113.66;x=""#,
        r#"for="203.0.113.66\"#,
        r#"",,,"#,
    ] {
        let line = format!(r#"{forged}, for="[2001:db8::1]", for=10.0.0.7"#);
        assert_eq!(
            client(&identity, "10.0.0.5", &[&line]),
            found("2001:db8::1"),
            "{line}"
        );
        let lines = [forged, "for=198.51.100.7"];
        assert_eq!(client(&identity, "10.0.0.5", &lines), found("198.51.100.7"));
    }
}
