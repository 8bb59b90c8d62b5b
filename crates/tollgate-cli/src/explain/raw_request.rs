//! A request as it stands on the wire.

use std::fs::File;
use std::io::{Read, stdin};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use http::{HeaderName, HeaderValue, Method, Request, Uri};
use tollgate_http::Peer;

use crate::arguments::PeerAddress;
use crate::policy_file;

/// The largest head of a request that is read, in bytes.
const MAX_HEAD: u64 = 1 << 20;
/// The most header lines.
const MAX_HEADERS: usize = 512;

/// Reads a request, up to its body; `peer` is who sent it, if somebody knows.
pub(super) fn read(path: &Path, peer: Option<PeerAddress>) -> anyhow::Result<Request<()>> {
    let name = policy_file::name(path);
    let bytes = if policy_file::is_standard_input(path) {
        read_head(stdin().lock())
    } else {
        File::open(path).map_err(Into::into).and_then(read_head)
    };
    let bytes = bytes.with_context(|| format!("cannot read {name}"))?;
    let mut request = parse(bytes).with_context(|| {
        format!("{name} is no request of HTTP/1.1, such as `GET /places HTTP/1.1` and header lines")
    })?;
    if let Some(PeerAddress(address)) = peer {
        request.extensions_mut().insert(Peer(address));
    }
    Ok(request)
}

fn read_head(reader: impl Read) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_HEAD + 1).read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|end| end == b"\r\n\r\n");
    if end.is_none() && bytes.len() as u64 > MAX_HEAD {
        bail!("its head is larger than {MAX_HEAD} bytes");
    }
    Ok(bytes)
}

fn parse(mut bytes: Vec<u8>) -> anyhow::Result<Request<()>> {
    say_version_1(&mut bytes);
    // What people write by hand ends with its last header line.
    bytes.extend_from_slice(b"\r\n\r\n");
    let mut headers = vec![httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    if parsed.parse(&bytes)?.is_partial() {
        bail!("it ends too early");
    }
    let (Some(method), Some(target)) = (parsed.method, parsed.path) else {
        bail!("it has no request line");
    };
    let mut request = Request::new(());
    *request.method_mut() = Method::from_bytes(method.as_bytes())?;
    *request.uri_mut() = target
        .parse::<Uri>()
        .map_err(|error| anyhow!("its target is wrong: {error}"))?;
    for header in parsed.headers.iter() {
        let name = HeaderName::from_bytes(header.name.as_bytes())?;
        request
            .headers_mut()
            .append(name, HeaderValue::from_bytes(header.value)?);
    }
    Ok(request)
}

/// Tools show requests of later versions in the form of 1.1, but for the version: `HTTP/2`.
fn say_version_1(bytes: &mut Vec<u8>) {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let mut end = end.unwrap_or(bytes.len());
    if end > 0 && bytes.get(end - 1) == Some(&b'\r') {
        end -= 1;
    }
    for version in [&b" HTTP/2.0"[..], b" HTTP/2", b" HTTP/3"] {
        if bytes.get(..end).is_some_and(|line| line.ends_with(version)) {
            bytes.splice(end - version.len()..end, *b" HTTP/1.1");
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Request<()>> {
        parse(text.as_bytes().to_vec())
    }

    #[test]
    fn reads_what_a_client_sends_or_somebody_writes() {
        for text in [
            "POST /auth/login?x=1 HTTP/1.1\r\nHost: a.example\r\nX-A: 1\r\nX-A: 2\r\n\r\n{\"body\": 1}",
            "POST /auth/login?x=1 HTTP/1.1\nHost: a.example\nX-A: 1\nX-A: 2\n",
            "POST /auth/login?x=1 HTTP/2\r\nHost: a.example\r\nX-A: 1\r\nX-A: 2",
            "POST /auth/login?x=1 HTTP/2.0\nHost: a.example\nX-A: 1\nX-A: 2",
        ] {
            let request = read(text).unwrap();
            assert_eq!(request.method(), "POST");
            assert_eq!(request.uri(), "/auth/login?x=1");
            assert_eq!(request.headers()["host"], "a.example");
            let lines: Vec<_> = request.headers().get_all("x-a").iter().collect();
            assert_eq!(lines, ["1", "2"]);
        }
    }

    #[test]
    fn keeps_bytes_that_are_no_text() {
        let request = parse(b"GET / HTTP/1.0\nx-a: \xff\xfe\n".to_vec()).unwrap();
        assert_eq!(request.headers()["x-a"].as_bytes(), b"\xff\xfe");
    }

    #[test]
    fn refuses_what_is_no_request() {
        for text in [
            "",
            "\n\n",
            "GET /",
            "GET / HTTP/1.1\nno colon",
            "GET /a b HTTP/1.1",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
        let many = format!("GET / HTTP/1.1\n{}", "a: b\n".repeat(MAX_HEADERS + 1));
        assert!(read(&many).is_err());
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let request = b"POST /auth/login?x=1 HTTP/2\r\nHost: a.example\r\nX-A: 1\r\n\r\n";
        let mut seed = 7_u64;
        let mut random = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % below
        };
        let mut read = 0;
        for _ in 0..20_000 {
            let mut bytes = request.to_vec();
            for _ in 0..=random(3) {
                let at = random(bytes.len());
                match random(3) {
                    0 => bytes[at] = u8::try_from(random(256)).unwrap(),
                    1 => bytes.truncate(at + 1),
                    _ => bytes.insert(at, b"\r\n :/%\0"[random(7)]),
                }
            }
            read += usize::from(parse(bytes).is_ok());
        }
        assert!(read > 1_000, "{read}");
    }
}
