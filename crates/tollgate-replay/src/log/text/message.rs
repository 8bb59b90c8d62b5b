//! Lines of other logs that get into the same file.

/// The levels of Traefik, and of Istio.
const LEVELS: [&[u8]; 11] = [
    b"TRC", b"DBG", b"INF", b"WRN", b"ERR", b"FTL", b"debug", b"info", b"warn", b"error", b"fatal",
];

/// Whether it is a line of an error log or a program's own: nginx', Apache's, Traefik's,
/// Envoy's. Only what
/// cannot be the begin of a request is taken for one.
pub(crate) fn is_message(line: &[u8]) -> bool {
    match line {
        // 2026/11/05 06:25:02 [error] 123#0: *1 limiting requests, excess: …
        [_, _, _, _, b'/', _, _, b'/', _, _, b' ', rest @ ..] => {
            line[0].is_ascii_digit() && rest.get(8..10) == Some(b" [")
        }
        // [Thu Nov 05 06:25:02.123456 2026] [core:error] [pid 1] …
        [b'[', day, _, _, b' ', _, _, _, b' ', ..] => day.is_ascii_alphabetic(),
        // [2026-11-05 06:25:02.310][1][info][main] …
        [
            b'[',
            b'0'..=b'9',
            _,
            _,
            _,
            b'-',
            _,
            _,
            b'-',
            _,
            _,
            b' ',
            rest @ ..,
        ] => rest.get(12..14) == Some(b"]["),
        // time="2026-11-05T06:25:02Z" level=info msg=…
        [b't', ..] => line.starts_with(b"time=\""),
        // 2026-11-05T06:25:02Z INF …, and with tabs, of Istio: 2026-11-05T06:25:02.310000Z	info	…
        [
            b'0'..=b'9',
            _,
            _,
            _,
            b'-',
            _,
            _,
            b'-',
            _,
            _,
            b'T',
            rest @ ..,
        ] => {
            let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
            let mut words = rest.splitn(3, blank).skip(1);
            let level = words.next().filter(|_| words.next().is_some());
            level.is_some_and(|level| LEVELS.contains(&level))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_logs_are_told_from_requests() {
        for message in [
            r#"2026/11/05 06:25:02 [error] 31#31: *7 limiting requests, excess: 5.428 by zone "one", client: 2001:db8::17, server: , request: "GET / HTTP/1.1", host: "example.net""#,
            "2026/11/05 06:25:02 [warn] 31#31: *7 delaying request, excess: 0.428, by zone \"one\"",
            "[Thu Nov 05 06:25:02.123456 2026] [core:error] [pid 1:tid 2] AH00124: x",
            r#"time="2026-11-05T06:25:02Z" level=info msg="Configuration loaded""#,
            "2026-11-05T06:25:02Z INF Traefik version 3 built",
            "[2026-11-05 06:25:02.310][1][info][main] [source/server/server.cc:1] starting",
            "2026-11-05T06:25:02.310000Z\tinfo\txdsproxy\tconnected",
        ] {
            assert!(is_message(message.as_bytes()), "{message}");
        }
        for request in [
            r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200 5 "-" "-""#,
            r#"[2026-11-05T06:25:02.310Z] "GET /x HTTP/2" 200 - 0 154 226 100 "-" "a" "b" "c" "d""#,
            "2026-11-05T06:25:02.31+01:00 stdout F x",
            r#"[05/Nov/2026:06:25:02 +0000] - 200 200 - GET https example.net "/a""#,
            "t",
            "",
        ] {
            assert!(!is_message(request.as_bytes()), "{request}");
        }
    }
}
