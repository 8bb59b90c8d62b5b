//! Lines as examples, for people to read.

/// The most characters that are shown.
const LONGEST: usize = 200;

/// So much of what is binary is shown, in bytes: it tells nobody anything.
const BINARY: usize = 12;

/// True if a line is no text: it has zeros, or much that is not UTF-8 or that
/// controls terminals. A text in an old encoding has
/// less of it.
pub(super) fn is_binary(line: &[u8]) -> bool {
    let begin = line.get(..LONGEST).unwrap_or(line);
    let odd = begin.utf8_chunks().map(|chunk| chunk.invalid().len());
    let odd: usize = odd.sum();
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let controls = begin.iter().filter(is_control).count();
    begin.contains(&0) || (odd + controls) * 5 > begin.len()
}

/// The begin of a line, with everything escaped that is invisible, would move the cursor or turn the
/// text around, or is not UTF-8.
pub(super) fn shown(line: &[u8]) -> String {
    let mut shown = String::new();
    let is_binary = is_binary(line);
    let mut left = if is_binary { BINARY } else { LONGEST };
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            if left == 0 {
                return shown + "…";
            }
            left -= 1;
            match c {
                '"' | '\'' | '\\' => shown.push(c),
                _ => shown.extend(c.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            if left == 0 {
                return shown + "…";
            }
            left -= 1;
            shown.push_str(&format!("\\x{byte:02x}"));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_is_no_text_and_shows_little_of_it() {
        for binary in [&b"\x7fELF\x02\x01\0\0"[..], b"\xff\xd8\xff\xe0\x10JFIF"] {
            assert!(is_binary(binary));
            assert!(shown(&binary.repeat(9)).len() < 80);
        }
        for text in ["GET /a", "GET /\u{f6}\u{e4}", ""] {
            assert!(!is_binary(text.as_bytes()));
        }
        // Latin-1.
        assert!(!is_binary(b"GET /caf\xe9/bar HTTP/1.1"));
    }

    #[test]
    fn shows_the_begin_with_the_invisible_escaped() {
        assert_eq!(shown(b"GET \"/a\\b\" ok"), "GET \"/a\\b\" ok");
        assert_eq!(shown(b"\x1b[31m\xff\t"), r"\u{1b}[31m\xff\t");
        assert_eq!(
            shown("a\u{202e}b\u{200b}ü".as_bytes()),
            r"a\u{202e}b\u{200b}ü"
        );
        let long = shown("ü".repeat(201).as_bytes());
        assert_eq!(long, "ü".repeat(200) + "…");
        assert_eq!(shown("ü".repeat(200).as_bytes()), "ü".repeat(200));
    }
}
