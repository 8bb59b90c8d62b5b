//! How servers write what clients sent.

use super::put;

/// nginx, `escape=default`: quotes, backslashes, and all that is not printable ASCII.
pub(super) fn nginx(out: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            b'"' | b'\\' | 0..0x20 | 0x7f.. => put!(out, "\\x{byte:02X}"),
            _ => out.push(char::from(byte)),
        }
    }
}

/// nginx, `escape=json`: control characters, quotes and backslashes; the rest as it is.
pub(super) fn nginx_json(out: &mut String, text: &str) {
    json_by(out, text, |_| false);
}

/// Apache: a backslash before quotes and backslashes, C's escapes, and `\xhh`.
pub(super) fn apache(out: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0b => out.push_str("\\v"),
            0..0x20 | 0x7f.. => put!(out, "\\x{byte:02x}"),
            _ => out.push(char::from(byte)),
        }
    }
}

/// zap, which Caddy logs by.
pub(super) fn zap(out: &mut String, text: &str) {
    json_by(out, text, |_| false);
}

/// encoding/json of Go, which Traefik logs by: it escapes what means something in HTML.
pub(super) fn go_json(out: &mut String, text: &str) {
    json_by(out, text, |letter| matches!(letter, '<' | '>' | '&'));
}

fn json_by(out: &mut String, text: &str, also: impl Fn(char) -> bool) {
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..' ' => put!(out, "\\u{:04x}", u32::from(letter)),
            letter if also(letter) => put!(out, "\\u{:04x}", u32::from(letter)),
            letter => out.push(letter),
        }
    }
}

/// CloudFront: whatever could end a column, and all beyond ASCII, percent-encoded.
pub(super) fn cloudfront(out: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b' ' | b'"' | b'%' | b'\\' | 0..0x20 | 0x7f.. => put!(out, "%{byte:02X}"),
            _ => out.push(char::from(byte)),
        }
    }
}

/// A load balancer of AWS: a backslash before quotes and backslashes, and `\xhh`.
pub(super) fn alb(out: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            0..0x20 | 0x7f.. => put!(out, "\\x{byte:02x}"),
            _ => out.push(char::from(byte)),
        }
    }
}

/// HAProxy: what is not printable, quotes, and its own escape.
pub(super) fn haproxy(out: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            b'"' | b'#' | 0..0x20 | 0x7f.. => put!(out, "#{byte:02X}"),
            _ => out.push(char::from(byte)),
        }
    }
}

/// CloudFront: the path as it was encoded already.
pub(super) fn cloudfront_path(out: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b' ' | b'"' | b'\\' | 0..0x20 | 0x7f.. => put!(out, "%{byte:02X}"),
            _ => out.push(char::from(byte)),
        }
    }
}
